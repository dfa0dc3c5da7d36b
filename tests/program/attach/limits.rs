//! What a subject may use up and where it runs, and how long a game may take.

use super::life::play;
use crate::harness::{Place, has_python};

const FIRST_SEAT: &str = "royalur/bot/first-seat";

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
        let budget = ["--budget", "handshake=60s"];
        let ran = play(
            &place,
            &[
                &["run", "--subject", "s", "--suite", FIRST_SEAT],
                &budget[..],
            ]
            .concat(),
        );
        assert_eq!(ran.code, Some(3), "{ran:#?}");
        assert!(ran.stdout.contains(words), "{limits}: {ran:#?}");
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
    let suites = [
        "--suite",
        FIRST_SEAT,
        "--suite",
        "royalur/bot/second-seat",
        "--jobs",
        "1",
    ];
    let ran = play(&place, &[&["run", "--subject", "s"], &suites[..]].concat());
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(!place.path().join("left").exists());
}

#[test]
fn a_game_that_takes_too_long_as_a_whole_says_which_budget_is_over() {
    let place = Place::with("  s: {as: bot, game: royalur, command: [sleep, '600']}\n");
    let args = [
        "run",
        "--subject",
        "s",
        "--suite",
        FIRST_SEAT,
        "--budget",
        "whole=200ms",
    ];
    let ran = play(&place, &args);
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    for words in [
        "error: the game was not over after 200ms",
        "--budget whole=DURATION gives it more time",
    ] {
        assert!(ran.stdout.contains(words), "{ran:#?}");
    }
}

#[test]
fn the_pace_counts_in_when_an_answer_is_waited_for() {
    let place = Place::with(
        "  s:
    as: referee
    game: royalur
    command: [PROGRAM, referee, royalur, --spectators, '{spectators}', --timeout, '{timeout}', --pace, '6']
    pace: 6s
    rolls: {environment: URTEXT_ROLLS}
",
    );
    let suite = ["--suite", "royalur/referee/own-token"];
    let ran = play(
        &place,
        &[
            &["run", "--subject", "s", "--budget", "answer=5s"],
            &suite[..],
        ]
        .concat(),
    );
    assert_eq!(ran.code, Some(0), "{ran:#?}");
}
