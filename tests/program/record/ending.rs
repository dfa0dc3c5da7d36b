//! How a bot behind `urtext record` ends, and what befalls the recording meanwhile.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use urtext::transcript::Direction;

use super::command::{let_hang_ups_through, lines, recorded, tell};
use crate::harness::{Place, URTEXT, has};

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
    has(&said, "the bot has ended, and what it has started goes on");
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
    has(&said, "a.jsonl could not be written to its end: ");
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
