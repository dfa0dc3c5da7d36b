//! Lag of the machine during a game: how late urtext was woken, how long the subject's processes were runnable and did not run, and
//! how much later than usual a process starts.

use std::time::Duration;

use crate::event::Lag;

/// The lag in one game, as far as the engine reported it. Queries after every line stay fast, however many
/// reports there are.
#[derive(Debug, Clone, Default)]
pub(super) struct Lags {
    /// Delays of urtext's own wake-ups.
    own: Peaks,
    /// Time that the subject's processes were runnable and did not run.
    delayed: Sums,
    /// Time that the subject can have lost: that time, or the delay of starts where it is longer.
    lost: Sums,
    /// True if a line was late or missing, and lag explains that.
    pub(super) has_excused: bool,
}

/// The values that no later one reaches, with their times.
#[derive(Debug, Clone, Default)]
struct Peaks(Vec<(Duration, Duration)>);

impl Peaks {
    fn add(&mut self, at: Duration, value: Duration) {
        while self.0.pop_if(|(_, lower)| *lower <= value).is_some() {}
        self.0.push((at, value));
    }

    /// The greatest value since a time.
    fn since(&self, from: Duration) -> Duration {
        self.0
            .get(self.0.partition_point(|(at, _)| *at < from))
            .map_or(Duration::ZERO, |(_, value)| *value)
    }
}

/// Totals until a time.
#[derive(Debug, Clone, Default)]
struct Sums(Vec<(Duration, Duration)>);

impl Sums {
    fn add(&mut self, at: Duration, value: Duration) {
        if !value.is_zero() {
            self.0.push((at, Sums::total(&self.0) + value));
        }
    }

    fn total(sums: &[(Duration, Duration)]) -> Duration {
        sums.last().map_or(Duration::ZERO, |(_, total)| *total)
    }

    fn since(&self, from: Duration) -> Duration {
        let before = &self.0[..self.0.partition_point(|(at, _)| *at < from)];
        Sums::total(&self.0) - Sums::total(before)
    }
}

impl Lags {
    /// Adds a report on the time since the one before.
    pub(super) fn report(&mut self, at: Duration, lag: Lag) {
        self.own.add(at, lag.own);
        self.delayed.add(at, lag.subject);
        self.lost.add(at, lag.subject.max(lag.start));
    }

    /// Returns the time since `from` in which the subject's processes were runnable and did not run.
    pub(super) fn delayed_since(&self, from: Duration) -> Duration {
        self.delayed.since(from)
    }

    /// Returns the longest delay of urtext's wake-ups since a time.
    pub(super) fn own_since(&self, from: Duration) -> Duration {
        self.own.since(from)
    }

    /// Returns the time that lag can have taken from a subject that was awaited since `from`.
    pub(super) fn lost_since(&self, from: Duration) -> Duration {
        self.own_since(from) + self.lost.since(from)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_kept_of_the_reports_tells_as_much_as_all_of_them(
            reports in prop::collection::vec((0_u64..4, 0_u64..6, 0_u64..6, 0_u64..6), 0..30),
            from in 0_u64..60,
        ) {
            let millis = Duration::from_millis;
            let (mut lags, mut all, mut now) = (Lags::default(), Vec::new(), 0);
            for (later, own, subject, start) in reports {
                now += later;
                let [own, subject, start] = [own, subject, start].map(millis);
                lags.report(millis(now), Lag { own, subject, start });
                all.push((now, own, subject, start));
            }
            all.retain(|(at, ..)| *at >= from);
            let own = all.iter().map(|(_, own, ..)| *own).max().unwrap_or_default();
            let subject: Duration = all.iter().map(|(.., subject, _)| *subject).sum();
            let lost: Duration = all.iter().map(|(.., subject, start)| *subject.max(start)).sum();
            let from = millis(from);
            let kept = [lags.own_since(from), lags.delayed_since(from), lags.lost_since(from)];
            prop_assert_eq!(kept, [own, subject, own + lost]);
        }
    }
}
