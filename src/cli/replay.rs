//! `urtext replay`: the options, and the choice between the terminal and the printed forms.

mod against;
mod follow;
mod notation;
mod notation_target;
mod shown;
mod source;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anstream::adapter::strip_str;
use clap::Args;

use super::Status;
use super::output::{broken, print, say, usage};
use super::server_matches::{ServerMatches, USUAL_SILENCE};
use super::subject::quote;
use crate::archive::{self, ReadAs, ReadOptions};
use crate::diagnostic::visible;
use crate::platform;
use crate::replay::{PrintedParts, Replay};
use crate::report::draw_page;
use crate::tui::{self, ViewerSource};
use notation_target::NotationTarget;
use shown::{ShownGame, UnshownGame};
use source::FileSource;

/// Arguments of `urtext replay`.
#[derive(Debug, Args)]
#[command(
    after_help = "A file is a golden transcript, a recording, or a stream as one participant received it (`>` before \
    what it sent). Several files are lanes of one game, or of a match. On a terminal the game is stepped through by keys, which `?` lists; elsewhere it is \
    printed. A notation of a game, such as hc-ur, is known by its first bytes. coco://HOST:PORT/ID is a match that a Code \
    Colosseum server has stored, as spectators received it.\n\n\
    Exit status: 0 the game is legal as far as it goes, 1 a line of it is wrong and it is shown up to there, 2 it cannot be \
    read, or there is no such turn or game, 3 the server of a match cannot be reached, 4 the game stops before its first turn, or move \
    records leave open whether a turn was skipped."
)]
pub(super) struct ReplayArgs {
    /// A file with a finished game, coco://HOST:PORT/ID, or the files of its lanes; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the whole game, turn by turn with the board after each
    #[arg(long)]
    print: bool,
    /// Print a line per turn in short notation, without boards
    #[arg(long, conflicts_with = "at")]
    moves: bool,
    /// Print the lines of every lane below each turn; `<` was received, `>` was sent
    #[arg(long)]
    lanes: bool,
    /// Print the time that each turn took, where the file tells times
    #[arg(long)]
    times: bool,
    /// Print the game for programs: a JSON object per line; `urtext schema replay` describes it
    #[arg(long, conflicts_with_all = ["print", "moves", "lanes", "times", "ascii"])]
    json: bool,
    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,
    /// Write the game as one HTML page, opened at the turn of --at, or after the last turn
    #[arg(long, value_name = "OUT", conflicts_with_all = ["print", "moves", "lanes", "times", "json"])]
    html: Option<PathBuf>,
    /// Write the game in another notation
    #[arg(long, value_name = "NOTATION", value_parser = NotationTarget::possible(), conflicts_with_all = ["print", "moves", "lanes", "times", "json", "ascii", "html"])]
    to: Option<NotationTarget>,
    /// Write the result of --to into this file [default: standard output]
    #[arg(long, short, value_name = "OUT", requires = "to")]
    output: Option<PathBuf>,
    /// Show the first difference to the game of another file, of any format
    ///
    /// Players, rolls, moves and the end are compared, as far as both formats tell them. The exit status is 0 for equal games, 1 for different
    /// ones, 2 if a file cannot be read.
    #[arg(long, value_name = "OTHER", conflicts_with_all = ["print", "moves", "lanes", "times", "json", "ascii", "html", "to", "at", "follow"])]
    against: Option<PathBuf>,
    /// Shows a game that is still being recorded as it goes; a file that is not there yet is waited for
    #[arg(long, conflicts_with_all = ["json", "html", "at", "game_number", "to"])]
    follow: bool,
    /// Print the position after this turn only; 0 is before the first; with `--to state`, the turn after which the state is written
    #[arg(long, value_name = "TURN", conflicts_with = "print")]
    at: Option<usize>,
    /// Which game of a file with several, from 1
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    game_number: Option<u64>,
    /// The dialect of streams, or their game, where their content does not tell; or a notation, such as `hc-ur`
    #[arg(long, value_name = "NAME")]
    dialect: Option<ReadAs>,
}

impl ReplayArgs {
    /// Shows the game.
    pub(super) fn run(self) -> Status {
        if self.follow {
            return match self.files.as_slice() {
                [file] => self.follow(file),
                _ => usage("--follow takes one file; the recording of a game has all its lanes"),
            };
        }
        let matches = match ServerMatches::fetch(&self.files, USUAL_SILENCE) {
            Ok(matches) => matches,
            Err(status) => return status,
        };
        let options = self.options(matches.all());
        let status = match (&self.against, self.to) {
            (Some(other), _) => self.compare(other, &options),
            (None, Some(to)) => self.write_notation(to, &options),
            (None, None) => self.show(&options),
        };
        status.worse(matches.status())
    }

    fn options<'a>(&self, matches: &'a [(PathBuf, Vec<u8>)]) -> ReadOptions<'a> {
        ReadOptions {
            read_as: self.dialect.unwrap_or_default(),
            matches,
            ..ReadOptions::default()
        }
    }

    fn show(&self, options: &ReadOptions<'_>) -> Status {
        let game = match archive::game(&self.files, self.game_number, options) {
            Ok(game) => game,
            Err(faults) => return UnshownGame::unreadable(&faults).say(),
        };
        say(&game.warnings);
        let mut source = FileSource {
            files: &self.files,
            options: *options,
            number: game.is_one_of_several.then_some(game.number),
        };
        match ShownGame::begun(game) {
            Ok(shown) => self.present(shown, &mut source),
            Err(unshown) => unshown.say(),
        }
    }

    /// Shows a replay, and then what is wrong with the game.
    fn present(&self, shown: ShownGame, source: &mut dyn ViewerSource) -> Status {
        let ShownGame {
            mut replay,
            status,
            trouble,
        } = shown;
        let parts = self.parts();
        if let Some(Err(error)) = self.at.map(|turn| replay.seek(turn)) {
            if let Some(trouble) = trouble {
                anstream::eprintln!("{trouble}\n");
            }
            say(&error.fault().into());
            return Status::Usage;
        }
        if let Some(file) = &self.html {
            if self.at.is_none() {
                replay.go(replay.last());
            }
            let drawn = html(&replay, trouble.as_deref());
            if let Err(error) = platform::write_output(file, drawn.as_bytes()) {
                let file = visible::plain(file.to_string_lossy().as_bytes()).to_string();
                return broken(&format!("{file} cannot be written: {error}"));
            }
        } else if self.json {
            let here = std::slice::from_ref(replay.frame());
            let frames = if self.at.is_some() {
                here
            } else {
                replay.frames()
            };
            print(&replay.json(frames));
        } else if self.at.is_some() {
            print(replay.print_here(parts).trim_end());
        } else if self.is_printed() {
            print(replay.print(&mut 0, parts).trim_end());
        } else if let Err(error) = self.step_through(replay, source) {
            anstream::eprintln!(
                "urtext replay: the terminal cannot be used: {error}; `--print` prints the game"
            );
            return Status::Broken;
        }
        // After the game, so that it stands where the eye is.
        if let Some(trouble) = trouble {
            anstream::eprintln!("\n{trouble}");
        }
        status
    }

    /// Returns true if the game is printed: the user asks for that, or there is no terminal that can be drawn on.
    fn is_printed(&self) -> bool {
        self.print || self.moves || self.lanes || self.times || !has_screen()
    }

    fn parts(&self) -> PrintedParts {
        PrintedParts {
            boards: !self.moves,
            lanes: self.lanes,
            times: self.times,
            is_ascii: self.ascii,
        }
    }

    /// Shows the viewer until the user leaves.
    fn step_through(&self, replay: Replay, source: &mut dyn ViewerSource) -> std::io::Result<()> {
        let options = tui::ViewerOptions {
            is_ascii: self.ascii,
            has_colour: has_colour(),
            continuing: self.continuing(&replay),
            is_live: self.follow,
        };
        tui::run(replay, options, source)
    }

    /// The command that plays the game again and goes on live, up to the number of the turn.
    fn continuing(&self, replay: &Replay) -> Option<String> {
        let [file] = self.files.as_slice() else {
            return None;
        };
        crate::pack::find(replay.game().name())?.peers.as_ref()?;
        let file = quote(&file.to_string_lossy());
        let number = replay.number_of_several();
        let number = number.map_or(String::new(), |number| format!(" --game-number {number}"));
        let program = super::program::name();
        Some(format!("{program} run {file}{number} --from "))
    }
}

/// Returns the page of a recorded game; `None` if the file cannot be read, or its game has no board.
pub(super) fn page(recording: &Path) -> Option<String> {
    let game = archive::game(&[recording.to_owned()], None, &ReadOptions::default()).ok()?;
    let mut shown = ShownGame::begun(game).ok()?;
    shown.replay.go(shown.replay.last());
    Some(html(&shown.replay, shown.trouble.as_deref()))
}

/// The page of a game, opened at the turn at which the replay stands.
fn html(replay: &Replay, trouble: Option<&str>) -> String {
    let plain = trouble.map(|trouble| strip_str(trouble).to_string());
    draw_page(replay, plain.as_deref())
}

/// Returns true if standard output takes colour.
pub(super) fn has_colour() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

/// Returns true if the terminal can show the viewer.
pub(super) fn has_screen() -> bool {
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    !is_dumb && std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}
