//! The score of a suite against one mutant.

use std::collections::BTreeMap;

use crate::event::Outcome;
use crate::finding::Verdict;
use crate::pack;
use crate::pack::FaultRow;
use crate::requirement::Level;

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
    pub(super) fn new(honest: &[Outcome], fault: FaultRow, outcomes: &[Outcome]) -> MutationRow {
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
