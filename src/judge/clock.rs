//! The referee's clock for a move, as far as it shows, and what may have given new time.

use std::time::Duration;

use super::own_delay::OwnDelay;
use crate::rules::{PerSeat, Seat};

/// Times of the turns, as far as the lanes show the referee's clock.
#[derive(Debug, Clone, Default)]
pub(super) struct RefereeClock {
    /// Time at which the first lane showed the roll of this turn, and whether the turn is skipped.
    pub(super) began: Option<(Duration, bool)>,
    /// Time at which the beginning of this turn was first seen.
    pub(super) rolled_at: Duration,
    /// Time at which the last move was handed out to be sent; its consequences begin later.
    pub(super) moved_at: Option<Duration>,
    /// Time at which the move before the current turn was handed out: the referee's clock for this turn
    /// starts later.
    pub(super) from: Option<Duration>,
    /// Timeout remaining when a loss by timeout became observable, measured from our reading of the turn's
    /// beginning.
    pub(super) early_by: Duration,
    /// Known times of the running timeout.
    pub(super) timeout: Clock,
    /// Own delay of urtext's players.
    pub(super) own_delay: OwnDelay,
}

impl RefereeClock {
    /// The beginning of a turn was seen.
    pub(super) fn turn_begins(&mut self, now: Duration) {
        self.rolled_at = now;
        self.from = self.moved_at;
    }
}

/// Known times of the current turn, whose timeout runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Clock {
    /// The turn, by how much had happened before it; times of another turn do not count.
    pub(super) turn: Option<usize>,
    /// Time at which every lane had shown the turn; the referee's clock has started by then.
    pub(super) seen: Duration,
    /// Time of a participant's last deed during this turn, its lane, and the deed.
    pub(super) acted: Option<(Duration, usize, ClockDeed)>,
    /// Longest time that each player can have used for its moves.
    pub(super) used: PerSeat<Duration>,
    /// The last player that moved since the last turn was seen, and the earliest start of the referee's clock
    /// for that turn.
    pub(super) moved: Option<(Seat, Duration)>,
    /// After when the loss is too late, once the time is over and until the loss is seen.
    pub(super) late_after: Option<Duration>,
    /// After when it is surely not early by as much as scenarios test for: a third of the timeout.
    pub(super) surely_after: Option<Duration>,
    /// Minimum wait for the loss after the timeout, long enough to show a clock that was restarted.
    pub(super) patience: Duration,
}

/// What a referee may take for the end of a player's silence.
#[derive(Debug, Clone, Copy)]
pub(super) enum ClockDeed {
    Line,
    PartOfLine,
    Departure,
    Joining,
}

/// A loss by silence that shows too late.
#[derive(Debug, Clone)]
pub(super) struct Late {
    /// Shortest time that the referee can have waited.
    pub(super) waited: Duration,
    /// Longest wait that is allowed, measured in the same way.
    pub(super) allowed: Duration,
    /// Time in the turn of the action that seems to have restarted the clock, and that action in words.
    pub(super) restarted: Option<(Duration, String)>,
}
