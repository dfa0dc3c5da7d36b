//! What a subject may use up and where it runs, and how long a game may take.

use super::life::play;
use crate::harness::{Place, Ran, has_python};

const FIRST_SEAT: &str = "royalur/bot/first-seat";

fn play_first_seat(place: &Place, more: &[&str]) -> Ran {
    let args = ["run", "--subject", "s", "--suite", FIRST_SEAT];
    play(place, &[&args[..], more].concat())
}

#[test]
fn limits_hold_for_the_subject_and_the_report_shows_what_came_of_it() {
    if !has_python() {
        return;
    }
    for (limits, script, words) in [
        ("memory: 200MiB", "bytearray(400 << 20)", "MemoryError"),
        (
            "cpu: 1s",
            "while True: pass",
            "killed by signal 24 (SIGXCPU)",
        ),
        (
            "open-files: 16",
            "a = [open(\"/dev/null\") for _ in range(20)]",
            "Too many open files",
        ),
    ] {
        let place = Place::with(&format!(
            "  s: {{as: bot, game: royalur, command: [PYTHON, -c, '{script}'], limits: {{{limits}}}}}\n"
        ));
        let patient = ["start", "handshake", "answer"].map(|of| format!("--budget={of}=60s"));
        play_first_seat(&place, &patient.each_ref().map(String::as_str))
            .expect(3)
            .says(words);
    }
}

#[test]
fn every_game_has_an_empty_folder_of_its_own() {
    // What is found there shows: a file of another game, or of the folder that urtext runs in, is none of the bot's.
    let script =
        "test -z \"$(ls -A)\" || exit 9; echo left >left; exec PROGRAM bot royalur --seed 1";
    let place = Place::with(&format!(
        "  s: {{as: bot, game: royalur, command: [sh, -c, '{script}']}}\n"
    ));
    let other = ["--suite", "royalur/bot/second-seat", "--jobs", "1"];
    play_first_seat(&place, &other).expect(0);
    assert!(!place.path().join("left").exists());
}

#[test]
fn a_game_that_takes_too_long_as_a_whole_says_which_budget_is_over() {
    let place = Place::with("  s: {as: bot, game: royalur, command: [sleep, '600']}\n");
    play_first_seat(&place, &["--budget", "whole=200ms"])
        .expect(3)
        .says("error: the game was not over after 200ms")
        .says("--budget whole=DURATION gives it more time");
}

#[test]
fn the_pace_counts_in_when_an_answer_is_waited_for() {
    let place = Place::with(
        "  s:
    as: referee
    game: royalur
    command: [PROGRAM, referee, royalur, --timeout, '{timeout}', --pace, '4']
    spectators: none
    pace: 4s
    rolls: {environment: URTEXT_ROLLS}
",
    );
    let head = "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/move/relayed-to-opponent]\nspectators: 0\n";
    let turns = "turns:\n  - first: 0 0 1 1 > 0\n  - second: 0 0 0 1 > \"7\" illegal\n";
    place.write("s.yaml", &format!("{head}{turns}"));
    let args = ["run", "s.yaml", "--subject", "s", "--budget", "answer=5s"];
    play(&place, &args).expect(0);
}
