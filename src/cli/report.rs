//! `urtext report`: writes JSON reports in other formats, several of them joined.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::Status;
use super::baseline::BaselineArgs;
use super::html_folder::HtmlFolder;
use super::output::{broken, print_bytes, say, usage};
use super::report_files::unwritable;
use crate::config::file;
use crate::diagnostic::{Diagnostic, Source, visible};
use crate::platform::folder_of;
use crate::report::{Baseline, ReportFormat, Results, RunEnd, ShardFault, assert_whole, read_json};

/// The most bytes of a report that are read.
const LARGEST: u64 = 1 << 30;

/// Writes JSON reports in another format, several of them joined
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ReportArgs {
    /// The format: JUnit XML, annotations of GitHub Actions, Code Quality of GitLab, Markdown, one JSON report, or a folder of HTML pages
    #[arg(value_name = "FORMAT", value_parser = PossibleValuesParser::new(ReportFormat::names()))]
    format: String,
    /// JSON reports, in the order in which their scenarios are listed
    ///
    /// Several are joined, and held against the baseline. HTML shows several whole runs side by side.
    #[arg(value_name = "REPORT", required = true)]
    files: Vec<PathBuf>,
    /// The folder of an HTML report; its page is index.html
    #[arg(long, short, value_name = "FOLDER", required_if_eq("format", "html"))]
    output: Option<PathBuf>,
    #[command(flatten)]
    baseline: BaselineArgs,
}

const HELP: &str = "\
Examples:
  urtext run --report json=run.json              writes a JSON report
  urtext report junit run.json > junit.xml       the same run as JUnit XML
  urtext report json 1.json 2.json > all.json    the parts of a run that was sharded
  urtext report html a.json b.json -o site       two runs side by side

Exit status: 0; 1 if an entry of urtext-baseline.yaml no longer holds; 2 wrong usage; 3 a report cannot be read, or is incomplete where \
several are joined, or a part is missing.";

impl ReportArgs {
    pub(super) fn run(&self) -> Status {
        self.written().unwrap_or_else(|status| status)
    }

    fn written(&self) -> Result<Status, Status> {
        let format = ReportFormat::named(&self.format).expect("the parser knows the formats");
        let is_html = format == ReportFormat::Html;
        let output = self.output.as_deref();
        if output.is_some() && !is_html {
            return Err(usage("`--output` is the folder of an HTML report"));
        }
        let runs = self.files.iter().map(|file| read(file));
        let mut runs: Vec<_> = runs.collect::<Result<_, _>>()?;
        let mut status = Status::Conforms;
        // A single one is written as it is, also where it breaks off.
        let are_parts = runs.iter().any(|run| run.run.shard.is_some());
        if runs.len() > 1 && (are_parts || !is_html) {
            let (joined, found) = self.joined(runs)?;
            (runs, status) = (vec![joined], found);
        }
        if let Some(folder) = output {
            let are_several = runs.len() > 1;
            let runs = runs.into_iter().zip(&self.files);
            let runs =
                runs.map(|(run, file)| (are_several.then(|| shown(file)), run, folder_of(file)));
            let written = HtmlFolder(folder).write(runs.collect());
            return written
                .map(|()| status)
                .map_err(|error| unwritable(folder, &error));
        }
        let mut text = Vec::new();
        let written = format.write(&runs[0], &mut text);
        written.map_err(|error| broken(&format!("the report cannot be written: {error}")))?;
        print_bytes(&text);
        Ok(status)
    }

    /// One report of several, held against the baseline.
    fn joined(&self, all: Vec<Results>) -> Result<(Results, Status), Status> {
        let config = file::find(Path::new("."));
        let baseline = self.baseline.read(config.as_deref()).map_err(|faults| {
            say(&faults);
            Status::Usage
        })?;
        let mut reports = self.files.iter().zip(&all);
        if let Some((file, _)) = reports.find(|(_, run)| run.end.is_none()) {
            let file = shown(file);
            let title = format!("the report {file} is incomplete: its last line is missing");
            return Err(broken(&title));
        }
        assert_whole(&all).map_err(|fault| {
            let status = broken(&format!("the reports cannot be joined: {fault}"));
            if let ShardFault::Missing(names) = fault {
                let named = |name: &String| anstream::eprintln!("  {}", visible::plain(name));
                names.iter().for_each(named);
            }
            status
        })?;
        let worse = |one, other| Status::of_code(one).worse(Status::of_code(other)).code();
        let joined = all
            .into_iter()
            .reduce(|one, other| one.merged(other, worse));
        let mut joined = joined.expect("the parser demands a file");
        let stale = baseline.map(|baseline| baseline.judge(&mut joined, Baseline::today()));
        let stale = stale.unwrap_or_default();
        let status = match stale.is_empty() {
            true => Status::Conforms,
            false => Status::Deviates,
        };
        joined.end = joined.end.map(|end| RunEnd {
            status: worse(end.status, status.code()),
            ..end
        });
        say(&stale);
        Ok((joined, status))
    }
}

fn shown(file: &Path) -> String {
    visible::plain(file.as_os_str().as_encoded_bytes()).to_string()
}

pub(super) fn read(file: &Path) -> Result<Results, Status> {
    let told = |fault: Diagnostic| {
        say(&fault.into());
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
