//! `urtext report`: reads JSON reports, and writes or joins them.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::Status;
use super::baseline::BaselineArgs;
use super::html_folder::HtmlFolder;
use super::output::{broken, print_bytes, say};
use crate::config::file;
use crate::diagnostic::{Diagnostic, Diagnostics, Paint, Source, visible};
use crate::platform::folder_of;
use crate::report::{Baseline, ReportFormat, Results, RunEnd, ShardFault, assert_whole, read_json};

/// The most bytes of a report that are read.
const LARGEST: u64 = 1 << 30;

/// Reads JSON reports, and writes or joins them
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ReportArgs {
    #[command(subcommand)]
    action: Action,
}

const HELP: &str = "\
Examples:
  urtext run --report json=run.json          writes a JSON report
  urtext report junit run.json > junit.xml   the same run as JUnit XML
  urtext report html a.json b.json -o site   two runs side by side

Exit status: 0; of merge, 1 if an entry of urtext-baseline.yaml no longer holds; 2 wrong usage; 3 a report cannot be read or is incomplete.";

#[derive(Debug, Subcommand)]
enum Action {
    /// Prints a report as JUnit XML
    Junit(ReportFile),
    /// Prints a report as annotations of GitHub Actions
    Github(ReportFile),
    /// Prints a report as Code Quality of GitLab
    Gitlab(ReportFile),
    /// Prints a report as Markdown
    Markdown(ReportFile),
    /// Writes an HTML report; the subjects of several runs stand side by side
    Html(HtmlReport),
    /// Prints one JSON report of several runs, and holds it against the baseline
    Merge(ReportFiles),
}

#[derive(Debug, Args)]
struct ReportFile {
    /// A JSON report
    #[arg(value_name = "REPORT")]
    file: PathBuf,
}

#[derive(Debug, Args)]
struct ReportFiles {
    /// JSON reports, in the order in which their scenarios are listed
    #[arg(value_name = "REPORT", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    baseline: BaselineArgs,
}

#[derive(Debug, Args)]
struct HtmlReport {
    /// JSON reports, in the order of their columns
    #[arg(value_name = "REPORT", required = true)]
    files: Vec<PathBuf>,
    /// The folder of the report; its page is index.html
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
}

impl ReportArgs {
    pub(super) fn run(&self) -> Status {
        let done = match &self.action {
            Action::Junit(report) => report.write(ReportFormat::Junit),
            Action::Github(report) => report.write(ReportFormat::Github),
            Action::Gitlab(report) => report.write(ReportFormat::Gitlab),
            Action::Markdown(report) => report.write(ReportFormat::Markdown),
            Action::Html(report) => report.write(),
            Action::Merge(reports) => reports.merge(),
        };
        done.unwrap_or_else(|status| status)
    }
}

impl ReportFile {
    /// Incomplete reports are written too, and say so.
    fn write(&self, format: ReportFormat) -> Result<Status, Status> {
        let results = read(&self.file)?;
        write(&results, format)?;
        Ok(Status::Conforms)
    }
}

impl HtmlReport {
    /// Incomplete reports are shown too, and the page says so.
    fn write(&self) -> Result<Status, Status> {
        let files = &self.files;
        let run = |file: &'_ PathBuf| {
            let name = visible::plain(file.to_string_lossy().as_bytes()).to_string();
            read(file).map(|results| (Some(name).filter(|_| files.len() > 1), results))
        };
        let runs = files.iter().map(run).collect::<Result<Vec<_>, _>>()?;
        let beside = files.iter().map(|file| folder_of(file));
        let runs = runs.into_iter().zip(beside);
        let runs = runs
            .map(|((name, results), beside)| (name, results, beside))
            .collect();
        let folder = HtmlFolder::new(self.output.clone());
        folder.write(runs).map_err(|error| {
            let folder = visible::plain(self.output.to_string_lossy().as_bytes()).to_string();
            broken(&format!("the report {folder} cannot be written: {error}"))
        })?;
        Ok(Status::Conforms)
    }
}

impl ReportFiles {
    fn merge(&self) -> Result<Status, Status> {
        let config = file::find(Path::new("."));
        let baseline = self.baseline.read(config.as_deref()).map_err(|faults| {
            say(&faults);
            Status::Usage
        })?;
        let all = self.files.iter().map(|file| complete(file));
        let all: Vec<_> = all.collect::<Result<_, _>>()?;
        assert_whole(&all).map_err(|fault| {
            let status = broken(&format!("the reports cannot be merged: {fault}"));
            if let ShardFault::Missing(names) = fault {
                let named = |name: &String| anstream::eprintln!("  {}", visible::plain(name));
                names.iter().for_each(named);
            }
            status
        })?;
        let worse = |one, other| Status::of_code(one).worse(Status::of_code(other)).code();
        let merged = all
            .into_iter()
            .reduce(|one, other| one.merged(other, worse));
        let mut merged = merged.expect("the parser demands a file");
        let stale = baseline.map(|baseline| baseline.judge(&mut merged, Baseline::today()));
        let stale = stale.unwrap_or_default();
        let status = if stale.is_empty() {
            Status::Conforms
        } else {
            Status::Deviates
        };
        merged.end = merged.end.map(|end| RunEnd {
            status: worse(end.status, status.code()),
            ..end
        });
        say(&stale);
        write(&merged, ReportFormat::Json)?;
        Ok(status)
    }
}

/// Reads a report that has its end.
pub(super) fn complete(file: &Path) -> Result<Results, Status> {
    let results = read(file)?;
    if results.end.is_some() {
        return Ok(results);
    }
    let name = visible::plain(file.to_string_lossy().as_bytes()).to_string();
    Err(broken(&format!(
        "the report {name} is incomplete: its last line is missing"
    )))
}

pub(super) fn read(file: &Path) -> Result<Results, Status> {
    let told = |fault: Diagnostic| {
        let faults = Diagnostics::from(fault);
        anstream::eprintln!("{}", faults.draw(Paint::Coloured));
        Status::Broken
    };
    let source = Source::read(file, LARGEST).map_err(told)?;
    let text = source.utf8().map_err(told)?;
    read_json(text).map_err(|(line, reason)| {
        let name = visible::plain(source.name()).to_string();
        let title = format!("this is no JSON report of urtext: {reason}");
        told(Diagnostic::error("report/format", title).in_file(format!("{name}:{line}")))
    })
}

/// Prints a report.
fn write(results: &Results, format: ReportFormat) -> Result<(), Status> {
    let mut text = Vec::new();
    let written = format.write(results, &mut text);
    written.map_err(|error| broken(&format!("the report cannot be written: {error}")))?;
    print_bytes(&text);
    Ok(())
}
