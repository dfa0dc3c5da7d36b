//! The order in which games begin, and those that do not begin.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::time_limit::TimeLimit;
use crate::diagnostic::Setting;
use crate::event::Outcome;
use crate::finding::{Finding, Verdict};
use crate::scenario::Scenario;

/// The order in which the games of a run begin, and its early end. By default, all games are played, the longest first.
#[derive(Debug, Clone, Default)]
pub struct PlayOrder {
    /// Shuffles the games by this seed.
    pub shuffle: Option<u64>,
    /// Verdicts after which no further game begins. Games that have begun are played to their end.
    pub fatal: Vec<Verdict>,
    /// Names of scenarios that end nothing, because their failure is known.
    pub spared: BTreeSet<String>,
    /// After which no further first game begins. A second game of one that failed still does.
    pub limit: Option<TimeLimit>,
}

/// The reason why a run ended before all its games had begun.
#[derive(Debug, Clone, Copy)]
pub enum EarlyEnd<'a> {
    /// The game of this name ended it.
    Failure(&'a str),
    /// Its time was over.
    Time(&'a TimeLimit),
}

impl PlayOrder {
    /// Returns true if the time is over in which games begin.
    pub fn is_over(&self) -> bool {
        self.limit.as_ref().is_some_and(TimeLimit::has_passed)
    }

    /// Returns true if no further game begins after this outcome.
    pub(super) fn is_fatal(&self, outcome: &Outcome) -> bool {
        self.fatal.contains(&outcome.verdict) && !self.spared.contains(&outcome.name)
    }

    /// Puts the numbers of the games into the order in which they begin.
    pub(super) fn arrange(&self, order: &mut [usize], idle_time: impl Fn(usize) -> Duration) {
        let Some(seed) = self.shuffle else {
            // Whoever waits longest begins first, so that the others are played meanwhile.
            return order.sort_by_key(|&number| Reverse(idle_time(number)));
        };
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for left in (1..order.len()).rev() {
            let chosen = random.next_u64() % (left as u64 + 1);
            order.swap(left, usize::try_from(chosen).expect("it is below a usize"));
        }
    }
}

/// Returns the outcome of a game that did not begin.
#[must_use]
pub fn not_played(scenario: &Scenario, end: EarlyEnd<'_>) -> Outcome {
    let title = match end {
        EarlyEnd::Failure(failed) => {
            let option = Setting::FailFast;
            format!("not played: {failed} failed, and {option} ends the run there")
        }
        EarlyEnd::Time(limit) => {
            format!("not played: the time of {} {limit} was over", Setting::For)
        }
    };
    Outcome::new(scenario).with(Finding::new(Verdict::Skipped, title))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_shuffles_always_alike_and_nothing_is_lost() {
        let shuffled = |shuffle| {
            let mut order: Vec<_> = (0..50).collect();
            let by = PlayOrder {
                shuffle,
                ..PlayOrder::default()
            };
            by.arrange(&mut order, |number| Duration::from_secs(number as u64));
            order
        };
        let (one, two) = (shuffled(Some(1)), shuffled(Some(2)));
        assert_eq!(one, shuffled(Some(1)));
        assert_ne!(one, two);
        assert_eq!(shuffled(None), (0..50).rev().collect::<Vec<_>>());
        for mut order in [one, two] {
            order.sort_unstable();
            assert_eq!(order, (0..50).collect::<Vec<_>>());
        }
    }
}
