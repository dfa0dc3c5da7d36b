//! Names in braces inside a text, such as `--port={port}`: the one reader of all of them.
//!
//! `{{` is a literal brace, and `}` needs nothing. Every language that uses them (commands, lines of a subject, lines of a dialogue, variables
//! of a scenario) gives the names that it knows.

use std::fmt;

use crate::diagnostic::{Problem, visible};

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Piece<N> {
    /// Text without a name.
    Text(String),
    /// A name in braces, as its language has it.
    Name(N),
}

impl<N> Piece<N> {
    /// The text; nothing for a name.
    pub fn text(&self) -> Option<&str> {
        match self {
            Piece::Text(text) => Some(text),
            Piece::Name(_) => None,
        }
    }

    /// The name; nothing for a text.
    pub fn name(&self) -> Option<&N> {
        match self {
            Piece::Text(_) => None,
            Piece::Name(name) => Some(name),
        }
    }
}

impl<N: fmt::Display> fmt::Display for Piece<N> {
    /// As [`read`] reads it back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Piece::Text(text) => f.write_str(&escaped(text)),
            Piece::Name(name) => write!(f, "{{{name}}}"),
        }
    }
}

/// Reads a text. `name` gets what is between an opening brace and the next closing one (without a closing one: nothing), and returns the
/// name; nothing for braces that are text.
///
/// # Errors
/// The first error of `name`.
pub fn read<'t, N, E>(
    text: &'t str,
    mut name: impl FnMut(&'t str) -> Result<Option<N>, E>,
) -> Result<Vec<Piece<N>>, E> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        plain.push_str(before);
        if let Some(after) = after.strip_prefix('{') {
            plain.push('{');
            rest = after;
            continue;
        }
        let (inside, behind) = after.split_once('}').unwrap_or(("", after));
        rest = match name(inside)? {
            Some(name) => {
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                pieces.push(Piece::Name(name));
                behind
            }
            None => {
                plain.push('{');
                after
            }
        };
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    Ok(pieces)
}

/// Writes text so that [`read`] reads it back as text.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('{', "{{")
}

/// The problem of a brace that no name follows.
#[must_use]
pub fn no_name() -> Problem {
    Problem::new("no name follows this brace").help(LITERAL)
}

/// The problem of a name that is not known, with the known name that was probably meant, and the names that are known.
#[must_use]
pub fn unknown(name: &str, meant: Option<&str>, known: impl Into<String>) -> Problem {
    let shown = visible::short(name);
    let problem = Problem::new(format!("nothing says what `{{{shown}}}` is"));
    let problem = match meant {
        Some(meant) => problem.help(format!("write `{{{meant}}}`")),
        None => problem,
    };
    problem.help(known).help(LITERAL)
}

const LITERAL: &str = "write `{{` for a literal brace";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doubled_brace_is_text_and_one_without_a_name_is_left_to_the_language() {
        let is_word = |inside: &str| inside.bytes().all(|byte| byte.is_ascii_lowercase());
        let lenient = |text| {
            let name = |inside: &'static str| {
                let is_name = !inside.is_empty() && is_word(inside);
                Ok::<_, ()>(is_name.then_some(inside))
            };
            read(text, name).unwrap()
        };
        let text = |text: &str| Piece::Text(text.to_owned());
        assert_eq!(lenient(""), []);
        assert_eq!(
            lenient("a{b}{c}d}}"),
            [text("a"), Piece::Name("b"), Piece::Name("c"), text("d}}")]
        );
        assert_eq!(
            lenient("{{a} {\"x\": {y}"),
            [text("{a} {\"x\": "), Piece::Name("y")]
        );
        assert_eq!(lenient("{a b} {"), [text("{a b} {")]);
        assert_eq!(lenient("{{{a}"), [text("{"), Piece::Name("a")]);
        assert_eq!(lenient(&*escaped("{a}{").leak()), [text("{a}{")]);
        assert_eq!(
            read("a{b", |inside| Err::<Option<()>, _>(inside.len())),
            Err(0)
        );
    }
}
