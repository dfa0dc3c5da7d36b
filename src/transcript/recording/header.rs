//! The header of a recording, with the scenario of a scripted game.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::version_2;
use super::{OLDEST, VERSION};
use crate::diagnostic::visible::quoted;
use crate::diagnostic::{Diagnostic, json_fault};
use crate::pack::Protocol;
use crate::protocol::LaneKind;

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
pub(super) struct FirstLine<'a> {
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

    pub(super) fn first_line(&self) -> FirstLine<'_> {
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
    pub(super) fn read(line: &[u8]) -> Result<(Header, u64), Diagnostic> {
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
            let names: Vec<_> = Protocol::all().map(Protocol::name).collect();
            let title = format!("there is no dialect {}", quoted(name));
            let help = format!("dialects are: {}", names.join(", "));
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
