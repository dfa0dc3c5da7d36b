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

/// A format of a report. All are made from the same [`Results`].
#[derive(Debug, Clone, Copy)]
pub struct ReportFormat {
    /// Its name on the command line.
    pub name: &'static str,
    /// Writes a report; fails if the output fails.
    pub write: Writer,
}

impl ReportFormat {
    /// The text of the console.
    pub const TEXT: &str = "text";
    /// Annotations of GitHub Actions.
    pub const GITHUB: &str = "github";
    /// A page. It is usually part of a folder, and then has links to replays of the games.
    pub const HTML: &str = "html";

    /// The names of all formats.
    #[must_use]
    pub fn names() -> [&'static str; 7] {
        FORMATS.map(|format| format.name)
    }

    /// The format of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<ReportFormat> {
        let mut all = FORMATS.into_iter();
        all.find(|format| format.name == name)
    }
}

/// All formats.
const FORMATS: [ReportFormat; 7] = [
    format(ReportFormat::TEXT, console::write),
    format("json", json::write),
    format("junit", junit::write),
    format(ReportFormat::GITHUB, github::write),
    format("gitlab", gitlab::write),
    format("markdown", markdown::write),
    format(ReportFormat::HTML, html::write),
];

type Writer = fn(&Results, &mut dyn Write) -> io::Result<()>;

const fn format(name: &'static str, write: Writer) -> ReportFormat {
    ReportFormat { name, write }
}
