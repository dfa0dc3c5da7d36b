//! Reports of a run, one file per format.

mod attempts;
mod baseline;
mod console;
mod cases;
mod coverage;
mod finding;
mod findings;
mod format;
mod github;
mod gitlab;
mod groups;
mod html;
mod json;
mod junit;
mod markdown;
mod matrix;
mod page;
mod readings;
mod requirements;
mod results;
mod scenario;
mod shard;
mod template;

pub use attempts::AttemptResult;
pub use baseline::Baseline;
pub use cases::Cases;
pub use console::Console;
pub use coverage::{coverage_notes, summary as summarize_coverage};
pub use finding::{draw as draw_finding, draw_game, draw_in_file, draw_line};
pub use findings::{FindingResult, LaneResult, OpenResult, Place};
pub use format::ReportFormat;
pub use html::{HtmlRun, draw as draw_html};
pub use json::{read as read_json, schema as json_schema};
pub use matrix::summary as summarize_matrix;
pub use page::draw as draw_page;
pub use readings::{
    CauseResult, ExplanationResult, GamesOf, NamedGame, ReadingResult, RuledOut, StateResult,
};
pub use requirements::RequirementList;
pub use results::{ReportLine, Results, RunEnd, RunHead, VERSION};
pub use scenario::{Check, Expectation, ScenarioResult, Severity, Standing, SubjectResult};
pub use shard::{ShardFault, ShardHead, assert_whole};
