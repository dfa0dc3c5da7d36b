//! The built binary as a recorder, and what it has written.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;
use tokio::signal::unix::{SignalKind, signal};
use urtext::transcript::{Direction, FiledGame, recording};

pub(crate) const URTEXT: &str = env!("CARGO_BIN_EXE_urtext");

pub(crate) const PEERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers");

/// An empty folder to record in.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The program in this folder, with nothing of whoever runs the tests around it.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(URTEXT);
        command.current_dir(self.0.path()).args(args).env_remove("URTEXT_ROLLS").env("NO_COLOR", "1");
        command
    }

    /// Runs it to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::from(self.command(args).stdin(Stdio::null()).output().unwrap())
    }

    /// The words that start it as a recorder, for a command line of another program.
    pub(crate) fn recorder(&self, name: &str, command: &str) -> String {
        let file = self.path(name);
        format!("{} record -o {} --judge -- {command}", quoted(URTEXT), quoted(file.to_str().unwrap()))
    }

    pub(crate) fn recorded(&self, name: &str) -> FiledGame {
        read(&self.path(name))
    }
}

/// Has a hang-up reach what is started from now on, also where the tests were started with it ignored, as `nohup` does: a signal that
/// is listened for here stands at its default in a new program.
pub(crate) fn let_hang_ups_through() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let _inside = runtime.enter();
    drop(signal(SignalKind::hangup()).unwrap());
}

pub(crate) fn quoted(word: &str) -> String {
    shell_words::quote(word).into_owned()
}

/// The game in a recording, which may still be written.
pub(crate) fn read(path: &Path) -> FiledGame {
    let mut reader = recording::Reader::new("game", BufReader::new(File::open(path).unwrap())).unwrap();
    FiledGame::from_recording("game", &mut reader).unwrap()
}

/// The lines of one direction of a lane.
pub(crate) fn lines(game: &FiledGame, lane: usize, direction: Direction) -> Vec<Vec<u8>> {
    let lines = game.lanes[lane].lines.iter().filter(|line| line.direction == direction);
    lines.map(|line| line.line.text.clone()).collect()
}

/// How a run ended, and what it said.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// A program that listens, and says where on the first line of its output.
pub(crate) struct Listening {
    pub(crate) child: Child,
    pub(crate) players: String,
    pub(crate) spectators: String,
}

impl Listening {
    pub(crate) fn start(command: &mut Command) -> Listening {
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut ready = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut ready).unwrap();
        let address = |who: &str| {
            let word = ready.split_whitespace().find_map(|word| word.strip_prefix(who));
            word.unwrap_or_default().to_owned()
        };
        let (players, spectators) = (address("players="), address("spectators="));
        assert!(!players.is_empty(), "{ready:?}");
        Listening { child, players, spectators }
    }

    /// Waits for its end; how it ended, and what it said on standard error.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        let status = self.child.wait().unwrap();
        // Not by Drop, which would be after.
        (status.code(), said)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // It has ended already where all went well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal.
pub(crate) fn tell(child: &Child, signal: Signal) {
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), signal).unwrap();
}

/// Whether there is a Python to run the peers with. Where not, the test says so, or fails if nothing may be left out.
pub(crate) fn has_python(test: &str) -> bool {
    let version =
        Command::new("python3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let has_python = version.is_ok_and(|status| status.success());
    if !has_python {
        assert!(
            std::env::var_os("URTEXT_TEST_REQUIRE_ALL").is_none(),
            "{test} needs python3, and URTEXT_TEST_REQUIRE_ALL is set"
        );
        eprintln!("{test} is skipped: there is no python3");
    }
    has_python
}
