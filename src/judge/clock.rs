//! Times of a game: durations of waits, the referee's clock as far as it shows, urtext's own delay, the lag of the machine, and the
//! verdict on a measured time.

use std::time::Duration;

use crate::event::Lag;
use crate::rules::{PerSeat, Seat};

/// Time for the referee to show its reaction to a line that was sent off turn.
pub(super) const SETTLE: Duration = Duration::from_millis(300);

/// Wait for events after a close or a failure.
pub(super) const AFTERMATH: Duration = Duration::from_millis(200);

/// A measured time, and how far the real one can be from it, as the machine was loaded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    pub(super) time: Duration,
    /// The real time is longer by at most this.
    pub(super) short: Duration,
    /// The real time is shorter by at most this.
    pub(super) long: Duration,
}

/// The verdict on a measured time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// It can be within its bound, and cannot be wrong by as much as the scenario tests for.
    Kept,
    /// It can be within its bound, and can be wrong by as much as the scenario tests for.
    Unsure,
    /// It is outside its bound, however late urtext or the subject was.
    Broken,
}

impl Measured {
    /// Holds it against a lower bound. `margin`: the difference that the scenario tests for.
    pub(super) fn at_least(self, bound: Duration, margin: Duration) -> Bound {
        if self.time + self.short < bound {
            Bound::Broken
        } else if self.time.saturating_sub(self.long) + margin >= bound {
            Bound::Kept
        } else {
            Bound::Unsure
        }
    }

    /// Holds it against an upper bound. `margin`: the difference that the scenario tests for.
    pub(super) fn at_most(self, bound: Duration, margin: Duration) -> Bound {
        if self.time.saturating_sub(self.long) > bound {
            Bound::Broken
        } else if self.time + self.short <= bound + margin {
            Bound::Kept
        } else {
            Bound::Unsure
        }
    }
}

/// Returns the tolerance for an early end of a timeout or a pace, since timers are not exact.
pub(super) fn tolerance(time: Duration) -> Duration {
    (time / 20).max(Duration::from_millis(50)).min(time / 2)
}

/// Times of the turns, as far as the lanes show the referee's clock.
#[derive(Debug, Clone, Default)]
pub(super) struct RefereeClock {
    /// Time at which the first lane showed the roll of this turn, and whether the turn is skipped.
    pub(super) began: Option<(Duration, bool)>,
    /// The shortest time from a move to the next roll.
    pub(super) shortest: Option<Duration>,
    /// Time at which the beginning of this turn was first seen.
    pub(super) rolled_at: Duration,
    /// Time at which the line was handed out to be sent that led to this turn: the referee's clock for the turn starts later. `None`: no
    /// line has yet.
    pub(super) from: Option<Duration>,
    /// Number of rolls shown since then: the pace precedes each.
    rolls: u32,
    /// Time at which the answer was handed out, until it is written.
    handed: Option<Duration>,
    /// Longest time that the referee can have waited for the last answer, until an event shows that the answer was in time.
    answered: Option<Duration>,
    /// Timeout remaining when a loss by timeout became observable, measured from our reading of the turn's
    /// beginning.
    pub(super) early_by: Duration,
    /// Known times of the running timeout.
    pub(super) timeout: Clock,
}

impl RefereeClock {
    /// A roll was shown for the first time.
    pub(super) fn rolled(&mut self, now: Duration) {
        self.rolls += 1;
        self.turn_begins(now);
    }

    /// The turn of a player was seen to begin: what was sent before came in time.
    pub(super) fn turn_begins(&mut self, now: Duration) {
        self.rolled_at = now;
        self.answered = None;
    }

    /// A line of the player on turn is handed out to be written.
    pub(super) fn handed(&mut self, now: Duration, pace: Duration) {
        if self.handed.is_none() {
            self.handed = Some(now);
            self.answered = Some(self.waits_until(now, pace));
        }
    }

    /// It was written, and `decides` the turn or was ignored.
    pub(super) fn sent(&mut self, now: Duration, pace: Duration, decides: bool) {
        let handed = self.handed.take();
        if decides {
            self.answered = Some(self.waits_until(now, pace));
            self.from = handed.or(Some(now));
            self.rolls = 0;
        }
    }

    /// Returns the longest time that the referee can have waited by `now` for the player on turn.
    fn waits_until(&self, now: Duration, pace: Duration) -> Duration {
        let paced = self.from.unwrap_or_default() + pace.saturating_mul(self.rolls);
        now.saturating_sub(self.rolled_at.min(paced))
    }

    /// Returns the longest time that the referee can have waited by `now` for a line of which nothing is handed out yet.
    pub(super) fn kept_waiting(&self, now: Duration, pace: Duration) -> Duration {
        match self.handed {
            None => self.waits_until(now, pace),
            Some(_) => Duration::ZERO,
        }
    }

    /// Returns the longest time that the referee can have waited for the last answer, or for one before the turn was seen.
    pub(super) fn waited(&self, pace: Duration) -> Duration {
        let unread = self.kept_waiting(self.rolled_at, pace);
        self.answered.unwrap_or_default().max(unread)
    }

    /// Returns the time from which the referee's clock can run: when the line before was handed out.
    pub(super) fn starts(&self) -> Duration {
        self.from.unwrap_or_default().min(self.rolled_at)
    }

    /// Before when no loss by this timeout can be seen of a referee that keeps it, however late what it wrote is read. In the first turn
    /// its clock starts while lanes are still being opened, so that more tolerance is left.
    pub(super) fn not_before(&self, timeout: Duration) -> Duration {
        let tolerance = match self.from {
            Some(_) => tolerance(timeout),
            None => tolerance(timeout).max(timeout / 4),
        };
        self.starts() + timeout - tolerance
    }
}

/// Known times of the current turn, whose timeout runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Clock {
    /// The turn, by how much had happened before it; times of another turn do not count.
    pub(super) turn: Option<usize>,
    /// Time at which every lane had shown the turn; the referee's clock has started by then.
    pub(super) seen: Duration,
    /// Time of a participant's last deed during this turn, the deed such as `a line from`, and the participant's lane.
    pub(super) acted: Option<(Duration, &'static str, usize)>,
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

/// The lag in one game, as far as the engine reported it.
#[derive(Debug, Clone, Default)]
pub(super) struct Lags {
    /// The reports, each with its time; only lag that is notable is reported.
    reports: Vec<(Duration, Lag)>,
    /// True if a line was late or missing, and lag explains that.
    pub(super) has_excused: bool,
}

impl Lags {
    /// Adds a report on the time since the one before.
    pub(super) fn report(&mut self, at: Duration, lag: Lag) {
        self.reports.push((at, lag));
    }

    /// Returns the longest delay of urtext's wake-ups since a time, and the time in which the subject's processes were runnable and did not
    /// run.
    pub(super) fn since(&self, from: Duration) -> Lag {
        let later = self.reports.partition_point(|(at, _)| *at < from);
        let reports = self.reports[later..].iter();
        reports.fold(Lag::default(), |all, (_, lag)| Lag {
            own: all.own.max(lag.own),
            subject: all.subject + lag.subject,
        })
    }

    /// Returns the time that lag can have taken from a subject that was awaited since `from`.
    pub(super) fn lost_since(&self, from: Duration) -> Duration {
        let Lag { own, subject } = self.since(from);
        own + subject
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_lag_makes_unsure_is_neither_kept_nor_broken() {
        let millis = Duration::from_millis;
        let measured = |time, short, long| Measured {
            time: millis(time),
            short: millis(short),
            long: millis(long),
        };
        let at_least =
            |time, short, long| measured(time, short, long).at_least(millis(1000), millis(250));
        assert_eq!(at_least(999, 0, 0), Bound::Broken);
        assert_eq!(at_least(999, 1, 0), Bound::Kept);
        assert_eq!(at_least(1000, 0, 250), Bound::Kept);
        assert_eq!(at_least(1000, 0, 251), Bound::Unsure);
        let at_most =
            |time, short, long| measured(time, short, long).at_most(millis(1000), millis(250));
        assert_eq!(at_most(1001, 0, 0), Bound::Broken);
        assert_eq!(at_most(1001, 0, 1), Bound::Kept);
        assert_eq!(at_most(1000, 250, 0), Bound::Kept);
        assert_eq!(at_most(1000, 251, 0), Bound::Unsure);
    }
}
