//! `urtext mutants`: what a suite catches. The oracle holds the shipped suites to catching every fault.

use crate::harness::{Place, Ran, urtext};

fn mutants(arguments: &[&str]) -> Ran {
    urtext(&[&["mutants"], arguments].concat())
}

#[test]
fn a_suite_that_catches_every_fault_names_them_only_where_all_are_named() {
    let suite = ["--suite", "royalur/bot"];
    mutants(&[&suite[..], &["--fault", "greets"]].concat())
        .expect(0)
        .says("mutation score 100 %: 1 of 1 caught, no false alarm, ")
        .leaves_out("royalur/bot/greets");
    mutants(&[&suite[..], &["--verbose"]].concat())
        .expect(0)
        .says("royalur, bot: mutation score 100 %: 18 of 18 caught, 1 observed, no false alarm, ")
        .says("pass  royalur/bot/greets ")
        .says(" says a line before anything else: caught by opponent-times-out\n")
        .says("observed: ur/bot/exit-status leaves it open\n");
}

#[test]
fn slow_scenarios_catch_wrong_defaults_of_a_referee() {
    let faults = ["--fault", "default-pace-0", "--fault", "default-timeout-60"];
    mutants(&[&["--slow", "--suite", "royalur/referee"], &faults[..]].concat())
        .expect(0)
        .says("2 of 2 caught, no false alarm");
}

#[test]
fn a_suite_that_misses_a_fault_says_so() {
    let suite = ["--suite", "royalur/referee/roll-heads"];
    mutants(&[&suite[..], &["--fault", "tails", "--fault", "six-wins"]].concat())
        .expect(1)
        .says("fail[ur/win/seven-out]: royalur/referee/six-wins: six tokens out won the game: no scenario notices\n")
        .says("mutation score 50 %: 1 of 2 caught, no false alarm")
        .leaves_out("tails");
    mutants(&[
        "--suite",
        "royalur/bot/first-seat",
        "--fault",
        "survives-end",
        "-v",
    ])
    .expect(1)
    .says("\nno fault makes these fail: royalur/bot/first-seat\n");
}

#[test]
fn a_scenario_that_the_honest_peer_does_not_keep_is_a_false_alarm() {
    let place = Place::new();
    let text = "scenario: a bot that has to stay silent on a roll that it can use\ngame: royalur\nsubject: bot\nseat: first\n\
                checks: [ur/bot/legal-token]\nturns:\n  - bot: 0 0 1 1 > 6\n  - opponent: 0 0 0 1 > 0\n  - bot: 0 0 0 1 > 6\n";
    place.write("wrong.yaml", text);
    place
        .urtext(&["mutants", "wrong.yaml", "--fault", "greets"])
        .expect(1)
        .says("1 false alarm");
}

#[test]
fn suggests_the_fault_that_was_meant() {
    mutants(&["--suite", "royalur/bot", "--fault", "greet"])
        .expect(2)
        .complains("did you mean `greets`?");
}
