//! The header of a recording, with the scenario of a scripted game.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{OLDEST, VERSION};
use crate::diagnostic::json_fault;
use crate::pack::Protocol;
use crate::protocol::LaneKind;

/// The first line of a recording: everything that is known before the game begins.
#[derive(Debug, Clone)]
pub struct Header {
    /// The version of the format that it was written in.
    pub version: u64,
    /// The version of urtext that wrote it; `None` in version 1.
    pub program: Option<String>,
    /// The protocol of the lanes.
    pub protocol: Protocol,
    /// Kind of subject, `referee` or `bot`; `None` if neither was under test.
    pub subject: Option<String>,
    /// The name of what was under test, where it has one.
    pub name: Option<String>,
    /// True if the scenario was played again after a failure.
    pub is_again: bool,
    /// Kinds of the lanes.
    pub lanes: Vec<LaneKind>,
    /// The scenario that was played.
    pub scenario: Option<RecordedScenario>,
    /// The parameters that the game was played with.
    pub parameters: Map<String, Value>,
}

/// A scenario as it was read when the game was recorded, with every text that it rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedScenario {
    /// Path of the scenario, with `#` and the case in a file of several.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its short name; empty in version 1.
    #[serde(default)]
    pub name: String,
    /// The texts that it includes.
    #[serde(default)]
    pub included: Vec<Included>,
    /// Its golden transcript, where it has one.
    #[serde(default)]
    pub golden: Option<String>,
}

/// A text that a scenario includes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Included {
    /// Its path from the scenario's folder.
    pub path: String,
    /// Its text.
    pub text: String,
}

#[derive(Serialize, Deserialize)]
struct Wire {
    urtext: String,
    version: u64,
    #[serde(default)]
    program: Option<String>,
    dialect: String,
    subject: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    again: bool,
    lanes: Vec<WireLane>,
    scenario: Option<RecordedScenario>,
    #[serde(default)]
    parameters: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct WireLane {
    kind: WireKind,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WireKind {
    Player,
    Spectator,
}

/// The parameter that says what the free turns of a game of `explore` were chosen for.
pub const STEERING: &str = "steering";

impl Header {
    /// A header for lanes of this protocol, with nothing more known.
    #[must_use]
    pub fn new(protocol: Protocol, lanes: &[LaneKind]) -> Header {
        Header {
            version: VERSION,
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

    pub(super) fn to_json(&self) -> String {
        let lane = |&kind: &LaneKind| WireLane {
            kind: match kind {
                LaneKind::Player => WireKind::Player,
                LaneKind::Spectator => WireKind::Spectator,
            },
        };
        let wire = Wire {
            urtext: "recording".to_owned(),
            version: self.version,
            program: self.program.clone(),
            dialect: self.protocol.name().to_owned(),
            subject: self.subject.clone(),
            name: self.name.clone(),
            again: self.is_again,
            lanes: self.lanes.iter().map(lane).collect(),
            scenario: self.scenario.clone(),
            parameters: self.parameters.clone(),
        };
        serde_json::to_string(&wire).expect("strings and numbers are JSON")
    }

    /// Reads the first line.
    ///
    /// # Errors
    /// Code, what is wrong, and what to do.
    pub(super) fn from_json(line: &[u8]) -> Result<Header, (&'static str, String, String)> {
        let again =
            || "record the game again, or look for a copy of the file that is whole".to_owned();
        // Version first: another version may look different in everything else.
        let value: Value = serde_json::from_slice(line).map_err(|error| {
            let (what, _) = json_fault(&error);
            (
                "recording/header",
                format!("the first line is not a header: {what}"),
                again(),
            )
        })?;
        if value.get("urtext").and_then(Value::as_str) != Some("recording") {
            let title = "the first line is not the header of a recording".to_owned();
            return Err(("recording/header", title, again()));
        }
        let version = value.get("version").and_then(Value::as_u64);
        if !version.is_some_and(|version| (OLDEST..=VERSION).contains(&version)) {
            let version = value
                .get("version")
                .map_or("of no number".to_owned(), Value::to_string);
            let title = format!("version {version} of the recording format is not known");
            let help = format!(
                "this program reads versions {OLDEST} to {VERSION}; use the urtext that wrote the file, or a newer one"
            );
            return Err(("recording/version", title, help));
        }
        let wire: Wire = serde_json::from_value(value).map_err(|error| {
            (
                "recording/header",
                format!("the header is not sound: {error}"),
                again(),
            )
        })?;
        let Some(protocol) = Protocol::named(&wire.dialect) else {
            let names: Vec<_> = Protocol::all().map(Protocol::name).collect();
            let title = format!(
                "there is no dialect {}",
                crate::diagnostic::visible::quoted(&wire.dialect)
            );
            return Err((
                "recording/dialect",
                title,
                format!("dialects are: {}", names.join(", ")),
            ));
        };
        let kind = |lane: WireLane| match lane.kind {
            WireKind::Player => LaneKind::Player,
            WireKind::Spectator => LaneKind::Spectator,
        };
        Ok(Header {
            version: wire.version,
            program: wire.program,
            protocol,
            subject: wire.subject,
            name: wire.name,
            is_again: wire.again,
            lanes: wire.lanes.into_iter().map(kind).collect(),
            scenario: wire.scenario,
            parameters: wire.parameters,
        })
    }
}
