//! Dialogues by a clock that the test turns: no repeat keeps a game from being ended.

use std::time::Duration;

use crate::event::What;
use crate::finding::Verdict;
use crate::judge::Settings;
use crate::judge::table_tests::{Table, closed, line, said, settings};
use crate::scenario::MOST_SENT;
use crate::transcript::{Close, Direction};

/// The most actions that one event may lead to: a step each, and what begins and ends a wait.
const MOST_ACTIONS: usize = 1010;

const RECEIVED: Direction = Direction::Received;

/// A dialogue between the judge and a subject that the test plays.
fn dialogue(steps: &str) -> Table {
    let steps: String = steps.lines().map(|step| format!("  {step}\n")).collect();
    let settings = Settings {
        timeout: None,
        ..settings()
    };
    let head = "scenario: t\ngame: lines\nsubject: referee\nparticipants: [a, b]\nsteps:\n";
    Table::new(&(head.to_owned() + &steps), settings)
}

/// Lets time pass until so many milliseconds.
fn until(table: &mut Table, milliseconds: u64) {
    let until = Duration::from_millis(milliseconds);
    while table.step(until) {}
    table.now = until;
}

/// The first participant receives a line at a time in milliseconds.
fn hears(table: &mut Table, at: u64, text: &str) {
    until(table, at);
    table.next.push_back(said(RECEIVED, text));
    until(table, at);
}

#[track_caller]
fn assert_ends(mut table: Table, verdict: Verdict) -> String {
    until(&mut table, 60_000);
    let judgement = table.judge.conclude();
    let findings = &judgement.findings;
    assert_eq!(judgement.verdict, verdict, "{findings:#?}");
    findings
        .first()
        .map_or(String::new(), |first| first.title.to_string())
}

/// One step in three repeats, 500,000 times in all: half of what a dialogue may have.
fn repeated(step: &str) -> String {
    format!(
        "- repeat: 50\n  steps:\n    - repeat: 100\n      steps:\n        - repeat: 100\n          steps:\n            - {step}"
    )
}

/// Plays on, at most so many events; the subject sends `x` to whoever waits for it, and ends once.
fn play(table: &mut Table, events: usize) {
    let mut has_ended = false;
    while table.events < events && !table.judge.is_finished() {
        // What is to come at once comes before the line that is waited for.
        let now = table.now;
        if table.step(now) {
            continue;
        }
        if !has_ended && table.events > 2 && table.sent.0 == 0 && table.alarm.is_some() {
            table.take(said(RECEIVED, "x"));
        } else if !table.step(Duration::MAX) {
            has_ended = true;
            table.take(closed(0, RECEIVED, Close::End));
        }
    }
}

#[test]
fn no_step_that_is_repeated_keeps_the_judge_from_hearing_what_else_happens() {
    let steps = [
        "a sends: x",
        "a gets: x",
        "a gets: {any of: [y, x]}",
        "a gets: {optional: y}",
        "a sees: end",
        "a waits: 0ms",
        "a leaves: half-close",
        "a reads: everything",
    ];
    for step in steps {
        let text = repeated(step);
        // Whenever the run is interrupted, the game is over at once.
        for events in [3, 50, 400] {
            let mut table = dialogue(&text);
            play(&mut table, events);
            assert!(
                table.most <= MOST_ACTIONS,
                "{step}: {} actions at once",
                table.most
            );
            let is_over = table.judge.is_finished();
            table.take(What::Interrupted);
            assert!(table.judge.is_finished(), "{step}");
            assert!(
                is_over || table.judge.conclude().verdict == Verdict::Inconclusive,
                "{step}"
            );
        }
    }
}

#[test]
fn what_is_repeated_is_done_as_often_as_it_stands_there() {
    let mut table = dialogue(&repeated("a sends: x"));
    play(&mut table, usize::MAX);
    assert_eq!(table.sent, (500_000, 1_000_000));
    assert!(table.most <= MOST_ACTIONS, "{}", table.most);
    assert_eq!(table.judge.conclude().verdict, Verdict::Pass);
}

#[test]
fn lines_that_came_before_they_were_looked_at_are_looked_at_a_part_at_a_time() {
    let mut table = dialogue(
        "- a gets: {optional: never}\n- b gets: x\n- repeat: 100000\n  steps: [{a gets: y}]",
    );
    while table.step(Duration::ZERO) {}
    (0..100_000).for_each(|_| table.take(line(0, RECEIVED, "y")));
    table.take(line(1, RECEIVED, "x"));
    let before = table.events;
    assert!(!table.judge.is_finished());
    while table.step(Duration::ZERO) {}
    assert!(
        table.events - before >= 100,
        "{} events",
        table.events - before
    );
    assert_ends(table, Verdict::Pass);
}

#[test]
fn a_wait_goes_on_after_the_judge_has_given_way() {
    // The answer that is due after a thousand steps is waited for as long as any other first line.
    let steps = "- repeat: 999\n  steps: [{a reads: everything}]\n- a gets: go";
    let mut table = dialogue(steps);
    hears(&mut table, 14_900, "go");
    assert_ends(table, Verdict::Pass);
    let mut table = dialogue(steps);
    until(&mut table, 15_100);
    assert!(table.judge.is_finished(), "nothing came within the budget");
}

#[test]
fn what_was_captured_cannot_be_sent_without_end() {
    let repeated =
        "- a gets: \"{id}\"\n- repeat: 1000\n  steps:\n    - a sends: \"{id}\"".to_owned();
    let names = "{id}".repeat(100_000);
    // However often a name stands in one line, no more is put together.
    for steps in [
        repeated,
        format!("- a gets: \"{{id}}\"\n- a sends: \"{names}\""),
    ] {
        let mut table = dialogue(&steps);
        hears(&mut table, 0, &"x".repeat(60_000));
        let (lines, sent) = table.sent;
        assert!(
            sent <= MOST_SENT && (lines == 0 || sent > MOST_SENT / 2),
            "{sent}"
        );
        let title = assert_ends(table, Verdict::Error);
        assert!(title.contains("more than 16777216 bytes"), "{title}");
    }
}

#[test]
fn doubled_braces_are_sent_in_one_go() {
    let braces = "{".repeat(1_000_000);
    let mut table = dialogue(&format!(
        "- a gets: \"{{id}}\"\n- a sends: \"{braces}{{id}}\""
    ));
    hears(&mut table, 0, "7");
    assert_eq!(table.sent.1, 500_002);
    assert_ends(table, Verdict::Pass);
}

#[test]
fn only_so_many_lines_pass_by_before_the_one_that_is_waited_for() {
    for (others, verdict) in [(10_000, Verdict::Pass), (10_001, Verdict::Fail)] {
        let mut table = dialogue("- a gets: {until: go}");
        for _ in 0..others {
            table.next.push_back(said(RECEIVED, "info"));
        }
        hears(&mut table, 0, "go");
        assert_ends(table, verdict);
    }
}
