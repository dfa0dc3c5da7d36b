//! `urtext replay`: the options, and the choice between the terminal, the printed forms and other formats.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{ArgGroup, Args};

use super::Status;
use super::output::{
    broken, checked, is_gone, print, print_bytes, print_text, readable, say, usage, write_file,
};
use super::server::{is_on_server, stored_matches};
use super::subject::quote;
use crate::archive::{self, FinishedGame, Judging, ReadAs, ReadOptions, written_formats};
use crate::diagnostic::{Diagnostic, Paint, counted, visible};
use crate::replay::{PrintedParts, Replay, ReplaySource, first_difference};
use crate::report::{FindingResult, draw_finding, draw_line, draw_page};
use crate::tui;
use crate::verify::{self, Ending};

/// Arguments of `urtext replay`.
#[derive(Debug, Args)]
#[command(
    after_help = "Several files are lanes of one game, or of a match. coco://HOST:PORT/ID is a match that a Code Colosseum server has \
    stored, as spectators received it. On a terminal, keys step through the game; `?` lists them. Elsewhere the game is printed. \
    `urtext help finished-games` describes the formats of files.",
    group = ArgGroup::new("printed").args(["print", "moves", "lanes", "times"]).multiple(true),
    group = ArgGroup::new("form").args(["json", "html", "to", "against"]).conflicts_with("printed")
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
    /// Print the time that each turn took, if the file has times
    #[arg(long)]
    times: bool,
    /// Print the game as lines of JSON; `urtext schema replay` describes them
    #[arg(long, conflicts_with = "ascii")]
    json: bool,
    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,
    /// Write the game as one HTML page, opened at the turn of --at, or after the last turn
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,
    /// Write the game in another notation
    #[arg(long, value_name = "NOTATION", value_parser = formats(), conflicts_with = "ascii")]
    to: Option<String>,
    /// Write the result of --to into this file [default: standard output]
    #[arg(long, short, value_name = "OUT", requires = "to")]
    output: Option<PathBuf>,
    /// Show the first difference to the game of another file, of any format
    ///
    /// Players, rolls, moves and the end are compared, if both formats contain them. The exit status is 0 for equal games, 1 for different
    /// ones, 2 if a file cannot be read.
    #[arg(long, value_name = "OTHER", conflicts_with_all = ["ascii", "at"])]
    against: Option<PathBuf>,
    /// Follow a game while it is recorded; wait for the file if it does not exist yet
    #[arg(long, conflicts_with_all = ["form", "at", "game_number"])]
    follow: bool,
    /// Print only the position after this turn, 0 for the start; with --to state, write the state after it
    #[arg(long, value_name = "TURN", conflicts_with = "print")]
    at: Option<usize>,
    /// Number of the game in a file with several, from 1
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    game_number: Option<u64>,
    /// Format, if the content does not show it: a dialect, a game, or a notation such as hc-ur
    #[arg(long, value_name = "NAME")]
    dialect: Option<ReadAs>,
}

impl ReplayArgs {
    /// Shows the game.
    pub(super) fn run(&self) -> Result<Status, Status> {
        if self.follow {
            return self.follow();
        }
        let matches = stored_matches(&self.files)?;
        let options = ReadOptions {
            matches: &matches,
            ..self.options()
        };
        let by_lanes = ReadOptions {
            judging: Judging::ByLanes,
            ..options
        };
        match (&self.against, &self.to) {
            (Some(other), _) => self.compare(other, &by_lanes),
            (None, Some(format)) => self.write(&self.game(&by_lanes)?, format),
            (None, None) => {
                let game = self.game(&options)?;
                if self.json || self.html.is_some() {
                    readable(game.rules())?;
                }
                self.present(
                    replayed(game)?,
                    &mut ReplaySource::new(&self.files, options),
                )
            }
        }
    }

    fn options(&self) -> ReadOptions<'static> {
        ReadOptions {
            read_as: self.dialect.unwrap_or_default(),
            ..ReadOptions::default()
        }
    }

    fn game(&self, options: &ReadOptions<'_>) -> Result<FinishedGame, Status> {
        let game = readable(archive::game(&self.files, self.game_number, options))?;
        say(&game.warnings);
        Ok(game)
    }

    /// Shows a game as it goes, from its first turn on.
    fn follow(&self) -> Result<Status, Status> {
        let is_on_disk = |file: &Path| file != Path::new("-") && !is_on_server(file);
        let file = match self.files.as_slice() {
            [file] if is_on_disk(file) => file,
            _ => {
                return Err(usage(
                    "--follow takes one file on disk; `urtext record --spectate` writes one of a server's match",
                ));
            }
        };
        let mut source = ReplaySource::following(file, self.options());
        let mut game = source.grown().unwrap_or_else(|| {
            let name = visible::path(file);
            anstream::eprintln!("urtext replay: waiting for the first turn in {name}");
            source.wait()
        });
        let mut next = 0;
        loop {
            let replay = replayed(readable(game)?)?;
            if !self.is_printed() {
                return self.present(replay, &mut source);
            }
            print_text(&replay.print(&mut next, self.parts()));
            if is_gone() || !replay.finished.goes_on {
                return Ok(conclude(&replay.finished));
            }
            game = source.wait();
        }
    }

    /// Shows a replay, and then what is wrong with the game.
    fn present(&self, mut replay: Replay, source: &mut ReplaySource<'_>) -> Result<Status, Status> {
        let parts = self.parts();
        if let Some(Err(fault)) = self.at.map(|turn| replay.seek(turn)) {
            conclude(&replay.finished);
            checked(&fault.into())?;
        }
        if let Some(file) = &self.html {
            if self.at.is_none() {
                replay.go(replay.last());
            }
            write_file(file, html(&replay).as_bytes())?;
        } else if self.json {
            let frames = match self.at {
                Some(turn) => &replay.frames()[turn..=turn],
                None => replay.frames(),
            };
            print(&replay.json(frames));
        } else if self.at.is_some() {
            print(replay.print_here(parts).trim_end());
        } else if self.is_printed() {
            print(replay.print(&mut 0, parts).trim_end());
        } else {
            replay = self.step_through(replay, source).map_err(|error| {
                broken(&format!(
                    "the terminal cannot be used: {error}; `--print` prints the game"
                ))
            })?;
        }
        // After the game, so that it stands where the eye is.
        Ok(conclude(&replay.finished))
    }

    /// Returns true if the game is printed: the user asks for that, or there is no terminal that can be drawn on.
    fn is_printed(&self) -> bool {
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let has_screen = !is_dumb && io::stdin().is_terminal() && io::stdout().is_terminal();
        self.print || self.moves || self.lanes || self.times || !has_screen
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
    fn step_through(&self, replay: Replay, source: &mut ReplaySource<'_>) -> io::Result<Replay> {
        let peers = crate::pack::find(replay.game().name()).and_then(|pack| pack.peers.as_ref());
        let continuing = match (self.files.as_slice(), peers) {
            ([file], Some(_)) => {
                let file = quote(&file.to_string_lossy());
                Some(format!("{} run {file}", super::repeat::program()))
            }
            _ => None,
        };
        let colour = anstream::AutoStream::choice(&io::stdout());
        let options = tui::ViewerOptions {
            is_ascii: self.ascii,
            has_colour: colour != anstream::ColorChoice::Never,
            continuing,
        };
        tui::run(replay, options, source)
    }

    /// Writes the game in another format, as far as its lines are right.
    fn write(&self, game: &FinishedGame, format: &str) -> Result<Status, Status> {
        let mut status = Status::Conforms;
        if game.outcome.failure().is_none() || self.at.is_some() {
            status = self.put(game, format).unwrap_or_else(|status| status);
        }
        if let Some(wrong) = game.outcome.failure() {
            let drawn = draw_finding(wrong, &game.outcome.source, &[]).draw(Paint::Coloured);
            anstream::eprintln!("{drawn}\n");
            status = status.max(Status::Deviates);
        }
        Ok(status)
    }

    fn put(&self, game: &FinishedGame, format: &str) -> Result<Status, Status> {
        let mut written = readable(game.write(format, self.at))?;
        say(&written.remarks);
        if !written.text.ends_with(b"\n") {
            written.text.push(b'\n');
        }
        match &self.output {
            Some(path) => write_file(path, &written.text)?,
            None => print_bytes(&written.text),
        }
        Ok(Status::Conforms)
    }

    /// Compares the game with that of another file, and shows the first difference.
    fn compare(&self, other: &Path, options: &ReadOptions<'_>) -> Result<Status, Status> {
        let [file] = self.files.as_slice() else {
            return Err(usage("--against compares the games of two files"));
        };
        let replay = |file: &Path| {
            let game = archive::game(&[file.to_owned()], self.game_number, options);
            let game = readable(game)?;
            readable(game.rules())?;
            Ok(Replay::new(game).expect("the game has rules"))
        };
        // What is wrong with either file is shown at once.
        let (one, two) = (replay(file), replay(other));
        let (one, two) = (one?, two?);
        let names = [file, other].map(|file| visible::path(file).to_string());
        let difference = first_difference([&one, &two], [&names[0], &names[1]]);
        let (text, status) = match difference {
            Some(difference) => (difference, Status::Deviates),
            None => {
                let turns = counted(one.finished.turns.len(), "turn");
                (format!("equal: {turns}"), Status::Conforms)
            }
        };
        print(&text);
        Ok(status)
    }
}

/// The formats of `--to`.
fn formats() -> PossibleValuesParser {
    let value = |(name, title)| PossibleValue::new(name).help(format!("As {title}"));
    PossibleValuesParser::new(written_formats().map(value))
}

/// The replay of a game, or the exit status after saying why it is not shown.
fn replayed(game: FinishedGame) -> Result<Replay, Status> {
    let is_unstarted = game.ending == Some(Ending::Unstarted) && game.recorded.is_none();
    if is_unstarted {
        let title = "the game stops before its first turn, and there is nothing to show";
        let remark = Diagnostic::remark("replay/no-turn", title).in_file(&*game.file);
        say(&remark.into());
        return Err(Status::Open);
    }
    if game.dialect().is_none() {
        if game.recorded.is_some() {
            print(&draw_line(&game));
            anstream::eprintln!("urtext replay: no board is shown: {}", verify::UNRULED);
        }
        return Err(conclude(&game).max(Status::Open));
    }
    Ok(Replay::new(game).expect("the game has rules"))
}

/// Says what is wrong with a game, and returns the exit status.
fn conclude(game: &FinishedGame) -> Status {
    let drawn = drawn(game, |finding| finding.painted);
    if !drawn.is_empty() {
        anstream::eprintln!("\n{drawn}");
    }
    Status::of(game.outcome.verdict)
}

/// All findings about a game, drawn one below the other.
fn drawn(game: &FinishedGame, drawing: fn(FindingResult) -> String) -> String {
    let findings = FindingResult::of(&game.outcome).into_iter();
    findings.map(drawing).collect::<Vec<_>>().join("\n\n")
}

/// Returns the page of a recorded game; `None` if the file cannot be read, or its game has no board.
pub(super) fn page(recording: &Path) -> Option<String> {
    let recording = [recording.to_owned()];
    let game = archive::game(&recording, None, &ReadOptions::default()).ok()?;
    let mut replay = Replay::new(game)?;
    replay.go(replay.last());
    Some(html(&replay))
}

/// The page of a game, opened at the turn at which the replay stands.
fn html(replay: &Replay) -> String {
    let drawn = drawn(&replay.finished, |finding| finding.text);
    draw_page(replay, (!drawn.is_empty()).then_some(&drawn))
}
