//! Own delay of urtext: the players that it plays must answer before the referee's timeout. On a busy
//! machine, a roll can stay unread, or an answer unwritten, for longer than that.

use std::time::Duration;

/// Longest time that the referee can have waited for the player on turn.
#[derive(Debug, Clone, Default)]
pub(super) struct OwnDelay {
    /// Time at which the line was handed out that led to this turn; the referee's clock for the turn starts
    /// later. `None`: no line has yet.
    pub(super) from: Option<Duration>,
    /// Number of rolls shown since then: the pace precedes each.
    rolls: u32,
    /// Time at which the turn's beginning was seen.
    seen: Duration,
    /// Time at which the answer was handed out.
    handed: Option<Duration>,
    /// Longest time that the referee can have waited for the last answer, until an event shows that the
    /// answer was in time.
    answered: Option<Duration>,
}

impl OwnDelay {
    /// A roll was shown for the first time: what was sent before came in time.
    pub(super) fn rolled(&mut self, now: Duration) {
        self.rolls += 1;
        self.began(now);
    }

    /// The turn of a player was seen to begin.
    pub(super) fn began(&mut self, now: Duration) {
        self.seen = now;
        self.answered = None;
    }

    /// A line of the player on turn is handed out to be written.
    pub(super) fn handed(&mut self, now: Duration, pace: Duration) {
        if self.handed.is_none() {
            self.handed = Some(now);
            self.answered = Some(now.saturating_sub(self.start(pace)));
        }
    }

    /// It was written, and `decides` the turn or was ignored.
    pub(super) fn sent(&mut self, now: Duration, pace: Duration, decides: bool) {
        let handed = self.handed.take();
        if decides {
            self.answered = Some(now.saturating_sub(self.start(pace)));
            self.from = handed.or(Some(now));
            self.rolls = 0;
            self.seen = now;
        }
    }

    /// Returns the earliest possible start of the referee's clock.
    fn start(&self, pace: Duration) -> Duration {
        self.seen
            .min(self.from.unwrap_or_default() + pace.saturating_mul(self.rolls))
    }

    /// Returns the longest time that the referee can have waited by `now` for a line of which nothing is handed out yet.
    pub(super) fn kept_waiting(&self, now: Duration, pace: Duration) -> Duration {
        match self.handed {
            None => now.saturating_sub(self.start(pace)),
            Some(_) => Duration::ZERO,
        }
    }

    /// Returns the longest time that the referee can have waited; `late` is urtext's most recent delay.
    pub(super) fn waited(&self, pace: Duration, late: Duration) -> Duration {
        let unread = self.seen.saturating_sub(self.start(pace));
        let unread = if self.handed.is_none() {
            unread
        } else {
            Duration::ZERO
        };
        self.answered.unwrap_or_default().max(unread).max(late)
    }
}
