//! Lag of the machine during a game: how late urtext was woken, and how long the subject's processes were runnable and did not run.

use std::time::Duration;

/// The lag in one game, as far as the engine reported it. Queries after every line stay fast, however many
/// reports there are.
#[derive(Debug, Clone, Default)]
pub(super) struct Lags {
    /// Delays of urtext's own wake-ups.
    own: Peaks,
    /// Delays of urtext's wake-ups, with the time that the subject did not run.
    both: Peaks,
    /// Total time that the subject could not run, by the time of each report.
    lost: Vec<(Duration, Duration)>,
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

impl Lags {
    /// Adds a report: since the one before, urtext was woken up to `own` late, and the subject did not run for `subject`.
    pub(super) fn report(&mut self, at: Duration, own: Duration, subject: Duration) {
        self.own.add(at, own);
        self.both.add(at, own + subject);
        if !subject.is_zero() {
            let before = self.lost.last().map_or(Duration::ZERO, |(_, lost)| *lost);
            self.lost.push((at, before + subject));
        }
    }

    /// The most by which one event since `from` can have been seen too late.
    pub(super) fn most_since(&self, from: Duration) -> Duration {
        self.both.since(from)
    }

    /// Returns the longest delay of urtext's wake-ups since a time.
    pub(super) fn own_since(&self, from: Duration) -> Duration {
        self.own.since(from)
    }

    /// Returns the time that lag took from a subject that was awaited since `from`.
    pub(super) fn lost_since(&self, from: Duration) -> Duration {
        let earlier = self.lost[..self.lost.partition_point(|(at, _)| *at < from)].last();
        let [earlier, altogether] =
            [earlier, self.lost.last()].map(|lost| lost.map_or(Duration::ZERO, |(_, lost)| *lost));
        self.own_since(from) + altogether - earlier
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_kept_of_the_reports_tells_as_much_as_all_of_them(
            reports in prop::collection::vec((0_u64..4, 0_u64..6, 0_u64..6), 0..30),
            from in 0_u64..60,
        ) {
            let millis = Duration::from_millis;
            let (mut lags, mut all, mut now) = (Lags::default(), Vec::new(), 0);
            for (later, own, subject) in reports {
                now += later;
                lags.report(millis(now), millis(own), millis(subject));
                all.push((now, own, subject));
            }
            all.retain(|(at, ..)| *at >= from);
            let own = all.iter().map(|(_, own, _)| *own).max().unwrap_or_default();
            let both = all.iter().map(|(_, own, subject)| own + subject).max().unwrap_or_default();
            let subject: u64 = all.iter().map(|(.., subject)| subject).sum();
            let from = millis(from);
            let kept = [lags.own_since(from), lags.most_since(from), lags.lost_since(from)];
            prop_assert_eq!(kept, [own, both, own + subject].map(millis));
        }
    }
}
