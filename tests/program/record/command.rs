//! The built binary as a recorder, and what it has written.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::signal::unix::{SignalKind, signal};
use urtext::transcript::{Direction, LoggedGame, recording};

use crate::harness::Place;

pub(crate) fn recorded(place: &Place, name: &str) -> LoggedGame {
    read(&place.join(name))
}

/// Has a hang-up reach what is started from now on, also where the tests were started with it ignored, as `nohup` does: a signal that
/// is listened for here stands at its default in a new program.
pub(crate) fn let_hang_ups_through() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let _inside = runtime.enter();
    drop(signal(SignalKind::hangup()).unwrap());
}

/// The game in a recording, which may still be written.
pub(crate) fn read(path: &Path) -> LoggedGame {
    let mut reader =
        recording::Reader::new("game", BufReader::new(File::open(path).unwrap())).unwrap();
    LoggedGame::from_recording("game", &mut reader).unwrap()
}

/// The lines of one direction of a lane.
pub(crate) fn lines(game: &LoggedGame, lane: usize, direction: Direction) -> Vec<Vec<u8>> {
    let lines = game.lanes[lane]
        .entries
        .iter()
        .filter(|line| line.direction == direction);
    lines.map(|line| line.line.text.clone()).collect()
}

/// A program that listens, and says where on the first line of its output.
pub(crate) struct Listening {
    pub(crate) child: Child,
    pub(crate) players: String,
    pub(crate) spectators: String,
}

impl Listening {
    pub(crate) fn start(command: &mut Command) -> Listening {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut ready = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut ready)
            .unwrap();
        let address = |who: &str| {
            let word = ready
                .split_whitespace()
                .find_map(|word| word.strip_prefix(who));
            word.unwrap_or_default().to_owned()
        };
        let (players, spectators) = (address("players="), address("spectators="));
        assert!(!players.is_empty(), "{ready:?}");
        Listening {
            child,
            players,
            spectators,
        }
    }

    /// Waits for its end; how it ended, and what it said on standard error.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let mut said = String::new();
        self.child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
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
