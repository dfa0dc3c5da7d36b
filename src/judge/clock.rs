//! The referee's clock for a move, as far as it shows, and what may have given new time.

use std::time::Duration;

use crate::rules::{PerSeat, Seat};

/// What urtext knows of the turn whose time runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Clock {
    /// The turn, by how much had happened before it; times of another turn do not count.
    pub(super) turn: Option<usize>,
    /// When the turn had been shown on every lane; the referee's clock has started by then.
    pub(super) seen: Duration,
    /// When a participant last did something during this turn.
    pub(super) acted: Option<Duration>,
    /// How long each player can have taken for its moves, at most.
    pub(super) used: PerSeat<Duration>,
    /// Who has moved since the last turn was seen, and when the referee's clock for that turn can have started, at the earliest.
    pub(super) moved: Option<(Seat, Duration)>,
    /// After when the loss is too late, once the time is over and until the loss is seen.
    pub(super) late_after: Option<Duration>,
    /// How long the loss is waited for, at least, once the time is over: so long that a clock that was started anew shows.
    pub(super) patience: Duration,
}

/// A loss by silence that shows too late.
#[derive(Debug, Clone, Copy)]
pub(super) struct Late {
    /// How long the referee can have waited, at least.
    pub(super) waited: Duration,
    /// How long it may wait, so measured.
    pub(super) allowed: Duration,
    /// How far into the turn something happened that seems to have given new time.
    pub(super) restarted: Option<Duration>,
}
