//! Bounds of what a scenario may ask for, in texts that are too large for files.

use super::{Files, REFEREE, with_turns};

const DIALOGUE: &str =
    "scenario: t\ngame: lines\nsubject: referee\nparticipants: [ada, bob]\nsteps:\n";
const TOO_MUCH: &str = "error[scenario/too-much]: this file takes too much work";

#[track_caller]
fn assert_said(text: &str, said: &str) {
    assert_said_beside(&Files::default(), text, said);
}

#[track_caller]
fn assert_said_beside(files: &Files, text: &str, said: &str) {
    let drawn = files.drawn(text);
    assert!(drawn.contains(said), "{drawn}");
}

/// A file that includes this one so many times.
fn including(name: &str, times: usize) -> String {
    format!("turns:\n  - include: [{}]\n", vec![name; times].join(", "))
}

fn cases(number: usize) -> String {
    let case = |number| format!("  - case: c{number}\n");
    format!("cases:\n{}", (0..number).map(case).collect::<String>())
}

#[test]
fn cases_and_what_they_fill_in_are_bounded() {
    let head = "game: royalur\nsubject: referee\nchecks: [ur/roll/line]\n";
    let turns = "turns:\n  - first: 0 0 0 0\n";
    let of = |text: &str| format!("{head}{text}");
    assert_said(
        &of(&format!("scenario: t\n{}{turns}", cases(20_000))),
        TOO_MUCH,
    );
    let long = "x".repeat(100_000);
    let title = "{a}".repeat(1000);
    assert_said(
        &of(&format!(
            "scenario: '{title}'\nvariables: {{a: {long}}}\n{turns}"
        )),
        TOO_MUCH,
    );
    let drawn = Files::default().drawn(&of(&format!("scenario: {long}\n{}{turns}", cases(2000))));
    assert!(drawn.contains(TOO_MUCH), "{drawn}");
    assert_eq!(drawn.matches("error[").count(), 1, "{drawn}");
    let turns = "  - first: 0 0 0 0\n  - second: 0 0 0 0\n".repeat(1000);
    assert_said(
        &of(&format!("scenario: t\n{}turns:\n{turns}", cases(90))),
        TOO_MUCH,
    );
}

#[test]
fn includes_are_bounded_in_depth_and_size_and_number() {
    let include = |name: &str| with_turns(REFEREE, &[&format!("include: {name}")]);
    let deep = (0..9).fold(Files::default(), |files, number| {
        let next = format!("_{}.yaml", number + 1);
        files.with(&format!("_{number}.yaml"), including(&next, 1))
    });
    let text = include("_0.yaml");
    assert_said_beside(&deep, &text, "files include each other at most 8 deep");
    let turns = "  - first: 0 0 0 0\n  - second: 0 0 0 0\n".repeat(10);
    let bomb = Files::default()
        .with("_0.yaml", including("_1.yaml", 8))
        .with("_1.yaml", including("_2.yaml", 8))
        .with("_2.yaml", including("_3.yaml", 8))
        .with("_3.yaml", format!("turns:\n{turns}"));
    assert_said_beside(&bomb, &text, "a scenario has at most 10000 turns");
    let filling = "x".repeat(4_000_000);
    let large = Files::default().with(
        "_0.yaml",
        format!("#{filling}\nturns:\n  - first: 0 0 0 0\n"),
    );
    assert_said_beside(
        &large,
        &include("[_0.yaml, _0.yaml, _0.yaml, _0.yaml, _0.yaml]"),
        TOO_MUCH,
    );
    let missing = Files::default()
        .with("_0.yaml", including("_1.yaml", 150))
        .with("_1.yaml", including("_2.yaml", 150));
    assert_said_beside(&missing, &text, TOO_MUCH);
    let empty = missing.with("_2.yaml", "turns: []\n");
    assert_said_beside(&empty, &text, TOO_MUCH);
    let wrong = Files::default().with("_0.yaml", including("x", 3000));
    let text = with_turns(REFEREE, &["include: _0.yaml"; 100]);
    assert_said_beside(&wrong, &text, TOO_MUCH);
}

#[test]
fn what_is_done_in_a_turn_is_bounded() {
    let turn = format!("{REFEREE}  - first: 0 0 1 1 > 3\n    meanwhile:\n");
    let acts = "      - second: send \"x\"\n".repeat(100);
    Files::default().sound(&format!("{turn}{acts}"));
    let drawn = Files::default().drawn(&format!("{turn}{acts}      - second: send \"x\"\n"));
    for said in [
        "error[turn/meanwhile]: at most 100 things can happen in one turn\n   --> s.yaml:108:9",
        "^ one too many",
        "= help: leave some out",
    ] {
        assert!(drawn.contains(said), "{drawn}");
    }
    // The budget of the file bounds the pieces: reading and playing 200,000 takes a second.
    let sending = |count: usize| {
        let parts = vec!["\"x\""; count].join(",\n      ");
        format!("{REFEREE}  - first: 0 0 1 1\n    send: [\n      {parts}]\n")
    };
    Files::default().sound(&sending(200_000));
    let drawn = Files::default().drawn(&sending(300_000));
    for said in [
        TOO_MUCH,
        "  --> s.yaml:26",
        "the limit is reached here",
        "= help: split the file, send or repeat less",
    ] {
        assert!(drawn.contains(said), "{drawn}");
    }
}

#[test]
fn the_steps_of_a_dialogue_are_bounded() {
    let repeat = |times: u32| {
        format!(
            "  - repeat: {times}\n    steps:\n      - repeat: 1000\n        steps: [ada gets: x]\n"
        )
    };
    let most = format!("{DIALOGUE}{}", repeat(1000));
    Files::default().sound(&most);
    let drawn = Files::default().drawn(&format!("{most}{}", repeat(50)));
    for said in [
        TOO_MUCH,
        "  --> s.yaml:13:17",
        "the limit is reached here",
        "= help: split the file, send or repeat less",
    ] {
        assert!(drawn.contains(said), "{drawn}");
    }
    let sends =
        "  - repeat: 1050\n    steps:\n      - repeat: 1000\n        steps: [ada sends: x]\n";
    assert_said(&format!("{DIALOGUE}{sends}"), TOO_MUCH);
}
