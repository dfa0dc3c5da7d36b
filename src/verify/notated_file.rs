//! Files with finished games: records in a notation, and what their first bytes tell.

use std::io::Read;
use std::path::Path;

use super::records::{Records, judge_records};
use crate::diagnostic::{self, Diagnostic, Diagnostics, Source};
use crate::pack::{self, Notation};
use crate::scenario::is_scenario_file;
use crate::transcript::{bare, golden, recording};

/// A file up to this size is judged by one thread, in bytes.
const LARGE: u64 = 1 << 20;

/// Number of bytes at the start of a file that identify move records.
const HEAD: u64 = 4096;

/// A file of records.
pub struct NotatedFile {
    /// The notation of the records.
    pub notation: &'static dyn Notation,
    source: Result<Source, Diagnostic>,
}

impl NotatedFile {
    /// Returns the text.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(self) -> Result<Source, Diagnostic> {
        self.source
    }

    /// Judges the records.
    ///
    /// # Errors
    /// Every fault of the file.
    pub fn judge(self) -> Result<Records, Diagnostics> {
        let notation = self.notation;
        judge_records(notation, &self.read()?)
    }
}

/// The records of a file, if the name of their notation is given or their first bytes show it. Standard input needs the name.
#[must_use]
pub fn records(file: &Path, notation: Option<&str>) -> Option<NotatedFile> {
    match notation {
        Some(name) => {
            let notation = pack::notations().find(|notation| notation.name() == name)?;
            let source = match file == Path::new("-") {
                true => records_of_input(notation.size_limit()),
                false => Source::read(file, notation.size_limit()),
            };
            Some(NotatedFile { notation, source })
        }
        None => {
            let head = head(file)?;
            let notation = pack::notations().find(|notation| notation.is_records(&head))?;
            let source = || Source::read(file, notation.size_limit());
            (!is_stream(&head)).then(|| NotatedFile {
                notation,
                source: source(),
            })
        }
    }
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
#[must_use]
pub fn has_many_games(file: &Path) -> bool {
    let is_large = file.metadata().is_ok_and(|file| file.len() > LARGE);
    is_large
        && head(file)
            .is_some_and(|head| !golden::is_golden(&head) && !recording::is_recording(&head))
}
