//! Texts as YAML reads them back: plain where that is safe, otherwise in quotation marks.

use std::fmt::Write;

use crate::diagnostic::visible;

/// Writes the value of a key.
#[must_use]
pub fn scalar(text: &str) -> String {
    if is_plain(text) {
        text.to_owned()
    } else if text.chars().any(is_escaped) {
        in_double_marks(text)
    } else {
        in_single_marks(text)
    }
}

/// Writes a text between brackets.
#[must_use]
pub fn entry(text: &str) -> String {
    within_brackets(scalar(text))
}

/// Writes a list on one line.
#[must_use]
pub fn list<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> String {
    let entries: Vec<_> = texts.into_iter().map(|text| entry(text.as_ref())).collect();
    format!("[{}]", entries.join(", "))
}

/// Returns a written scalar as it can be written between brackets.
pub(super) fn within_brackets(written: String) -> String {
    let is_plain = !written.starts_with(['\'', '"']);
    match is_plain && written.contains([' ', ',', '[', ']', '{', '}']) {
        true => in_single_marks(&written),
        false => written,
    }
}

fn in_single_marks(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Returns true for a text that means nothing but itself to YAML, outside brackets.
fn is_plain(text: &str) -> bool {
    let first = text.trim_start_matches('-').chars().next();
    first.is_some_and(|first| first.is_ascii_alphanumeric() || "./".contains(first))
        && text.chars().all(|character| matches!(character, ' '..='~'))
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !matches!(text, "null" | "Null" | "NULL")
}

fn is_escaped(character: char) -> bool {
    character != ' ' && visible::is_hostile(character)
}

/// Writes a text in double quotation marks.
#[must_use]
pub fn in_double_marks(text: &str) -> String {
    let mut written = String::from('"');
    for character in text.chars() {
        let number = u32::from(character);
        match character {
            '"' | '\\' => write!(written, "\\{character}"),
            '\n' => write!(written, "\\n"),
            '\r' => write!(written, "\\r"),
            '\t' => write!(written, "\\t"),
            _ if !is_escaped(character) => write!(written, "{character}"),
            _ if character.is_ascii() => write!(written, "\\x{number:02x}"),
            _ if number <= 0xffff => write!(written, "\\u{number:04x}"),
            _ => write!(written, "\\U{number:08x}"),
        }
        .expect("a string takes all");
    }
    written.push('"');
    written
}
