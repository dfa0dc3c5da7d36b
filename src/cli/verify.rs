use std::path::{Path, PathBuf};

use clap::Args;

use super::Status;
use super::tally::{Tally, of_game};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::protocol::{self, Dialect};
use crate::transcript::{self, FiledGame, Opened, bare};
use crate::verify::{self, Screen};

/// Arguments of `urtext verify`.
#[derive(Debug, Args)]
#[command(
    after_help = "A file is a golden transcript, a recording, or a stream as one participant received it (`>` before \
    what it sent). Of NAME.received and NAME.sent either stands for both. Several games in one file of streams are \
    separated by an empty line.\n\n\
    Exit status: 0 every game conforms as far as it goes, 1 a line is wrong, 2 a file cannot be read as a transcript, \
    4 nothing is wrong, but a file stops before the first turn of its game."
)]
pub(super) struct VerifyArgs {
    /// Files with finished games; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Take the files for the lanes of one game
    #[arg(long)]
    together: bool,
    /// Demand that every game was played to its end
    #[arg(long)]
    complete: bool,
    /// The game that streams are of, where their content does not tell
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
}

/// The dialect of `--game`.
///
/// # Errors
/// The status to exit with, after saying what is wrong.
pub(super) fn dialect(game: Option<&str>) -> Result<Option<&'static dyn Dialect>, Status> {
    let Some(name) = game else { return Ok(None) };
    let known = protocol::ALL.iter().map(|dialect| dialect.game().name());
    match protocol::find(name) {
        Some(dialect) => Ok(Some(dialect)),
        None => {
            let known: Vec<_> = known.collect();
            Err(super::usage(&format!("there is no game {name:?}; games are: {}", known.join(", "))))
        }
    }
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

impl VerifyArgs {
    /// Judges the games.
    pub(super) fn run(self) -> Status {
        let dialect = match dialect(self.game.as_deref()) {
            Ok(dialect) => dialect,
            Err(status) => return status,
        };
        let mut tally = Tally::new(self.complete);
        let files = without_second_halves(&self.files);
        if self.together {
            self.join(&files, dialect, &mut tally);
        } else {
            files.iter().for_each(|file| one_file(file, dialect, &mut tally));
        }
        tally.finish()
    }

    /// Judges the files as the lanes of one game.
    fn join(&self, files: &[&Path], dialect: Option<&'static dyn Dialect>, tally: &mut Tally) {
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
        match joined.filter(|_| faults.is_empty()) {
            Some(game) => {
                let names: Vec<_> = files.iter().map(|file| file.to_string_lossy()).collect();
                tally.judged(&names.join(" + "), &game, verify::judge(&game));
            }
            None => tally.unreadable(&faults),
        }
    }
}

/// The lanes that a file adds to a game of several files.
fn lanes(file: &Path, dialect: Option<&'static dyn Dialect>) -> Result<FiledGame, Diagnostics> {
    let name = file.to_string_lossy();
    let fault = |code, title: &str, help: &str| {
        let mut faults = Diagnostics::new();
        faults.push(Diagnostic::error(code, title).in_file(&*name).help(help));
        faults
    };
    match transcript::open(file, dialect)? {
        Opened::Game { game, .. } if game.lanes.iter().all(|lane| lane.is_capture) => Ok(game),
        Opened::Game { .. } => Err(fault(
            "verify/whole-game",
            "this file holds every lane of its game already",
            "judge it by itself, without `--together`",
        )),
        Opened::Streams { mut games, marks_sent } => {
            let dialect = games.dialect();
            let unreadable = |error| {
                let mut faults = Diagnostics::new();
                faults.push(transcript::unreadable(&name, &error));
                faults
            };
            let lane = match games.next_game().map_err(unreadable)? {
                Some(game) if !game.is_too_large => bare::lane(&name, game, dialect, marks_sent),
                Some(game) => {
                    let mut faults = Diagnostics::new();
                    faults.push(transcript::too_large(&name, game.first_line));
                    return Err(faults);
                }
                None => return Err(fault("file/empty", "the file is empty", "leave it out")),
            };
            if games.next_game().map_err(unreadable)?.is_some() {
                return Err(fault(
                    "verify/several-games",
                    "this file holds several games",
                    "with `--together` each file holds one lane of one game",
                ));
            }
            Ok(FiledGame { dialect, lanes: vec![lane] })
        }
    }
}

/// Judges every game of a file, in memory that does not depend on how many there are.
fn one_file(file: &Path, dialect: Option<&'static dyn Dialect>, tally: &mut Tally) {
    let name = file.to_string_lossy();
    match transcript::open(file, dialect) {
        Ok(Opened::Game { game, warnings }) => {
            tally.warn(&warnings);
            tally.judged(&name, &game, verify::judge(&game));
        }
        Ok(Opened::Streams { mut games, marks_sent }) => {
            let dialect = games.dialect();
            let mut screen = Screen::new(dialect);
            let mut number = 0;
            loop {
                match games.next_game() {
                    Ok(Some(game)) => {
                        number += 1;
                        if game.is_too_large {
                            tally.fault(transcript::too_large(&name, game.first_line));
                        } else if let Some(clean) = screen.pass(game.text) {
                            tally.clean(&name, number, dialect, &clean);
                        } else {
                            let lanes = vec![bare::lane(&name, game, dialect, marks_sent)];
                            let game = FiledGame { dialect, lanes };
                            tally.judged(&of_game(&name, number), &game, verify::judge(&game));
                        }
                    }
                    Ok(None) => break,
                    Err(error) => {
                        tally.fault(transcript::unreadable(&name, &error));
                        break;
                    }
                }
            }
            if number == 0 {
                tally.fault(Diagnostic::error("file/empty", "there is no game in this file").in_file(&*name));
            }
        }
        Err(faults) => tally.unreadable(&faults),
    }
}
