//! Printed report and exit status of an exploration.

use std::fmt::Write as _;
use std::io::Write as _;

use serde_json::json;

use super::{Explored, failure};
use crate::cli::Status;
use crate::diagnostic::{Diagnostic, Paint};
use crate::event::empty_frames_remark;
use crate::finding::Verdict;
use crate::hypothesis::{Ledger, ReadingState};
use crate::report::{
    Cases, NAMES_OTHERS, Results, RuledOut, ScenarioResult, Standing, coverage_as_json,
    draw_coverage, draw_finding, summarize_coverage,
};

impl Explored<'_> {
    /// Prints what was seen.
    pub(super) fn report(&self) -> Status {
        let text = if self.args.json {
            self.as_json()
        } else {
            self.drawn()
        };
        let status = self.status();
        status.worse(
            self.args
                .reports
                .print_and_write(&text, || self.results(status)),
        )
    }

    /// The exploration as a case, and each failure as one.
    fn results(&self, status: Status) -> Results {
        let coverage = summarize_coverage(self.exploration.explorer.coverage());
        let (exploration, subject) = (&self.exploration, &self.exploration.trials.subject);
        let mut cases = Cases::default();
        let all = format!("{}/{}", subject.protocol.game_name(), subject.side.word());
        cases.case(&all).title = "games that urtext made up".to_owned();
        for outcome in exploration.error.iter().chain(&exploration.flaky) {
            cases.add_outcome(&all, outcome);
        }
        for failed in &exploration.failures {
            let (scenario, outcome) = (&failed.planned.scenario, &failed.outcome);
            let standing = Standing::of(outcome.verdict);
            let mut result = ScenarioResult::new(scenario, subject, outcome, standing);
            let shown = failure::repeat_shortest(failed, self.subject());
            result.repeat = shown.unwrap_or_else(|| self.again(failed.number));
            cases.push(result);
        }
        cases.results("explore", coverage, status.code())
    }

    fn as_json(&self) -> String {
        let mut told = coverage_as_json(self.exploration.explorer.coverage());
        told["seed"] = json!(self.seed);
        let ledger = self.exploration.explorer.ledger();
        told["readings"] = json!({
            "total": ledger.total(),
            "refuted": ledger.refuted().len(),
            "consistent": names(ledger, ReadingState::Consistent),
            "unshown": names(ledger, ReadingState::Unshown),
            "untested": names(ledger, ReadingState::Untested),
        });
        let arguments = self.subject();
        let failures = self.exploration.failures.iter();
        told["failures"] = failures
            .map(|failed| failure::as_json(failed, arguments, &self.again(failed.number)))
            .collect();
        if let Some(finding) = self
            .exploration
            .error
            .iter()
            .find_map(|outcome| outcome.findings.first())
        {
            let fault = Diagnostic::error("explore/broken", &finding.title);
            drop(writeln!(
                anstream::stderr(),
                "{}",
                fault.draw(Paint::Coloured)
            ));
        }
        serde_json::to_string_pretty(&told).expect("a table is plain data")
    }

    fn drawn(&self) -> String {
        let coverage = self.exploration.explorer.coverage();
        let mut text = String::new();
        for outcome in self
            .exploration
            .failures
            .iter()
            .map(|failure| &failure.outcome)
            .chain(&self.exploration.error)
            .chain(&self.exploration.flaky)
        {
            for (number, finding) in outcome.findings.iter().enumerate() {
                text.push_str(&draw_finding(
                    outcome,
                    finding,
                    number == 0,
                    Paint::Coloured,
                ));
                text.push_str("\n\n");
            }
        }
        for failed in &self.exploration.failures {
            for line in failure::told(failed, self.subject(), &self.again(failed.number)) {
                text.push_str(&line);
                text.push('\n');
            }
            text.push('\n');
        }
        if let Some(remark) = empty_frames_remark(self.exploration.empty_frames) {
            writeln!(text, "Beside the lines of the game: {remark}").expect("a string takes all");
        }
        // Where nothing could be played, the table would only say so in many lines.
        let has_shown = coverage
            .games
            .keys()
            .any(|verdict| *verdict != Verdict::Error);
        let is_drawn = has_shown || self.exploration.error.is_none();
        let table = if is_drawn {
            draw_coverage(coverage, self.args.verbose)
        } else {
            summarize_coverage(coverage)
        };
        let took = if self.exploration.trials.subject.built_in.is_some() {
            self.exploration.took
        } else {
            self.exploration.began.elapsed()
        }
        .as_secs_f64();
        let ledger = self.exploration.explorer.ledger();
        if is_drawn && ledger.total() > 0 {
            text += &RuledOut::new(ledger, &[]).draw(self.args.verbose);
            text += if self.args.verbose { "" } else { NAMES_OTHERS };
            text.push('\n');
        }
        write!(text, "{table}, seed {}, {took:.1} s", self.seed).expect("a string takes all");
        text
    }

    fn status(&self) -> Status {
        let coverage = self.exploration.explorer.coverage();
        let has_passed = |verdict| {
            coverage
                .games
                .get(&verdict)
                .is_some_and(|number| *number > 0)
        };
        if self.exploration.trials.is_interrupted() {
            Status::Interrupted
        } else if !self.exploration.failures.is_empty() {
            Status::Deviates
        } else if self.exploration.error.is_some() {
            Status::Broken
        } else if self.exploration.flaky.is_some()
            || !has_passed(Verdict::Pass) && !has_passed(Verdict::Lenient)
        {
            Status::Open
        } else {
            Status::Conforms
        }
    }
}

/// The names of the readings that stand so.
fn names(ledger: &Ledger, standing: ReadingState) -> Vec<&'static str> {
    let rows = ledger.that_are(standing).into_iter();
    rows.map(|row| row.name).collect()
}
