//! A shorter game that shows the wrong reading of the rules which explains a failed one.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use super::FailedGame;
use super::written::{Written, file_name};
use crate::event::Outcome;
use crate::explore::trials::{AT_ONCE, Trials};
use crate::explore::{Answers, Planned, Script};
use crate::finding::Verdict;
use crate::hypothesis::{self, Ledger};
use crate::rules::Mistake;
use crate::scenario::Side;

/// Number of readings above which none is asked for: they have no wrong rule in common that a game could show.
const MOST: usize = 12;
/// Number of times that further games are played for one whose failure is nearer to the wrong rule.
const PATIENCE: usize = 3;

impl FailedGame {
    /// The readings that explain the failure and that no game refutes.
    fn readings(&self, ledger: &Ledger) -> Vec<&'static Mistake> {
        let finding = self.outcome.failure();
        let rows = finding.and_then(|finding| finding.hypotheses.as_deref());
        ledger.possible(rows.unwrap_or_default())
    }

    /// Plays short games that tell the readings which may explain this failure from the rules, until one fails; the ledger learns from
    /// them which readings it is not. `None` where none of them fails by a reading.
    pub(super) async fn told_by_a_reading(
        &self,
        trials: &Trials,
        ledger: &mut Ledger,
        script: &Script,
        tries: usize,
    ) -> Option<FailedGame> {
        let readings = self.readings(ledger);
        if readings.len() > MOST {
            return None;
        }
        let mut answers = Answers::default();
        answers.learn(script);
        let games = readings.iter().map(|row| script.that_tell(row, &answers));
        let mut games: Vec<_> = games.flatten().collect();
        games.sort_by_key(Script::cost);
        let (mut games, mut tried) = (games.into_iter(), HashSet::new());
        let (mut first, mut batches_after) = (None, 0);
        while tried.len() < tries && batches_after < PATIENCE && !trials.is_interrupted() {
            let batch = self.untried(&mut games, &mut tried, AT_ONCE);
            if batch.is_empty() {
                break;
            }
            let scenarios = batch.iter().map(|(_, scenario)| scenario);
            let planned = scenarios.map(|scenario| (scenario.clone(), self.planned.seed));
            let outcomes = trials.play(planned.collect()).await.ok()?;
            for ((_, scenario), outcome) in batch.iter().zip(&outcomes) {
                if let Some(plan) = scenario.game().filter(|_| is_judged(outcome)) {
                    ledger.take(ledger.games.len(), plan, outcome);
                }
            }
            let left = self.readings(ledger);
            let mut failed = Vec::new();
            for ((_, scenario), outcome) in batch.into_iter().zip(outcomes) {
                let planned = Planned {
                    scenario,
                    ..self.planned.clone()
                };
                let game = FailedGame::new(self.number, planned, outcome);
                if !common(&left, &game.readings(ledger)).is_empty() {
                    failed.push(game);
                }
            }
            // One that shows at the requirement which the reading breaks is clearer.
            let is_clear = |game: &FailedGame| {
                let rows = common(&left, &game.readings(ledger));
                rows.iter()
                    .any(|row| game.requirement() == Some(row.breaks))
            };
            if let Some(place) = failed.iter().position(is_clear) {
                return Some(failed.swap_remove(place));
            }
            first = first.or_else(|| failed.into_iter().next());
            batches_after += usize::from(first.is_some());
        }
        first
    }

    /// Infers the reading that alone explains this game and the one that told it. Returns the number of turns of the shortest game known
    /// in which a subject that believes it can show it.
    pub(super) fn infer(
        &mut self,
        told: &FailedGame,
        ledger: &Ledger,
        script: &Script,
    ) -> Option<usize> {
        let [row] = common(&self.readings(ledger), &told.readings(ledger))[..] else {
            return None;
        };
        hypothesis::infer(row, &self.planned.scenario, &mut self.outcome);
        let games = script.that_tell(row, &Answers::default());
        games.iter().map(Script::length).min()
    }
    /// Shortens the game that a reading told, and writes it; `None` where it does not fail each time. `whole`: the game that failed first.
    pub(super) async fn keep_told(
        &self,
        told: &FailedGame,
        trials: &Trials,
        folder: &Path,
        whole: &Script,
        tries: usize,
    ) -> io::Result<Option<Written>> {
        let Some(script) = Script::of(&told.planned.scenario, &told.outcome) else {
            return Ok(None);
        };
        let shortest = if script.side() == Side::Bot {
            Some(told.shortest_of_bot(trials, script, tries).await)
        } else {
            let game = told.shortest_of_referee(trials, &script, tries).await;
            game.map(|game| (game, told.requirement()))
        };
        let Some((game, requirement)) = shortest.filter(|(game, _)| game.is_shorter_than(whole))
        else {
            return Ok(None);
        };
        let name = file_name(requirement);
        self.keep_game(trials, folder, &name, (&game, whole), requirement)
            .await
    }
}

/// The readings that are among both.
fn common(one: &[&'static Mistake], other: &[&'static Mistake]) -> Vec<&'static Mistake> {
    let is_known = |row: &&&Mistake| other.iter().any(|known| known.name == row.name);
    one.iter().filter(is_known).copied().collect()
}

/// Returns true if the game came to an end or failed.
fn is_judged(outcome: &Outcome) -> bool {
    matches!(
        outcome.verdict,
        Verdict::Pass | Verdict::Lenient | Verdict::Fail
    )
}
