//! The time after which no further game of a run begins.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::options::Clock;

/// The time after which no further game of a run begins, counted from when it was made. Its clones count together.
#[derive(Debug, Clone)]
pub struct TimeLimit {
    limit: Duration,
    counted: Counted,
}

#[derive(Debug, Clone)]
enum Counted {
    /// By the machine's clock, from here.
    From(Instant),
    /// The sum of the durations of all games.
    Games(Arc<Mutex<Duration>>),
}

impl TimeLimit {
    /// A limit by the clock of the games. A virtual clock counts one game after the other, so that the same games begin on every machine.
    #[must_use]
    pub fn new(limit: Duration, clock: Clock) -> TimeLimit {
        let counted = match clock {
            Clock::Real => Counted::From(Instant::now()),
            Clock::Virtual(_) => Counted::Games(Arc::default()),
        };
        TimeLimit { limit, counted }
    }

    /// Returns true if no further game begins.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        let spent = match &self.counted {
            Counted::From(began) => began.elapsed(),
            Counted::Games(spent) => *spent.lock().unwrap_or_else(PoisonError::into_inner),
        };
        spent >= self.limit
    }

    /// Counts a game that took so long.
    pub(super) fn count(&self, took: Duration) {
        if let Counted::Games(spent) = &self.counted {
            *spent.lock().unwrap_or_else(PoisonError::into_inner) += took;
        }
    }
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        humantime::format_duration(self.limit).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Network;

    #[test]
    fn a_virtual_limit_counts_the_games_of_all_its_clones() {
        let clock = Clock::Virtual(Network::Ideal);
        let limit = TimeLimit::new(Duration::from_secs(3600), clock);
        let clone = limit.clone();
        clone.count(Duration::from_secs(3599));
        assert!(!limit.has_passed());
        clone.count(Duration::from_secs(1));
        assert!(limit.has_passed());
        assert!(TimeLimit::new(Duration::ZERO, clock).has_passed());
    }

    #[test]
    fn a_real_limit_counts_no_games() {
        let limit = TimeLimit::new(Duration::from_secs(3600), Clock::Real);
        limit.count(Duration::from_secs(7200));
        assert!(!limit.has_passed());
        assert!(TimeLimit::new(Duration::ZERO, Clock::Real).has_passed());
    }
}
