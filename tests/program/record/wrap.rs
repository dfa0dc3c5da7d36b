//! A bot behind `urtext record`.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use urtext::transcript::Direction;

use super::command::{lines, recorded, tell};
use crate::harness::{PATIENT, PEERS, Place, URTEXT, count, has_python};

#[test]
fn an_independent_bot_behind_it_passes_scenarios_for_bots() {
    if !has_python() {
        return;
    }
    let place = Place::new();
    let bot = format!("{PEERS}/ur_bot.py");
    let suites = ["royalur/bot/mistakes", "royalur/bot/opponent-is-retired"];
    let [one, other] = suites;
    let run = [
        "--suite",
        one,
        "--suite",
        other,
        "--as",
        "bot",
        "--no-gate",
        "--jobs",
        "4",
    ];
    let bot = [
        "--", URTEXT, "record", "--", "python3", &bot, "--policy", "last",
    ];
    let ran = place.run(&[&run, &PATIENT[..], &bot].concat());
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    // Each game runs in this folder, and none has overwritten another's recording.
    // On a slow machine a game is played twice, to be sure.
    let (games, files) = (
        suites.into_iter().map(count).sum::<usize>(),
        std::fs::read_dir(place.path()).unwrap().count(),
    );
    assert!(
        files >= games && ran.stdout.contains(&format!("{games} scenarios: ")),
        "{files} files: {ran:#?}"
    );
}

#[test]
fn half_lines_pass_at_once_in_both_directions_and_ends_one_by_one() {
    let place = Place::new();
    // It answers half a line before it has read a whole one, and says its last after its input has ended.
    let script = "printf half; dd bs=1 count=3 2>/dev/null >/dev/null; printf ' line\\n'; cat >/dev/null; echo last";
    let mut command = place.command(&["record", "-o", "a.jsonl", "--", "sh", "-c", script]);
    let mut bot = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, mut output) = (bot.stdin.take().unwrap(), bot.stdout.take().unwrap());
    let mut half = [0; 4];
    output.read_exact(&mut half).unwrap();
    assert_eq!(&half, b"half");
    input.write_all(b"0 1").unwrap();
    let mut output = BufReader::new(output);
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, " line\n");
    drop(input);
    line.clear();
    output.read_to_string(&mut line).unwrap();
    assert_eq!(line, "last\n");
    assert!(bot.wait().unwrap().success());
    let game = recorded(&place, "a.jsonl");
    assert_eq!(
        lines(&game, 0, Direction::Sent),
        [&b"half line"[..], b"last"]
    );
    assert_eq!(lines(&game, 0, Direction::Received), [b"0 1"]);
}

#[test]
fn a_termination_is_passed_on_to_the_bot() {
    let place = Place::new();
    let script = "trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.01; done";
    let mut command = place.command(&["record", "-o", "a.jsonl", "--", "sh", "-c", script]);
    let mut bot = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(bot.stdout.take().unwrap());
    let mut said = String::new();
    output.read_line(&mut said).unwrap();
    tell(&bot, nix::sys::signal::Signal::SIGTERM);
    output.read_to_string(&mut said).unwrap();
    assert_eq!(said, "ready\nbye\n");
    assert_eq!(bot.wait().unwrap().code(), Some(5));
}

#[test]
fn a_killed_recorder_has_written_every_line_that_it_passed_on() {
    let place = Place::new();
    let script = "n=0; while :; do n=$((n + 1)); echo $n; done";
    for lines_read in [1, 100, 3000] {
        let name = format!("{lines_read}.jsonl");
        let mut command = place.command(&["record", "-o", &name, "--", "sh", "-c", script]);
        let mut bot = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(bot.stdout.take().unwrap());
        let mut passed = String::new();
        for _ in 0..lines_read {
            output.read_line(&mut passed).unwrap();
        }
        bot.kill().unwrap();
        bot.wait().unwrap();
        output.read_to_string(&mut passed).unwrap();
        let passed: Vec<_> = passed
            .split_inclusive('\n')
            .filter_map(|line| line.strip_suffix('\n'))
            .collect();
        let written = lines(&recorded(&place, &name), 0, Direction::Sent);
        assert!(passed.len() >= lines_read && written.len() >= passed.len());
        let is_there = passed
            .iter()
            .zip(&written)
            .all(|(passed, written)| passed.as_bytes() == written);
        assert!(
            is_there,
            "{} lines passed, {} written",
            passed.len(),
            written.len()
        );
    }
}
