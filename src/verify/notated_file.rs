//! Files with finished games: records in a notation, and what their first bytes tell.

use std::io::Read;
use std::path::Path;

use super::frame_file;
use super::records::{Records, judge_records};
use super::unjudged_game::UnjudgedGame;
use crate::diagnostic::{self, Diagnostic, Diagnostics, Source};
use crate::pack::{self, FileFormat, Notation, file_format};
use crate::scenario::is_scenario_file;
use crate::transcript::{bare, golden, recording};

/// A file up to this size is judged by one thread, in bytes.
const LARGE: u64 = 1 << 20;

/// Number of bytes at the start of a file that identify move records.
const HEAD: u64 = 4096;

/// A format of records.
#[derive(Debug, Clone, Copy)]
pub enum RecordFormat {
    /// A notation of one game.
    Notation(&'static dyn Notation),
    /// The turns of a replay.
    Frames,
}

impl RecordFormat {
    /// Every format of the process.
    pub fn all() -> impl Iterator<Item = RecordFormat> {
        let notations = pack::notations().map(RecordFormat::Notation);
        notations.chain([RecordFormat::Frames])
    }

    /// Returns the format of that name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<RecordFormat> {
        RecordFormat::all().find(|format| format.name() == name)
    }

    /// Name, as the user writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RecordFormat::Notation(notation) => notation.name(),
            RecordFormat::Frames => frame_file::NAME,
        }
    }

    /// Returns the notation, if it is one.
    #[must_use]
    pub fn notation(self) -> Option<&'static dyn Notation> {
        match self {
            RecordFormat::Notation(notation) => Some(notation),
            RecordFormat::Frames => None,
        }
    }

    /// Returns the parts of a game that it keeps, and its title.
    #[must_use]
    pub fn file_format(self) -> FileFormat {
        match self {
            RecordFormat::Notation(notation) => FileFormat::of_notation(notation),
            RecordFormat::Frames => file_format::FRAMES,
        }
    }

    fn is_records(self, head: &[u8]) -> bool {
        match self {
            RecordFormat::Notation(notation) => notation.is_records(head),
            RecordFormat::Frames => frame_file::is_frames(head),
        }
    }

    fn size_limit(self) -> u64 {
        match self {
            RecordFormat::Notation(notation) => notation.size_limit(),
            RecordFormat::Frames => frame_file::FILE_LIMIT,
        }
    }

    /// Judges records in this format.
    ///
    /// # Errors
    /// Every fault of the file.
    pub fn judge(self, source: &Source) -> Result<Records, Diagnostics> {
        let told = match self {
            RecordFormat::Notation(notation) => UnjudgedGame::read(notation, source)?,
            RecordFormat::Frames => frame_file::read(source)?,
        };
        Ok(judge_records(told, source))
    }
}

/// A file of records.
pub struct NotatedFile {
    /// The format of the records.
    pub format: RecordFormat,
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
        let format = self.format;
        format.judge(&self.read()?)
    }
}

/// The records of a file, if the name of their format is given or their first bytes show it. Standard input needs the name.
#[must_use]
pub fn records(file: &Path, format: Option<&str>) -> Option<NotatedFile> {
    match format {
        Some(name) => {
            let format = RecordFormat::of_name(name)?;
            let source = match file == Path::new("-") {
                true => records_of_input(format.size_limit()),
                false => Source::read(file, format.size_limit()),
            };
            Some(NotatedFile { format, source })
        }
        None => {
            let head = head(file)?;
            let format = RecordFormat::all().find(|format| format.is_records(&head))?;
            let source = || Source::read(file, format.size_limit());
            (!is_stream(&head)).then(|| NotatedFile {
                format,
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
                || RecordFormat::all().any(|format| format.is_records(&head)))
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
