//! The results of a run that is over: what each game contributes to the exit status, and which failures are known.

use super::{Played, PlayedGame};
use crate::finding::Verdict;
use crate::report::{Baseline, Results, ScenarioResult, Status, SubjectMistakes};

/// The verdicts that count as failures, and those that the user allows.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    /// True if a choice that the specification leaves open counts as a failure.
    pub is_strict: bool,
    /// Verdicts that leave the exit status at 0.
    pub allowed: Vec<Verdict>,
}

impl Terms {
    /// The verdicts that count as failures.
    #[must_use]
    pub fn failures(&self) -> Vec<Verdict> {
        let mut failures = vec![Verdict::Fail, Verdict::Error];
        failures.extend(self.is_strict.then_some(Verdict::Lenient));
        failures
    }

    /// The contribution of a verdict to the exit status.
    #[must_use]
    pub fn standing(&self, verdict: Verdict) -> Status {
        match verdict {
            Verdict::Lenient if self.is_strict => Status::Deviates,
            verdict if self.allowed.contains(&verdict) => Status::Conforms,
            verdict => Status::of(verdict),
        }
    }
}

impl Played {
    /// The results of the run. Which failures are known is still to be said.
    #[must_use]
    pub fn results(&self, terms: &Terms) -> Results {
        let games = self.games.iter();
        let scenarios = games.clone().map(|PlayedGame { game, outcome, .. }| {
            let standing = terms.standing(outcome.verdict);
            ScenarioResult::new(&game.scenario, &game.subject, outcome, standing)
        });
        let own = games.filter(|game| !game.is_gate);
        let named = own.map(|game| (&game.outcome.name, &game.game.subject.name));
        let named: Vec<_> = named.collect();
        let parts = self.explanations.iter();
        let parts = parts.map(|part| SubjectMistakes::new(part, &named));
        let mut results = Results::new("run", String::new(), 0, scenarios.collect());
        let end = results.end.get_or_insert_default();
        end.mistakes = parts.collect();
        end.notes = self.same_chance();
        end.interrupted = self.is_interrupted;
        results
    }
}

/// Marks the failures that are known, and says how the run ends.
pub fn conclude(results: &mut Results, known: Option<Baseline>) {
    if let Some(known) = known {
        known.judge(results, Baseline::today());
    }
    let standings = results.scenarios.iter().map(|scenario| scenario.standing);
    let status = standings.max().unwrap_or_default();
    let end = results.end.get_or_insert_default();
    let status = match end.interrupted {
        true => Status::Interrupted,
        false => status,
    };
    end.status = status.code();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_4_unless_it_is_allowed() {
        let status = |found: &[Verdict], allowed: &[Verdict]| {
            let terms = Terms {
                allowed: allowed.to_owned(),
                ..Terms::default()
            };
            let standings = found.iter().map(|&verdict| terms.standing(verdict));
            standings.max().unwrap_or_default()
        };
        for open in [
            Verdict::Flaky,
            Verdict::Inconclusive,
            Verdict::Unsupported,
            Verdict::Skipped,
        ] {
            assert_eq!(status(&[Verdict::Pass, open], &[]), Status::Open);
            assert_eq!(status(&[Verdict::Pass, open], &[open]), Status::Conforms);
            assert_eq!(status(&[open, Verdict::Fail], &[open]), Status::Deviates);
        }
        assert_eq!(
            status(&[Verdict::Flaky], &[Verdict::Inconclusive]),
            Status::Open
        );
    }
}
