use crate::protocol::Cause;
use crate::rules::{Move, Roll, Seat, Table};

/// One turn of a finished game, and the position after it.
#[derive(Debug)]
pub struct Frame {
    /// Number of the turn, from 1; 0 is the start.
    pub number: usize,
    /// Whose turn it was; `None` at the start.
    pub by: Option<Seat>,
    /// What was rolled, in a game with rolls.
    pub roll: Option<Roll>,
    /// What came of it.
    pub deed: Deed,
    /// The game after it.
    pub table: Box<dyn Table>,
}

/// What came of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Nothing yet: the game begins.
    Start,
    /// A move, and in words what it did.
    Moved {
        /// The move.
        mv: Move,
        /// What it did.
        what: String,
    },
    /// No move was possible.
    Skipped {
        /// Why not.
        why: String,
    },
    /// The player lost the game.
    Lost {
        /// Why, as far as the lanes tell.
        cause: Cause,
    },
    /// The lanes stop before the move.
    Awaited,
}
