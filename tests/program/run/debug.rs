//! `--debug` and `--pause-at`.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use nix::sys::signal::kill;
use nix::unistd::Pid;

use crate::harness::{Place, faulty_referee};

/// A folder with a sound referee and bot whose budgets end every game before it begins.
fn hasty() -> Place {
    let budgets =
        "budgets: {start: 1ms, handshake: 1ms, answer: 1ms, close: 1ms, forfeit: 1ms, whole: 1ms}";
    let place = Place::with("");
    let subjects = format!(
        "  mine: {{as: bot, game: royalur, command: [PROGRAM, bot, royalur], {budgets}}}\n  \
           ref:\n    as: referee\n    game: royalur\n    {budgets}\n    rolls: {{environment: URTEXT_ROLLS}}\n    \
           command: [PROGRAM, referee, royalur, --spectators, '{{spectators}}', --pace, '{{pace}}', --timeout, '{{timeout}}']\n"
    );
    let subjects = subjects.replace("PROGRAM", crate::harness::URTEXT);
    place.write("urtext.yaml", &format!("subjects:\n{subjects}"));
    place
}

const REFEREE: [&str; 4] = ["--suite", "royalur/referee/own-token", "--subject", "ref"];

#[test]
fn a_paused_game_goes_on_at_enter_and_no_budget_ends_it() {
    let place = hasty();
    place.run(&REFEREE).expect(3);
    let args = [&["run"], &REFEREE[..], &["--debug", "--pause-at", "3"]].concat();
    let mut command = place.command(&args);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped.stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut before = Vec::new();
    while before
        .last()
        .is_none_or(|line: &String| !line.starts_with("paused in turn 3: "))
    {
        let mut line = String::new();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "{before:#?}");
        before.push(line.trim_end().to_owned());
    }
    let process = before[0].strip_prefix("ref runs as process ").unwrap();
    let (id, _) = process.split_once(';').unwrap();
    kill(Pid::from_raw(id.parse().unwrap()), None).expect("the subject is there");
    let advice = [format!("  gdb -p {id}"), format!("  lldb -p {id}")];
    assert_eq!(before[1..3], advice);
    assert!(before[3].starts_with(&format!("  py-spy dump --pid {id}")));
    // Two turns are over, and what belongs to the third is not sent.
    let moves = |lines: &[String]| lines.iter().filter(|line| line.contains(" > ")).count();
    assert_eq!(moves(&before), 2, "{before:#?}");
    assert!(
        before.contains(&"PlayerA (first) < 0 0 1 1".to_owned()),
        "{before:#?}"
    );
    assert!(
        before.iter().any(|line| line.starts_with("ref: ")),
        "{before:#?}"
    );
    child.stdin.take().unwrap().write_all(b"\n").unwrap();
    let mut after = String::new();
    stderr.read_to_string(&mut after).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}{after}");
    let after: Vec<_> = after.lines().map(str::to_owned).collect();
    assert!(moves(&after) > 2, "{after:#?}");
    for line in ["spectator 1 < RETIRE", "spectator 1: closed by the referee"] {
        assert!(after.contains(&line.to_owned()), "{after:#?}");
    }
    assert!(said.contains("1 scenario: 1 passed"), "{said}");
}

#[test]
fn without_standard_input_a_paused_game_goes_on() {
    let bot = [
        "--suite",
        "royalur/bot/first-seat",
        "--subject",
        "mine",
        "--debug",
        "--pause-at",
        "1",
    ];
    let ran = hasty().run(&bot).expect(0);
    let paused = ran
        .stderr
        .find("paused in turn 1: press Enter to go on\n")
        .unwrap();
    let first = ran.stderr.find("(first) < ").unwrap();
    assert!(paused < first, "{ran:#?}");
    ran.complains("standard input is closed, so the game goes on")
        .complains("mine has ended: exit status 0");
}

#[test]
fn a_failure_is_found_in_one_game() {
    let place = Place::new();
    let game = [
        "--suite",
        "royalur/referee/own-token",
        "--no-diagnosis",
        "--debug",
    ];
    let ran = place
        .run(&[&game[..], &faulty_referee("stacking")].concat())
        .expect(1);
    assert_eq!(
        ran.stderr.matches(" runs as process ").count(),
        1,
        "{ran:#?}"
    );
    ran.says("1 scenario: 0 passed, 1 failed");
}

#[test]
fn one_scenario_with_turns_is_debugged() {
    let place = Place::new();
    let run = |args: &[&str]| place.run(&[args, &["--debug"]].concat()).expect(2);
    run(&["--suite", "royalur/bot"]).complains("--debug plays one game, and this would be 2");
    run(&["--suite", "royalur/bot/first-seat", "--pause-at", "0"]).complains("--pause-at");
    run(&["--suite", "royalur/bot/first-seat", "--simulated"]).complains("--simulated");
    place
        .run(&["--pause-at", "1"])
        .expect(2)
        .complains("--debug");
    let lines = "scenario: t\ngame: lines\nsubject: referee\nparticipants: [ada]\nsteps:\n";
    place.write("lines.yaml", &format!("{lines}  - ada sends: hello\n"));
    let talk = ["lines.yaml", "--as", "referee", "--game", "lines"];
    let server = ["--connect", "127.0.0.1:1", "--debug", "--pause-at", "1"];
    let ran = place.run(&[&talk[..], &server].concat()).expect(2);
    ran.complains("a scenario of `game: lines` has none");
}
