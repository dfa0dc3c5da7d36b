//! Durations of waits, and the verdict on a measured time.

use std::time::Duration;

use super::observed::Observed;

/// Time for the referee to show its reaction to a line that was sent off turn.
pub(super) const SETTLE: Duration = Duration::from_millis(300);

/// Wait for events after a close or a failure.
pub(super) const AFTERMATH: Duration = Duration::from_millis(200);

/// Longest wait for the first line of a subject that may still be starting, and for its end.
const STARTS_WITHIN: Duration = Duration::from_secs(60);

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

/// Returns the time from which the referee's clock can run: when the move before was handed out.
pub(super) fn clock_starts(seen: &Observed) -> Duration {
    seen.clock
        .from
        .unwrap_or_default()
        .min(seen.clock.rolled_at)
}

/// Before when no loss by this timeout can be seen of a referee that keeps it, however late what it wrote is read. In the first turn its
/// clock starts while lanes are still being opened, so that more tolerance is left.
pub(super) fn not_before(seen: &Observed, timeout: Duration) -> Duration {
    let tolerance = match seen.clock.from {
        Some(_) => tolerance(timeout),
        None => tolerance(timeout).max(timeout / 4),
    };
    clock_starts(seen) + timeout - tolerance
}

/// The time for something; a subject that has not said anything may still be starting.
pub(super) fn patience<K>(seen: &Observed<K>, budget: Duration) -> Duration {
    if seen.heard.anything {
        budget
    } else {
        (budget + seen.settings.budgets.start)
            .min(STARTS_WITHIN)
            .max(budget)
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
