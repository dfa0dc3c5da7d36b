//! Scenarios that wait for what failed, where it cannot be forced: which of them fails again, and how often.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::kept::{CHANCES, LEAST_BY_CHANCE};
use super::{FailedGame, Written, is_same};
use crate::event::Outcome;
use crate::explore::trials::Trials;
use crate::explore::{Explorer, Script, Waiting};
use crate::scenario::Scenario;

/// Number of games that try a scenario which may fail again, each with another seed; the number of first
/// games; and the minimum number of failures for further games.
const WAITS: usize = 5;
const FIRST: usize = 2;
const LEAST: usize = 2;
/// Number of such scenarios that are played at once.
const SIDE_BY_SIDE: usize = 4;
/// Number of scenarios that are played again: those that failed most often.
const FINALISTS: usize = 2;

impl FailedGame {
    /// Writes the scenario that waits for what this subject can be played with and that fails most often, the more telling one where
    /// several do; none where each of them fails too seldom.
    pub(super) async fn wait_for(
        &self,
        trials: &Trials,
        explorer: &Explorer,
        script: &Script,
        folder: &Path,
        name: &str,
        tries: usize,
    ) -> std::io::Result<Vec<Written>> {
        let requirement = self.requirement();
        let failed_in = self.outcome.failure().and_then(|finding| finding.span);
        let Waiting { telling, any } =
            explorer.waiting_for(&self.planned, script, requirement, failed_in);
        let side_by_side = trials.side_by_side(self.awaits_silence());
        let mut found = self.failing(&side_by_side, telling, tries).await;
        if found.is_empty() {
            found = self.failing(&side_by_side, any, tries).await;
        }
        found.sort_by_key(|(failed, ..)| std::cmp::Reverse(*failed));
        // The best of many has had luck: how often it fails, only other games tell.
        let seed = |number: usize| self.planned.seed.wrapping_add((WAITS + number) as u64);
        let seeds: Vec<_> = (0..CHANCES).map(seed).collect();
        for (_, scenario) in found.into_iter().take(FINALISTS) {
            let written = self.write(folder, name, Scenario::clone(&scenario))?;
            if let Some(written) = self
                .kept(&side_by_side, written, &seeds, LEAST_BY_CHANCE)
                .await?
            {
                return Ok(vec![written]);
            }
        }
        Ok(Vec::new())
    }

    /// Those of these scenarios that failed in [`LEAST`] of [`WAITS`] games, and in how many; those after one that failed in all are not
    /// played.
    async fn failing(
        &self,
        trials: &Trials,
        scenarios: Vec<Scenario>,
        tries: usize,
    ) -> Vec<(usize, Arc<Scenario>)> {
        let most = tries.div_ceil(WAITS);
        let all: Vec<_> = scenarios.into_iter().take(most).map(Arc::new).collect();
        let mut found = Vec::new();
        for batch in all.chunks(SIDE_BY_SIDE) {
            let counts = self.counted(trials, batch).await;
            let counted = counts.into_iter().zip(batch.iter().cloned());
            found.extend(counted.filter(|(failed, _)| *failed >= LEAST));
            if trials.is_interrupted() || found.iter().any(|(failed, ..)| *failed == WAITS) {
                break;
            }
        }
        found
    }

    /// In how many of [`WAITS`] games each scenario failed as this game did; what does not fail in the first few is left alone.
    async fn counted(&self, trials: &Trials, scenarios: &[Arc<Scenario>]) -> Vec<usize> {
        let first = self.failing_seeds(trials, scenarios, 0..FIRST).await;
        let mut counts: Vec<usize> = first.iter().map(Vec::len).collect();
        let open: Vec<_> = (0..scenarios.len())
            .filter(|&place| counts[place] > 0)
            .collect();
        let failing: Vec<_> = open
            .iter()
            .map(|&place| Arc::clone(&scenarios[place]))
            .collect();
        let more = self.failing_seeds(trials, &failing, FIRST..WAITS).await;
        open.into_iter()
            .zip(more)
            .for_each(|(place, seeds)| counts[place] += seeds.len());
        counts
    }

    /// The seeds with which each scenario failed as this game did, of those with these numbers.
    async fn failing_seeds(
        &self,
        trials: &Trials,
        scenarios: &[Arc<Scenario>],
        numbers: Range<usize>,
    ) -> Vec<Vec<u64>> {
        let seed = |number: usize| self.planned.seed.wrapping_add(number as u64);
        let seeds: Vec<_> = numbers.map(seed).collect();
        let games = scenarios
            .iter()
            .flat_map(|scenario| seeds.iter().map(|seed| (Arc::clone(scenario), *seed)));
        let outcomes = trials.play(games.collect()).await.unwrap_or_default();
        let fails = |outcomes: &[Outcome]| {
            let failed = seeds
                .iter()
                .zip(outcomes)
                .filter(|(_, outcome)| is_same(outcome, &self.outcome));
            failed.map(|(seed, _)| *seed).collect()
        };
        let mut all: Vec<Vec<u64>> = outcomes.chunks(seeds.len()).map(fails).collect();
        all.resize(scenarios.len(), Vec::new());
        all
    }
}
