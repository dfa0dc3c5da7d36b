//! Recordings: one line of JSON for each event, with times and exact bytes.

#![doc = include_str!("../recording.md")]

mod reader;
mod version_2;
mod writer;

pub use reader::Reader;
pub use writer::Writer;

use std::time::Duration;

use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::diagnostic::visible::quoted;
use crate::diagnostic::{Diagnostic, json_fault};
use crate::pack::Protocol;
use crate::protocol::{LaneKind, Line, LineEnding};
use crate::transcript::escape::as_line;
use crate::transcript::event::micros;
use crate::transcript::{Event, What};

/// The version of the format that is written.
pub const VERSION: u64 = 3;

/// The oldest version that is read.
const OLDEST: u64 = 2;

/// Returns true if these first bytes look like a recording, valid or not.
#[must_use]
pub fn is_recording(start: &[u8]) -> bool {
    let line = start
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    line.trim_ascii_start().starts_with(b"{")
        && line.windows(8).any(|window| window == b"\"urtext\"")
}

/// A line of a recording.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum AnyLine<'a> {
    Header(FirstLine<'a>),
    Event(Timed<What>),
    Record(Record),
}

/// Returns the JSON Schema of a line of a recording.
#[must_use]
pub fn schema() -> Value {
    schemars::schema_for!(AnyLine<'_>).to_value()
}

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
struct Timed<W>(
    #[serde(with = "micros")]
    #[schemars(with = "u64")]
    Duration,
    W,
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
    fn read(text: &[u8]) -> serde_json::Result<Option<Record>> {
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
fn is_json(text: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(text).is_ok()
}

/// Returns true if a line has a kind that is neither an event nor a record. Lists of other words begin with other words.
fn is_of_unknown_kind(error: &serde_json::Error) -> bool {
    let says = error.to_string();
    let kinds = ["expected one of `opened`", "expected one of `lane`"];
    says.starts_with("unknown variant") && kinds.iter().any(|kinds| says.contains(kinds))
}

/// The first line of a recording: everything that is known before the game begins.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Header {
    /// The version of urtext that wrote it; `null` for another program.
    #[serde(default)]
    pub program: Option<String>,
    /// The wire protocol of the lanes.
    #[serde(rename = "dialect", with = "by_name")]
    #[schemars(with = "String")]
    pub protocol: Protocol,
    /// The side under test, `referee` or `bot`; `null` if neither was.
    #[serde(default)]
    pub subject: Option<String>,
    /// The name of what was under test, where it has one.
    #[serde(default)]
    pub name: Option<String>,
    /// True if the scenario was played again after a failure.
    #[serde(default, rename = "again")]
    pub is_again: bool,
    /// Kinds of the lanes; lanes are numbered from 0 in this order.
    pub lanes: Vec<LaneKind>,
    /// The scenario that was played.
    #[serde(default)]
    pub scenario: Option<RecordedScenario>,
    /// The parameters that the game was played with; times in seconds.
    #[serde(default)]
    pub parameters: Map<String, Value>,
}

/// A scenario as it was read when the game was recorded, with every text that it rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedScenario {
    /// Path of the scenario, with `#` and the case in a file of several.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its short name.
    pub name: String,
    /// The texts that it includes.
    #[serde(default)]
    pub included: Vec<Included>,
    /// The text of its golden transcript, where it has one.
    #[serde(default)]
    pub golden: Option<String>,
    /// True if what it forces was waited for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_chance: bool,
    /// True if its names were left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub without_names: bool,
}

/// A text that a scenario includes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Included {
    /// Its path from the scenario's folder.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// A header with what identifies the file.
#[derive(Serialize, JsonSchema)]
struct FirstLine<'a> {
    /// `recording`.
    urtext: &'static str,
    /// The version of the format.
    version: u64,
    #[serde(flatten)]
    header: &'a Header,
}

/// A protocol by the name of its dialect.
mod by_name {
    use super::*;

    pub(super) fn serialize<S: Serializer>(protocol: &Protocol, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(protocol.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Protocol, D::Error> {
        let name = String::deserialize(from)?;
        Protocol::named(&name).ok_or_else(|| serde::de::Error::custom(quoted(&name)))
    }
}

/// The parameter that says what the free turns of a game of `explore` were chosen for.
pub const STEERING: &str = "steering";

impl Header {
    /// A header for lanes of this protocol, with nothing more known.
    #[must_use]
    pub fn new(protocol: Protocol, lanes: &[LaneKind]) -> Header {
        Header {
            program: Some(env!("CARGO_PKG_VERSION").to_owned()),
            protocol,
            subject: None,
            name: None,
            is_again: false,
            lanes: lanes.to_vec(),
            scenario: None,
            parameters: Map::new(),
        }
    }

    fn first_line(&self) -> FirstLine<'_> {
        FirstLine {
            urtext: "recording",
            version: VERSION,
            header: self,
        }
    }

    /// Reads the first line; returns the version of the format too.
    ///
    /// # Errors
    /// `recording/header`, `recording/version` or `recording/dialect`.
    fn read(line: &[u8]) -> Result<(Header, u64), Diagnostic> {
        let unsound = |what: String| {
            let help = "record the game again, or look for a copy of the file that is whole";
            Diagnostic::error("recording/header", what).help(help)
        };
        // Version first: another version may look different in everything else.
        let mut value: Value = serde_json::from_slice(line).map_err(|error| {
            let (what, _) = json_fault(&error);
            unsound(format!("the first line is not a header: {what}"))
        })?;
        if value["urtext"] != "recording" {
            let title = "the first line is not the header of a recording";
            return Err(unsound(title.to_owned()));
        }
        let known = value["version"].as_u64();
        let Some(known) = known.filter(|version| (OLDEST..=VERSION).contains(version)) else {
            let title = match &value["version"] {
                Value::Null => "the header lacks the version of the recording format".to_owned(),
                version => format!("version {version} of the recording format is not known"),
            };
            let help = format!(
                "this program reads versions {OLDEST} to {VERSION}; use the urtext that wrote the file, or a newer one"
            );
            return Err(Diagnostic::error("recording/version", title).help(help));
        };
        let dialect = value["dialect"].as_str();
        if let Some(name) = dialect.filter(|name| Protocol::named(name).is_none()) {
            let title = format!("there is no dialect {}", quoted(name));
            let help = format!("dialects are: {}", Protocol::names());
            return Err(Diagnostic::error("recording/dialect", title).help(help));
        }
        if known < VERSION {
            version_2::upgrade_header(&mut value);
        }
        match serde_json::from_value(value) {
            Ok(header) => Ok((header, known)),
            Err(error) => Err(unsound(format!("the header is not sound: {error}"))),
        }
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
