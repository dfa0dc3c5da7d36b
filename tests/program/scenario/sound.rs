//! What follows from scenarios without a fault. What is read of them is in `snapshots/cases/sound`.

use super::{BOT, Files, REFEREE, with_turns};
use urtext::rules::Roll;

#[test]
fn needs_a_timeout_where_nothing_comes_that_decides() {
    for (turn, needs) in [
        ("first: 0 0 1 1 > silent", true),
        ("first: 0 0 1 1\n    send: \"3\"", true),
        ("first: 0 0 1 1\n    send: \"3\\n\"", false),
        ("first: 0 0 1 1\n    send: \"3\"\n    then: reset", false),
    ] {
        let scenarios = Files::default().sound(&with_turns(REFEREE, &[turn]));
        assert_eq!(
            scenarios[0].game().unwrap().needs_timeout(),
            needs,
            "{turn}"
        );
    }
}

#[test]
fn a_barrier_is_the_least_roll_that_leaves_a_move() {
    let open = "first: 0 0 1 1\n    send: \"+3\\n\"";
    for (head, turns, barrier) in [
        (REFEREE, &["first: 0 0 0 0"][..], Some(Roll(1))),
        // With a 1, every other token would land on the one on the first cell, and that one can still move.
        (
            REFEREE,
            &["first: 0 0 0 1 > 0", "second: 0 0 0 0"],
            Some(Roll(1)),
        ),
        // Whatever is made of it, a 1 leaves a move after it.
        (REFEREE, &[open], Some(Roll(1))),
        (REFEREE, &["first: 0 0 0 1 > \"x\" illegal"], None),
        (REFEREE, &["first: 0 0 0 1 > silent"], None),
        (REFEREE, &["first: 0 0 0 0", "play: to the end"], None),
        (BOT, &["bot: 0 0 0 0"], None),
    ] {
        let scenarios = Files::default().sound(&with_turns(head, turns));
        assert_eq!(scenarios[0].game().unwrap().barrier, barrier, "{turns:?}");
    }
}

#[test]
fn the_scenarios_in_the_documentation_are_sound() {
    let page = include_str!("../../../docs/scenarios.md");
    let examples: Vec<&str> = page
        .split("```yaml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    // One that begins with its file's name is beside the others.
    let named = |example: &&str| example.starts_with("# _");
    let files = examples.iter().filter(|example| named(example)).fold(
        Files::default(),
        |files, example| {
            let (name, text) = example.split_once('\n').unwrap();
            files.with(name.trim_start_matches("# "), text)
        },
    );
    let read: Vec<usize> = examples
        .iter()
        .filter(|example| !named(example))
        .map(|example| files.sound(example).len())
        .collect();
    assert!(read.contains(&1) && read.contains(&2), "{read:?}");
}
