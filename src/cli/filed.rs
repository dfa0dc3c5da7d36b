//! Files with finished games, as the commands that read them take them.

use std::path::{Path, PathBuf};

use super::Status;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::protocol::{self, Dialect};
use crate::transcript::{self, FiledGame, Opened, bare};

/// The dialect of `--dialect`.
///
/// # Errors
/// The status to exit with, after saying what is wrong.
pub(super) fn dialect(name: Option<&str>) -> Result<Option<&'static dyn Dialect>, Status> {
    let Some(name) = name else { return Ok(None) };
    protocol::find(name).map(Some).ok_or_else(|| {
        let known: Vec<_> = protocol::ALL.iter().map(|dialect| dialect.name()).collect();
        super::usage(&format!("there is no dialect {name:?}; dialects are: {}", known.join(", ")))
    })
}

/// The files, each pair named once.
pub(super) fn without_second_halves(files: &[PathBuf]) -> Vec<&Path> {
    let mut kept: Vec<&Path> = Vec::new();
    for file in files {
        let is_new = kept.iter().all(|other| transcript::pair_key(other) != transcript::pair_key(file));
        // The same stream twice is no second half, and is judged twice.
        if is_new || kept.contains(&file.as_path()) {
            kept.push(file);
        }
    }
    kept
}

/// The game whose lanes the files are.
///
/// # Errors
/// Every fault of the files.
pub(super) fn joined(
    files: &[&Path],
    dialect: Option<&'static dyn Dialect>,
) -> Result<FiledGame, Diagnostics> {
    let mut joined: Option<FiledGame> = None;
    let mut faults = Diagnostics::new();
    for file in files {
        match lanes(file, dialect.or(joined.as_ref().map(|game| game.dialect))) {
            Ok(game) => match &mut joined {
                Some(joined) => joined.lanes.extend(game.lanes),
                None => joined = Some(game),
            },
            Err(more) => faults.append(more),
        }
    }
    joined.filter(|_| faults.is_empty()).ok_or(faults)
}

/// The lanes that a file adds to a game of several files.
fn lanes(file: &Path, dialect: Option<&'static dyn Dialect>) -> Result<FiledGame, Diagnostics> {
    let name = file.to_string_lossy();
    let fault = |code, title: &str, help: &str| {
        Diagnostics::from(Diagnostic::error(code, title).in_file(&*name).help(help))
    };
    match transcript::open(file, dialect)? {
        Opened::Game { game, .. } if game.lanes.iter().all(|lane| lane.is_capture) => Ok(game),
        Opened::Game { .. } => Err(fault(
            "lanes/whole-game",
            "this file holds every lane of its game already",
            "take it by itself",
        )),
        Opened::Streams { mut games, marks_sent } => {
            let dialect = games.dialect();
            let unreadable = |error| Diagnostics::from(transcript::unreadable(&name, &error));
            let lane = match games.next_game().map_err(unreadable)? {
                Some(game) if !game.is_too_large => bare::lane(&name, game, dialect, marks_sent),
                Some(game) => return Err(transcript::too_large(&name, game.first_line).into()),
                None => return Err(fault("file/empty", "the file is empty", "leave it out")),
            };
            if games.next_game().map_err(unreadable)?.is_some() {
                return Err(fault(
                    "lanes/several-games",
                    "this file holds several games",
                    "of the files of one game, each holds one lane of it",
                ));
            }
            Ok(FiledGame { dialect, lanes: vec![lane] })
        }
    }
}
