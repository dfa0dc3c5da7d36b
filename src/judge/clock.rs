//! The referee's clock for a move, as far as it shows, and what may have given new time.

use std::time::Duration;

use crate::rules::{PerSeat, Seat};

/// Known times of the current turn, whose timeout runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Clock {
    /// The turn, by how much had happened before it; times of another turn do not count.
    pub(super) turn: Option<usize>,
    /// Time at which every lane had shown the turn; the referee's clock has started by then.
    pub(super) seen: Duration,
    /// Time of a participant's last action during this turn.
    pub(super) acted: Option<Duration>,
    /// Longest time that each player can have used for its moves.
    pub(super) used: PerSeat<Duration>,
    /// The last player that moved since the last turn was seen, and the earliest start of the referee's clock
    /// for that turn.
    pub(super) moved: Option<(Seat, Duration)>,
    /// After when the loss is too late, once the time is over and until the loss is seen.
    pub(super) late_after: Option<Duration>,
    /// Minimum wait for the loss after the timeout, long enough to show a clock that was restarted.
    pub(super) patience: Duration,
}

/// A loss by silence that shows too late.
#[derive(Debug, Clone, Copy)]
pub(super) struct Late {
    /// Shortest time that the referee can have waited.
    pub(super) waited: Duration,
    /// Longest wait that is allowed, measured in the same way.
    pub(super) allowed: Duration,
    /// Time in the turn of the event that seems to have restarted the clock.
    pub(super) restarted: Option<Duration>,
}
