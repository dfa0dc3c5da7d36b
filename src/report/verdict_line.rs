//! Lines of `urtext verify --json`: the verdict of each game, and the counts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::diagnostic::{Diagnostics, Severity, visible};
use crate::finding::{Finding, Verdict};
use crate::rules::{Game, PerSeat, Seat};
use crate::verify::Ending;

/// Version of the lines.
const VERSION: u32 = 1;

/// A line of `urtext verify --json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum VerdictLine {
    /// The verdict of a game, or of a file that is not readable.
    Verdict(Box<VerdictRow>),
    /// The last line.
    Summary(VerdictCounts),
}

/// The verdict of a game. Names and titles are escaped: `\x1b` means the byte 27.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VerdictRow {
    /// The file, or the files of the game's lanes joined by ` + `; empty if no file is at fault.
    pub file: String,
    /// Number of the game in its file, from 1.
    pub number: usize,
    /// The verdict. `error`: the file, or the rest of it, is not readable.
    pub verdict: Verdict,
    /// The format of the file in words, such as `a recording`, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The game's name, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Names of the first and the second player, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<[Option<String>; 2]>,
    /// Number of turns that were begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<usize>,
    /// The end of the game in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// True if the game was played to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    /// The scenario of a recording.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
    /// Reasons of the verdict.
    pub findings: Vec<VerdictReason>,
    /// Remarks.
    pub notes: Vec<String>,
}

/// A reason of a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VerdictReason {
    /// Observation in one line.
    pub title: String,
    /// Id of the requirement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirement: Option<String>,
    /// File of the wrong line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The wrong line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// Counts of all games.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VerdictCounts {
    /// Version of the lines: 1.
    pub version: u32,
    /// Games that were judged.
    pub games: usize,
    /// Complaints.
    pub complaints: usize,
    /// Games that were not played to their end.
    pub incomplete: usize,
    /// Recorded scenarios that neither conform nor deviate.
    pub undecided: usize,
    /// Files that are not readable as a game.
    pub unreadable: usize,
    /// The exit status.
    pub status: u8,
}

impl VerdictCounts {
    /// Counts of the current version, all 0.
    #[must_use]
    pub fn new() -> VerdictCounts {
        VerdictCounts {
            version: VERSION,
            ..VerdictCounts::default()
        }
    }
}

impl VerdictRow {
    /// A verdict without further facts.
    #[must_use]
    pub fn new(file: &str, number: usize, verdict: Verdict) -> VerdictRow {
        VerdictRow {
            file: plain(file),
            number,
            verdict,
            format: None,
            game: None,
            players: None,
            turns: None,
            end: None,
            complete: None,
            scenario: None,
            findings: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The verdict of a file that is not readable.
    #[must_use]
    pub fn unreadable(faults: &Diagnostics) -> VerdictRow {
        let errors: Vec<_> = faults
            .sorted()
            .into_iter()
            .filter(|fault| fault.severity() == Severity::Error)
            .collect();
        let file = errors.first().and_then(|fault| fault.file());
        let mut row = VerdictRow::new(file.unwrap_or_default(), 1, Verdict::Error);
        row.findings = errors
            .iter()
            .map(|fault| VerdictReason::titled(fault.title()))
            .collect();
        row
    }

    /// Adds the players and the end.
    #[must_use]
    pub fn ended(
        mut self,
        game: &dyn Game,
        names: &PerSeat<Option<Vec<u8>>>,
        ending: Ending,
    ) -> VerdictRow {
        self.game = Some(game.name().to_owned());
        self.players = Some(Seat::BOTH.map(|seat| names[seat].as_deref().map(plain)));
        self.end = Some(plain(ending.describe(game, names)));
        self.complete = Some(ending.is_complete());
        self
    }

    /// Adds reasons.
    #[must_use]
    pub fn because<'f>(mut self, findings: impl IntoIterator<Item = &'f Finding>) -> VerdictRow {
        self.findings
            .extend(findings.into_iter().map(VerdictReason::of));
        self
    }
}

impl VerdictReason {
    /// A reason with nothing but its title.
    #[must_use]
    pub fn titled(title: &str) -> VerdictReason {
        VerdictReason {
            title: plain(title),
            requirement: None,
            file: None,
            line: None,
        }
    }

    fn of(finding: &Finding) -> VerdictReason {
        let place = finding.in_file.as_ref();
        VerdictReason {
            requirement: finding.requirement.map(str::to_owned),
            file: place.map(|place| plain(&place.file)),
            line: place.map(|place| place.line),
            ..VerdictReason::titled(&finding.title)
        }
    }
}

fn plain(text: impl AsRef<[u8]>) -> String {
    visible::plain(text.as_ref()).to_string()
}

/// Returns the schema of one line.
#[must_use]
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(VerdictLine).to_value()
}
