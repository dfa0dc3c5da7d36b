//! Mutation score of a suite: the deliberate faults of the built-in peers that its scenarios catch, and the
//! requirements under which they do.
//!
//! A *mutant* is a built-in referee or bot with one fault. A suite catches it where a scenario fails; it catches it *rightly* where one
//! fails under the requirement that the fault breaks. The honest peer has to fail nothing.

mod suite;

pub use suite::Suite;

use std::collections::{BTreeMap, BTreeSet};

use crate::event::Outcome;
use crate::finding::Verdict;
use crate::pack::{self, FaultRow};
use crate::requirement::Level;
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

/// Score of a suite against one mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Score {
    /// A scenario fails under the requirement that the fault breaks.
    Caught,
    /// Scenarios fail, but under other requirements.
    Elsewhere,
    /// The fault is within what the specification leaves open, and was observed.
    Observed,
    /// Every scenario ends in *error*: nobody takes it for conforming, and nothing is judged.
    Broken,
    /// No scenario notices.
    Missed,
}

/// Results of a suite against one mutant.
#[derive(Debug, Clone)]
pub struct MutationRow {
    /// The fault.
    pub fault: FaultRow,
    /// Failed scenarios, by requirement.
    pub blamed: BTreeMap<&'static str, Vec<String>>,
    /// True if the mutant was seen to make another open choice than the honest peer.
    is_observed: bool,
    /// True if no game could be played.
    is_broken: bool,
}

impl MutationRow {
    /// Builds the row of a mutant.
    fn new(honest: &[Outcome], fault: FaultRow, outcomes: &[Outcome]) -> MutationRow {
        let mut row = MutationRow {
            fault,
            blamed: BTreeMap::new(),
            is_observed: false,
            is_broken: outcomes
                .iter()
                .all(|outcome| outcome.verdict == Verdict::Error),
        };
        for outcome in outcomes {
            if let Some(finding) = outcome.failure() {
                let id = finding.requirement.unwrap_or("no requirement");
                row.blamed.entry(id).or_default().push(outcome.name.clone());
            }
        }
        let chosen = |outcome: &Outcome| {
            let of_fault = outcome
                .open
                .iter()
                .filter(|choice| choice.requirement == fault.breaks);
            of_fault
                .map(|choice| choice.seen.clone())
                .collect::<Vec<_>>()
        };
        row.is_observed = honest.iter().zip(outcomes).any(|(honest, outcome)| {
            let seen = chosen(outcome);
            !seen.is_empty() && seen != chosen(honest)
        });
        row
    }

    /// Returns the suite's score.
    #[must_use]
    pub fn score(&self) -> Score {
        if self.blamed.contains_key(self.fault.breaks) {
            Score::Caught
        } else if !self.blamed.is_empty() {
            Score::Elsewhere
        } else if self.is_observed {
            Score::Observed
        } else if self.is_broken {
            Score::Broken
        } else {
            Score::Missed
        }
    }

    /// Returns true if the specification leaves the fault's behaviour open, so that the fault is observed and
    /// does not fail.
    #[must_use]
    pub fn is_open(&self) -> bool {
        pack::requirement(self.fault.breaks)
            .is_some_and(|entry| matches!(entry.level, Level::Unspecified | Level::May))
    }

    /// Returns true if the mutant is killed for the intended requirement, or its open choice is observed.
    #[must_use]
    pub fn is_told(&self) -> bool {
        match self.score() {
            Score::Caught => !self.is_open(),
            Score::Observed => self.is_open(),
            Score::Broken => true,
            Score::Elsewhere | Score::Missed => false,
        }
    }
}
