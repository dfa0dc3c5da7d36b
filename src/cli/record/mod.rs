//! `urtext record`: writes down games that others play.

mod live;
mod proxy;
mod spectate;
mod wrap;

use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};

use super::Status;
use super::subject::address_or_url;
use crate::config::address;
use crate::diagnostic::{self, visible};
use crate::engine::Tape;
use crate::games;
use crate::protocol::{self, Dialect, LaneKind};
use crate::transcript::recording::Reader;
use crate::transcript::{Direction, FiledGame, bare};
use live::Live;

/// Arguments of `urtext record`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RecordArgs {
    /// The recording; what is there is kept, and FILE-2, FILE-3 and so on are written then
    #[arg(long, short, value_name = "FILE", default_value = "game.jsonl")]
    output: PathBuf,

    /// The game that is played
    #[arg(long, value_name = "GAME", default_value = games::USUAL)]
    game: String,

    /// Judges every line while the game goes on, and says so at the first wrong one
    #[arg(long)]
    judge: bool,

    /// Waits here for players, and connects each of them to the referee; port 0 is any free one
    #[arg(long, value_name = "HOST:PORT", value_parser = address, requires = "connect")]
    listen: Option<String>,

    /// Where the players of the referee connect
    #[arg(long, value_name = "HOST:PORT", value_parser = address, requires = "listen")]
    connect: Option<String>,

    /// Waits here for spectators, and connects each of them to the referee
    #[arg(long, value_name = "HOST:PORT", value_parser = address, requires = "spectators_at")]
    listen_spectators: Option<String>,

    /// Where the spectators of the referee connect
    #[arg(long, value_name = "HOST:PORT", value_parser = address, requires = "listen_spectators")]
    spectators_at: Option<String>,

    /// Ends after so many games instead of waiting for more players
    #[arg(long, value_name = "N", requires = "listen", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,

    /// Connects as a spectator, and writes down what it is shown; coco://HOST:PORT/ID is a match on a Code Colosseum server
    #[arg(long, value_name = "HOST:PORT|URL", value_parser = address_or_url, conflicts_with_all = ["listen", "command"])]
    spectate: Option<String>,

    /// A bot: what it is sent and what it answers passes through unchanged, and its exit status is that of urtext
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "listen")]
    command: Vec<std::ffi::OsString>,
}

/// How much of a recording tells which game it is of, in bytes.
const HEAD: u64 = 16 * 1024;

const EXAMPLES: &str = "\
Examples:
  urtext record -- python3 mybot.py       wherever `python3 mybot.py` is started by a referee
  urtext record --listen 127.0.0.1:4000 --connect 127.0.0.1:5000
  urtext record --listen :4000 --connect :5000 --listen-spectators :4001 --spectators-at :5001
  urtext record --spectate 127.0.0.1:5001 --judge

Every byte is passed on unchanged and at once, and a line is in the file before it is passed on. `urtext verify` judges \
the recording, `urtext replay` steps through it, and `urtext run RECORDING` plays it again with another subject.";

/// What holds for every game that is recorded.
#[derive(Debug, Clone)]
struct Session {
    output: PathBuf,
    dialect: &'static dyn Dialect,
    is_judged: bool,
}

/// A game that is being recorded, and judged where that is wanted.
#[derive(Debug)]
struct Recording {
    dialect: &'static dyn Dialect,
    tape: Arc<Tape>,
    live: Option<Live>,
}

impl RecordArgs {
    /// Records until the game is over, or the user ends it.
    pub(super) fn run(self) -> Status {
        let Some(dialect) = protocol::find(&self.game) else {
            let names: Vec<_> = games::ALL.iter().map(|game| game.name()).collect();
            let game = visible::quoted(&self.game);
            return super::usage(&format!("there is no game {game}; games are: {}", names.join(", ")));
        };
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return broken("the recording cannot begin", &error),
        };
        let _inside = runtime.enter();
        // Where files have a largest size, the write fails and the game goes on, instead of ending by this signal.
        drop(signal(SignalKind::from_raw(nix::libc::SIGXFSZ)));
        let session = Session { output: self.output, dialect, is_judged: self.judge };
        match (self.listen.zip(self.connect), self.spectate, self.command.is_empty()) {
            (Some(players), None, true) => {
                let spectators = self.listen_spectators.zip(self.spectators_at);
                runtime.block_on(proxy::serve(session, players, spectators, self.games))
            }
            (None, Some(address), true) => runtime.block_on(spectate::watch(&session, &address)),
            (None, None, false) => wrap::run(&session, &runtime, &self.command),
            _ => super::usage(
                "say who plays: a bot after --, or --listen and --connect, or --spectate; see `urtext record --help`",
            ),
        }
    }
}

impl Session {
    /// Whether a recording could be begun: said before anybody comes to play.
    fn is_writable(&self) -> Result<(), Status> {
        let folder = self.output.parent().filter(|folder| !folder.as_os_str().is_empty());
        let written = tempfile::tempfile_in(folder.unwrap_or(Path::new(".")));
        written.map(drop).map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &std::io::Error) -> Status {
        let output = self.output.display().to_string();
        broken(&format!("{} cannot be written", visible::plain(&output)), error)
    }

    /// Begins the recording of a game.
    fn begin(&self, lanes: &[LaneKind]) -> Result<Recording, Status> {
        match Tape::create(&self.output, self.dialect, lanes) {
            Ok(tape) => Ok(self.recording(tape)),
            Err(error) => Err(self.unwritable(&error)),
        }
    }

    /// Begins the recording of a game that goes on even where it cannot be written down.
    fn begin_anyway(&self) -> Recording {
        match Tape::create(&self.output, self.dialect, &[]) {
            Ok(tape) => self.recording(tape),
            Err(error) => {
                self.unwritable(&error);
                let tape = Arc::new(Tape::unwritten(&self.output, error));
                Recording { dialect: self.dialect, tape, live: None }
            }
        }
    }

    fn recording(&self, tape: Tape) -> Recording {
        let live = self.is_judged.then(|| Live::watch(tape.path().to_owned()));
        Recording { dialect: self.dialect, tape: Arc::new(tape), live }
    }
}

impl Recording {
    /// Says what was recorded, and judges it where that is wanted.
    fn finish(&mut self) -> Status {
        let path = self.tape.path().to_string_lossy().into_owned();
        let file = visible::plain(&path);
        let lost = match self.tape.take_failure() {
            Some(error) => {
                Some(format!("could not be written to its end: {error}; the game was passed on all the same"))
            }
            None if self.tape.is_there() => None,
            None => Some("is lost: it was removed or replaced while the game went on".to_owned()),
        };
        let (lines, lanes) = self.tape.size();
        let other = other_game(self.tape.path(), self.dialect).filter(|_| lost.is_none());
        let status = match (lost, self.live.take()) {
            (Some(lost), live) => {
                say(&format!("{file} {lost}"));
                Status::Broken.worse(live.map_or(Status::Conforms, Live::give_up))
            }
            (None, Some(live)) => live.finish(),
            (None, None) => {
                let counted = |number: u64, what| match number {
                    1 => format!("1 {what}"),
                    _ => format!("{number} {what}s"),
                };
                say(&format!("{} of {} in {file}", counted(lines, "line"), counted(lanes as u64, "lane")));
                Status::Conforms
            }
        };
        if let Some(other) = other {
            let own = self.dialect.game().name();
            say(&format!(
                "note: these lines look like a game of `{other}`, and were recorded as one of `{own}`; \
                 `urtext record --game {other}` says so from the beginning, `urtext verify --dialect {other} {file}` now"
            ));
        }
        status
    }
}

/// The game of which the first lines of a recording are, where it is not the one that was said.
fn other_game(path: &Path, dialect: &'static dyn Dialect) -> Option<&'static str> {
    let head = BufReader::new(diagnostic::open(path).ok()?.take(HEAD));
    let mut reader = Reader::new("", head).ok()?;
    let game = FiledGame::from_recording("", &mut reader).ok()?;
    let lane = game.lanes.iter().find(|lane| !lane.lines.is_empty())?;
    let received = lane.lines.iter().filter(|line| line.direction == Direction::Received);
    let text: Vec<u8> = received.flat_map(|line| line.line.text.iter().copied().chain([b'\n'])).collect();
    let has_rules = |dialect: &&&'static dyn Dialect| !dialect.greeting(false).is_empty();
    let fits = |dialect: &&&'static dyn Dialect| bare::looks_like(&text, **dialect);
    if !has_rules(&&dialect) || fits(&&dialect) {
        return None;
    }
    protocol::ALL.iter().filter(has_rules).find(fits).map(|dialect| dialect.game().name())
}

/// Says something beside the game: its streams belong to others.
fn say(text: &str) {
    say_raw(&format!("urtext record: {text}"));
}

fn say_raw(text: &str) {
    // Nobody may listen there any more, and the game goes on all the same.
    drop(writeln!(anstream::stderr().lock(), "{text}"));
}

fn broken(what: &str, error: &std::io::Error) -> Status {
    say(&format!("{what}: {error}"));
    Status::Broken
}
