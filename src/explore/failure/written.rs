//! Files that are written of a failed game.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::from_utf8;
use std::sync::Arc;

use crate::diagnostic::{self, visible};
use crate::engine::dry_run;
use crate::platform::{numbered, write_output};
use crate::scenario::{self, Golden, Scenario};
use crate::transcript::golden;

/// A scenario that was written.
pub struct Written {
    /// The file of the scenario.
    pub path: PathBuf,
    /// The file of its golden transcript, where its game is determined.
    pub golden: Option<PathBuf>,
    /// Number of its turns.
    pub turns: usize,
    /// Number of turns of the original failed game.
    pub before: usize,
    /// Decides what is left to urtext in it, and to a subject that takes a seed.
    pub seed: Option<u64>,
    /// Id of the requirement under which it fails.
    pub requirement: Option<&'static str>,
    /// Number of games in which it failed.
    pub failed: usize,
    /// Number of games that were played with it.
    pub of: usize,
}

/// Writes a scenario below a comment and, where its game is determined, its golden transcript. Returns both files.
pub(super) fn write(
    folder: &Path,
    name: &str,
    comment: &str,
    scenario: &Scenario,
) -> io::Result<(PathBuf, Option<PathBuf>)> {
    let text = comment.to_owned() + &scenario::write(scenario);
    let path = save(folder, name, "yaml", text.as_bytes())?;
    let (scenarios, _) = scenario::load_file(&path);
    for scenario in scenarios {
        let Golden::File { path: golden, .. } = scenario.golden.clone() else {
            continue;
        };
        if let Some(transcript) = dry_run(&Arc::new(scenario)) {
            golden::save(&golden, &transcript).map_err(at(&golden))?;
            return Ok((path, Some(golden)));
        }
    }
    Ok((path, None))
}

/// Writes a file of this name, with a number where it needs one. Returns its path.
fn save(folder: &Path, name: &str, ending: &str, text: &[u8]) -> io::Result<PathBuf> {
    let path = free_path(folder, name, ending, text);
    write_output(&path, text).map_err(at(&path))?;
    Ok(path)
}

/// Names the file in an error.
fn at(path: &Path) -> impl FnOnce(io::Error) -> io::Error {
    |error| io::Error::new(error.kind(), unwritable(path, &error))
}

/// Copies a recording to where it is kept.
pub(super) fn keep_recording(recording: &Path, folder: &Path, name: &str) -> io::Result<PathBuf> {
    let mut text = Vec::new();
    diagnostic::open(recording)?.read_to_end(&mut text)?;
    save(folder, name, "jsonl", &text)
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
    let path = folder.join(format!("{name}.{ending}"));
    let free = numbered(&path).find(is_free);
    free.expect("there are enough numbers")
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
