//! Lines of a recording as values.

use std::time::Duration;

use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::protocol::{LaneKind, Line, LineEnding};
use crate::transcript::Event;
use crate::transcript::escape::as_line;
use crate::transcript::event::micros;

/// One line of a recording below its header.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Record {
    /// An event.
    #[serde(skip)]
    Event(Event),
    /// Kind of a lane that the header does not list; its number is the next one.
    Lane(LaneKind),
    /// The end of what the subject wrote to standard error, line by line.
    Stderr(
        #[serde(with = "as_lines")]
        #[schemars(with = "Vec<String>")]
        Vec<u8>,
    ),
    /// The reason why the game could not be played, or recorded, to its end.
    Broken(String),
    /// The verdict and its findings.
    Verdict(Value),
}

/// An event as its line has it: the time since the start of the game in microseconds, and what happened.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "a time in microseconds and an event, such as `[412,\"alarm\"]`")]
pub(super) struct Timed<W>(
    #[serde(with = "micros")]
    #[schemars(with = "u64")]
    pub(super) Duration,
    pub(super) W,
);

/// Bytes as a list of lines.
mod as_lines {
    use serde::{Deserializer, Serializer};

    use super::*;

    #[derive(Serialize, Deserialize)]
    struct OneLine(#[serde(with = "as_line")] Line);

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        let lines = bytes.split_inclusive(|&byte| byte == b'\n');
        to.collect_seq(lines.map(|line| {
            OneLine(match line.strip_suffix(b"\n") {
                Some(line) => Line::new(line),
                None => Line {
                    text: line.to_vec(),
                    ending: LineEnding::Missing,
                },
            })
        }))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let lines = Vec::<OneLine>::deserialize(from)?;
        Ok(lines
            .iter()
            .flat_map(|OneLine(line)| line.to_wire())
            .collect())
    }
}

impl Record {
    /// Reads a line; `None` if it is of a kind that is not known here.
    pub(super) fn read(text: &[u8]) -> serde_json::Result<Option<Record>> {
        let read = match text.first() {
            Some(b'[') => serde_json::from_slice(text)
                .map(|Timed(at, what)| Record::Event(Event { at, what })),
            _ => serde_json::from_slice(text),
        };
        match read {
            Err(error) if is_of_unknown_kind(&error) && is_json(text) => Ok(None),
            read => read.map(Some),
        }
    }
}

/// Returns true if a text is JSON of any kind.
pub(super) fn is_json(text: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(text).is_ok()
}

/// Returns true if a line has a kind that is neither an event nor a record. Lists of other words begin with other words.
fn is_of_unknown_kind(error: &serde_json::Error) -> bool {
    let says = error.to_string();
    let kinds = ["expected one of `opened`", "expected one of `lane`"];
    says.starts_with("unknown variant") && kinds.iter().any(|kinds| says.contains(kinds))
}
