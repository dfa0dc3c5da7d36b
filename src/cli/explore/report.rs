//! Printed report and exit status of an exploration.

use super::{Explored, failure};
use crate::cli::Status;
use crate::finding::Verdict;
use crate::report::{Results, ScenarioResult, SubjectReadings, coverage_notes, summarize_coverage};

impl Explored<'_> {
    /// Prints what was seen, and writes the reports.
    pub(super) fn report(&self) -> Status {
        let results = self.results();
        self.args.reports.finish(&results, self.args.verbose)
    }

    /// The exploration as a case, and each failure as one.
    fn results(&self) -> Results {
        let (exploration, subject) = (&self.exploration, &self.exploration.trials.subject);
        let coverage = exploration.explorer.coverage();
        let mut games = ScenarioResult {
            name: format!("{}/{}", coverage.game(), coverage.side().word()),
            title: "games that urtext made up".to_owned(),
            game: Some(coverage.game().to_owned()),
            notes: coverage_notes(coverage),
            empty_frames: exploration.empty_frames,
            ..ScenarioResult::default()
        };
        for outcome in exploration.error.iter().chain(&exploration.flaky) {
            games.add_outcome(outcome);
        }
        let mut scenarios = vec![games];
        for failed in &exploration.failures {
            let (scenario, outcome) = (&failed.planned.scenario, &failed.outcome);
            let standing = Status::of(outcome.verdict);
            let mut result = ScenarioResult::new(scenario, subject, outcome, standing);
            let again = self.again(failed.number);
            (result.notes, result.repeat) = failure::described(failed, self.subject(), again);
            let recording = failed.recording.as_ref();
            result.recording = recording.map(|path| path.to_string_lossy().into_owned());
            scenarios.push(result);
        }
        let counts = format!("{}, seed {}", summarize_coverage(coverage), self.seed);
        let mut results = Results::new("explore", counts, self.status().code(), scenarios);
        let took = match subject.built_in {
            Some(_) => exploration.took,
            None => exploration.began.elapsed(),
        };
        let end = results.end.get_or_insert_default();
        end.seconds = took.as_secs_f64();
        if !coverage.is_blank() {
            let ledger = exploration.explorer.ledger();
            end.readings = vec![SubjectReadings::new::<&str>(ledger, &[], &[])];
        }
        results
    }

    /// The exit status of an exploration without a failure.
    fn status(&self) -> Status {
        let exploration = &self.exploration;
        let games = &exploration.explorer.coverage().games;
        let have_passed = [Verdict::Pass, Verdict::Lenient]
            .iter()
            .any(|verdict| games.contains_key(verdict));
        match exploration.trials.is_interrupted() {
            true => Status::Interrupted,
            false if !have_passed => Status::Open,
            false => Status::Conforms,
        }
    }
}
