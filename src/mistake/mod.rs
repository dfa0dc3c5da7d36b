//! Which known mistakes explain the games of a run: nothing is played for it, each mistake is held against the transcripts.
//!
//! A game *refutes* a mistake where a subject that makes it would have shown something else. A mistake *explains* a failure where the whole
//! game up to the observation is right by it. What fits is not proven: another mistake, which nobody thought of, may fit as well.

mod cause;
mod difference;
mod known;
mod says;
mod server;
mod standing;
mod turn;

pub use cause::{causes, explain, suppose};
pub use says::{Says, explains, first_sign, fits, is_astray};
pub use standing::{Ledger, MistakeState, RunCause};

use std::sync::Arc;

use crate::event::Outcome;
use crate::finding::{Finding, Verdict};
use crate::rules::Mistake;
use crate::scenario::{PlannedGame, Scenario};

/// A game of a run.
#[derive(Debug, Clone, Copy)]
struct GameOfRun<'a> {
    /// Its number in the run.
    number: usize,
    plan: &'a PlannedGame,
    outcome: &'a Outcome,
}

/// The games of each subject, those of each side of each game apart; dialogues without a game are left out.
fn groups<'a>(
    scenarios: &'a [Arc<Scenario>],
    subjects: &[String],
    outcomes: &'a [Outcome],
) -> Vec<Vec<GameOfRun<'a>>> {
    let mut groups: Vec<(_, Vec<_>)> = Vec::new();
    let games = scenarios.iter().zip(subjects).zip(outcomes).enumerate();
    for (number, ((scenario, subject), outcome)) in games {
        let Some(plan) = scenario.game() else {
            continue;
        };
        let whose = (subject, plan.side, plan.dialect.game().name());
        let game = GameOfRun {
            number,
            plan,
            outcome,
        };
        match groups.iter_mut().find(|(other, _)| *other == whose) {
            Some((_, group)) => group.push(game),
            None => groups.push((whose, vec![game])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The games of one scenario, numbered in their order.
#[cfg(test)]
fn games_of<'a>(plan: &'a PlannedGame, outcomes: &'a [Outcome]) -> Vec<GameOfRun<'a>> {
    let game = |(number, outcome)| GameOfRun {
        number,
        plan,
        outcome,
    };
    outcomes.iter().enumerate().map(game).collect()
}

/// The finding for which a game failed.
fn reason(outcome: &Outcome) -> Option<&Finding> {
    outcome
        .failure()
        .filter(|_| outcome.verdict == Verdict::Fail)
}

/// The numbers of the failed games that a mistake explains, by what each game says of it; `None` if one refutes it.
fn explained(games: &[GameOfRun<'_>], says: impl Fn(&GameOfRun<'_>) -> Says) -> Option<Vec<usize>> {
    let said = games.iter().map(|game| match says(game) {
        Says::Refutes => None,
        Says::Allows { explains, .. } => Some(explains.then_some(game.number)),
    });
    let explained: Option<Vec<_>> = said.collect();
    Some(explained?.into_iter().flatten().collect())
}

/// The mistake that explains the most games; the first of several.
fn first_best(
    all: impl Iterator<Item = (&'static Mistake, Vec<usize>)>,
) -> Option<(&'static Mistake, Vec<usize>)> {
    all.reduce(|best, next| match next.1.len() > best.1.len() {
        true => next,
        false => best,
    })
}
