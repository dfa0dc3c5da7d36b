//! Games that were played, and what reports are made of.

use std::sync::Arc;
use std::time::Duration;

use crate::cli::Status;
use crate::config::Subject;
use crate::diagnostic::{Diagnostics, Paint};
use crate::event::Outcome;
use crate::explore::ClosedGate;
use crate::hypothesis::RunExplanation;
use crate::report::{
    self, Baseline, Console, Expectation, ExplanationResult, NamedGame, Results, RunEnd, RunHead,
    ScenarioResult, Standing,
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
    pub(super) fn results(&self, heading: &str, standings: &[Standing], took: Duration) -> Results {
        Results {
            run: RunHead {
                version: report::VERSION,
                urtext: env!("CARGO_PKG_VERSION").to_owned(),
                command: "run".to_owned(),
                began: None,
                heading: heading.trim_end().to_owned(),
                shard: None,
            },
            scenarios: self
                .games
                .iter()
                .zip(self.outcomes.iter().zip(standings))
                .map(|((scenario, subject), (outcome, &standing))| {
                    ScenarioResult::new(scenario, subject, outcome, standing)
                })
                .collect(),
            end: Some(RunEnd {
                seconds: took.as_secs_f64(),
                status: Status::Conforms.code(),
                interrupted: self.is_interrupted,
                explanation: self.explanation(),
            }),
        }
    }

    /// Holds the results against the baseline, and returns the entries that no longer hold.
    pub(super) fn expect(&mut self, baseline: &Baseline, results: &mut Results) -> Diagnostics {
        let stale = baseline.judge(results, Baseline::today());
        for (outcome, result) in self.outcomes.iter_mut().zip(&results.scenarios) {
            outcome.expected = result.expected.as_ref().map(Expectation::remark);
        }
        stale
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

    /// Returns the report for people about games that took so long. `left_out`: the number of slow scenarios that were not played.
    pub(super) fn report(&self, is_verbose: bool, took: Duration, left_out: usize) -> String {
        let console = Console {
            paint: Paint::Coloured,
            is_verbose,
        };
        let explanation = self.explanation();
        let mut report = console.report(&self.outcomes, &explanation.draw_causes(true), took);
        report += &explanation.draw_causes(false);
        report += &explanation.draw_ruled_out(is_verbose);
        match left_out {
            0 => {}
            1 => report.push_str("1 slow scenario left out (--slow plays it)\n"),
            slow => report.push_str(&format!(
                "{slow} slow scenarios left out (--slow plays them)\n"
            )),
        }
        report
    }
}
