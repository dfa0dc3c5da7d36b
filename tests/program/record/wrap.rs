//! A bot behind `urtext record`.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use urtext::protocol::LineEnding;
use urtext::transcript::Direction;

use super::command::{lines, recorded, recorder, tell};
use crate::harness::{PATIENT, PEERS, Place, URTEXT, count, has_python, quoted};

#[test]
fn a_game_of_wrapped_bots_is_recorded_whole_and_verified() {
    let place = Place::new();
    let bot = |seed: u32| format!("{} bot royalur --seed {seed}", quoted(URTEXT));
    let (first, second) = (
        recorder(&place, "first.jsonl", &bot(2)),
        recorder(&place, "second.jsonl", &bot(3)),
    );
    let args = [
        "referee", "royalur", "--seed", "8", "--pace", "0", "--bot", &first, "--bot", &second,
    ];
    let ran = place.urtext(&args);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let ran = place.urtext(&["verify", "--complete", "first.jsonl", "second.jsonl"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stdout.ends_with("2 games, 0 complaints\n"), "{ran:#?}");
    let both = place.urtext(&[
        "verify",
        "--together",
        "--complete",
        "first.jsonl",
        "second.jsonl",
    ]);
    assert_eq!(both.code, Some(0), "{both:#?}");
    assert!(
        both.stdout.starts_with("pass first.jsonl + second.jsonl: "),
        "{both:#?}"
    );
    let both = place.urtext(&["replay", "--print", "first.jsonl", "second.jsonl"]);
    assert!(
        both.code == Some(0) && both.stdout.contains("has won"),
        "{both:#?}"
    );
    assert_eq!(place.urtext(&["check", "first.jsonl"]).code, Some(0));
    let ran = place.urtext(&["replay", "--print", "second.jsonl"]);
    assert!(
        ran.code == Some(0) && ran.stdout.contains("has won"),
        "{ran:#?}"
    );
}

#[test]
fn recordings_of_two_games_are_not_one() {
    let place = Place::new();
    let bot = |seed: u32| format!("{} bot royalur --seed {seed}", quoted(URTEXT));
    for (seed, first, second) in [
        ("8", "first.jsonl", "unused.jsonl"),
        ("9", "other.jsonl", "second.jsonl"),
    ] {
        let (first, second) = (
            recorder(&place, first, &bot(2)),
            recorder(&place, second, &bot(3)),
        );
        let args = [
            "referee", "royalur", "--seed", seed, "--pace", "0", "--bot", &first, "--bot", &second,
        ];
        assert_eq!(place.urtext(&args).code, Some(0));
    }
    let ran = place.urtext(&["verify", "--together", "first.jsonl", "second.jsonl"]);
    assert!(
        ran.code == Some(1) && ran.stdout.starts_with("fail"),
        "{ran:#?}"
    );
}

#[test]
fn a_game_that_there_is_not_is_refused() {
    let ran = Place::new().urtext(&["record", "--game", "go", "--", "true"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(
        ran.stderr
            .contains("invalid value 'go' for '--game <GAME>'"),
        "{ran:#?}"
    );
}

#[test]
fn an_independent_bot_behind_it_passes_scenarios_for_bots() {
    if !has_python() {
        return;
    }
    let place = Place::new();
    let bot = format!("{PEERS}/ur_bot.py");
    let suites = ["royalur/bot/readings", "royalur/bot/opponent-is-retired"];
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
fn it_ends_as_the_bot_does_and_leaves_its_standard_error_alone() {
    let place = Place::new();
    let ran = place.urtext(&[
        "record",
        "-o",
        "a.jsonl",
        "--",
        "sh",
        "-c",
        "echo thinking >&2; printf 3; exit 7",
    ]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(7), "3"), "{ran:#?}");
    assert!(ran.stderr.starts_with("thinking\n"), "{ran:#?}");
    let text = std::fs::read_to_string(place.join("a.jsonl")).unwrap();
    assert!(
        text.contains("\"exited\":{\"status\":\"exit status 7\",\"success\":false}"),
        "{text}"
    );
    let game = recorded(&place, "a.jsonl");
    assert_eq!(game.lanes[0].entries[0].line.ending, LineEnding::Missing);
    let ran = place.urtext(&["record", "-o", "b.jsonl", "--", "sh", "-c", "kill -9 $$"]);
    assert_eq!(ran.code, Some(128 + 9), "{ran:#?}");
}

#[test]
fn a_bot_that_cannot_be_started_leaves_no_recording() {
    let place = Place::new();
    let ran = place.urtext(&["record", "-o", "a.jsonl", "--", "/no/such/bot"]);
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(
        ran.stderr.contains("`/no/such/bot` cannot be started"),
        "{ran:#?}"
    );
    assert!(!place.join("a.jsonl").exists());
    let ran = place.urtext(&["record", "-o", "no/such/folder/a.jsonl", "--", "true"]);
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert_eq!(place.urtext(&["record"]).code, Some(2));
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
