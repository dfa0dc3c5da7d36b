//! `game: lines`: a dialogue without rules, scripted line by line, with golden transcripts as the only further oracle.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use memchr::memmem;

use super::{Leaving, SendPart, Side};
use crate::diagnostic::Span;
use crate::transcript::Close;

/// The most bytes that it sends, with what was captured.
pub const MOST_SENT: usize = 16 * 1024 * 1024;

/// A dialogue, line by line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialogue {
    /// Kind of subject.
    pub side: Side,
    /// Names of the participants, one lane each, in the order in which they connect.
    pub participants: Vec<String>,
    /// Steps, in order.
    pub steps: Vec<LineStep>,
}

/// One step of a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineStep {
    /// Span of the step.
    pub span: Span,
    /// Action of the step.
    pub what: LineDeed,
}

/// Action of a step of a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineDeed {
    /// urtext writes these pieces to a lane.
    Write {
        /// The lane.
        lane: usize,
        /// Bytes to send; captured names in them are filled in.
        parts: Vec<SendPart>,
    },
    /// A line has to come on each of these lanes, in any order among them.
    Expect {
        /// The lanes.
        lanes: Vec<usize>,
        /// The expected line.
        want: Wanted,
    },
    /// The subject has to end its direction of these lanes.
    ExpectEnd {
        /// The lanes.
        lanes: Vec<usize>,
        /// Expected kind of close; `None` accepts any.
        how: Option<Close>,
    },
    /// Nothing may come on the lane for so long.
    Quiet {
        /// The lane.
        lane: usize,
        /// Duration of the pause.
        time: Duration,
    },
    /// urtext leaves a lane.
    Leave {
        /// The lane.
        lane: usize,
        /// Kind of disconnect.
        how: Leaving,
    },
    /// urtext reads nothing from the lane from now on, or at most so many bytes a second, or (`None`) all again.
    Read {
        /// The lane.
        lane: usize,
        /// Bytes a second; 0 is nothing.
        pace: Option<u64>,
    },
    /// These steps, so many times: once at least, and one step at least, so that going round always comes to something.
    Repeat {
        /// Number of repetitions.
        times: u64,
        /// The steps.
        steps: Vec<LineStep>,
    },
}

/// Expectation of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// One of these patterns.
    AnyOf(Vec<LinePattern>),
    /// This pattern, or no line at all.
    Optional(Arc<LinePattern>),
}

/// A line with places: `welcome {id}`. A place takes any text, the shortest that fits; a name that was captured before has to be the same again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinePattern {
    /// Text and places, in order.
    pub parts: Vec<PatternPart>,
}

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternPart {
    /// These bytes.
    Text(Vec<u8>),
    /// A place with this name.
    Place(String),
}

impl LinePattern {
    /// Reads a pattern; `{{` stands for one brace.
    ///
    /// # Errors
    /// Describes the error in words.
    pub fn parse(text: &str) -> Result<LinePattern, String> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('{') {
            plain.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix('{') {
                plain.push('{');
                rest = after;
                continue;
            }
            let Some((name, after)) = rest.split_once('}') else {
                return Err("a `{` is never closed; write `{{` for a brace".to_owned());
            };
            let is_name = !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if !is_name {
                return Err(format!(
                    "`{{{name}}}` is no name; write letters and digits, or `{{{{` for a brace"
                ));
            }
            if !plain.is_empty() {
                parts.push(PatternPart::Text(std::mem::take(&mut plain).into_bytes()));
            }
            if matches!(parts.last(), Some(PatternPart::Place(_))) {
                return Err(format!(
                    "nothing stands between `{{{name}}}` and the place before it"
                ));
            }
            parts.push(PatternPart::Place(name.to_owned()));
            rest = after;
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            parts.push(PatternPart::Text(plain.into_bytes()));
        }
        Ok(LinePattern { parts })
    }

    /// Matches a line, and returns the captures of its new names.
    #[must_use]
    pub fn fits(
        &self,
        line: &[u8],
        known: &HashMap<String, Vec<u8>>,
    ) -> Option<HashMap<String, Vec<u8>>> {
        let mut taken: HashMap<String, Vec<u8>> = HashMap::new();
        let mut rest = line;
        let mut parts = self.parts.iter().peekable();
        while let Some(part) = parts.next() {
            match part {
                PatternPart::Text(text) => rest = rest.strip_prefix(text.as_slice())?,
                PatternPart::Place(name) => {
                    if let Some(known) = known.get(name).or_else(|| taken.get(name)) {
                        rest = rest.strip_prefix(known.as_slice())?;
                        continue;
                    }
                    let length = match parts.peek() {
                        None => rest.len(),
                        Some(PatternPart::Text(text)) => memmem::find(rest, text)?,
                        Some(PatternPart::Place(_)) => {
                            unreachable!("a text stands between two places")
                        }
                    };
                    taken.insert(name.clone(), rest[..length].to_vec());
                    rest = &rest[length..];
                }
            }
        }
        rest.is_empty().then_some(taken)
    }

    /// The pattern with what is known filled in, as a person would write it.
    #[must_use]
    pub fn shown(&self, known: &HashMap<String, Vec<u8>>) -> Vec<u8> {
        let mut shown = Vec::new();
        for part in &self.parts {
            match part {
                PatternPart::Text(text) => shown.extend_from_slice(text),
                PatternPart::Place(name) => match known.get(name) {
                    Some(known) => shown.extend_from_slice(known),
                    None => shown.extend_from_slice(format!("{{{name}}}").as_bytes()),
                },
            }
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::case_files::assert_lines;

    #[test]
    fn a_place_takes_the_shortest_text_that_fits_and_a_known_name_the_same_again() {
        let known = [("id".to_owned(), b"7".to_vec())].into_iter().collect();
        assert_lines("line-patterns", |row| {
            let (pattern, line) = row.split_once(" | ").unwrap();
            let Ok(pattern) = LinePattern::parse(pattern) else {
                return "no pattern".to_owned();
            };
            let taken = pattern.fits(line.as_bytes(), &known);
            let text = |(name, text)| (name, String::from_utf8(text).unwrap());
            let sorted =
                |taken: HashMap<_, _>| taken.into_iter().map(text).collect::<BTreeMap<_, _>>();
            format!("{:?}", taken.map(sorted))
        });
    }
}
