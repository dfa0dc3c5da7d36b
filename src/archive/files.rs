//! Files of an archive, and the games in each.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::FinishedGame;
use crate::diagnostic::{self, Diagnostic, Diagnostics};
use crate::pack::Protocol;
use crate::transcript::{self, LoggedGame, Opened};
use crate::verify;

/// The files of an archive: those named, and those below folders in the order of their names. Hidden files and scenarios are left out, and so is
/// NAME.sent next to NAME.received.
#[derive(Debug, Clone, Copy)]
pub struct ArchiveFiles<'a> {
    paths: &'a [PathBuf],
}

impl<'a> ArchiveFiles<'a> {
    /// The files of these paths.
    #[must_use]
    pub fn new(paths: &'a [PathBuf]) -> ArchiveFiles<'a> {
        ArchiveFiles { paths }
    }

    /// Each file, or the fault of a folder that cannot be read. Only the names of one folder are in memory.
    pub fn iter(&self) -> impl Iterator<Item = Result<PathBuf, Diagnostic>> + use<'a> {
        self.paths.iter().flat_map(|path| {
            let found: Box<dyn Iterator<Item = _>> = match path.is_dir() {
                true => {
                    let mut files = below(path).peekable();
                    match files.peek() {
                        Some(_) => Box::new(files),
                        None => Box::new(std::iter::once(Err(empty(path)))),
                    }
                }
                false => Box::new(std::iter::once(Ok(path.clone()))),
            };
            found
        })
    }

    /// Returns the number of bytes of all files.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.iter().flatten().map(|file| size(&file)).sum()
    }
}

/// Returns the size of a file in bytes; 0 where it is not known.
fn size(file: &Path) -> u64 {
    file.metadata().map_or(0, |metadata| metadata.len())
}

/// The fault of a folder without files.
fn empty(folder: &Path) -> Diagnostic {
    let fault = Diagnostic::error("file/empty", "this folder holds no file");
    fault.in_file(folder.to_string_lossy())
}

fn below(folder: &Path) -> impl Iterator<Item = Result<PathBuf, Diagnostic>> + use<> {
    let name = folder.to_string_lossy().into_owned();
    let is_shown = |entry: &walkdir::DirEntry| {
        entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
    };
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    entries
        .filter_entry(is_shown)
        .filter_map(move |entry| match entry {
            Ok(entry) if entry.file_type().is_file() => {
                let path = entry.into_path();
                let is_second_half = path.extension().is_some_and(|ending| ending == "sent")
                    && path.with_extension("received").exists();
                let is_scenario = path
                    .extension()
                    .is_some_and(|ending| ending == "yaml" || ending == "yml");
                (!is_second_half && !is_scenario).then_some(Ok(path))
            }
            Ok(_) => None,
            Err(error) => {
                let title = format!("this folder cannot be read: {error}");
                Some(Err(Diagnostic::error("file/folder", title).in_file(&name)))
            }
        })
}

/// Reads each game of a file in turn, with its number from 1, and returns warnings about the file. `notation`: the name that the
/// user gave for the format.
///
/// # Errors
/// Every fault of the file.
pub fn each_game(
    file: &Path,
    notation: Option<&str>,
    protocol: Option<Protocol>,
    see: &mut dyn FnMut(u64, Result<FinishedGame, Diagnostic>),
) -> Result<Diagnostics, Diagnostics> {
    if let Some(records) = verify::records(file, notation) {
        see(1, Ok(FinishedGame::of_records(records.judge()?)));
        return Ok(Diagnostics::new());
    }
    each_game_of_lanes(file, protocol, &mut |number, game| {
        see(number, game.and_then(|game| FinishedGame::of_lanes(&game)));
    })
}

/// Reads each game of a file that holds lanes, in turn, with its number from 1, and returns warnings about the file.
///
/// # Errors
/// Every fault of the file.
pub fn each_game_of_lanes(
    file: &Path,
    protocol: Option<Protocol>,
    see: &mut dyn FnMut(u64, Result<LoggedGame, Diagnostic>),
) -> Result<Diagnostics, Diagnostics> {
    let name = file.to_string_lossy();
    let (mut games, marks_sent) = match transcript::open(file, protocol)? {
        Opened::Game { game, warnings } => {
            see(1, Ok(game));
            return Ok(warnings);
        }
        Opened::Streams { games, marks_sent } => (games, marks_sent),
    };
    let dialect = games.dialect();
    let unreadable = |error| Diagnostics::from(diagnostic::unreadable(&name, &error));
    let mut number = 0;
    while let Some(game) = games.next_game().map_err(unreadable)? {
        number += 1;
        see(number, game.logged(&name, dialect, marks_sent));
    }
    Ok(Diagnostics::new())
}
