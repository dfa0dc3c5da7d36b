//! Move records as values.

use super::Square;
use crate::diagnostic::Span;
use crate::rules::Roll;

/// A text of a record, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HcurPlaced {
    /// The text.
    pub text: String,
    /// Span of the value.
    pub span: Span,
}

/// One record of a list: a move, or a turn that was skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HcurRecord {
    /// Span of the whole record.
    pub span: Span,
    /// The player who wrote the record.
    pub author: HcurPlaced,
    /// The game that it says it belongs to.
    pub game: Option<HcurPlaced>,
    /// The record that it says it follows.
    pub previous: Option<HcurPlaced>,
    /// Its own address, by which the next one names it.
    pub id: Option<HcurPlaced>,
    /// The roll, if the record contains one.
    pub roll: Option<Rolled>,
    /// The recorded action.
    pub act: HcurAction,
}

/// A roll as a record tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rolled {
    /// The coins; where only their heads are told, tails first.
    pub roll: Roll,
    /// True if each coin is given.
    pub tells_coins: bool,
    /// Span of the roll.
    pub span: Span,
}

/// A recorded action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HcurAction {
    /// A move of a token.
    Move {
        /// The square at which the token starts, and its span (`MoveToken`); `None` for a token that comes onto the board (`CreateToken`).
        from: Option<(Span, Square)>,
        /// Number of squares of the move.
        distance: u64,
        /// Span of the distance.
        span: Span,
    },
    /// Nothing could move: an extension of ours, hc-ur has no record of such a turn.
    Skipped,
}

impl HcurRecord {
    /// Returns true for a move, by hc-ur's definition.
    #[must_use]
    pub fn is_move(&self) -> bool {
        self.act != HcurAction::Skipped
    }
}
