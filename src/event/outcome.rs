//! Outcomes of games.

use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EarlierGames, GameSummary, PastGame};
use crate::diagnostic::Source;
use crate::finding::{Finding, Verdict};
use crate::pack::Protocol;
use crate::protocol::GameEvent;
use crate::rules::{Move, PerSeat, Setup};
use crate::scenario::{Scenario, Turn};
use crate::transcript::{Direction, Transcript};

/// Returns the seconds of a duration, rounded to microseconds so that a report is short.
#[must_use]
pub fn seconds(time: Duration) -> f64 {
    Duration::from_micros(u64::try_from(time.as_micros()).unwrap_or(u64::MAX)).as_secs_f64()
}

/// A subject's choice where the specification leaves one open, or a time that it takes within what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct OpenChoice {
    /// Id of the entry that leaves it open, or allows it.
    pub requirement: String,
    /// Observation that shows the choice.
    pub seen: String,
    /// The time in milliseconds with which the observation ends; such a one is no choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub millis: Option<u64>,
}

/// The longest that a subject took for a line, since anything was said before it; pace and timeout are not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Slowest {
    /// For its first line, since the lanes were there.
    pub first: Duration,
    /// For any later one.
    pub later: Duration,
}

impl Slowest {
    /// The longest of all.
    #[must_use]
    pub fn longest(self) -> Duration {
        self.first.max(self.later)
    }
}

/// A server may send this number of empty frames on a lane without a remark.
const FEW_EMPTY_FRAMES: u64 = 1000;

/// Returns the remark on the number of empty frames on one lane, if it is unusual.
#[must_use]
pub fn empty_frames_remark(count: u64) -> Option<String> {
    (count > FEW_EMPTY_FRAMES).then(|| format!("the server sent {count} empty frames on one lane"))
}

/// Outcome of one scenario.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Short name of the scenario.
    pub name: String,
    /// Title of the scenario.
    pub title: String,
    /// Its text, for positions.
    pub source: Source,
    /// The verdict.
    pub verdict: Verdict,
    /// Findings behind the verdict; the first is the reason, later ones are consequences or additions.
    pub findings: Vec<Finding>,
    /// The subject's choices where the specification leaves them open.
    pub open: Vec<OpenChoice>,
    /// True if the game was cut short because another game of the run waits in full for a failure that seems
    /// to be the same; this game alone decides nothing.
    pub was_hurried: bool,
    /// The observed transcript.
    pub transcript: Transcript,
    /// The predicted golden transcript; `None` if the observation differs.
    pub prediction: Option<Transcript>,
    /// Events of the game, as far as they follow the prediction.
    pub history: Vec<GameEvent>,
    /// The turns that have begun, with the deeds that the players have done in them so far; `any` for a player who has done nothing yet.
    pub turns: Vec<Turn>,
    /// The illegal move by which a player has lost, where the line names one.
    pub losing_move: Option<Move>,
    /// Random setup before the first turn, if known.
    pub setup: Option<Setup>,
    /// The players' names, as far as the handshake told them.
    pub names: PerSeat<Option<Vec<u8>>>,
    /// What the same server has played before it, one game after the other; `None` without a server that ran already, or where others were
    /// played at the same time.
    pub earlier: Option<EarlierGames>,
    /// Duration of the game.
    pub took: Duration,
    /// The subject's slowest answers.
    pub slowest: Slowest,
    /// The last bytes that the subject wrote to standard error.
    pub stderr: Vec<u8>,
    /// Number of empty WebSocket frames on the lane that received the most of them.
    pub empty_frames: u64,
    /// True if a line was late or missing, in the first game or the second, and only lag of the machine
    /// explains that.
    pub has_lagged: bool,
    /// The recording of the game, if one was made.
    pub recording: Option<PathBuf>,
    /// All games of the scenario in their order, if the verdict rests on several; else none.
    pub games: Vec<GameSummary>,
    /// The command that repeats it.
    pub repeat: String,
}

impl Outcome {
    /// The outcome of a game in which nothing was observed yet; the verdict is pass.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Outcome {
        Outcome {
            title: scenario.title.clone(),
            ..Outcome::unobserved(
                scenario.name.clone(),
                scenario.source.clone(),
                scenario.protocol(),
            )
        }
    }

    /// The same for a scenario of which only its name, its text and its protocol are known.
    #[must_use]
    pub fn unobserved(name: String, source: Source, protocol: Protocol) -> Outcome {
        Outcome {
            name,
            source,
            transcript: Transcript {
                protocol,
                ..Transcript::default()
            },
            ..Outcome::default()
        }
    }

    /// The outcome of a game that ends with one finding.
    #[must_use]
    pub fn with(mut self, finding: Finding) -> Outcome {
        self.verdict = finding.verdict;
        self.findings = vec![finding];
        self
    }

    /// Returns true if a line in this direction was seen on any lane.
    #[must_use]
    pub fn has_line(&self, direction: Direction) -> bool {
        let lanes = self.transcript.lanes.iter();
        let mut entries = lanes.flat_map(|lane| &lane.entries);
        entries.any(|entry| entry.direction == direction)
    }

    /// The first finding that fails: what the game failed for.
    #[must_use]
    pub fn failure(&self) -> Option<&Finding> {
        let mut findings = self.findings.iter();
        findings.find(|finding| finding.verdict == Verdict::Fail)
    }

    /// Returns true if it failed because an expected line did not arrive.
    #[must_use]
    pub fn failed_by_silence(&self) -> bool {
        self.failure().is_some_and(|finding| finding.by_silence)
    }

    /// The first finding that fails, to add to it.
    pub fn failure_mut(&mut self) -> Option<&mut Finding> {
        let mut findings = self.findings.iter_mut();
        findings.find(|finding| finding.verdict == Verdict::Fail)
    }

    /// The game as the next one on the same server finds it.
    #[must_use]
    pub fn past(&self) -> PastGame {
        let symptom = self.failure().and_then(|finding| finding.symptom);
        let settled = symptom.map_or(self.history.len(), |symptom| symptom.settled);
        PastGame {
            setup: self.setup.unwrap_or_default(),
            history: self.history[..settled].to_vec(),
            attempt: symptom.and_then(|symptom| {
                let (by, mv) = symptom.attempt?;
                Some((by, mv?))
            }),
            has_passed: self.verdict <= Verdict::Lenient,
        }
    }

    /// Returns the number of the game among those of its server, from 1.
    #[must_use]
    pub fn number_on_server(&self) -> usize {
        self.earlier.as_ref().map_or(0, EarlierGames::count) + 1
    }

    /// Returns true if it failed since its server keeps something of the games before.
    #[must_use]
    pub fn fails_later(&self) -> bool {
        let mut findings = self.findings.iter();
        findings.any(|finding| finding.is_later)
    }

    /// Makes the verdict *flaky*: one game failed, and another one passed.
    pub fn be_flaky(&mut self) {
        self.verdict = Verdict::Flaky;
        for finding in &mut self.findings {
            finding.verdict = finding.verdict.min(Verdict::Flaky);
        }
    }
}
