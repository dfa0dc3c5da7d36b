//! Records of a game as values.

use std::time::Duration;

use crate::diagnostic::Span;
use crate::games::royalur::UrCell;
use crate::rules::{PerSeat, Seat};

/// A game as a file records it.
#[derive(Debug, Default)]
pub(super) struct NetGame {
    /// The players' names, if the file has them.
    pub(super) names: PerSeat<Option<String>>,
    /// The records in order.
    pub(super) records: Vec<NetRecord>,
}

/// One record: a turn or an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NetRecord {
    /// Span of the record.
    pub(super) span: Span,
    /// The player of the record.
    pub(super) by: Seat,
    /// Number of steps that were rolled, if the record contains it.
    pub(super) roll: Option<u8>,
    /// Time from the start of the game.
    pub(super) at: Option<Duration>,
    /// The recorded action.
    pub(super) action: NetAction,
}

/// A recorded action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NetAction {
    /// A token moves.
    Move(NetMove),
    /// A roll without a move.
    NoMove,
    /// The player gives up or leaves.
    Resigned,
    /// The game ends with this winner.
    End(Seat),
}

/// A move of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NetMove {
    /// Cell at which the token starts; 0 is the start of the track.
    pub(super) from: UrCell,
    /// Cell that it reaches; 15 is the end of the track.
    pub(super) to: UrCell,
    /// True if the record says that it captures.
    pub(super) captures: bool,
}
