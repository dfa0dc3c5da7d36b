//! Texts as YAML reads them back: plain where that is safe, otherwise in quotation marks.

use std::fmt::Write;

use crate::diagnostic::visible;

/// The shortest text that is written as a repeat, in bytes.
const LONG: usize = 64;

/// Writes the value of a key.
pub(super) fn scalar(text: &str) -> String {
    if is_plain(text) {
        text.to_owned()
    } else if text.chars().any(is_escaped) {
        in_double_marks(text)
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

/// Writes a text between brackets.
pub(super) fn entry(text: &str) -> String {
    if is_plain(text) && text.contains([',', '[', ']', '{', '}']) {
        format!("'{}'", text.replace('\'', "''"))
    } else {
        scalar(text)
    }
}

/// Writes a list on one line.
pub(super) fn list<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> String {
    let entries: Vec<_> = texts.into_iter().map(|text| entry(text.as_ref())).collect();
    format!("[{}]", entries.join(", "))
}

/// Returns true for a text that means nothing but itself to YAML, outside brackets.
fn is_plain(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.chars().all(|character| matches!(character, ' '..='~'))
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && text != "null"
}

fn is_escaped(character: char) -> bool {
    character != ' ' && visible::is_hostile(character)
}

/// Writes a text in double quotation marks.
pub(super) fn in_double_marks(text: &str) -> String {
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

/// Writes bytes that are sent in one piece.
pub(super) fn piece(bytes: &[u8]) -> String {
    let period = period(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text)
            if bytes.len() >= LONG && period < bytes.len() && text.is_char_boundary(period) =>
        {
            let times = bytes.len() / period;
            format!(
                "{{repeat: {}, times: {times}}}",
                in_double_marks(&text[..period])
            )
        }
        Ok(text) => in_double_marks(text),
        Err(_) => {
            let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{{hex: \"{}\"}}", digits.join(" "))
        }
    }
}

/// Length of the shortest part that makes the whole when it is repeated.
fn period(bytes: &[u8]) -> usize {
    let mut borders = vec![0; bytes.len()];
    for end in 1..bytes.len() {
        let mut border: usize = borders[end - 1];
        while border > 0 && bytes[border] != bytes[end] {
            border = borders[border - 1];
        }
        borders[end] = border + usize::from(bytes[border] == bytes[end]);
    }
    let period = bytes.len() - borders.last().copied().unwrap_or_default();
    if bytes.len().is_multiple_of(period.max(1)) {
        period
    } else {
        bytes.len()
    }
}
