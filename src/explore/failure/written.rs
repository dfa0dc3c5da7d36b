//! Files that are written of a failed game.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::from_utf8;
use std::sync::Arc;

use crate::diagnostic::{self, visible};
use crate::explore::dry_run;
use crate::platform::write_output;
use crate::scenario::{self, Golden, Scenario};
use crate::transcript::golden;

/// Reason why there is no scenario of a game.
pub(super) const UNWRITTEN: &str = "no scenario can say what happened in it";

/// A scenario that did not fail often enough to be kept.
#[derive(Debug, Clone, Copy)]
pub struct Dropped {
    /// Number of games in which it failed.
    pub failed: usize,
    /// Number of games that were played with it.
    pub of: usize,
    /// True if the bot under test sent the same lines in each game, as far as each game went.
    pub is_same_bot: bool,
}

/// A scenario that was written.
pub struct Written {
    /// The file of the scenario.
    pub path: PathBuf,
    pub(super) scenario: Scenario,
    /// The file of its golden transcript, where its game is determined.
    pub golden: Option<PathBuf>,
    /// Number of its turns, where it is a game.
    pub turns: Option<usize>,
    /// Number of turns of the original failed game.
    pub before: Option<usize>,
    /// Number of turns of the shortest game known that can show its cause.
    pub shortest: Option<usize>,
    /// Decides what is left to urtext in it.
    pub seed: Option<u64>,
    /// Result of playing its file.
    pub again: Rerun,
    /// Capability that the subject lacks to play the scenario.
    pub missing_capability: Option<String>,
}

/// Result of playing a scenario from its file again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rerun {
    /// It fails each time, under this requirement.
    Fails(Option<&'static str>),
    /// In some of so many games.
    Sometimes(usize, usize),
    /// It was not played.
    NotPlayed,
}

/// Writes a scenario below a first comment and, where its game is determined, its golden transcript.
pub(super) fn write(
    folder: &Path,
    name: &str,
    comment: &str,
    mut scenario: Scenario,
) -> io::Result<Written> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |error: io::Error| io::Error::new(error.kind(), unwritable(&path, &error))
    };
    std::fs::create_dir_all(folder).map_err(at(folder))?;
    scenario.comments = vec![visible::plain(comment).at_most(200).to_string()];
    let text = scenario::write(&scenario);
    let path = free_path(folder, name, "yaml", text.as_bytes());
    write_output(&path, text.as_bytes()).map_err(at(&path))?;
    let (scenarios, _) = scenario::load_file(&path);
    let mut golden = None;
    for scenario in scenarios {
        let Golden::File { path, .. } = scenario.golden.clone() else {
            continue;
        };
        if let Some(transcript) = dry_run(&Arc::new(scenario)) {
            golden::save(&path, &transcript).map_err(at(&path))?;
            golden = Some(path);
        }
    }
    Ok(Written {
        path,
        scenario,
        golden,
        turns: None,
        before: None,
        shortest: None,
        seed: None,
        again: Rerun::NotPlayed,
        missing_capability: None,
    })
}

impl Written {
    /// Removes what was written.
    pub(super) fn remove(&self) -> io::Result<()> {
        std::fs::remove_file(&self.path)?;
        self.golden.as_ref().map_or(Ok(()), std::fs::remove_file)
    }
}

/// Copies a recording to where it is kept.
pub(super) fn keep_recording(recording: &Path, folder: &Path, name: &str) -> io::Result<PathBuf> {
    let mut text = Vec::new();
    diagnostic::open(recording)?.read_to_end(&mut text)?;
    std::fs::create_dir_all(folder)?;
    let path = free_path(folder, name, "jsonl", &text);
    write_output(&path, &text)
        .map_err(|error| io::Error::new(error.kind(), unwritable(&path, &error)))?;
    Ok(path)
}

/// The sentence about a file that cannot be written.
#[must_use]
pub fn unwritable(path: &Path, error: &io::Error) -> String {
    let path = visible::path(path).to_string();
    format!("{path} cannot be written: {error}")
}

pub(super) fn file_name(requirement: Option<&'static str>) -> String {
    requirement.unwrap_or("failure").replace('/', "-")
}

/// The first file of this name, with a number where it needs one, that is not there or says this already, however often that failed.
fn free_path(folder: &Path, name: &str, ending: &str, text: &[u8]) -> PathBuf {
    let names =
        std::iter::once(name.to_owned()).chain((2..).map(|number| format!("{name}-{number}")));
    let mut paths = names.map(|name| folder.join(format!("{name}.{ending}")));
    let is_free = |path: &PathBuf| {
        let is_counted = || {
            let mut known = String::new();
            let limit = text.len() as u64 + 100;
            let file = diagnostic::open(path).ok()?;
            file.take(limit).read_to_string(&mut known).ok()?;
            Some(without_later_comments(&known) == without_later_comments(from_utf8(text).ok()?))
        };
        !path.exists() || diagnostic::holds(path, text) || is_counted() == Some(true)
    };
    paths.find(is_free).expect("there are enough numbers")
}

/// Returns the lines of a written scenario without the comments below its first line.
fn without_later_comments(text: &str) -> Vec<&str> {
    let mut lines = text.lines();
    let first = lines.next();
    first
        .into_iter()
        .chain(lines.skip_while(|line| line.starts_with('#')))
        .collect()
}
