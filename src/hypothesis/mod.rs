//! Which wrong readings of the rules fit the games of a run: nothing is played for it, each reading is held against the transcripts.
//!
//! A *hypothesis* is a wrong reading of the rules that a subject may believe in ([`crate::rules::Mistakes::whole`]). A game *refutes* it
//! where a subject that believes it would have shown something else. It *explains* a failure where the whole game up to the observation
//! is right by it. What fits is not proven: another reading, which nobody thought of, may fit as well.

mod belief;
mod cause;
mod circumstance;
mod difference;
mod line_fault;
mod remnant;
mod standing;
mod symptom;

pub use belief::{FirstSign, first_sign};
pub use cause::{RunCause, RunExplanation, explain, explain_failure, explain_games, infer};
pub use difference::{SeenGame, difference};
pub use standing::{Held, Ledger, ReadingState, Refutation};
pub use symptom::{fits, is_astray};

use std::sync::Arc;

use crate::event::Outcome;
use crate::finding::{Finding, Verdict};
use crate::scenario::{PlannedGame, Scenario, Side};

/// A game of a run, with what was played.
#[derive(Debug, Clone, Copy)]
pub struct GameOfRun<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// Name of the subject.
    pub subject: &'a str,
    /// The outcome.
    pub outcome: &'a Outcome,
}

impl<'a> GameOfRun<'a> {
    /// The games of a run, whose scenarios and subjects stand in the order of the outcomes.
    pub fn all(
        scenarios: &'a [Arc<Scenario>],
        subjects: &'a [String],
        outcomes: &'a [Outcome],
    ) -> Vec<GameOfRun<'a>> {
        let games = scenarios.iter().zip(subjects).zip(outcomes);
        games
            .map(|((scenario, subject), outcome)| GameOfRun {
                scenario,
                subject,
                outcome,
            })
            .collect()
    }

    fn plan(self) -> Option<&'a PlannedGame> {
        self.scenario.game()
    }

    /// Returns true if both are games of one subject, on one side of one game.
    fn is_comparable(self, other: GameOfRun<'_>) -> bool {
        let kind = |game: GameOfRun<'_>| -> Option<(Side, &str)> {
            let plan = game.plan()?;
            Some((plan.side, plan.dialect.game().name()))
        };
        self.subject == other.subject && kind(self).is_some() && kind(self) == kind(other)
    }
}

/// The numbers of the games of each subject, those of each side of each game apart; dialogues without a game are left out.
fn groups(games: &[GameOfRun<'_>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let of_group = |group: &&mut Vec<usize>| games[group[0]].is_comparable(*game);
        match groups.iter_mut().find(of_group) {
            Some(group) => group.push(number),
            None if game.plan().is_some() => groups.push(vec![number]),
            None => {}
        }
    }
    groups
}

/// The finding for which a game failed.
fn reason(outcome: &Outcome) -> Option<&Finding> {
    outcome
        .failure()
        .filter(|_| outcome.verdict == Verdict::Fail)
}
