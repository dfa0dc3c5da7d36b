//! Reports of a run, one file per format.

mod attempts;
mod baseline;
mod console;
mod coverage;
mod cases;
mod finding;
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
mod shard;
mod template;

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
pub use matrix::{draw as draw_matrix, summary as summarize_matrix};
pub use page::draw as draw_page;
pub use readings::{
    CauseResult, ExplanationResult, NAMES_OTHERS, NamedGame, ReadingResult, RefutedResult, RuledOut,
};
pub use requirements::RequirementList;
pub use results::{
    Check, Expectation, FindingResult, LaneResult, OpenResult, Place, ReportLine, Results, RunEnd,
    RunHead, ScenarioResult, Severity, Standing, SubjectResult, VERSION,
};
pub use shard::{ShardFault, ShardHead, assert_whole};
