//! `--report FORMAT=FILE`: the reports that a run writes beside what it prints.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use tempfile::NamedTempFile;

use super::Status;
use super::output::broken;
use crate::diagnostic::visible;
use crate::report::{ReportFormat, Results};

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
    format: &'static ReportFormat,
    file: PathBuf,
}

impl ReportTarget {
    fn is_printed(&self) -> bool {
        self.file.as_os_str() == STANDARD_OUTPUT
    }

    fn annotates(&self) -> bool {
        self.format.name == "github"
    }
}

fn report_of(text: &str) -> Result<ReportTarget, String> {
    let names = || {
        let names: Vec<_> = ReportFormat::ALL.iter().map(|format| format.name).collect();
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

/// Reports that are about to be written: their folders take a file.
#[derive(Debug)]
pub(super) struct Reports {
    /// Each with the file that takes its place when it is complete.
    files: Vec<(ReportTarget, NamedTempFile)>,
    printed: Vec<ReportTarget>,
}

impl ReportOptions {
    /// Prepares the files, so that a folder that takes none is told before anything is played.
    ///
    /// # Errors
    /// The status of the command, after the reason was told.
    pub(super) fn open(&self) -> Result<Reports, Status> {
        let (printed, files): (Vec<_>, Vec<_>) = self
            .report
            .iter()
            .cloned()
            .partition(ReportTarget::is_printed);
        let files = files.into_iter().map(|target| {
            let file = beside(&target.file).map_err(|error| unwritable(&target.file, &error))?;
            Ok((target, file))
        });
        let files = files.collect::<Result<_, Status>>()?;
        Ok(Reports { files, printed })
    }
}

/// An empty file in the folder of a report; it is removed unless it takes the report's name.
fn beside(file: &Path) -> io::Result<NamedTempFile> {
    if file.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    tempfile::Builder::new()
        .prefix(".urtext-report-")
        .permissions(permissions())
        .tempfile_in(folder)
}

/// The permissions of a file that a program creates; the system takes from them what the user does not want.
fn permissions() -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    std::fs::Permissions::from_mode(0o666)
}

fn unwritable(file: &Path, error: &io::Error) -> Status {
    let file = visible::plain(file.to_string_lossy().as_bytes()).to_string();
    broken(&format!("the report {file} cannot be written: {error}"))
}

impl Reports {
    /// Returns true if a report takes the place of the report for people on standard output.
    pub(super) fn replace_the_console(&self) -> bool {
        self.printed.iter().any(|target| !target.annotates())
    }

    /// Returns the lines before and after the report for people, between which GitHub carries out no command: text of a
    /// subject could look like one.
    pub(super) fn guards(&self) -> [String; 2] {
        if !self.printed.iter().any(ReportTarget::annotates) {
            return Default::default();
        }
        let token = token();
        [
            format!("::stop-commands::{token}\n"),
            format!("::{token}::\n"),
        ]
    }

    /// Writes all reports. A file appears complete or not at all. A closed pipe on standard output is not an error.
    ///
    /// Returns the status of the command where one of them cannot be written, after the reason was told.
    pub(super) fn write(self, results: &Results) -> Status {
        let mut status = Status::Conforms;
        for (target, file) in self.files {
            let mut output = io::BufWriter::new(file);
            let written = target.format.write(results, &mut output);
            let written = written
                .and_then(|()| output.into_inner().map_err(|error| error.into_error()))
                .and_then(|file| file.persist(&target.file).map_err(|error| error.error));
            if let Err(error) = written {
                status = status.worse(unwritable(&target.file, &error));
            }
            if target.annotates() {
                status = status.worse(summarize(results));
            }
        }
        for target in self.printed {
            let mut output = io::stdout().lock();
            let written = target.format.write(results, &mut output);
            if let Err(error) = written.and_then(|()| output.flush())
                && error.kind() != io::ErrorKind::BrokenPipe
            {
                status = status.worse(unwritable(&target.file, &error));
            }
            if target.annotates() {
                status = status.worse(summarize(results));
            }
        }
        status
    }
}

/// A word that no subject can know.
fn token() -> String {
    // The keys of a hasher are random.
    let random = || RandomState::new().hash_one(std::process::id());
    format!("urtext-{:016x}{:016x}", random(), random())
}

/// Appends the Markdown report to the summary of the step, where GitHub names a file for it.
fn summarize(results: &Results) -> Status {
    let (Some(file), Some(markdown)) = (
        std::env::var_os("GITHUB_STEP_SUMMARY").map(PathBuf::from),
        ReportFormat::named("markdown"),
    ) else {
        return Status::Conforms;
    };
    let mut text = Vec::new();
    let appended = markdown.write(results, &mut text).and_then(|()| {
        let mut summary = std::fs::File::options()
            .append(true)
            .create(true)
            .open(&file)?;
        let has_room = summary.metadata()?.len() + text.len() as u64 <= LARGEST_SUMMARY;
        if has_room {
            summary.write_all(&text)
        } else {
            Ok(())
        }
    });
    match appended {
        Ok(()) => Status::Conforms,
        Err(error) => unwritable(&file, &error),
    }
}
