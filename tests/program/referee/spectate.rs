//! The built-in referee beside a real one.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};

use super::SPECTATOR;
use crate::harness::URTEXT;

/// The built-in referee as a spectator of a referee that the test plays.
struct Watching {
    child: Child,
    stream: TcpStream,
    address: String,
}

impl Watching {
    fn start() -> Watching {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let mut command = Command::new(URTEXT);
        command.args(["referee", "royalur", "--spectate", &address]);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        let (stream, _) = listener.accept().unwrap();
        Watching {
            child,
            stream,
            address,
        }
    }

    fn show(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
    }

    fn end(self) -> (Option<i32>, String, String) {
        drop(self.stream);
        told(&self.child.wait_with_output().unwrap())
    }
}

fn told(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn urtext(args: &[&str]) -> (Option<i32>, String, String) {
    told(
        &Command::new(URTEXT)
            .args(args)
            .stdin(Stdio::null())
            .output()
            .unwrap(),
    )
}

fn printed(stream: &str) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), stream).unwrap();
    urtext(&["replay", "--print", file.path().to_str().unwrap()]).1
}

#[test]
fn a_conforming_game_is_told_as_the_replay_of_it_will_be() {
    for size in [1, 5, SPECTATOR.len()] {
        let mut watching = Watching::start();
        for piece in SPECTATOR.as_bytes().chunks(size) {
            watching.stream.write_all(piece).unwrap();
        }
        let (code, stdout, stderr) = watching.end();
        assert_eq!(
            (code, stderr.lines().count()),
            (Some(0), 1),
            "in pieces of {size}: {stderr}"
        );
        assert!(
            stderr.starts_with("urtext referee: watching 127.0.0.1:"),
            "{stderr}"
        );
        assert_eq!(stdout, printed(SPECTATOR));
    }
}

#[test]
fn every_turn_is_told_while_the_game_goes_on() {
    let mut watching = Watching::start();
    let mut said = BufReader::new(watching.child.stdout.take().unwrap());
    let mut expect = |watching: &mut Watching, text: &str, told: &str| {
        watching.show(text);
        let mut line = String::new();
        while !line.starts_with(told) {
            line.clear();
            assert_ne!(said.read_line(&mut line).unwrap(), 0, "{told}");
        }
    };
    expect(
        &mut watching,
        "PlayerA\nPlayerB\n0 0 1 1\n",
        "Royal Game of Ur: PlayerA (first) against PlayerB",
    );
    expect(
        &mut watching,
        "3\n1",
        "1. PlayerA (first) rolled 0 0 1 1, moved 3",
    );
    expect(
        &mut watching,
        " 1 1 1\n0\n",
        "2. PlayerB (second) rolled 1 1 1 1, moved 0",
    );
    assert_eq!(watching.child.try_wait().unwrap(), None);
    watching.child.kill().unwrap();
    watching.child.wait().unwrap();
}

#[test]
fn the_first_wrong_line_ends_the_watch_at_once_and_shows_the_board() {
    let mut watching = Watching::start();
    watching.show(&SPECTATOR.replace("RETIRE", "2"));
    // The lane is still open.
    let mut stderr = String::new();
    watching
        .child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    assert_eq!(watching.child.wait().unwrap().code(), Some(1), "{stderr}");
    assert!(
        stderr.contains("fail[ur/retire/own-token]: move 2 is not legal"),
        "{stderr}"
    );
    assert!(
        stderr.contains(&format!("--> {}:19", watching.address)),
        "{stderr}"
    );
    assert!(stderr.contains("board: before this line"), "{stderr}");
    let mut stdout = String::new();
    watching
        .child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut stdout)
        .unwrap();
    assert_eq!(stdout.replace(&watching.address, "FILE"), {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), SPECTATOR.replace("RETIRE", "2")).unwrap();
        let path = file.path().to_str().unwrap();
        urtext(&["replay", "--print", path]).1.replace(path, "FILE")
    });
}

#[test]
fn a_lane_that_ends_before_its_game_does_not_conform_and_one_without_a_game_is_inconclusive() {
    let mut watching = Watching::start();
    watching.show("PlayerA\nPlayerB\n0 0 1 1\n");
    let (code, stdout, stderr) = watching.end();
    assert_eq!(code, Some(1));
    assert!(
        stdout.ends_with("incomplete: stops where PlayerA (first) has to move\n"),
        "{stdout}"
    );
    assert!(
        stderr.contains("fail: the lane ended before the game did"),
        "{stderr}"
    );
    assert_eq!(Watching::start().end().0, Some(4));
    let mut watching = Watching::start();
    watching.show(SPECTATOR.trim_end());
    let (code, _, stderr) = watching.end();
    assert_eq!(code, Some(1));
    assert!(stderr.contains("the line has no newline"), "{stderr}");
}

#[test]
fn built_in_referees_are_watched_with_and_without_a_fault() {
    let bot = format!("'{URTEXT}' bot royalur");
    let watch = |fault: &[&str]| {
        let mut command = Command::new(URTEXT);
        command
            .args([
                "referee",
                "royalur",
                "--pace",
                "0",
                "--seed",
                "3",
                "--spectators",
                "1",
            ])
            .args(fault);
        command
            .args(["--bot", &bot, "--bot", &bot])
            .env_remove("URTEXT_ROLLS");
        let mut referee = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(referee.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .trim()
            .strip_prefix("listening spectators=")
            .unwrap()
            .to_owned();
        let seen = urtext(&["referee", "royalur", "--spectate", &address]);
        referee.wait().unwrap();
        seen
    };
    assert_eq!(watch(&[]).0, Some(0));
    let (code, _, stderr) = watch(&["--fault", "roll-without-spaces"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("ur/roll/"), "{stderr}");
}

#[test]
fn who_watches_conducts_nothing_and_onitama_shows_nothing() {
    let (code, _, stderr) = urtext(&[
        "referee",
        "royalur",
        "--spectate",
        "127.0.0.1:1",
        "--pace",
        "0",
    ]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("cannot be used with"), "{stderr}");
    assert_eq!(
        urtext(&["referee", "royalur", "--spectate", "127.0.0.1"]).0,
        Some(2)
    );
    let (code, _, stderr) = urtext(&["referee", "onitama", "--spectate", "127.0.0.1:1"]);
    assert_eq!(code, Some(2));
    assert!(
        stderr.contains("shows a game to nobody but its two players"),
        "{stderr}"
    );
}
