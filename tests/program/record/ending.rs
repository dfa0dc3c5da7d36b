//! How a bot behind `urtext record` ends, and what befalls the recording meanwhile.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use urtext::transcript::Direction;

use super::command::{let_hang_ups_through, lines, recorded, tell};
use crate::harness::{Place, URTEXT};

/// A recorded bot of this shell script, with all its streams at hand.
fn recorded_bot(place: &Place, script: &str) -> Child {
    let mut command = place.command(&["record", "-o", "a.jsonl", "--", "sh", "-c", script]);
    // Its own group, so that no interrupt of a terminal is taken to reach it.
    command
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// What is left to be read of a stream.
fn rest(stream: Option<impl Read>) -> String {
    let mut text = String::new();
    stream.unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn what_a_bot_leaves_behind_does_not_hold_up_its_end() {
    let place = Place::new();
    let mut bot = recorded_bot(&place, "sleep 1000 </dev/null 2>&1 & echo $!; exit 3");
    // The referee has not ended what it tells the bot, and nobody reads it.
    let left_behind = rest(bot.stdout.take());
    assert_eq!(bot.wait().unwrap().code(), Some(3));
    kill(
        Pid::from_raw(left_behind.trim().parse().unwrap()),
        Signal::SIGKILL,
    )
    .unwrap();
    assert_eq!(
        lines(&recorded(&place, "a.jsonl"), 0, Direction::Sent),
        [left_behind.trim().as_bytes()]
    );
}

#[test]
fn what_plays_on_after_the_bot_has_ended_is_passed_on() {
    let place = Place::new();
    let mut bot = recorded_bot(&place, "exec 3<&0; cat <&3 2>/dev/null & exit 5");
    let mut said = String::new();
    BufReader::new(bot.stderr.take().unwrap())
        .read_line(&mut said)
        .unwrap();
    assert!(
        said.contains("the bot has ended, and what it has started goes on"),
        "{said}"
    );
    bot.stdin.take().unwrap().write_all(b"0 1 1 0\n").unwrap();
    assert_eq!(rest(bot.stdout.take()), "0 1 1 0\n");
    assert_eq!(bot.wait().unwrap().code(), Some(5));
    assert_eq!(
        lines(&recorded(&place, "a.jsonl"), 0, Direction::Sent),
        [b"0 1 1 0"]
    );
}

#[test]
fn an_interrupt_and_a_hang_up_are_passed_on_to_the_bot() {
    let_hang_ups_through();
    for (signal, name) in [(Signal::SIGINT, "INT"), (Signal::SIGHUP, "HUP")] {
        let place = Place::new();
        let script =
            format!("trap 'echo bye; exit 4' {name}; echo ready; while :; do sleep 0.01; done");
        let mut bot = recorded_bot(&place, &script);
        let mut output = BufReader::new(bot.stdout.take().unwrap());
        let mut said = String::new();
        output.read_line(&mut said).unwrap();
        tell(&bot, signal);
        assert_eq!(said + &rest(Some(output)), "ready\nbye\n");
        assert_eq!(bot.wait().unwrap().code(), Some(4));
    }
}

#[test]
fn a_recording_that_has_no_room_left_does_not_end_the_game() {
    let place = Place::new();
    let count = "n=0; while [ $n -lt 200 ]; do n=$((n + 1)); echo $n; done";
    let limited = format!("ulimit -f 1; exec \"$0\" record -o a.jsonl -- sh -c '{count}'");
    let mut command = std::process::Command::new("sh");
    let output = command
        .current_dir(place.path())
        .args(["-c", &limited, URTEXT])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert_eq!(
        output.stdout.iter().filter(|&&byte| byte == b'\n').count(),
        200
    );
    assert!(
        said.contains("a.jsonl could not be written to its end: "),
        "{said}"
    );
    assert_eq!(
        said.lines().count(),
        1,
        "and nothing is said to be in it: {said}"
    );
    let written = lines(&recorded(&place, "a.jsonl"), 0, Direction::Sent);
    assert!(
        !written.is_empty() && written.len() < 200,
        "{} lines",
        written.len()
    );
}

#[test]
fn a_recording_that_is_removed_meanwhile_is_said_to_be_lost() {
    let place = Place::new();
    let mut bot = recorded_bot(&place, "echo ready; cat");
    let mut output = BufReader::new(bot.stdout.take().unwrap());
    let mut said = String::new();
    output.read_line(&mut said).unwrap();
    std::fs::remove_file(place.join("a.jsonl")).unwrap();
    bot.stdin.take().unwrap().write_all(b"on\n").unwrap();
    assert_eq!(said + &rest(Some(output)), "ready\non\n");
    let said = rest(bot.stderr.take());
    assert!(
        said.ends_with("a.jsonl is lost: it was removed or replaced while the game went on\n"),
        "{said}"
    );
    assert_eq!(bot.wait().unwrap().code(), Some(3));
}

#[test]
fn nobody_needs_to_hear_what_it_says_of_the_recording() {
    let place = Place::new();
    let mut bot = recorded_bot(&place, "cat");
    drop(bot.stderr.take());
    bot.stdin.take().unwrap().write_all(b"on\n").unwrap();
    assert_eq!(rest(bot.stdout.take()), "on\n");
    assert_eq!(bot.wait().unwrap().code(), Some(0));
}

/// A game of a bot that answers once, as its referee's side of the pipes has it: two names, its seat, and rolls that leave a move.
const TOLD: &str = "Ann\nBob\n0\n0 1 1 0\n";

/// A recorded bot of this shell script that is told so much of a game: how it ended.
fn told(place: &Place, file: &str, script: &str) -> Option<i32> {
    let mut command = place.command(&["record", "-o", file, "--", "sh", "-c", script]);
    let mut bot = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = bot.stdin.take().unwrap();
    input.write_all(TOLD.as_bytes()).unwrap();
    // Its input stays open until it has ended.
    let code = bot.wait().unwrap().code();
    drop(input);
    code
}

#[test]
fn a_bot_that_ends_in_mid_game_fails_and_verify_tells_how() {
    let place = Place::new();
    let read = "for line in 1 2 3 4; do read -r line; done; ";
    for (file, end, code, how) in [
        (
            "due.jsonl",
            "exit 0",
            0,
            "when its move was due: exit status 0",
        ),
        (
            "killed.jsonl",
            "kill -9 $$",
            128 + 9,
            "when its move was due: killed by signal 9",
        ),
        (
            "early.jsonl",
            "echo 0; exit 2",
            2,
            "before the game was over: exit status 2",
        ),
    ] {
        assert_eq!(told(&place, file, &format!("{read}{end}")), Some(code));
        let ran = place.urtext(&["verify", file]).expect(1);
        let says = format!("fail: the bot ended {how}");
        assert!(ran.stdout.starts_with(&says), "{ran:#?}");
    }
}

#[test]
fn a_bot_whose_referee_left_first_is_not_blamed() {
    let place = Place::new();
    let mut bot = recorded_bot(&place, "cat >/dev/null");
    bot.stdin
        .take()
        .unwrap()
        .write_all(TOLD.as_bytes())
        .unwrap();
    assert_eq!(bot.wait().unwrap().code(), Some(0));
    place
        .urtext(&["verify", "a.jsonl"])
        .expect(0)
        .says("incomplete: stops where Ann (first) has to move");
}
