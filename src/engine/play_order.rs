//! The early end of a run, and the games that do not begin.

use std::collections::BTreeSet;

use super::time_limit::TimeLimit;
use crate::event::Outcome;
use crate::finding::{Finding, Verdict};
use crate::scenario::Scenario;

/// The early end of a run. By default, all games are played.
#[derive(Debug, Clone, Default)]
pub struct PlayOrder {
    /// Verdicts after which no further game begins. If one is certain, games that have begun are stopped.
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
}

/// Returns the outcome of a game that did not begin.
#[must_use]
pub fn not_played(scenario: &Scenario, end: EarlyEnd<'_>) -> Outcome {
    let title = match end {
        EarlyEnd::Failure(failed) => {
            format!("not played: {failed} failed, and --fail-fast ends the run there")
        }
        EarlyEnd::Time(limit) => {
            format!("not played: the time of --for {limit} was over")
        }
    };
    Outcome::new(scenario).with(Finding::new(Verdict::Skipped, title))
}
