//! Games of a referee that failed, shortened: rolls, or the deal, are forced on it.

use std::collections::HashSet;
use std::sync::Arc;

use super::{BACK, FailedGame, TIMES, is_same};
use crate::event::Outcome;
use crate::explore::trials::{AT_ONCE, MOST_TOGETHER, Trials};
use crate::explore::{Answers, Script};
use crate::scenario::Scenario;

impl FailedGame {
    /// The shortest game that was found to fail the same way each time, or sometimes where none does each time; `None` where the game
    /// itself does not fail again.
    pub(super) async fn shortest_of_referee(
        &self,
        trials: &Trials,
        script: &Script,
        tries: usize,
    ) -> Option<Script> {
        let patient = trials.patient();
        let mut hasty = trials.hasty(self.awaits_silence(), self.outcome.slowest);
        let whole = Arc::new(self.as_scenario(script)?);
        // What was waited for in vain once, and will be in the game that is written, is not waited for in between.
        if let Some(trials) = &hasty
            && !self.fails_as_late(trials, &whole).await
        {
            hasty = None;
        }
        let is_hasty = hasty.is_some();
        if !is_hasty && self.fails(&patient, Arc::clone(&whole)).await.is_none() {
            return None;
        }
        let mut found = self
            .shorter_of_referee(hasty.as_ref().unwrap_or(&patient), script, tries)
            .await;
        let mut shortest = self.confirmed_of_referee(&patient, found.clone()).await;
        // Where haste led astray.
        if shortest.is_none() && is_hasty && !found.is_empty() && !trials.is_interrupted() {
            found = self.shorter_of_referee(&patient, script, tries).await;
            shortest = self.confirmed_of_referee(&patient, found).await;
        }
        if shortest.is_some() {
            return shortest;
        }
        // An interrupt leaves it at what was seen in haste.
        let is_sure =
            !is_hasty || trials.is_interrupted() || self.fails(&patient, whole).await.is_some();
        is_sure.then(|| script.clone())
    }

    /// Returns true if the game fails again, and not earlier than before: with short timeouts a slow answer
    /// can fail earlier.
    async fn fails_as_late(&self, trials: &Trials, whole: &Arc<Scenario>) -> bool {
        let games = vec![(Arc::clone(whole), self.planned.seed)];
        let outcomes = trials.play(games).await.unwrap_or_default();
        let is_as_late = |outcome: &Outcome| outcome.history.len() >= self.outcome.history.len();
        outcomes
            .iter()
            .any(|outcome| self.fails_like(outcome) && is_as_late(outcome))
    }

    /// The shortest of these games that fails each time, or the shortest that was seen to fail sometimes; of those found first only some
    /// are played, further and further apart.
    async fn confirmed_of_referee(
        &self,
        patient: &Trials,
        mut found: Vec<Script>,
    ) -> Option<Script> {
        let mut sometimes = None;
        let mut number = 0;
        while let Some(script) = found.pop() {
            let (failed, of) = self.times_of_referee(patient, &script).await;
            let confirmed = Some(script).filter(|_| failed > 0);
            if failed == of {
                return confirmed;
            }
            sometimes = sometimes.or(confirmed);
            number += 1;
            if number >= BACK {
                if sometimes.is_some() {
                    break;
                }
                found.truncate(found.len().div_ceil(2));
            }
        }
        sometimes
    }

    /// Shorter and shorter games that failed the same way, the shortest one last.
    async fn shorter_of_referee(
        &self,
        trials: &Trials,
        script: &Script,
        tries: usize,
    ) -> Vec<Script> {
        let (mut tried, none) = (HashSet::new(), Answers::default());
        let mut found: Vec<Script> = Vec::new();
        let mut waiting = 0;
        loop {
            let best = found.last().unwrap_or(script).clone();
            let mut candidates = best.shorter(&none, self.requirement());
            let (mut shorter, mut number) = (None, AT_ONCE);
            while shorter.is_none() && tried.len() < tries && !trials.is_interrupted() {
                let most = number.min(tries - tried.len());
                let mut batch = self.untried(&mut candidates, &mut tried, most);
                if batch.is_empty() {
                    break;
                }
                let games = batch
                    .iter()
                    .map(|(_, scenario)| (Arc::clone(scenario), self.planned.seed));
                let fails = |outcome: &Outcome| self.fails_like(outcome);
                let Ok(first) = trials.first(games.collect(), waiting, fails).await else {
                    return found;
                };
                waiting = first.waited;
                shorter = first.found.map(|place| batch.swap_remove(place).0);
                // Where the most promising ones are none, many are tried before one is.
                number = (2 * number).min(MOST_TOGETHER);
            }
            drop(candidates);
            match shorter {
                Some(shorter) => found.push(shorter),
                None => return found,
            }
        }
    }

    /// In how many of how many games it failed the same way.
    async fn times_of_referee(&self, trials: &Trials, script: &Script) -> (usize, usize) {
        let times = trials.times(TIMES);
        let Some(scenario) = self.as_scenario(script) else {
            return (0, times);
        };
        let game = (Arc::new(scenario), self.planned.seed);
        let outcomes = trials.play(vec![game; times]).await.unwrap_or_default();
        (
            outcomes
                .iter()
                .filter(|outcome| is_same(outcome, &self.outcome))
                .count(),
            times,
        )
    }

    fn as_scenario(&self, script: &Script) -> Option<Scenario> {
        script.scenario("the game once more", self.requirement())
    }
}
