//! Frames of a replay: one for each turn.

use crate::protocol::Cause;
use crate::rules::{Move, Phase, Picture, Roll, Seat, Table};

/// One turn of a finished game, and the position after it.
#[derive(Debug)]
pub struct Frame {
    /// Number of the turn, from 1; 0 is the start.
    pub number: usize,
    /// The player of the turn; `None` at the start.
    pub by: Option<Seat>,
    /// Roll of the turn, in a game with rolls.
    pub roll: Option<Roll>,
    /// The roll by which the turn is played again; also where no record tells the roll.
    pub(super) roll_played: Option<Roll>,
    /// Result of the turn.
    pub deed: FrameAction,
    /// The game after it.
    pub table: Box<dyn Table>,
}

impl Frame {
    /// The position after the turn as data. Nobody is on turn where the game is over.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let mut picture = self.table.picture();
        let is_over = matches!(self.table.phase(), Phase::Over(_))
            || matches!(self.deed, FrameAction::Lost { .. });
        if is_over {
            picture.to_move = None;
        }
        picture
    }

    /// The board after the turn.
    #[must_use]
    pub fn board(&self) -> String {
        self.picture().text()
    }
}

/// Result of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameAction {
    /// Nothing yet: the game begins.
    Start,
    /// A move, and in words what it did.
    Moved {
        /// The move.
        mv: Move,
        /// Description of the action.
        what: String,
    },
    /// No move was possible.
    Skipped {
        /// Reason for the skip.
        why: String,
    },
    /// The player lost the game.
    Lost {
        /// Reason of the loss, as far as the lanes show it.
        cause: Cause,
    },
    /// The lanes stop before the move.
    Awaited,
}
