//! Patterns for lines that a subject prints, such as the line that shows its port.

use std::collections::BTreeMap;

use super::is_place_name;
use crate::diagnostic::{Problem, suggest};
use crate::scenario::{LinePattern, Place, PlaceKind};
use crate::yaml::braces::{self, Piece};

/// Text that a subject prints, with names in braces for the parts that vary from run to run.
///
/// `{port}` and `{spectator_port}` stand for digits, `{players}` and `{spectators}` for an address `HOST:PORT`, and `{any}` for
/// anything. `{{` is one brace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlPattern {
    text: String,
    line: LinePattern,
}

/// The names that may be written in braces. `docs/urtext-yaml.md` says what each one is.
pub const HOLES: &[&str] = &["port", "spectator_port", "players", "spectators", "any"];

/// Texts found for the names, by name.
pub type Captures = BTreeMap<&'static str, String>;

impl UrlPattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// Fails if the text is empty, or a name in braces is unknown.
    pub fn parse(text: &str) -> Result<UrlPattern, Problem> {
        let pieces = braces::read(text, |inside| match is_place_name(inside) {
            true => hole(inside).map(Some),
            false => Ok(None),
        })?;
        if pieces.is_empty() {
            return Err(Problem::new("there is nothing in it to wait for"));
        }
        let mut parts = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => parts.push(Piece::Text(text)),
                Piece::Name("any") => parts.push(anything()),
                Piece::Name(name) => {
                    if is_address(name) {
                        parts.push(part(format!("{name}.{HOST}"), PlaceKind::Word));
                        parts.push(Piece::Text(":".to_owned()));
                    }
                    parts.push(part(name.to_owned(), PlaceKind::Int));
                }
            }
        }
        Ok(UrlPattern {
            text: text.to_owned(),
            line: LinePattern { parts },
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
        self.line.places().any(|place| place.name == name)
    }

    /// Finds the pattern anywhere in the line, and returns the captures.
    #[must_use]
    pub fn find(&self, line: &str) -> Option<Captures> {
        let parts = self.line.parts.iter().cloned();
        let parts = [anything()].into_iter().chain(parts).chain([anything()]);
        let parts = parts.collect();
        captures(&LinePattern { parts }, line)
    }

    /// Matches the pattern against the whole line, and returns the captures.
    #[must_use]
    pub fn matches(&self, line: &str) -> Option<Captures> {
        captures(&self.line, line)
    }
}

/// The part of a name's address that is no port.
const HOST: &str = "host";

fn hole(name: &str) -> Result<&'static str, Problem> {
    let names = || HOLES.iter().copied();
    names().find(|known| *known == name).ok_or_else(|| {
        let listed: Vec<_> = names().map(|name| format!("{{{name}}}")).collect();
        let known = format!("the places are {}", listed.join(" "));
        braces::unknown(name, suggest(name, names()), known)
    })
}

fn is_address(name: &str) -> bool {
    matches!(name, "players" | "spectators")
}

fn part(name: String, kind: PlaceKind) -> Piece<Place> {
    Piece::Name(Place { name, kind })
}

fn anything() -> Piece<Place> {
    part(Place::UNNAMED.to_owned(), PlaceKind::Text)
}

/// Matches a whole line, and returns the ports and the addresses in it.
fn captures(pattern: &LinePattern, line: &str) -> Option<Captures> {
    let found = pattern.fits(line.as_bytes(), &Default::default())?;
    let text = |name: &str| Some(String::from_utf8_lossy(found.get(name)?).into_owned());
    let mut captures = Captures::new();
    for &name in HOLES {
        let Some(port) = text(name) else { continue };
        port.parse::<u16>().ok()?;
        let host = text(&format!("{name}.{HOST}"));
        captures.insert(
            name,
            host.map_or(port.clone(), |host| format!("{host}:{port}")),
        );
    }
    Some(captures)
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
                Err(problem) => problem.to_string(),
            }
        });
    }
}
