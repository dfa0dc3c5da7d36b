//! The result of judging one game.

use crate::event::{Finding, OpenChoice, Verdict};
use crate::protocol::Happening;
use crate::rules::{PerSeat, Setup};
use crate::transcript::Transcript;

/// What the judge says in the end.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// What led to it, the reason first.
    pub findings: Vec<Finding>,
    /// What the subject chose where the specification leaves it open.
    pub open: Vec<OpenChoice>,
    /// What was observed on the lanes.
    pub transcript: Transcript,
    /// What the model says that a conforming subject shows: what a golden transcript pins. `None` where the observation
    /// differs from it, or the game did not come to its end.
    pub prediction: Option<Transcript>,
    /// What happened, as far as the game went as predicted.
    pub history: Vec<Happening>,
    /// What chance had fixed before the first turn, where it was told.
    pub setup: Option<Setup>,
    /// Whether something came too late, or not at all, and only lag of the machine explains that.
    pub has_lagged: bool,
    /// The players' names, as far as the handshake told them.
    pub names: PerSeat<Option<Vec<u8>>>,
}
