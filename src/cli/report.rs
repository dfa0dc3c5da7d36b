//! `urtext report`: writes JSON reports in other formats, several of them joined.

use std::path::{Path, PathBuf};

use clap::Args;

use super::Status;
use super::output::{on_disk, print, say, usage};
use crate::config::file::{ReportFile, ReportFormat, Reports};
use crate::diagnostic::{Diagnostic, Source, visible};
use crate::platform::folder_of;
use crate::report::{Results, assert_whole, draw_console, read_json};

/// The most bytes of a report that are read.
const LARGEST: u64 = 1 << 30;

/// Writes JSON reports in another format, several of them joined
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ReportArgs {
    /// The format
    #[arg(value_name = "FORMAT", value_enum)]
    format: ReportFormat,
    /// JSON reports, in the order in which their scenarios are listed; several are joined
    #[arg(value_name = "REPORT", required = true)]
    files: Vec<PathBuf>,
    /// The file to write; for html a folder, whose page is index.html
    #[arg(long, short, value_name = "FILE", required_if_eq("format", "html"), value_parser = on_disk())]
    output: Option<PathBuf>,
    /// Name everything, as `urtext run -v` does
    #[arg(long, short, conflicts_with = "output")]
    verbose: bool,
}

const HELP: &str = "\
Examples:
  urtext run --report json=run.json              writes a JSON report
  urtext report junit run.json > junit.xml       the same run as JUnit XML
  urtext report json 1.json 2.json > all.json    the parts of a run that was sharded
  urtext report html a.json b.json -o site       two subjects side by side";

impl ReportArgs {
    pub(super) fn run(&self) -> Result<Status, Status> {
        if self.verbose && self.format != ReportFormat::Text {
            return Err(usage("`--verbose` is of the format `text`"));
        }
        let runs = self.files.iter().map(|file| read(file));
        let runs: Vec<_> = runs.collect::<Result<_, _>>()?;
        let whole = self.assert_whole(&runs).map_err(broken_report);
        // A single one is written as it is, also where something is missing.
        let status = match runs.len() {
            1 => whole.err().unwrap_or_default(),
            _ => whole.map(|()| Status::Conforms)?,
        };
        let results = runs.into_iter().reduce(Results::merged);
        let results = results.expect("the parser demands a file");
        if self.verbose {
            print(&draw_console(&results, true));
            return Ok(status);
        }
        let (format, file) = (self.format, self.output.clone());
        let file = file.unwrap_or_else(|| "-".into());
        let report = vec![ReportFile { format, file }];
        Ok(status.max(Reports { report }.write(&results)))
    }

    /// Checks that no report breaks off and that no shard of a run is missing.
    fn assert_whole(&self, all: &[Results]) -> Result<(), Diagnostic> {
        for (file, run) in self.files.iter().zip(all) {
            let lacks = match &run.end {
                None => "its last line is missing",
                Some(end) if end.interrupted => "the run was interrupted",
                Some(_) => continue,
            };
            let title = format!("the report {} is incomplete: {lacks}", visible::path(file));
            return Err(Diagnostic::error("run/broken", title));
        }
        assert_whole(all)
    }
}

fn broken_report(fault: Diagnostic) -> Status {
    say(&fault.into());
    Status::Broken
}

/// Reads a report. A recording that is not where the report says may be next to the report.
///
/// # Errors
/// The exit status, after printing the reason.
pub(super) fn read(file: &Path) -> Result<Results, Status> {
    let source = Source::read(file, LARGEST).map_err(broken_report)?;
    let text = source.utf8().map_err(broken_report)?;
    let mut results = read_json(text).map_err(|(line, reason)| {
        let name = visible::plain(source.name()).to_string();
        let title = format!("this is no JSON report of urtext: {reason}");
        broken_report(Diagnostic::error("report/format", title).in_file(format!("{name}:{line}")))
    })?;
    let recordings = results.scenarios.iter_mut();
    for path in recordings.filter_map(|scenario| scenario.recording.as_mut()) {
        let beside = folder_of(file).join(&path);
        if !Path::new(path).is_file() && beside.is_file() {
            *path = beside.to_string_lossy().into_owned();
        }
    }
    Ok(results)
}
