//! Games that were played, and what reports are made of.

use std::sync::Arc;

use crate::cli::Status;
use crate::config::Subject;
use crate::event::Outcome;
use crate::explore::ClosedGate;
use crate::finding::Verdict;
use crate::hypothesis::RunExplanation;
use crate::report::{
    self, ExplanationResult, NamedGame, Results, RunEnd, RunHead, ScenarioResult, Standing,
};
use crate::scenario::Scenario;

/// Games that were played.
pub(super) struct Played {
    /// Outcomes, those of plain games first whose failure is the reason to skip others.
    pub(super) outcomes: Vec<Outcome>,
    /// The scenario and the subject of each outcome.
    pub(super) games: Vec<(Arc<Scenario>, Arc<Subject>)>,
    /// Number of those plain games.
    pub(super) gates: usize,
    /// What all games say of the subjects' readings of the rules. Its games are numbered without the plain ones.
    pub(super) explanation: RunExplanation,
    pub(super) is_interrupted: bool,
}

impl Played {
    /// Adds the plain games that failed, in front of all others.
    pub(super) fn with_gates(mut self, closed: Vec<ClosedGate>) -> Played {
        self.gates = closed.len();
        for (place, gate) in closed.into_iter().enumerate() {
            // A scenario for the same subject begins in the same way.
            let repeat = self.outcomes[place + gate.first].repeat.clone();
            let outcome = Outcome {
                repeat,
                ..gate.outcome
            };
            self.outcomes.insert(place, outcome);
            self.games.insert(place, (gate.scenario, gate.subject));
        }
        self
    }

    /// Returns the results of a run. Its status is still to be set.
    pub(super) fn results(&self, standing: impl Fn(Verdict) -> Standing) -> Results {
        let games = self.games.iter().zip(&self.outcomes);
        let scenarios = games.map(|((scenario, subject), outcome)| {
            ScenarioResult::new(scenario, subject, outcome, standing(outcome.verdict))
        });
        Results {
            run: RunHead {
                version: report::VERSION,
                urtext: env!("CARGO_PKG_VERSION").to_owned(),
                command: "run".to_owned(),
                began: None,
                heading: String::new(),
                shard: None,
            },
            scenarios: scenarios.collect(),
            end: Some(RunEnd {
                seconds: 0.0,
                status: Status::Conforms.code(),
                interrupted: self.is_interrupted,
                slow_left_out: 0,
                explanation: self.explanation(),
            }),
        }
    }

    fn explanation(&self) -> ExplanationResult {
        let games = self.outcomes.iter().zip(&self.games).skip(self.gates);
        let games = games.map(|(outcome, (_, subject))| NamedGame {
            scenario: &outcome.name,
            subject: &subject.name,
        });
        let games: Vec<_> = games.collect();
        ExplanationResult::new(&self.explanation, &games)
    }
}
