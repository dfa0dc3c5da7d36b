use std::path::{Path, PathBuf};

use clap::Args;

use super::tally::{Tally, of_game};
use super::{Status, filed};
use crate::diagnostic::Diagnostic;
use crate::protocol::Dialect;
use crate::transcript::{self, FiledGame, Opened, bare};
use crate::verify::{self, Screen};

/// Arguments of `urtext verify`.
#[derive(Debug, Args)]
#[command(
    after_help = "A file is a golden transcript, a recording, or a stream as one participant received it (`>` before \
    what it sent). Of NAME.received and NAME.sent either stands for both. Several games in one file of streams are \
    separated by an empty line.\n\n\
    Exit status: 0 every game conforms as far as it goes, 1 a line is wrong, 2 a file cannot be read as a transcript, \
    4 nothing is wrong, but a file stops before the first turn of its game, or has no rules to be judged by."
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
    /// The dialect of streams, or their game, where their content does not tell
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
}

impl VerifyArgs {
    /// Judges the games.
    pub(super) fn run(self) -> Status {
        let dialect = match filed::dialect(self.dialect.as_deref()) {
            Ok(dialect) => dialect,
            Err(status) => return status,
        };
        let mut tally = Tally::new(self.complete);
        let files = filed::without_second_halves(&self.files);
        if self.together {
            match filed::joined(&files, dialect) {
                Ok(game) => {
                    let names: Vec<_> = files.iter().map(|file| file.to_string_lossy()).collect();
                    tally.judged(&names.join(" + "), &game, verify::judge(&game));
                }
                Err(faults) => tally.unreadable(&faults),
            }
        } else {
            files.iter().for_each(|file| one_file(file, dialect, &mut tally));
        }
        tally.finish()
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
