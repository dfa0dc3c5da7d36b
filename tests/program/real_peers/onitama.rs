//! The Onitama challenge: an independent judge in all its ways of reading and measuring.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;

use super::{assert_passes, assert_same_goldens, run};
use crate::harness::{PEERS, URTEXT, count, has_python, python_words};

/// Takes the deal and the starter that a scenario forces.
const FORCED: &str = "--deal {deal} --starter {starter} ";

/// The arguments that make the independent judge the subject.
fn python_judge(options: &str) -> Vec<String> {
    let peer = format!("{PEERS}/oni_judge.py");
    let [python, no_site] = python_words();
    let ours = [
        "--as", "referee", "--game", "onitama", "--", python, no_site, &peer,
    ];
    let options = format!("--timeout {{timeout}} --seed {{seed}} {options}");
    ours.into_iter()
        .chain(options.split_whitespace())
        .map(str::to_owned)
        .collect()
}

/// Ways of the judge to accept, to read and to measure time, other than its usual one.
const STYLES: [&str; 3] = ["slow-accept", "fixed-order-poll", "one-second-clock"];

#[test]
#[ignore = "it starts some hundred interpreters; .ci/run has it played"]
fn the_independent_judge_passes_and_gives_the_shipped_golden_transcripts() {
    if has_python() {
        assert_same_goldens("onitama/referee", &python_judge(FORCED));
    }
}

/// The judge of the challenge, where URTEXT_ONITAMA_JUDGE is the command that begins it, such as `lua5.3 judge.lua`. Its port and its
/// timeout follow. It loses the first part of a line that comes in pieces, and a player without a valid move is rare.
#[test]
fn the_real_judge_fails_nothing_but_lines_in_pieces() {
    let Ok(command) = std::env::var("URTEXT_ONITAMA_JUDGE") else {
        eprintln!("skipped: URTEXT_ONITAMA_JUDGE names no judge");
        return;
    };
    let ready = "ready=Server running on port {port}";
    let mut args = vec![
        "run",
        "--suite",
        "onitama/referee",
        "--as",
        "referee",
        "--game",
        "onitama",
    ];
    args.extend([
        "--skip",
        "oni/input/in-pieces",
        "--set",
        ready,
        "--no-diagnosis",
    ]);
    args.extend(["--allow", "unsupported", "--allow", "inconclusive", "--"]);
    args.extend(command.split(' ').chain(["{port}", "{timeout}"]));
    crate::harness::urtext(&args).expect(0);
}

/// A judge may be slow to accept, ask its clients in turns, or count whole seconds.
#[test]
#[ignore = "it starts two hundred interpreters; .ci/run has it played"]
fn the_whole_suite_passes_against_the_judge_in_every_style() {
    if has_python() {
        let scenarios = count("onitama/referee");
        thread::scope(|scope| {
            for style in STYLES {
                let judge = python_judge(&format!("{FORCED} --style {style}"));
                scope.spawn(move || {
                    assert_passes(&["--suite", "onitama/referee"], &judge, scenarios);
                });
            }
        });
    }
}

#[test]
fn what_the_page_leaves_open_is_observed_and_both_ways_conform() {
    if !has_python() {
        return;
    }
    let open = [
        "cell-off-the-board",
        "column-off-the-board",
        "crlf",
        "lower-case-card",
        "unknown-card",
    ];
    let suites = open.map(|name| format!("onitama/referee/open-{name}"));
    let mut args: Vec<_> = suites.iter().flat_map(|suite| ["--suite", suite]).collect();
    args.push("-v");
    for (syntax, seen) in [("strict", "was ignored"), ("loose", "was taken as")] {
        let (code, said) = run(&args, &python_judge(&format!("{FORCED} --syntax {syntax}")));
        assert_eq!(code, Some(0), "{said}");
        assert_eq!(said.matches(seen).count(), open.len(), "{said}");
        assert!(said.contains("5 scenarios: 0 passed, 5 lenient"), "{said}");
    }
}

#[test]
#[ignore = "it starts a hundred interpreters; .ci/run has it played"]
fn a_judge_that_deals_by_chance_is_tested_by_scenarios_for_whatever_was_dealt() {
    if !has_python() {
        return;
    }
    let (code, said) = run(
        &[
            "--suite",
            "onitama/referee",
            "--allow",
            "unsupported",
            "--allow",
            "inconclusive",
        ],
        &python_judge("--first random"),
    );
    // Nobody waits long enough for a player without a valid move.
    assert_eq!(code, Some(0), "{said}");
    let last = said.lines().rfind(|line| line.contains(" passed, "));
    let last = last.expect("what was counted");
    assert!(last.contains(", 1 unsupported"), "{last}");
    assert!(!last.contains("failed"), "{last}");
}

/// A judge of one game that deals what it is told; it is ended with the test.
struct Judge(Child, String);

impl Judge {
    fn start(program: &str, args: &[&str]) -> Judge {
        let mut command = Command::new(program);
        command
            .args(args)
            .args(["--timeout", "60"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .trim_end()
            .strip_prefix("listening players=")
            .expect("where it listens")
            .to_owned();
        Judge(child, address)
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.1).unwrap()
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// The built-in judge and the independent one, each in a game of its own.
fn judges() -> Vec<Judge> {
    let deal = "Cobra,Eel,Crab,Rabbit,Tiger";
    let setup = format!("{deal} top");
    let built_in = ["referee", "onitama", "--setup", &setup];
    let mut judges = vec![Judge::start(URTEXT, &built_in)];
    if has_python() {
        let peer = format!("{PEERS}/oni_judge.py");
        let [python, no_site] = python_words();
        let forced = ["--deal", deal, "--starter", "Top"];
        let args = [&[no_site, peer.as_str()], &forced[..]].concat();
        judges.push(Judge::start(python, &args));
    }
    judges
}

fn rest_of(mut lane: TcpStream) -> String {
    let mut text = String::new();
    lane.read_to_string(&mut text).unwrap();
    text
}

const GREETING: &str = "Cards: Cobra,Eel,Crab,Rabbit,Tiger\nTop starts\n";

#[test]
fn a_third_client_changes_nothing_of_the_game() {
    for judge in judges() {
        let (mut top, bottom) = (judge.connect(), judge.connect());
        let _third = TcpStream::connect(&judge.1);
        // The middle card: that loses, after a move that does not.
        top.write_all(b"Eel c1 d2\n").unwrap();
        let mut bottom_sees = BufReader::new(bottom.try_clone().unwrap());
        let mut line = String::new();
        while line != "Eel c1 d2\n" {
            line.clear();
            assert!(
                bottom_sees.read_line(&mut line).unwrap() > 0,
                "the lane ends before the move"
            );
        }
        (&bottom).write_all(b"Eel a5 a4\n").unwrap();
        assert_eq!(rest_of(top), format!("You are Top\n{GREETING}Eel c1 d2\n"));
        let mut rest = String::new();
        bottom_sees.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
    }
}

#[test]
fn who_hangs_up_before_the_other_one_has_come_loses_the_game() {
    for judge in judges() {
        drop(judge.connect());
        assert_eq!(
            rest_of(judge.connect()),
            format!("You are Bottom\n{GREETING}")
        );
    }
}
