//! `--report FORMAT=FILE`: the reports that a run writes beside what it prints.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::Status;
use super::output::{OrBroken, print_bytes, print_text};
use super::replay;
use crate::config::file::{ReportFile, ReportFormat, Reports};
use crate::platform::{is_standard_output, probe_folder, probe_output, write_output};
use crate::report::{Results, draw_console, draw_html};

/// Most bytes of a summary that GitHub takes from a step.
const LARGEST_SUMMARY: u64 = 1024 * 1024;

impl ReportFile {
    fn is_printed(&self) -> bool {
        is_standard_output(&self.file)
    }

    /// The folder, for a report that is one.
    fn folder(&self) -> Option<HtmlFolder<'_>> {
        let is_folder = self.format == ReportFormat::Html && !self.is_printed();
        is_folder.then(|| HtmlFolder(&self.file))
    }

    fn is_github(&self) -> bool {
        self.format == ReportFormat::Github
    }

    /// Checks that the report can be written.
    fn probe(&self) -> io::Result<()> {
        match self.folder() {
            _ if self.is_printed() => Ok(()),
            Some(_) => probe_folder(&self.file),
            None => probe_output(&self.file),
        }
    }

    /// Writes the report.
    fn write(&self, results: &Results) -> io::Result<()> {
        if let Some(folder) = self.folder() {
            return folder.write(results);
        }
        let mut text = Vec::new();
        self.format.write(results, &mut text)?;
        if !self.is_printed() {
            return write_output(&self.file, &text);
        }
        print_bytes(&text);
        Ok(())
    }
}

impl Reports {
    /// Returns true if there is a report to write.
    pub(super) fn are_asked_for(&self) -> bool {
        !self.report.is_empty()
    }

    /// Checks that every report can be written, so that an error comes before the first game.
    ///
    /// # Errors
    /// The exit status, after printing the reason.
    pub(super) fn probe(&self) -> Result<(), Status> {
        let mut targets = self.report.iter();
        targets.try_for_each(|target| target.probe().or_unwritable(&target.file))
    }

    /// Makes a place for recordings, if a report needs them. It is removed when dropped.
    ///
    /// # Errors
    /// The exit status, after printing the reason.
    pub(super) fn workspace(&self) -> Result<Option<TempDir>, Status> {
        let Some((target, folder)) = self.folder() else {
            return Ok(None);
        };
        let mut place = tempfile::Builder::new();
        let place = place.prefix(".urtext-");
        let made = folder.games().and_then(|_| place.tempdir_in(&target.file));
        made.map(Some).or_unwritable(&target.file)
    }

    /// Keeps the recordings of games that did not pass from the workspace.
    ///
    /// Returns the exit status if one of them cannot be kept, after printing the reason.
    pub(super) fn adopt(&self, results: &mut Results) -> Status {
        let Some((target, folder)) = self.folder() else {
            return Status::Conforms;
        };
        let adopted = folder.adopt(results).or_unwritable(&target.file);
        adopted.err().unwrap_or_default()
    }

    fn folder(&self) -> Option<(&ReportFile, HtmlFolder<'_>)> {
        let mut targets = self.report.iter();
        targets.find_map(|target| Some((target, target.folder()?)))
    }

    /// Prints a text for people, unless a report takes its place on standard output. Beside annotations, GitHub carries out no command in it,
    /// because text of a subject could look like one.
    pub(super) fn print(&self, text: &str) {
        let mut printed = self.report.iter().filter(|target| target.is_printed());
        let (is_guarded, is_replaced) = (
            printed.clone().any(ReportFile::is_github),
            printed.any(|target| !target.is_github()),
        );
        if is_replaced {
            return;
        }
        if !is_guarded {
            return print_text(text);
        }
        // The keys of a hasher are random: no subject can know the word.
        let random = || RandomState::new().hash_one(std::process::id());
        let token = format!("urtext-{:016x}{:016x}", random(), random());
        print_text(&format!("::stop-commands::{token}\n{text}::{token}::\n"));
    }

    /// Prints the report for people, unless a report takes its place, and writes the reports. Returns the exit status of the command: that of
    /// the results, or of a report that cannot be written, after printing the reason.
    pub(super) fn finish(&self, results: &Results, is_verbose: bool) -> Status {
        self.print(draw_console(results, is_verbose).trim_start_matches('\n'));
        results.status().max(self.write(results))
    }

    /// Writes all reports. A file appears complete or not at all.
    ///
    /// Returns the exit status if one of them cannot be written, after printing the reason.
    pub(super) fn write(&self, results: &Results) -> Status {
        let targets = self.report.iter();
        let written = targets.map(|target| target.write(results).or_unwritable(&target.file));
        let is_github = self.report.iter().any(ReportFile::is_github);
        let summary = is_github.then(|| summarize(results));
        let failed = written.chain(summary).filter_map(Result::err);
        failed.max().unwrap_or_default()
    }
}

/// Appends the Markdown report to the summary of the step, if it has one.
///
/// # Errors
/// The exit status, after printing the reason.
fn summarize(results: &Results) -> Result<(), Status> {
    match std::env::var_os("GITHUB_STEP_SUMMARY").map(PathBuf::from) {
        Some(file) => append_summary(results, &file).or_unwritable(&file),
        None => Ok(()),
    }
}

/// Appends the Markdown report, if GitHub has room for it.
fn append_summary(results: &Results, file: &Path) -> io::Result<()> {
    let mut text = Vec::new();
    ReportFormat::Markdown.write(results, &mut text)?;
    let mut summary = File::options().append(true).create(true).open(file)?;
    if summary.metadata()?.len() + text.len() as u64 <= LARGEST_SUMMARY {
        summary.write_all(&text)?;
    }
    Ok(())
}

/// The folder of an HTML report.
#[derive(Debug, Clone, Copy)]
struct HtmlFolder<'p>(&'p Path);

impl HtmlFolder<'_> {
    /// Moves the recordings of games that did not pass into the folder. The other games have no recording then.
    fn adopt(self, results: &mut Results) -> io::Result<()> {
        for (number, scenario) in results.scenarios.iter_mut().enumerate() {
            let recording = scenario.recording.take();
            let Some(recording) = recording.filter(|_| scenario.has_reason()) else {
                continue;
            };
            let kept = self.games()?.join(format!("{}.jsonl", name(number)));
            match fs::rename(recording, &kept) {
                Ok(()) => scenario.recording = kept.to_str().map(str::to_owned),
                // It could not be written, which the finding says.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Writes the report of a run. The page with the links comes last.
    fn write(self, results: &Results) -> io::Result<()> {
        let games = self.games()?;
        let (mut pages, mut kept) = (BTreeMap::new(), HashSet::new());
        for (number, scenario) in results.scenarios.iter().enumerate() {
            let recording = scenario.recording.as_ref().map(Path::new);
            let Some(path) = recording.filter(|path| scenario.has_reason() && path.is_file())
            else {
                continue;
            };
            kept.extend(path.file_name().map(ToOwned::to_owned));
            if let Some(page) = replay::page(path) {
                let name = format!("{}.html", name(number));
                write_output(&games.join(&name), page.as_bytes())?;
                pages.insert(number, format!("games/{name}"));
                kept.insert(name.into());
            }
        }
        let page = draw_html(results, &pages);
        write_output(&self.0.join("index.html"), page.as_bytes())?;
        // Files of an earlier report have names such as `game-12.html`.
        for entry in fs::read_dir(&games)? {
            let file = entry?.file_name();
            let name = file.to_str().and_then(|file| file.strip_prefix("game-"));
            let is_ours =
                name.and_then(|name| name.split_once('.'))
                    .is_some_and(|(number, ending)| {
                        number.parse::<usize>().is_ok() && matches!(ending, "html" | "jsonl")
                    });
            if is_ours && !kept.contains(&file) {
                fs::remove_file(games.join(&file))?;
            }
        }
        Ok(())
    }

    /// The folder of the games, which is made.
    fn games(self) -> io::Result<PathBuf> {
        let games = self.0.join("games");
        fs::create_dir_all(&games)?;
        Ok(games)
    }
}

/// The name of a game's files: numbers only, because names of scenarios are not safe in addresses.
fn name(scenario: usize) -> String {
    format!("game-{}", scenario + 1)
}
