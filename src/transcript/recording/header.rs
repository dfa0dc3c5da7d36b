use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{VERSION, encoding};
use crate::protocol::{self, Dialect, LaneKind};

/// The first line of a recording: everything that is known before the game begins.
#[derive(Debug, Clone)]
pub struct Header {
    /// The wire protocol of the lanes.
    pub dialect: &'static dyn Dialect,
    /// Which side was under test, `referee` or `bot`; `None` where neither was.
    pub subject: Option<String>,
    /// What each lane is.
    pub lanes: Vec<LaneKind>,
    /// The scenario that was played.
    pub scenario: Option<Script>,
    /// The parameters that the game was played with.
    pub parameters: Map<String, Value>,
}

/// A scenario as it was read when the game was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Script {
    /// Where it was.
    pub path: String,
    /// Its text.
    pub text: String,
}

#[derive(Serialize, Deserialize)]
struct Wire {
    urtext: String,
    version: u64,
    dialect: String,
    subject: Option<String>,
    lanes: Vec<WireLane>,
    scenario: Option<Script>,
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

impl Header {
    /// A header for a game over this dialect, with nothing more known.
    #[must_use]
    pub fn new(dialect: &'static dyn Dialect, lanes: &[LaneKind]) -> Header {
        Header { dialect, subject: None, lanes: lanes.to_vec(), scenario: None, parameters: Map::new() }
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
            version: VERSION,
            dialect: self.dialect.name().to_owned(),
            subject: self.subject.clone(),
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
        let again = || "record the game again, or look for a copy of the file that is whole".to_owned();
        // Version first: another version may look different in everything else.
        let value: Value = serde_json::from_slice(line).map_err(|error| {
            let (what, _) = encoding::json_fault(&error);
            ("recording/header", format!("the first line is not a header: {what}"), again())
        })?;
        if value.get("urtext").and_then(Value::as_str) != Some("recording") {
            let title = "the first line is not the header of a recording".to_owned();
            return Err(("recording/header", title, again()));
        }
        if value.get("version").and_then(Value::as_u64) != Some(VERSION) {
            let version = value.get("version").map_or("of no number".to_owned(), Value::to_string);
            let title = format!("version {version} of the recording format is not known");
            let help = format!(
                "this program reads version {VERSION}; use the urtext that wrote the file, or a newer one"
            );
            return Err(("recording/version", title, help));
        }
        let wire: Wire = serde_json::from_value(value)
            .map_err(|error| ("recording/header", format!("the header is not sound: {error}"), again()))?;
        let dialect = protocol::ALL.iter().copied().find(|dialect| dialect.name() == wire.dialect);
        let Some(dialect) = dialect else {
            let names: Vec<_> = protocol::ALL.iter().map(|dialect| dialect.name()).collect();
            let title = format!("there is no dialect {}", crate::diagnostic::visible::quoted(&wire.dialect));
            return Err(("recording/dialect", title, format!("dialects are: {}", names.join(", "))));
        };
        let kind = |lane: WireLane| match lane.kind {
            WireKind::Player => LaneKind::Player,
            WireKind::Spectator => LaneKind::Spectator,
        };
        Ok(Header {
            dialect,
            subject: wire.subject,
            lanes: wire.lanes.into_iter().map(kind).collect(),
            scenario: wire.scenario,
            parameters: wire.parameters,
        })
    }
}
