//! What a failed game shows of the subject's reading of the rules.

use crate::rules::{Move, Seat};

/// Unexpected action of the subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    /// A roll.
    Roll,
    /// The move that was sent, relayed as valid.
    Move,
    /// A loss.
    Loss,
    /// Nothing.
    Nothing,
    /// Nothing, and no lane ends: a move is awaited.
    Waits,
    /// The end of the stream.
    End,
    /// A line that means nothing.
    Other,
    /// A bot's line: the move that it names, if it names one.
    Answer(Option<Move>),
}

/// What a failed game shows of the subject's reading of the rules: what it did where the rules awaited something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symptom {
    /// What the subject did.
    pub reaction: Reaction,
    /// Number of events that it has shown for certain.
    pub settled: usize,
    /// The line after them that a referee may have taken otherwise: its player, and the move that it names, if it names one.
    pub attempt: Option<(Seat, Option<Move>)>,
    /// The player whose lane it is, if nobody tells players their own moves.
    pub lane_of: Option<Seat>,
    /// True if the timeout has passed since the last turn began.
    pub is_time_over: bool,
    /// True if nothing but the end of a lane shows a loss.
    pub is_loss_silent: bool,
}
