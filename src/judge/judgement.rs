//! The result of judging one game.

use crate::event::{OpenChoice, Outcome};
use crate::finding::{Finding, Verdict};
use crate::protocol::GameEvent;
use crate::rules::{PerSeat, Setup};
use crate::transcript::Transcript;

/// Result of a game.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Findings behind the verdict, the reason first.
    pub findings: Vec<Finding>,
    /// The subject's choices where the specification leaves them open.
    pub open: Vec<OpenChoice>,
    /// Observed lines of the lanes.
    pub transcript: Transcript,
    /// Predicted lines of a conforming subject, which a golden transcript pins. `None` where the observation
    /// differs from it, or the game did not come to its end.
    pub prediction: Option<Transcript>,
    /// Events of the game, as far as they follow the prediction.
    pub history: Vec<GameEvent>,
    /// Random setup before the first turn, if known.
    pub setup: Option<Setup>,
    /// True if a line was late or missing, and only lag of the machine explains that.
    pub has_lagged: bool,
    /// The players' names, as far as the handshake told them.
    pub names: PerSeat<Option<Vec<u8>>>,
}

impl Judgement {
    /// Writes the judgement into the outcome of the game.
    pub fn put_into(self, outcome: &mut Outcome) {
        outcome.verdict = self.verdict;
        outcome.findings = self.findings;
        outcome.open = self.open;
        outcome.transcript = self.transcript;
        outcome.prediction = self.prediction;
        outcome.history = self.history;
        outcome.setup = self.setup;
        outcome.has_lagged = self.has_lagged;
    }
}
