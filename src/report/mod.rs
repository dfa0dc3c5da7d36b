//! Reports of a run, one file per format.

mod attempts;
mod baseline;
mod console;
mod coverage;
mod drawing;
mod cases;
mod finding;
mod format;
mod github;
mod gitlab;
mod html;
mod json;
mod junit;
mod markdown;
mod matrix;
mod page;
mod readings;
mod requirements;
mod results;
mod shard;

pub use attempts::AttemptResult;
pub use baseline::Baseline;
pub use cases::Cases;
pub use console::Console;
pub use coverage::{
    as_json as coverage_as_json, draw as draw_coverage, summary as summarize_coverage,
};
pub use finding::{draw as draw_finding, draw_game, draw_in_file};
pub use format::ReportFormat;
pub use html::{HtmlRun, draw as draw_html};
pub use json::{read as read_json, schema as json_schema};
pub use matrix::{as_json as matrix_as_json, draw as draw_matrix, summary as summarize_matrix};
pub use page::draw as draw_page;
pub use readings::{
    CauseResult, ExplanationResult, NamedGame, ReadingResult, RefutedResult, RuledOut,
};
pub use requirements::{
    RequirementChecks, explain_requirement, list_requirements, requirement_as_json,
    requirement_checks,
};
pub use results::{
    Check, Expectation, FindingResult, LaneResult, OpenResult, Place, ReportLine, Results, RunEnd,
    RunHead, ScenarioResult, Standing, SubjectResult, VERSION,
};
pub use shard::{ShardFault, ShardHead, assert_whole};

use crate::event::Outcome;
use crate::finding::Verdict;

/// Number of outcomes for each verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Passed.
    pub passed: usize,
    /// Passed, with choices that the specification leaves open.
    pub lenient: usize,
    /// Failed.
    pub failed: usize,
    /// Failed, as the baseline expects.
    pub expected: usize,
    /// Inconclusive.
    pub inconclusive: usize,
    /// Unsupported.
    pub unsupported: usize,
    /// Failed, and passed when played again.
    pub flaky: usize,
    /// Not played, for a stated reason.
    pub skipped: usize,
    /// Could not be played.
    pub errors: usize,
}

impl Tally {
    /// Counts outcomes.
    #[must_use]
    pub fn of(outcomes: &[Outcome]) -> Tally {
        let mut tally = Tally::default();
        for outcome in outcomes {
            *match outcome.verdict {
                _ if outcome.expected.is_some() => &mut tally.expected,
                Verdict::Pass => &mut tally.passed,
                Verdict::Lenient => &mut tally.lenient,
                Verdict::Fail => &mut tally.failed,
                Verdict::Inconclusive => &mut tally.inconclusive,
                Verdict::Unsupported => &mut tally.unsupported,
                Verdict::Flaky => &mut tally.flaky,
                Verdict::Skipped => &mut tally.skipped,
                Verdict::Error => &mut tally.errors,
            } += 1;
        }
        tally
    }

    /// All of them.
    #[must_use]
    pub fn total(&self) -> usize {
        let decided = self.passed + self.lenient + self.failed + self.expected;
        decided + self.flaky + self.inconclusive + self.unsupported + self.skipped + self.errors
    }
}
