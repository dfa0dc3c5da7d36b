//! Files with finished games: records in a notation, and what their first bytes tell.

use std::io::Read;
use std::path::Path;

use super::finished_game::Found;
use super::records::judge_records;
use crate::diagnostic::{self, Diagnostic, Source};
use crate::pack::{self, Notation};
use crate::scenario::is_scenario_file;
use crate::transcript::{bare, golden, recording};

/// A file up to this size is judged by one thread, in bytes.
const LARGE: u64 = 1 << 20;

/// Number of bytes at the start of a file that identify move records.
const HEAD: u64 = 4096;

/// A file of records.
pub(super) struct NotatedFile {
    notation: &'static dyn Notation,
    source: Result<Source, Diagnostic>,
}

impl NotatedFile {
    /// Judges the records.
    pub(super) fn judge(self) -> Found {
        judge_records(self.notation, &self.source?)
    }
}

/// The records of a file, if their notation is given or their first bytes show it. Standard input needs the notation.
pub(super) fn records(file: &Path, given: Option<&'static dyn Notation>) -> Option<NotatedFile> {
    let notation = match given {
        Some(notation) => notation,
        None => {
            let head = head(file)?;
            let notation = pack::notations().find(|notation| notation.is_records(&head))?;
            (!is_stream(&head)).then_some(notation)?
        }
    };
    let source = match file == Path::new("-") {
        true => records_of_input(notation.size_limit()),
        false => Source::read(file, notation.size_limit()),
    };
    Some(NotatedFile { notation, source })
}

/// Returns true if the first bytes of a file are a finished game rather than scenarios.
#[must_use]
pub fn is_finished_game(file: &Path) -> bool {
    head(file).is_some_and(|head| {
        !is_scenario_file(file)
            && (golden::is_golden(&head)
                || recording::is_recording(&head)
                || is_stream(&head)
                || pack::notations().any(|notation| notation.is_records(&head)))
    })
}

/// The first bytes of a plain file: what is read only once cannot be looked at, and a file that cannot be read is reported by whoever
/// reads it whole.
fn head(path: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    let file = path.is_file().then(|| diagnostic::open(path))?.ok()?;
    file.take(HEAD).read_to_end(&mut head).ok()?;
    Some(head)
}

fn is_stream(head: &[u8]) -> bool {
    pack::dialects().any(|dialect| bare::looks_like(head, dialect))
}

fn records_of_input(limit: u64) -> Result<Source, Diagnostic> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().take(limit + 1).read_to_end(&mut bytes);
    read.map_err(|error| diagnostic::unreadable("-", &error))?;
    if bytes.len() as u64 > limit {
        let title = format!(
            "the input is larger than {} bytes, the most that is read",
            limit
        );
        return Err(Diagnostic::error("file/too-large", title).in_file("-"));
    }
    Ok(Source::from_bytes("-", bytes))
}

/// Returns true for a large file of streams, whose games are worth judging in parallel.
pub(super) fn has_many_games(file: &Path) -> bool {
    let is_large = file.metadata().is_ok_and(|file| file.len() > LARGE);
    is_large
        && head(file)
            .is_some_and(|head| !golden::is_golden(&head) && !recording::is_recording(&head))
}
