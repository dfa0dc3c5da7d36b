//! What the suites catch: every fault of the built-in peers is played against the whole suite of its side.
//!
//! `urtext mutants --verbose` prints what stands behind this.

use crate::harness::urtext;

fn mutants(arguments: &[&str]) -> (Option<i32>, String, String) {
    let ran = urtext(&[&["mutants"], arguments].concat());
    (ran.code, ran.stdout, ran.stderr)
}

/// Runs a suite against all faults; the suite has to catch every one, and every scenario has to be of use. The oracle holds the suites for
/// referees to the same.
fn prove(suite: &str, at_least: usize) {
    let (status, said, problems) = mutants(&["--suite", suite, "--verbose"]);
    assert_eq!(status, Some(0), "{said}\n{problems}");
    assert!(said.contains("mutation score 100 %: "), "{said}");
    assert!(said.contains(", no false alarm, "), "{said}");
    assert!(!said.contains("no fault makes these fail:"), "{said}");
    let scores = said.lines().filter_map(|line| line.strip_prefix("  "));
    let scores = scores.filter_map(|line| line.split_once("  "));
    let scores: Vec<_> = scores.map(|(word, _)| word.trim()).collect();
    let number = |words: &[&str]| scores.iter().filter(|word| words.contains(word)).count();
    assert!(
        number(&["caught", "observed", "error"]) >= at_least,
        "{said}"
    );
    assert_eq!(number(&["elsewhere", "MISSED"]), 0, "{said}");
}

#[test]
fn the_suite_for_bots_of_ur_catches_every_fault_for_what_it_breaks() {
    prove("royalur/bot", 15);
}

#[test]
fn slow_scenarios_catch_wrong_defaults_of_a_referee() {
    let faults = ["--fault", "default-pace-0", "--fault", "default-timeout-60"];
    let (status, said, _) =
        mutants(&[&["--slow", "--suite", "royalur/referee"], &faults[..]].concat());
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("2 of 2 caught, no false alarm"), "{said}");
}

#[test]
fn a_suite_that_misses_a_fault_says_so() {
    let only = [
        "--suite",
        "royalur/referee/roll-heads",
        "--fault",
        "tails",
        "--fault",
        "six-wins",
    ];
    let (status, said, _) = mutants(&only);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("caught     tails"), "{said}");
    assert!(said.contains("MISSED     six-wins"), "{said}");
    assert!(
        said.contains("mutation score 50 %: 1 of 2 caught, no false alarm"),
        "{said}"
    );
}

#[test]
fn a_scenario_that_the_honest_peer_does_not_keep_is_a_false_alarm() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong.yaml");
    let text = "scenario: a bot that has to stay silent on a roll that it can use\ngame: royalur\nsubject: bot\nseat: first\n\
                checks: [ur/bot/legal-token]\nturns:\n  - bot: 0 0 1 1 > 6\n  - opponent: 0 0 0 1 > 0\n  - bot: 0 0 0 1 > 6\n";
    std::fs::write(&file, text).unwrap();
    let (status, said, _) = mutants(&[file.to_str().unwrap(), "--fault", "greets"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("1 false alarm"), "{said}");
}

#[test]
fn suggests_the_fault_that_was_meant() {
    let (status, _, problems) = mutants(&["--suite", "royalur/bot", "--fault", "greet"]);
    assert_eq!(status, Some(2));
    assert!(problems.contains("did you mean `greets`?"), "{problems}");
}

#[test]
fn the_suite_for_bots_of_onitama_catches_every_fault_for_what_it_breaks() {
    prove("onitama/bot", 15);
}
