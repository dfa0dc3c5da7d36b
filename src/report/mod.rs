//! Reports of a run, one file per format.

mod baseline;
mod console;
mod cases;
mod finding;
mod findings;
mod github;
mod gitlab;
mod groups;
mod html;
mod json;
mod junit;
mod markdown;
mod page;
mod mistakes;
mod requirements;
mod results;
mod scenario;
mod status;

pub use baseline::Baseline;
pub use cases::{Cases, coverage_notes, mutant_results, summarize_coverage, summarize_matrix};
pub use console::draw as draw_console;
pub use finding::{draw as draw_finding, draw_line};
pub use findings::{FindingResult, LaneResult, Place};
pub use html::draw as draw_html;
pub use json::{read as read_json, schema as json_schema};
pub use mistakes::{CauseResult, MistakeResult, SubjectMistakes};
pub use page::draw as draw_page;
pub use requirements::RequirementList;
pub use results::{ReportLine, Results, RunEnd, RunHead, ShardHead, VERSION, assert_whole};
pub use scenario::{Check, Expectation, ScenarioResult, SubjectResult};
pub use status::Status;

use std::io::{self, Write};

use crate::config::file::ReportFormat;

impl ReportFormat {
    /// Writes a report.
    ///
    /// # Errors
    /// Fails if the output fails.
    pub fn write(self, results: &Results, out: &mut dyn Write) -> io::Result<()> {
        match self {
            ReportFormat::Text => console::write(results, out),
            ReportFormat::Json => json::write(results, out),
            ReportFormat::Junit => junit::write(results, out),
            ReportFormat::Github => github::write(results, out),
            ReportFormat::Gitlab => gitlab::write(results, out),
            ReportFormat::Markdown => markdown::write(results, out),
            ReportFormat::Html => html::write(results, out),
        }
    }
}
