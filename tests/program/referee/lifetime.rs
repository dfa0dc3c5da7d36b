//! Bots that the referee starts, and that they are gone with it.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

use nix::sys::signal::Signal;
use nix::sys::stat::Mode;
use tempfile::TempDir;

use super::subject::{Referee, command};
use crate::harness::{Ran, URTEXT, quoted};

/// A fifo that a bot and all it starts hold open for writing: reading it to the end shows that they are all gone.
struct Lifeline {
    folder: TempDir,
}

impl Lifeline {
    fn new() -> Lifeline {
        let lifeline = Lifeline {
            folder: TempDir::new().unwrap(),
        };
        nix::unistd::mkfifo(&lifeline.path(), Mode::S_IRWXU).unwrap();
        lifeline
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("lifeline")
    }

    /// A bot that starts a process of its own, says `alive` into the fifo, and then does what the script says.
    fn bot(&self, script: &str) -> String {
        let path = self.path();
        let script = format!(
            "exec 9>{}; sleep 600 & echo alive >&9; {script}",
            quoted(&path)
        );
        format!("sh -c {}", quoted(&script))
    }
}

#[test]
fn bots_and_what_they_started_are_gone_after_the_game() {
    let lifeline = Lifeline::new();
    let bot = lifeline.bot("read a; read b; read c; read d; echo banana; exec cat >/dev/null");
    let mut referee = command(&["--rolls", "0001", "--bot", &bot, "--bot", &bot]);
    let referee = std::thread::spawn(move || referee.output().unwrap());
    let mut text = String::new();
    File::open(lifeline.path())
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(text, "alive\nalive\n");
    let output = referee.join().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("ur/retire/not-a-number"));
}

#[test]
fn bots_and_what_they_started_are_gone_when_the_referee_is_interrupted() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let lifeline = Lifeline::new();
        let bot = lifeline.bot("trap '' INT TERM; while :; do read line || sleep 600; done");
        let mut child = command(&["--bot", &bot, "--bot", &bot]).spawn().unwrap();
        let mut lifeline = BufReader::new(File::open(lifeline.path()).unwrap());
        let mut lines = String::new();
        lifeline.read_line(&mut lines).unwrap();
        lifeline.read_line(&mut lines).unwrap();
        assert_eq!(lines, "alive\nalive\n");
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id().cast_signed()), signal)
            .unwrap();
        lifeline.read_to_string(&mut lines).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
    }
}

#[test]
fn an_interrupted_referee_ends_while_it_waits_for_players() {
    let referee = Referee::start(&[]);
    referee.signal(Signal::SIGINT);
    assert_eq!(referee.end().code, Some(130));
}

#[test]
fn spectators_watch_a_game_between_bots() {
    let bot = format!("{} bot royalur --policy first", quoted(URTEXT));
    let mut referee = command(&[
        "--seed",
        "11",
        "--spectators",
        "1",
        "--bot",
        &bot,
        "--bot",
        &bot,
    ]);
    let mut child = referee
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let address = line
        .trim_end()
        .strip_prefix("listening spectators=")
        .expect("no door for players");
    let mut text = String::new();
    std::net::TcpStream::connect(address)
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    assert!(text.starts_with("PlayerA\nPlayerB\n"), "{text}");
    assert!(!text.contains("RETIRE"), "{text}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_bot_that_dies_is_retired_and_its_end_and_last_words_are_told() {
    let bad = "sh -c 'read a; echo so\u{7} it goes >&2; exit 7'";
    let good = format!("{} bot royalur", quoted(URTEXT));
    let mut referee = command(&["--rolls", "0001", "--bot", bad, "--bot", &good]);
    Ran::of(&mut referee)
        .expect(0)
        .complains("PlayerA (first): so\\x07 it goes\n")
        .complains("PlayerA (first) ended with exit status 7\n")
        .complains("PlayerB (second) wins: hung up while a move was due\n");
}

#[test]
fn a_participant_that_is_gone_does_not_hold_the_game_up() {
    let referee = Referee::start(&["--rolls", "0001 0001"]);
    let (mut first, second, spectator) = (referee.player(), referee.player(), referee.spectator());
    drop(spectator);
    first.send("0\n");
    drop(second);
    let seen = first.rest();
    assert_eq!(seen.end, Ok(()));
    assert!(seen.text.ends_with("RETIRE\n"), "{seen:?}");
}
