//! The folder of an HTML report: `index.html`, and the replay pages and recordings of games that did not pass in `games`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::replay;
use crate::platform::{probe_folder, write_output};
use crate::report::{HtmlRun, Results, draw_html};

/// The folder of an HTML report.
#[derive(Debug, Clone)]
pub(super) struct HtmlFolder(PathBuf);

impl HtmlFolder {
    /// The report at this path.
    pub(super) fn new(path: PathBuf) -> HtmlFolder {
        HtmlFolder(path)
    }

    /// Its path.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Checks that the folder, or the one in which it will be made, takes files.
    pub(super) fn probe(&self) -> io::Result<()> {
        probe_folder(&self.0)
    }

    /// Makes a place for the recordings of a run that keeps none elsewhere. It is removed with its content when dropped.
    pub(super) fn workspace(&self) -> io::Result<TempDir> {
        fs::create_dir_all(self.games())?;
        tempfile::Builder::new()
            .prefix(".urtext-")
            .tempdir_in(&self.0)
    }

    /// Moves the recordings of games that did not pass from the workspace into the folder. The other games have no recording then.
    pub(super) fn adopt(&self, results: &mut Results) -> io::Result<()> {
        for (number, scenario) in results.scenarios.iter_mut().enumerate() {
            let recording = scenario.recording.take();
            let Some(recording) = recording.filter(|_| scenario.has_reason()) else {
                continue;
            };
            let kept = self.games().join(format!("{}.jsonl", name(0, number)));
            match fs::rename(recording, &kept) {
                Ok(()) => scenario.recording = kept.to_str().map(str::to_owned),
                // It could not be written, which the finding says.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        let is_kept = |file: &str| {
            let file = self.games().join(file);
            let kept = |kept: &String| Path::new(kept) == file;
            results
                .scenarios
                .iter()
                .any(|scenario| scenario.recording.iter().any(kept))
        };
        self.clear(".jsonl", is_kept)
    }

    /// Writes the report of these runs, each with its name and the folder of its report. The page with the links comes last.
    pub(super) fn write(&self, runs: Vec<(Option<String>, Results, &Path)>) -> io::Result<()> {
        fs::create_dir_all(self.games())?;
        let mut shown = Vec::new();
        for (run, (title, results, beside)) in runs.into_iter().enumerate() {
            let mut pages = BTreeMap::new();
            for (number, scenario) in results.scenarios.iter().enumerate() {
                let recording = scenario
                    .recording
                    .as_ref()
                    .filter(|_| scenario.has_reason());
                let recording = recording.map(|path| [PathBuf::from(path), beside.join(path)]);
                let recording = recording.into_iter().flatten().find(|path| path.is_file());
                if let Some(page) = recording.and_then(|path| replay::page(&path)) {
                    let name = format!("{}.html", name(run, number));
                    write_output(&self.games().join(&name), page.as_bytes())?;
                    pages.insert(number, format!("games/{name}"));
                }
            }
            shown.push(HtmlRun {
                name: title,
                results,
                pages,
            });
        }
        write_output(&self.0.join("index.html"), draw_html(&shown).as_bytes())?;
        let is_linked = |file: &str| {
            let address = format!("games/{file}");
            shown
                .iter()
                .any(|run| run.pages.values().any(|page| *page == address))
        };
        self.clear(".html", is_linked)
    }

    fn games(&self) -> PathBuf {
        self.0.join("games")
    }

    /// Removes the files of an earlier report, which have names such as `1-12.html`.
    fn clear(&self, ending: &str, is_kept: impl Fn(&str) -> bool) -> io::Result<()> {
        for entry in fs::read_dir(self.games())? {
            let file = entry?.file_name();
            let Some(file) = file.to_str() else { continue };
            let numbers = file
                .strip_suffix(ending)
                .and_then(|name| name.split_once('-'));
            let is_number =
                |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let is_ours = numbers.is_some_and(|(run, number)| is_number(run) && is_number(number));
            if is_ours && !is_kept(file) {
                fs::remove_file(self.games().join(file))?;
            }
        }
        Ok(())
    }
}

/// The name of a game's files: numbers only, because names of scenarios are not safe in addresses.
fn name(run: usize, scenario: usize) -> String {
    format!("{}-{}", run + 1, scenario + 1)
}
