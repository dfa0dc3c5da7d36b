//! Move records as values.

use super::Square;
use crate::diagnostic::Span;
use crate::rules::Roll;

/// A text of a record, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// One record of a list: a move, or a turn that was skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Where the whole record stands.
    pub span: Span,
    /// Who wrote it: the player.
    pub author: Placed,
    /// The game that it says it belongs to.
    pub game: Option<Placed>,
    /// The record that it says it follows.
    pub previous: Option<Placed>,
    /// Its own address, by which the next one names it.
    pub id: Option<Placed>,
    /// What was rolled, where it is told.
    pub roll: Option<Rolled>,
    /// What it records.
    pub act: Act,
}

/// A roll as a record tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rolled {
    /// The coins; where only their heads are told, tails first.
    pub roll: Roll,
    /// Whether each coin is told.
    pub tells_coins: bool,
    /// Where it stands.
    pub span: Span,
}

/// What a record tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// `CreateToken`: a token comes onto the board.
    Create {
        /// How many squares it moves.
        distance: u64,
        /// Where the distance stands.
        span: Span,
    },
    /// `MoveToken`: a token on the board moves on.
    Move {
        /// Where it stands.
        from: Square,
        /// Where that is written.
        from_span: Span,
        /// How many squares it moves.
        distance: u64,
        /// Where the distance stands.
        span: Span,
    },
    /// Nothing could move: an extension of ours, hc-ur has no record of such a turn.
    Skipped,
}

impl Record {
    /// Whether it is a move, as hc-ur knows them.
    #[must_use]
    pub fn is_move(&self) -> bool {
        self.act != Act::Skipped
    }
}
