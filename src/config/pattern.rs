//! Patterns for lines that a subject prints, such as the line that shows its port.

use std::collections::BTreeMap;

/// Text that a subject prints, with names in braces for the parts that vary from run to run.
///
/// `{port}` and `{spectator_port}` stand for digits, `{players}` and `{spectators}` for an address `HOST:PORT`, and `{any}` for
/// anything. `{{` is one brace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlPattern {
    text: String,
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Hole(&'static str),
}

/// The names that can stand in braces, with what they stand for.
pub const HOLES: &[(&str, &str)] = &[
    ("port", "the port that the subject listens on, for players"),
    (
        "spectator_port",
        "the port that it listens on for spectators",
    ),
    (
        "players",
        "the address that it listens on for players, HOST:PORT",
    ),
    (
        "spectators",
        "the address that it listens on for spectators, HOST:PORT",
    ),
    ("any", "anything"),
];

/// Texts found for the names, by name.
pub type Captures = BTreeMap<&'static str, String>;

/// Errors in the text of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternFault {
    /// There is nothing in it.
    #[error("there is nothing in it to wait for")]
    Empty,
    /// A name between braces that means nothing.
    #[error("{{{name}}} is not a placeholder here{}", .meant.map(|meant| format!("; did you mean {{{meant}}}?")).unwrap_or_default())]
    Unknown {
        /// The name.
        name: String,
        /// The known name that comes nearest.
        meant: Option<&'static str>,
    },
    /// Two names with nothing between them.
    #[error("between {{{0}}} and {{{1}}} there has to be some text")]
    Adjacent(&'static str, &'static str),
}

impl UrlPattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// Fails if the text is empty, a name in braces is unknown, or no text separates two names.
    pub fn parse(text: &str) -> Result<UrlPattern, PatternFault> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('{') {
            literal.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix('{') {
                literal.push('{');
                rest = after;
                continue;
            }
            let name = rest
                .split('}')
                .next()
                .filter(|name| name.len() < rest.len())
                .unwrap_or("");
            if !super::template::is_name(name) {
                literal.push('{');
                continue;
            }
            let names = || HOLES.iter().map(|(name, _)| *name);
            let Some(hole) = names().find(|known| *known == name) else {
                let meant = crate::diagnostic::suggest(name, names());
                return Err(PatternFault::Unknown {
                    name: name.to_owned(),
                    meant,
                });
            };
            match (literal.is_empty(), pieces.last()) {
                (true, Some(Piece::Hole(before))) => {
                    return Err(PatternFault::Adjacent(before, hole));
                }
                (true, _) => {}
                (false, _) => pieces.push(Piece::Text(std::mem::take(&mut literal))),
            }
            pieces.push(Piece::Hole(hole));
            rest = &rest[name.len() + 1..];
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            pieces.push(Piece::Text(literal));
        }
        if pieces.is_empty() {
            return Err(PatternFault::Empty);
        }
        Ok(UrlPattern {
            text: text.to_owned(),
            pieces,
        })
    }

    /// The pattern as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns true if the pattern contains this name.
    #[must_use]
    pub fn tells(&self, name: &str) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Hole(hole) if *hole == name))
    }

    /// Finds the pattern anywhere in the line, and returns the captures.
    #[must_use]
    pub fn find(&self, line: &str) -> Option<Captures> {
        let starts = line.char_indices().map(|(at, _)| at).chain([line.len()]);
        starts
            .filter_map(|at| take(&self.pieces, &line[at..], false))
            .next()
    }

    /// Matches the pattern against the whole line, and returns the captures.
    #[must_use]
    pub fn matches(&self, line: &str) -> Option<Captures> {
        take(&self.pieces, line, true)
    }
}

/// Matches the pieces at the beginning of a text, the longest match first for digits and addresses, and the
/// shortest for `{any}`.
fn take(pieces: &[Piece], text: &str, to_the_end: bool) -> Option<Captures> {
    let Some((piece, others)) = pieces.split_first() else {
        return (!to_the_end || text.is_empty()).then(Captures::new);
    };
    let hole = match piece {
        Piece::Text(literal) => {
            return take(others, text.strip_prefix(literal.as_str())?, to_the_end);
        }
        Piece::Hole(hole) => *hole,
    };
    let rest = |length: usize| take(others, &text[length..], to_the_end);
    let (length, mut captures) = match hole {
        "any" => {
            // What follows is text or the end, so that there is no more than one place to try for each occurrence of it.
            let next = match others.first() {
                Some(Piece::Text(literal)) => literal.as_str(),
                _ if to_the_end => return Some(Captures::from([(hole, text.to_owned())])),
                _ => "",
            };
            text.match_indices(next)
                .find_map(|(at, _)| Some((at, rest(at)?)))?
        }
        "port" | "spectator_port" => {
            let length = text.bytes().take_while(u8::is_ascii_digit).count();
            text[..length].parse::<u16>().ok()?;
            (length, rest(length)?)
        }
        _ => {
            let length = text.find(char::is_whitespace).unwrap_or(text.len());
            let mut lengths = (1..=length)
                .rev()
                .filter(|&length| is_address(text.get(..length)));
            lengths.find_map(|length| Some((length, rest(length)?)))?
        }
    };
    captures.insert(hole, text[..length].to_owned());
    Some(captures)
}

fn is_address(text: Option<&str>) -> bool {
    let Some((host, port)) = text.and_then(|text| text.rsplit_once(':')) else {
        return false;
    };
    !host.is_empty() && !port.starts_with('+') && port.parse::<u16>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case_files::assert_lines;

    #[test]
    fn finds_ports_and_addresses_anywhere_and_matches_whole_lines() {
        assert_lines("patterns", |row| {
            let (pattern, line) = row.split_once(" | ").unwrap();
            match UrlPattern::parse(pattern) {
                Ok(pattern) => {
                    let found = pattern.find(line).map(Vec::from_iter);
                    format!(
                        "found {found:?}, whole: {}",
                        pattern.matches(line).is_some()
                    )
                }
                Err(error) => error.to_string(),
            }
        });
    }
}
