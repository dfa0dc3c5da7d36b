//! Lines of players of which it is open what they do.

use crate::diagnostic::visible;
use crate::protocol::Open;
use crate::rules::{Move, Seat};

/// A line of the player on turn that may be taken in several ways.
#[derive(Debug, Clone)]
pub(super) struct Undecided {
    pub(super) by: Seat,
    /// Text as sent, which may be relayed unchanged.
    pub(super) text: Vec<u8>,
    pub(super) open: Open,
    /// A legal move that the player sent after it, for the case that it was ignored.
    pub(super) later: Option<Move>,
}

impl Undecided {
    pub(super) fn decision(&self, how: &str) -> (&'static str, String) {
        (
            self.open.requirement,
            format!("{} was {how}", visible::quoted(&self.text).at_most(40)),
        )
    }

    /// Returns true if no line has to follow: if the line was ignored, the player is still on turn.
    pub(super) fn may_leave_the_turn(&self) -> bool {
        self.open.may_be_ignored && self.later.is_none()
    }
}

/// A line that was sent off turn, and id of the entry that leaves open what becomes of it.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) text: Vec<u8>,
    pub(super) requirement: &'static str,
}
