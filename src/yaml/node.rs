//! The tree that a YAML file is read into, every node and key with its place, and texts as YAML reads them back.

use std::fmt::Write;

use crate::diagnostic::{Span, visible};

/// A value and the place where it is written.
///
/// For a value behind an alias (`*name`), this is the place of the definition (`&name`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Span of the text, with the quotation marks or the `>` or `|` of a block; empty for an empty node.
    pub span: Span,
    /// Value of the node.
    pub value: Value,
}

/// Value of a node. Nothing is typed yet: a number is text until a number is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing: no value at all, or a plain `~` or `null`.
    Null,
    /// Text of any kind.
    Scalar(Scalar),
    /// A list.
    List(Vec<Node>),
    /// A mapping, in the order written; every key is there once.
    Map(Vec<(Key, Node)>),
}

/// A text and how it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text itself: as written where it is plain (`0011`, `1.5`, `yes`), unescaped where it is quoted.
    pub text: String,
    /// Style of the scalar.
    pub style: Style,
}

/// Style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As it is.
    Plain,
    /// Between quotation marks, single or double.
    Quoted,
    /// As an indented block after `>` or `|`.
    Block,
}

/// The key of an entry of a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Span of the key.
    pub span: Span,
    /// Its text.
    pub text: String,
}

impl Node {
    /// A text that stands in no file.
    #[must_use]
    pub fn of_text(text: impl Into<String>) -> Node {
        let (text, style) = (text.into(), Style::Plain);
        Node {
            span: Span::default(),
            value: Value::Scalar(Scalar { text, style }),
        }
    }

    /// A mapping that stands in no file.
    #[must_use]
    pub fn map(entries: Vec<(Key, Node)>) -> Node {
        Node {
            span: Span::default(),
            value: Value::Map(entries),
        }
    }

    /// The text of a scalar; `None` for any other node.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(scalar) => Some(&scalar.text),
            _ => None,
        }
    }

    /// Returns the kind of the value, in words that follow "this is".
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Null if self.span.is_empty() => "nothing",
            Value::Null => "null",
            Value::Scalar(Scalar {
                style: Style::Block,
                ..
            }) => "a block of text",
            Value::Scalar(_) => "text",
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
        }
    }

    /// The entry of a mapping with that key; `None` for any other node.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&(Key, Node)> {
        let Value::Map(entries) = &self.value else {
            return None;
        };
        entries.iter().find(|(own, _)| own.text == key)
    }

    /// The span of the value of a key.
    #[must_use]
    pub fn span_of(&self, key: &str) -> Option<Span> {
        self.entry(key).map(|(_, node)| node.span)
    }

    /// The span of a key with its value.
    #[must_use]
    pub fn line_of(&self, key: &str) -> Option<Span> {
        self.entry(key).map(|(key, node)| key.span.to(node.span))
    }

    /// Returns true for a mapping with that key.
    #[must_use]
    pub fn has_key(&self, key: &str) -> bool {
        self.entry(key).is_some()
    }
}

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

/// Writes a mapping on one line, from its keys and their written values.
pub(crate) fn mapping(keys: Vec<(String, String)>) -> String {
    let entries = keys
        .into_iter()
        .map(|(key, value)| format!("{key}: {value}"));
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}

/// Returns a written value as it can be written between brackets.
pub(super) fn within_brackets(written: String) -> String {
    let is_plain = !written.starts_with(['\'', '"', '[', '{']);
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
