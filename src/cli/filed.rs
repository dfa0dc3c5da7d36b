//! Files with finished games, as the commands that read them take them.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::Status;
use super::stored::Stored;
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::protocol::{self, Dialect, hcur};
use crate::transcript::{self, FiledGame, Opened, bare};

/// How much of a file tells that it holds move records, in bytes.
const HEAD: u64 = 4096;

/// The records of a file, where it is one of hc-ur: `--dialect` says so, or its first bytes do. What standard input holds has
/// to be said.
pub(super) fn records(file: &Path, dialect: Option<&str>) -> Option<Result<Source, Diagnostic>> {
    match dialect {
        Some(hcur::NAME) if file == Path::new("-") => Some(records_of_input()),
        Some(hcur::NAME) => Some(Source::read(file, hcur::FILE_LIMIT)),
        Some(_) => None,
        None => {
            let mut head = Vec::new();
            // A file that cannot be read is reported by whoever reads it whole.
            File::open(file).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
            let is_stream = || protocol::ALL.iter().any(|dialect| bare::looks_like(&head, *dialect));
            let is_short = head.iter().filter(|&&byte| byte == b'\n').count() < 3;
            let is_by_content = || hcur::is_records(&head) && (is_short || !is_stream());
            let is_json = file.extension().is_some_and(|extension| extension == "json");
            let is_by_name = is_json && head.trim_ascii_start().starts_with(b"[");
            (is_by_name || is_by_content()).then(|| Source::read(file, hcur::FILE_LIMIT))
        }
    }
}

fn records_of_input() -> Result<Source, Diagnostic> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().take(hcur::FILE_LIMIT + 1).read_to_end(&mut bytes);
    read.map_err(|error| transcript::unreadable("-", &error))?;
    if bytes.len() as u64 > hcur::FILE_LIMIT {
        let title = format!("the input is larger than {} bytes, the most that is read", hcur::FILE_LIMIT);
        return Err(Diagnostic::error("file/too-large", title).in_file("-"));
    }
    Ok(Source::from_bytes("-", bytes))
}

/// The dialect of `--dialect`, where it is one of lanes.
///
/// # Errors
/// The status to exit with, after saying what is wrong.
pub(super) fn dialect(name: Option<&str>) -> Result<Option<&'static dyn Dialect>, Status> {
    let Some(name) = name.filter(|name| *name != hcur::NAME) else { return Ok(None) };
    protocol::find(name).map(Some).ok_or_else(|| {
        let known: Vec<_> = protocol::ALL.iter().map(|dialect| dialect.name()).chain([hcur::NAME]).collect();
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
    stored: &Stored,
) -> Result<FiledGame, Diagnostics> {
    let mut joined: Option<FiledGame> = None;
    let mut faults = Diagnostics::new();
    for file in files {
        match lanes(file, dialect.or(joined.as_ref().map(|game| game.dialect)), stored) {
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
fn lanes(
    file: &Path,
    dialect: Option<&'static dyn Dialect>,
    stored: &Stored,
) -> Result<FiledGame, Diagnostics> {
    let name = file.to_string_lossy();
    let fault = |code, title: &str, help: &str| {
        Diagnostics::from(Diagnostic::error(code, title).in_file(&*name).help(help))
    };
    if records(file, None).is_some() {
        let title = "this file holds move records, which tell a whole game and no lane of one";
        return Err(fault("lanes/whole-game", title, "take it by itself"));
    }
    match stored.open(file, dialect)? {
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
