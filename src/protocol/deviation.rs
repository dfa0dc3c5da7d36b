//! Deviations of a lane from the model's prediction.

use super::{LineEnding, RefereeLine};

/// Content that was due on a lane, when another line arrived or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// This line.
    Line(Vec<u8>),
    /// A kind of line, in words: `four coins such as 0 1 1 0`.
    Kind(String),
    /// Nothing before a player's move.
    NothingYet,
    /// Nothing at all: the game is over.
    NothingMore,
}

/// Further requirements on which a prediction rests: what makes the move legal or illegal, and whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Grounds {
    /// Requirement that makes the move legal or illegal.
    pub mv: Option<&'static str>,
    /// Requirement that decides the player on turn.
    pub turn: Option<&'static str>,
}

/// A received line, or a missing one, that is not what the model predicts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deviation {
    /// The lane, by its number in the model.
    pub lane: usize,
    /// Number of the line among those that the lane received, from 1; for a missing line, the number it would have had.
    pub line_number: u64,
    /// Id of the requirement that is broken, as far as the line alone tells.
    pub requirement: &'static str,
    /// Further grounds of the prediction.
    pub grounds: Grounds,
    /// The expected line.
    pub expected: Expected,
    /// The received line, with its ending; `None` if nothing was received.
    pub received: Option<(Vec<u8>, LineEnding)>,
    /// Meaning of the received line, by its form.
    pub heard: Option<RefereeLine>,
}
