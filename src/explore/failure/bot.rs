//! Games of a bot that failed, shortened: its own moves are left to it, so each shorter game is played with it before it counts.

use std::collections::HashSet;
use std::sync::Arc;

use super::{BACK, FailedGame, TIMES, reason};
use crate::event::Outcome;
use crate::explore::trials::{AT_ONCE, Trials};
use crate::explore::{Answers, Planned, Script};
use crate::finding::{LaneText, LaneView};
use crate::requirement::Role;
use crate::transcript::Direction;

/// Maximum number of turns of a game in which the bot chooses every answer, because a dry run has to follow
/// all possible choices.
const LONGEST_FREE: usize = 24;

type Requirement = Option<&'static str>;

impl FailedGame {
    /// The same failure as one in a skipped turn, where a line that answers such a turn was taken for a later answer: which one it is
    /// taken for depends on who is quicker, unless nothing more is sent for a moment.
    pub(super) async fn in_a_skipped_turn(
        &self,
        trials: &Trials,
        script: &Script,
    ) -> Option<FailedGame> {
        let requirement = script.plan.dialect.id(Role::BotSilentWhenSkipped);
        if !script.skips_the_bot() || self.requirement() == Some(requirement) {
            return None;
        }
        let scenario = Arc::new(script.scenario("the game with pauses", Some(requirement))?);
        let games = vec![(Arc::clone(&scenario), self.planned.seed); TIMES];
        let mut outcomes = trials.patient().play(games).await.ok()?;
        let shows = |outcome: &Outcome| {
            reason(outcome).is_some_and(|(known, _)| known == Some(requirement))
        };
        let outcome = outcomes
            .pop()
            .filter(|last| shows(last) && outcomes.iter().all(shows))?;
        let planned = Planned {
            scenario,
            ..self.planned.clone()
        };
        Some(FailedGame::new(self.number, planned, outcome))
    }

    /// The shortest game that was found in which the bot fails the same way each time, with the requirement under which it does. If
    /// none was found, the whole game.
    pub(super) async fn shortest_of_bot(
        &self,
        trials: &Trials,
        script: Script,
        tries: usize,
    ) -> (Script, Requirement) {
        let requirement = self.requirement();
        let patient = trials.patient();
        // Where haste leads astray, the search is made with as much patience as any game has.
        let hasty = trials.hasty(self.awaits_silence(), self.outcome.slowest);
        for trials in hasty.iter().chain([&patient]) {
            if trials.is_interrupted() || self.times(trials, &script, requirement).await < TIMES {
                continue;
            }
            let found = self.shorter_of_bot(trials, script.clone(), tries).await;
            if found.is_empty() {
                break;
            }
            for (shorter, requirement) in found.into_iter().rev().take(BACK) {
                let freed = Some(shorter.freed()).filter(|script| script.length() <= LONGEST_FREE);
                for script in freed.into_iter().chain([shorter]) {
                    if self.times(&patient, &script, requirement).await == TIMES {
                        return (script, requirement);
                    }
                }
            }
        }
        (script, requirement)
    }

    /// Shorter and shorter games that failed the same way, the shortest one last.
    async fn shorter_of_bot(
        &self,
        trials: &Trials,
        script: Script,
        tries: usize,
    ) -> Vec<(Script, Requirement)> {
        let mut answers = Answers::default();
        answers.learn(&script);
        let mut best = script;
        let (mut found, mut tried) = (Vec::new(), HashSet::new());
        loop {
            let mut games_played = Vec::new();
            let mut shorter = None;
            let mut candidates = best.shorter(&answers, self.requirement());
            while shorter.is_none() && tried.len() < tries && !trials.is_interrupted() {
                let batch = self.untried(&mut candidates, &mut tried, AT_ONCE);
                if batch.is_empty() {
                    break;
                }
                let games = batch
                    .iter()
                    .map(|(_, scenario)| (Arc::clone(scenario), self.planned.seed));
                let Ok(outcomes) = trials.play(games.collect()).await else {
                    return found;
                };
                let mut failing = Vec::new();
                for ((_, scenario), outcome) in batch.iter().zip(&outcomes) {
                    let Some(played) = Script::of(scenario, outcome) else {
                        continue;
                    };
                    if self.has_failed_again(outcome) && played.is_shorter_than(&best) {
                        failing.push(played.clone());
                    }
                    games_played.push(played);
                }
                shorter = self.confirmed(trials, failing).await;
            }
            drop(candidates);
            let news = games_played
                .iter()
                .filter(|script| answers.learn(script))
                .count();
            match shorter {
                Some((script, requirement)) => {
                    found.push((script.clone(), requirement));
                    best = script;
                }
                None if news > 0 && tried.len() < tries && !trials.is_interrupted() => {}
                None => return found,
            }
        }
    }

    /// The shortest of these games that fails again as it was written down.
    async fn confirmed(
        &self,
        trials: &Trials,
        mut scripts: Vec<Script>,
    ) -> Option<(Script, Requirement)> {
        scripts.sort_by(|one, other| other.is_shorter_than(one).cmp(&one.is_shorter_than(other)));
        for script in scripts {
            let Some(scenario) = script.scenario("a shorter game", self.requirement()) else {
                continue;
            };
            let outcomes = trials
                .play(vec![(Arc::new(scenario), self.planned.seed)])
                .await
                .ok()?;
            if let Some(outcome) = outcomes
                .iter()
                .find(|outcome| self.has_failed_again(outcome))
            {
                return Some((
                    script,
                    reason(outcome).and_then(|(requirement, _)| requirement),
                ));
            }
        }
        None
    }

    /// In how many of some games it failed the same way, under this requirement.
    async fn times(&self, trials: &Trials, script: &Script, requirement: Requirement) -> usize {
        let Some(scenario) = script.scenario("the game once more", requirement) else {
            return 0;
        };
        let game = (Arc::new(scenario), self.planned.seed);
        let outcomes = trials.play(vec![game; TIMES]).await.unwrap_or_default();
        let fails = |outcome: &&Outcome| {
            self.has_failed_again(outcome)
                && reason(outcome).is_some_and(|(known, _)| known == requirement)
        };
        outcomes.iter().filter(fails).count()
    }

    /// Returns true if a game failed alike after the bot had sent a line. A bot that never sends one differs
    /// from one that cannot be started only by its other games.
    fn has_failed_again(&self, outcome: &Outcome) -> bool {
        let mut entries = outcome
            .transcript
            .lanes
            .iter()
            .flat_map(|lane| &lane.entries);
        let has_spoken = entries.any(|entry| entry.direction == Direction::Sent);
        // To which turn a line belongs that is one too many shows better the fewer there are.
        has_spoken
            && (self.fails_like(outcome) || has_surplus(outcome) && has_surplus(&self.outcome))
    }
}

/// Returns true if the bot sent a line when none was owed.
fn has_surplus(outcome: &Outcome) -> bool {
    let is_surplus = |lane_view: &LaneView| {
        lane_view.expected == LaneText::Nothing && matches!(lane_view.received, LaneText::Line(_))
    };
    let failed = outcome.failure();
    failed.is_some_and(|finding| finding.lanes.first().is_some_and(is_surplus))
}
