//! `--report FORMAT=FILE`: the reports that a run writes beside what it prints.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use tempfile::TempDir;

use super::Status;
use super::html_folder::HtmlFolder;
use super::output::{broken, print_bytes, print_text};
use crate::diagnostic::{Paint, visible};
use crate::platform::{is_standard_output, probe_output, write_output};
use crate::report::{Console, ReportFormat, Results};

/// The file name that means standard output.
const STANDARD_OUTPUT: &str = "-";

/// The report that is a folder.
const HTML: &str = "html";

/// Most bytes of a summary that GitHub takes from a step.
const LARGEST_SUMMARY: u64 = 1024 * 1024;

/// The reports of a run.
#[derive(Debug, Clone, Args)]
pub(super) struct ReportOptions {
    /// Write a report, such as junit=report.xml; may be repeated
    ///
    /// The formats are text, json, junit, github, gitlab, markdown and html; `urtext help running` describes them. For html, FILE is a
    /// folder. The file `-` is standard output.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = report_of)]
    report: Vec<ReportTarget>,
}

/// One report.
#[derive(Debug, Clone)]
enum ReportTarget {
    File { format: ReportFormat, file: PathBuf },
    Folder(HtmlFolder),
}

impl ReportTarget {
    fn path(&self) -> &Path {
        match self {
            ReportTarget::File { file, .. } => file,
            ReportTarget::Folder(folder) => folder.path(),
        }
    }

    fn folder(&self) -> Option<&HtmlFolder> {
        match self {
            ReportTarget::File { .. } => None,
            ReportTarget::Folder(folder) => Some(folder),
        }
    }

    fn is_github(&self) -> bool {
        matches!(
            self,
            ReportTarget::File {
                format: ReportFormat::Github,
                ..
            }
        )
    }

    fn is_printed(&self) -> bool {
        self.folder().is_none()
            && (self.path().as_os_str() == STANDARD_OUTPUT || is_standard_output(self.path()))
    }

    /// Returns true if this takes the place of the report for people.
    fn replaces_the_console(&self) -> bool {
        self.is_printed() && !self.is_github()
    }

    /// Checks that the report can be written.
    fn probe(&self) -> io::Result<()> {
        match self {
            _ if self.is_printed() => Ok(()),
            ReportTarget::Folder(folder) => folder.probe(),
            ReportTarget::File { file, .. } => probe_output(file),
        }
    }

    /// Writes the report.
    fn write(&self, results: &Results) -> io::Result<()> {
        let (format, file) = match self {
            ReportTarget::File { format, file } => (format, file),
            ReportTarget::Folder(folder) => {
                return folder.write(vec![(None, results.clone(), Path::new("."))]);
            }
        };
        let mut text = Vec::new();
        format.write(results, &mut text)?;
        if !self.is_printed() {
            return write_output(file, &text);
        }
        print_bytes(&text);
        Ok(())
    }
}

fn report_of(text: &str) -> Result<ReportTarget, String> {
    let names = || {
        let mut names: Vec<_> = ReportFormat::ALL.map(ReportFormat::name).to_vec();
        names.push(HTML);
        names.join(", ")
    };
    let Some((name, file)) = text.split_once('=').filter(|(_, file)| !file.is_empty()) else {
        return Err("write FORMAT=FILE, such as junit=report.xml".to_owned());
    };
    let no_format = || format!("there is no format `{name}`; the formats are {}", names());
    target_of(name, Path::new(file)).ok_or_else(no_format)
}

/// The report of that name.
fn target_of(name: &str, file: &Path) -> Option<ReportTarget> {
    let file = file.to_owned();
    if name == HTML {
        return Some(ReportTarget::Folder(HtmlFolder::new(file)));
    }
    let format = ReportFormat::named(name)?;
    Some(ReportTarget::File { format, file })
}

impl ReportOptions {
    /// Sets the reports, each by the name of its format, where none is asked for.
    pub(super) fn default_to(&mut self, reports: &[(&str, PathBuf)]) {
        if self.report.is_empty() {
            let targets = reports.iter();
            let targets = targets.filter_map(|(name, file)| target_of(name, file));
            self.report = targets.collect();
        }
    }

    /// Returns true if there is a report to write.
    pub(super) fn are_asked_for(&self) -> bool {
        !self.report.is_empty()
    }

    /// Checks that every report can be written, so that an error comes before the first game.
    ///
    /// # Errors
    /// The exit status, after printing the reason.
    pub(super) fn probe(&self) -> Result<(), Status> {
        self.report.iter().try_for_each(|target| {
            let probed = target.probe();
            probed.map_err(|error| unwritable(target.path(), &error))
        })
    }

    /// Makes a place for recordings, if a report needs them. It is removed when dropped.
    ///
    /// # Errors
    /// The exit status, after printing the reason.
    pub(super) fn workspace(&self) -> Result<Option<TempDir>, Status> {
        let Some(folder) = self.folder() else {
            return Ok(None);
        };
        let made = folder.workspace().map(Some);
        made.map_err(|error| unwritable(folder.path(), &error))
    }

    /// Keeps the recordings of games that did not pass from the workspace.
    ///
    /// Returns the exit status if one of them cannot be kept, after printing the reason.
    pub(super) fn adopt(&self, results: &mut Results) -> Status {
        let adopted = self.folder().map(|folder| (folder, folder.adopt(results)));
        match adopted {
            Some((folder, Err(error))) => unwritable(folder.path(), &error),
            _ => Status::Conforms,
        }
    }

    fn folder(&self) -> Option<&HtmlFolder> {
        self.report.iter().find_map(ReportTarget::folder)
    }

    /// Returns true if a report takes the place of the report for people on standard output.
    pub(super) fn replace_the_console(&self) -> bool {
        self.report.iter().any(ReportTarget::replaces_the_console)
    }

    /// Returns the lines before and after the report for people. Between them GitHub carries out no command, because text
    /// of a subject could look like one.
    pub(super) fn guards(&self) -> [String; 2] {
        let is_guarded = |target: &ReportTarget| target.is_printed() && target.is_github();
        if !self.report.iter().any(is_guarded) {
            return Default::default();
        }
        let token = token();
        [
            format!("::stop-commands::{token}\n"),
            format!("::{token}::\n"),
        ]
    }

    /// Prints this text for people, unless a report takes its place, and writes the reports.
    ///
    /// Returns the exit status if one of them cannot be written, after printing the reason.
    pub(super) fn print_and_write(&self, text: &str, results: &Results) -> Status {
        let [guard, end] = self.guards();
        if !self.replace_the_console() {
            print_text(&format!("{guard}{text}{end}"));
        }
        self.write(results)
    }

    /// Writes all reports. A file appears complete or not at all.
    ///
    /// Returns the exit status if one of them cannot be written, after printing the reason.
    pub(super) fn write(&self, results: &Results) -> Status {
        let mut status = Status::Conforms;
        for target in &self.report {
            if let Err(error) = target.write(results) {
                status = status.worse(unwritable(target.path(), &error));
            }
        }
        match std::env::var_os("GITHUB_STEP_SUMMARY").map(PathBuf::from) {
            Some(file) if self.report.iter().any(ReportTarget::is_github) => {
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

/// The report for people about the cases of a command.
pub(super) fn console_report(results: &Results, is_verbose: bool) -> String {
    let console = Console {
        paint: Paint::Coloured,
        is_verbose,
    };
    let report = console.report(results);
    report.trim_start_matches('\n').to_owned()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::file::RunDefaults;

    #[test]
    fn the_formats_of_urtext_yaml_are_all_that_there_are() {
        let all = ReportFormat::ALL.map(ReportFormat::name);
        assert_eq!(RunDefaults::REPORTS[..6], all);
        let known = RunDefaults::REPORTS.map(|name| target_of(name, Path::new("x")));
        assert!(known.iter().all(Option::is_some), "{known:?}");
    }
}
