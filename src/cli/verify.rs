use std::path::{Path, PathBuf};

use clap::Args;

use super::filed::Joined;
use super::stored::Stored;
use super::tally::{Tally, of_game};
use super::{Status, filed};
use crate::diagnostic::{self, Diagnostic, Diagnostics, Source};
use crate::protocol::{Dialect, hcur};
use crate::transcript::{self, FiledGame, Opened, bare};
use crate::verify::{self, Rejudged, Screen};

/// Arguments of `urtext verify`.
#[derive(Debug, Args)]
#[command(
    after_help = "A file is a golden transcript, a recording, or a stream as one participant received it (`>` before \
    what it sent). Of NAME.received and NAME.sent either stands for both. Several games in one file of streams are \
    separated by an empty line, or by the line that tells a seat where games begin with it (`You are Top`). A JSON list of move records of hc-ur is known by its first bytes. coco://HOST:PORT/ID is a match \
    that a Code Colosseum server has stored, as spectators received it.\n\n\
    A recording of `urtext run --record` holds its scenario: the game is judged again as it was judged when it was played, with the same \
    findings. What such a file lacks for that makes it inconclusive.\n\n\
    Exit status: 0 every game conforms as far as it goes, 1 a line is wrong or a scenario failed, 2 a file cannot be read as a transcript, \
    3 the server of a match cannot be reached, or a recorded scenario broke, \
    4 nothing is wrong, but a recorded scenario is inconclusive or unsupported, a file stops before the first turn of its game, has no rules to be judged by, or records leave open \
    whether a turn was skipped."
)]
pub(super) struct VerifyArgs {
    /// Files with finished games, or coco://HOST:PORT/ID; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Take the files for the lanes of one game, or of the games of one match
    #[arg(long)]
    together: bool,
    /// Demand that every game was played to its end
    #[arg(long)]
    complete: bool,
    /// Show the verdicts that recordings of scenarios hold, instead of judging these games again
    #[arg(long, conflicts_with_all = ["together", "state", "complete"])]
    as_recorded: bool,
    /// The dialect of streams, or their game, where their content does not tell; `hc-ur` for move records
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
    /// Demand that move records come to this game state, a JSON file
    #[arg(long, value_name = "FILE", conflicts_with = "together")]
    state: Option<PathBuf>,
}

impl VerifyArgs {
    /// Judges the games.
    pub(super) fn run(self) -> Status {
        let dialect = match filed::dialect(self.dialect.as_deref()) {
            Ok(dialect) => dialect,
            Err(status) => return status,
        };
        let stored = match Stored::fetch(&self.files) {
            Ok(stored) => stored,
            Err(status) => return status,
        };
        let mut tally = Tally::new(self.complete);
        let files = filed::without_second_halves(&self.files);
        if self.together {
            match Joined::open(&files, dialect, &stored) {
                Ok(games) => {
                    tally.warn(&games.warnings);
                    let names: Vec<_> = files.iter().map(|file| file.to_string_lossy()).collect();
                    together(&names.join(" + "), games, &mut tally);
                }
                Err(faults) => tally.unreadable(&faults),
            }
        } else if let Some(state) = &self.state {
            let [file] = files.as_slice() else {
                return super::usage("`--state` is the state of one game: give one file with its records");
            };
            self.against_state(file, state, &mut tally);
        } else {
            for file in files {
                match filed::records(file, self.dialect.as_deref()) {
                    Some(source) => records(file, source, &mut tally),
                    None => one_file(file, dialect, &stored, self.as_recorded, &mut tally),
                }
            }
        }
        tally.finish().worse(stored.status())
    }
}

impl VerifyArgs {
    /// Judges records, and compares what they come to with a game state.
    fn against_state(&self, file: &Path, state: &Path, tally: &mut Tally) {
        let Some(source) = filed::records(file, self.dialect.as_deref()) else {
            let fault = Diagnostic::error("hc-ur/no-records", "this file holds no move records");
            let help = "`--state` goes with a list of move records of hc-ur";
            return tally.fault(fault.in_file(file.to_string_lossy()).help(help));
        };
        let (name, stated) = (file.to_string_lossy(), state.to_string_lossy());
        let read = Source::read(state, hcur::FILE_LIMIT).map_err(Diagnostics::from);
        let (source, state) = match (source, read.and_then(|source| hcur::State::read(&source))) {
            (Ok(source), Ok(state)) => (source, state),
            (source, state) => {
                source.err().into_iter().for_each(|fault| tally.fault(fault));
                return state.err().iter().for_each(|faults| tally.unreadable(faults));
            }
        };
        match verify::judge_records(&source) {
            Ok(judged) => tally.records(&name, judged, Some((&stated, &state))),
            Err(faults) => tally.unreadable(&faults),
        }
    }
}

/// Judges the game of a file of move records.
fn records(file: &Path, source: Result<Source, Diagnostic>, tally: &mut Tally) {
    let judged = source.map_err(Diagnostics::from).and_then(|source| verify::judge_records(&source));
    match judged {
        Ok(judged) => tally.records(&file.to_string_lossy(), judged, None),
        Err(faults) => tally.unreadable(&faults),
    }
}

/// Judges every game of a match, each with all its lanes.
fn together(name: &str, mut games: Joined, tally: &mut Tally) {
    let mut number = 0;
    loop {
        match games.next_game() {
            Ok(Some(game)) => {
                number += 1;
                tally.judged(&of_game(name, number), &game, verify::judge(&game));
            }
            Ok(None) if number > 0 => return,
            Ok(None) => {
                let fault = Diagnostic::error("file/empty", "there is no game in these files");
                return tally.fault(fault.in_file(name));
            }
            Err(faults) => return tally.unreadable(&faults),
        }
    }
}

/// Judges every game of a file, in memory that does not depend on how many there are.
fn one_file(
    file: &Path,
    dialect: Option<&'static dyn Dialect>,
    stored: &Stored,
    as_recorded: bool,
    tally: &mut Tally,
) {
    let name = file.to_string_lossy();
    match stored.open(file, dialect) {
        Ok(Opened::Game { game: FiledGame { played: Some(played), .. }, warnings }) => {
            tally.warn(&warnings);
            let Rejudged { outcome, stored, .. } = verify::rejudge(&played);
            match (as_recorded, stored) {
                (false, _) => tally.played(&name, &outcome),
                (true, Some(stored)) => tally.played(&name, &stored.outcome(outcome)),
                (true, None) => {
                    let fault = Diagnostic::error("recording/no-verdict", "this recording holds no verdict");
                    let help = "leave --as-recorded away, and its game is judged as far as it goes";
                    tally.fault(fault.in_file(&*name).help(help));
                }
            }
        }
        Ok(Opened::Game { .. } | Opened::Streams { .. }) if as_recorded => {
            let title = "this file holds no verdict: it is no recording of a scenario";
            let fault = Diagnostic::error("recording/no-verdict", title);
            tally.fault(fault.in_file(&*name).help("`urtext run --record FOLDER` writes such recordings"));
        }
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
                            let game = FiledGame::new(dialect, lanes);
                            tally.judged(&of_game(&name, number), &game, verify::judge(&game));
                        }
                    }
                    Ok(None) => break,
                    Err(error) => {
                        tally.fault(diagnostic::unreadable(&name, &error));
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
