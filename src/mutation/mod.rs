//! Mutation score of a suite: the deliberate faults of the built-in peers that its scenarios catch, and the
//! requirements under which they do.
//!
//! A *mutant* is a built-in referee or bot with one fault. A suite catches it where a scenario fails; it catches it *rightly* where one
//! fails under the requirement that the fault breaks. The honest peer has to fail nothing.

mod row;
mod suite;

pub use row::{MutationRow, Score};
pub use suite::Suite;

use std::collections::BTreeSet;

use crate::event::Outcome;
use crate::finding::Verdict;
use crate::pack::FaultRow;
use crate::scenario::Side;

/// Results of a suite against the honest peer and against every mutant.
#[derive(Debug, Clone)]
pub struct Matrix {
    /// Name of the game.
    pub game: &'static str,
    /// Kind of subject that the suite tests.
    pub side: Side,
    /// Names of the scenarios, in their order.
    pub scenarios: Vec<String>,
    /// Scenarios that the honest peer did not keep, with the verdict.
    pub false_alarms: Vec<(String, Verdict)>,
    /// The mutants.
    pub rows: Vec<MutationRow>,
}

impl Matrix {
    /// Puts together what was played: the outcomes of the honest peer, then those of each mutant, each in the order of the scenarios.
    ///
    /// A scenario that could not be tested with the built-in peer at all (*unsupported*) is no false alarm.
    #[must_use]
    pub fn new(
        game: &'static str,
        side: Side,
        scenarios: Vec<String>,
        honest: &[Outcome],
        mutants: &[(FaultRow, Vec<Outcome>)],
    ) -> Matrix {
        let is_alarm = |outcome: &&Outcome| outcome.verdict > Verdict::Unsupported;
        let alarms = honest.iter().filter(is_alarm);
        Matrix {
            game,
            side,
            scenarios,
            false_alarms: alarms
                .map(|outcome| (outcome.name.clone(), outcome.verdict))
                .collect(),
            rows: mutants
                .iter()
                .map(|(fault, outcomes)| MutationRow::new(honest, *fault, outcomes))
                .collect(),
        }
    }

    /// Returns the number of mutants with that score.
    #[must_use]
    pub fn count(&self, score: Score) -> usize {
        self.rows.iter().filter(|row| row.score() == score).count()
    }

    /// Of the mutants that have to be caught, the share that is, from 0 to 1; 1 where there is none.
    #[must_use]
    pub fn share(&self) -> f64 {
        let due = self.rows.len() - self.count(Score::Observed);
        let caught = due - self.count(Score::Missed);
        #[expect(
            clippy::cast_precision_loss,
            reason = "there are hundreds of faults, not 2^52"
        )]
        if due == 0 {
            1.0
        } else {
            caught as f64 / due as f64
        }
    }

    /// The scenarios that no mutant makes fail.
    #[must_use]
    pub fn idle(&self) -> Vec<&str> {
        let failing: BTreeSet<&String> = self
            .rows
            .iter()
            .flat_map(|row| row.blamed.values().flatten())
            .collect();
        let names = self.scenarios.iter().filter(|name| !failing.contains(name));
        names.map(String::as_str).collect()
    }
}
