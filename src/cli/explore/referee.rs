//! Games of a referee that failed, shortened: rolls, or the deal, are forced on it.

use std::collections::HashSet;
use std::sync::Arc;

use super::bot::{BACK, TIMES};
use super::failure::{Failure, is_same};
use super::players::Players;
use super::{AT_ONCE, MOST_TOGETHER};
use crate::event::Outcome;
use crate::explore::{Answers, Script};
use crate::scenario::Scenario;

impl Failure {
    /// The shortest game that was found to fail the same way, each time with as much patience as any game has, or once where none does each
    /// time; `None` where the game itself does not fail again.
    pub(super) async fn shortest_of_referee(
        &self,
        players: &Players,
        script: &Script,
        tries: usize,
    ) -> Option<Script> {
        let awaits_silence = self.awaits_silence();
        let (hasty, patient) = (players.hasty(awaits_silence), players.patient());
        let whole = Arc::new(self.as_scenario(script)?);
        // What was waited for in vain once, and will be in the game that is written, is not waited for in between.
        let mut is_sure = false;
        if self.fails(&hasty, Arc::clone(&whole)).await.is_none() {
            if !awaits_silence || self.fails(&patient, Arc::clone(&whole)).await.is_none() {
                return None;
            }
            is_sure = true;
        }
        let mut sometimes = None;
        for shorter in self.shorter_of_referee(&hasty, script, tries).await.into_iter().rev().take(BACK) {
            let (failed, of) = self.times_of_referee(&patient, &shorter).await;
            if failed == of {
                return Some(shorter);
            }
            sometimes = sometimes.or(Some(shorter).filter(|_| failed > 0));
        }
        if sometimes.is_some() {
            return sometimes;
        }
        // An interrupt leaves it at what was seen in haste.
        is_sure |= !awaits_silence || players.is_interrupted() || self.fails(&patient, whole).await.is_some();
        is_sure.then(|| script.clone())
    }

    /// Shorter and shorter games that failed the same way, the shortest one last.
    async fn shorter_of_referee(&self, players: &Players, script: &Script, tries: usize) -> Vec<Script> {
        let (mut tried, none) = (HashSet::new(), Answers::default());
        let mut found: Vec<Script> = Vec::new();
        let mut waiting = 0;
        loop {
            let best = found.last().unwrap_or(script).clone();
            let mut candidates = best.shorter(&none, self.requirement());
            let (mut shorter, mut number) = (None, AT_ONCE);
            while shorter.is_none() && tried.len() < tries && !players.is_interrupted() {
                let most = number.min(tries - tried.len());
                let mut batch = self.untried(&mut candidates, &mut tried, most);
                if batch.is_empty() {
                    break;
                }
                let games = batch.iter().map(|(_, scenario)| (Arc::clone(scenario), self.planned.seed));
                let fails = |outcome: &Outcome| is_same(outcome, &self.outcome);
                let Ok(first) = players.first(games.collect(), waiting, fails).await else { return found };
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
    async fn times_of_referee(&self, players: &Players, script: &Script) -> (usize, usize) {
        let times = players.times(TIMES);
        let Some(scenario) = self.as_scenario(script) else { return (0, times) };
        let game = (Arc::new(scenario), self.planned.seed);
        let outcomes = players.play(vec![game; times]).await.unwrap_or_default();
        (outcomes.iter().filter(|outcome| is_same(outcome, &self.outcome)).count(), times)
    }

    fn as_scenario(&self, script: &Script) -> Option<Scenario> {
        script.scenario("the game once more", self.requirement())
    }
}
