//! Failed games, reduced to the shortest scenario found that fails alike.

mod bot;
mod kept;
mod referee;
mod settled;
mod telling;
mod waiting;
mod written;

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::trials::Trials;
use super::{Planned, Script};
use crate::event::Outcome;
use crate::finding::FindingSort;
use crate::scenario::{self, Scenario};
pub use written::{Dropped, Rerun, Written, unwritable};

/// Number of plays of a game that must all fail before the game counts as one that always fails.
const TIMES: usize = 3;
/// Number of earlier candidates that are tried when the shortest one does not always fail.
const BACK: usize = 4;

/// Number of plays, each with another seed, of a game that may fail again.
const TRIES: u64 = 3;

/// A game that failed, and what is written of it.
pub struct FailedGame {
    /// Number of the game in the exploration.
    pub number: usize,
    /// The game as it was planned.
    pub planned: Planned,
    /// Outcome of the game.
    pub outcome: Outcome,
    /// The scenarios that were written and kept.
    pub written: Vec<Written>,
    /// Reason why no scenario is written.
    pub unwritten: Option<String>,
    /// The recording of the game, where no scenario is kept.
    pub recording: Option<PathBuf>,
    /// The scenarios that were written and not kept.
    dropped: RefCell<Vec<Dropped>>,
}

/// Under which requirement a game failed, and the sort of its failure.
pub(super) fn reason(outcome: &Outcome) -> Option<(Option<&'static str>, FindingSort)> {
    let failed = outcome.failure()?;
    Some((failed.requirement, failed.kind.sort()))
}

/// Returns true if two games failed under the same requirement, or with failures of the same sort if there is no
/// requirement.
pub(super) fn is_same(one: &Outcome, other: &Outcome) -> bool {
    match (reason(one), reason(other)) {
        (Some((Some(one), _)), Some((Some(other), _))) => one == other,
        (one, other) => one.is_some() && one == other,
    }
}

/// Returns true if the game failed because an expected line did not arrive.
fn is_by_silence(outcome: &Outcome) -> bool {
    outcome.failure().is_some_and(|finding| finding.by_silence)
}

impl FailedGame {
    pub(super) fn new(number: usize, planned: Planned, outcome: Outcome) -> FailedGame {
        let (written, dropped) = (Vec::new(), RefCell::default());
        FailedGame {
            number,
            planned,
            outcome,
            written,
            unwritten: None,
            dropped,
            recording: None,
        }
    }

    /// Id of the requirement under which it failed.
    #[must_use]
    pub fn requirement(&self) -> Option<&'static str> {
        reason(&self.outcome).and_then(|(requirement, _)| requirement)
    }

    /// Returns true if a game with short timeouts failed as this one did. A line missing only under short
    /// timeouts is another failure.
    pub(super) fn fails_like(&self, outcome: &Outcome) -> bool {
        let is_hasty = self.awaits_silence() && !is_by_silence(&self.outcome);
        is_same(outcome, &self.outcome) && !(is_hasty && is_by_silence(outcome))
    }

    /// Returns true if a missing line is part of the failure.
    pub(super) fn awaits_silence(&self) -> bool {
        self.outcome
            .findings
            .iter()
            .any(|finding| finding.by_silence)
    }

    /// Plays a scenario a few times; the seed with which it failed as this game did.
    pub(super) async fn fails(&self, trials: &Trials, scenario: Arc<Scenario>) -> Option<u64> {
        for seed in 0..TRIES {
            let seed = self.planned.seed.wrapping_add(seed);
            let outcomes = trials
                .play(vec![(Arc::clone(&scenario), seed)])
                .await
                .ok()?;
            if outcomes
                .iter()
                .any(|outcome| is_same(outcome, &self.outcome))
            {
                return Some(seed);
            }
        }
        None
    }

    /// The next games to be tried, so many.
    pub(super) fn untried(
        &self,
        candidates: &mut impl Iterator<Item = Script>,
        tried: &mut HashSet<String>,
        number: usize,
    ) -> Vec<(Script, Arc<Scenario>)> {
        let untried = candidates
            .filter(|script| tried.insert(scenario::write(&script.as_plan(None).titled(""))));
        let read = |script: Script| {
            let mut scenario = script.scenario("a shorter game", self.requirement())?;
            scenario.game_mut()?.attempts = 1;
            Some((script, scenario))
        };
        let named = |(place, (script, mut scenario)): (usize, (Script, Scenario))| {
            scenario.name = format!("a shorter game, {}", place + 1);
            (script, Arc::new(scenario))
        };
        untried
            .filter_map(read)
            .take(number)
            .enumerate()
            .map(named)
            .collect()
    }
}
