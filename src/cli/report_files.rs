//! `--report FORMAT=FILE`: the reports that a run writes beside what it prints.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::Status;
use super::output::broken;
use crate::diagnostic::{folder_of, visible};
use crate::report::{ReportFormat, Results};
use crate::transcript::write_whole;

/// The file name that means standard output.
const STANDARD_OUTPUT: &str = "-";

/// Most bytes of a summary that GitHub takes from a step.
const LARGEST_SUMMARY: u64 = 1024 * 1024;

/// The reports of a run.
#[derive(Debug, Args)]
pub(super) struct ReportOptions {
    /// Writes a report: json, junit, tap, github, gitlab or markdown; may be repeated
    ///
    /// The file `-` is standard output. There, `github` prints its annotations below the report for people, and every other format
    /// takes its place. On GitHub, `github` also appends the Markdown report to the summary of the step. `urtext help reports`
    /// describes the formats.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = report_of)]
    report: Vec<ReportTarget>,
}

/// One report.
#[derive(Debug, Clone)]
struct ReportTarget {
    format: ReportFormat,
    file: PathBuf,
}

impl ReportTarget {
    fn is_printed(&self) -> bool {
        self.file.as_os_str() == STANDARD_OUTPUT
    }

    /// Returns true if this takes the place of the report for people.
    fn replaces_the_console(&self) -> bool {
        self.is_printed() && self.format != ReportFormat::Github
    }

    /// Checks that the folder takes a file.
    fn probe(&self) -> io::Result<()> {
        if self.is_printed() {
            return Ok(());
        }
        if self.file.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        tempfile::tempfile_in(folder_of(&self.file)).map(drop)
    }

    /// Writes the report. A closed pipe on standard output is not an error.
    fn write(&self, results: &Results) -> io::Result<()> {
        let mut text = Vec::new();
        self.format.write(results, &mut text)?;
        if !self.is_printed() {
            return write_whole(&self.file, &text);
        }
        let mut output = io::stdout().lock();
        match output.write_all(&text).and_then(|()| output.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }
}

fn report_of(text: &str) -> Result<ReportTarget, String> {
    let names = || {
        let names: Vec<_> = ReportFormat::ALL.map(ReportFormat::name).to_vec();
        names.join(", ")
    };
    let Some((name, file)) = text.split_once('=').filter(|(_, file)| !file.is_empty()) else {
        return Err("write FORMAT=FILE, such as junit=report.xml".to_owned());
    };
    let Some(format) = ReportFormat::named(name) else {
        return Err(format!(
            "there is no format `{name}`; the formats are {}",
            names()
        ));
    };
    let file = file.into();
    Ok(ReportTarget { format, file })
}

impl ReportOptions {
    /// Checks that every report can be written, so that an error comes before the first game.
    ///
    /// # Errors
    /// The exit status, after printing the reason.
    pub(super) fn probe(&self) -> Result<(), Status> {
        self.report.iter().try_for_each(|target| {
            let probed = target.probe();
            probed.map_err(|error| unwritable(&target.file, &error))
        })
    }

    /// Returns true if a report takes the place of the report for people on standard output.
    pub(super) fn replace_the_console(&self) -> bool {
        self.report.iter().any(ReportTarget::replaces_the_console)
    }

    /// Returns the lines before and after the report for people. Between them GitHub carries out no command, because text
    /// of a subject could look like one.
    pub(super) fn guards(&self) -> [String; 2] {
        let is_guarded =
            |target: &ReportTarget| target.is_printed() && target.format == ReportFormat::Github;
        if !self.report.iter().any(is_guarded) {
            return Default::default();
        }
        let token = token();
        [
            format!("::stop-commands::{token}\n"),
            format!("::{token}::\n"),
        ]
    }

    /// Writes all reports. A file appears complete or not at all.
    ///
    /// Returns the exit status if one of them cannot be written, after printing the reason.
    pub(super) fn write(&self, results: &Results) -> Status {
        let mut status = Status::Conforms;
        for target in &self.report {
            if let Err(error) = target.write(results) {
                status = status.worse(unwritable(&target.file, &error));
            }
        }
        let annotates = |target: &ReportTarget| target.format == ReportFormat::Github;
        match std::env::var_os("GITHUB_STEP_SUMMARY").map(PathBuf::from) {
            Some(file) if self.report.iter().any(annotates) => {
                let summarized = summarize(results, &file);
                status.worse(summarized.map_or_else(|e| unwritable(&file, &e), |()| status))
            }
            _ => status,
        }
    }
}

fn unwritable(file: &Path, error: &io::Error) -> Status {
    let file = visible::plain(file.to_string_lossy().as_bytes()).to_string();
    broken(&format!("the report {file} cannot be written: {error}"))
}

/// A word that no subject can know.
fn token() -> String {
    // The keys of a hasher are random.
    let random = || RandomState::new().hash_one(std::process::id());
    format!("urtext-{:016x}{:016x}", random(), random())
}

/// Appends the Markdown report to the summary of the step, if GitHub has room for it.
fn summarize(results: &Results, file: &Path) -> io::Result<()> {
    let mut text = Vec::new();
    ReportFormat::Markdown.write(results, &mut text)?;
    let mut summary = File::options().append(true).create(true).open(file)?;
    if summary.metadata()?.len() + text.len() as u64 <= LARGEST_SUMMARY {
        summary.write_all(&text)?;
    }
    Ok(())
}
