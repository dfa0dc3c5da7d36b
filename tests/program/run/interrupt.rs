//! What an interrupt leaves.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, mkfifo};

use crate::harness::{Place, Ran, URTEXT, has};

/// Ends a run in which the subject has just begun to wait for ever, and returns what was said.
fn ended_by(signal: Signal, args: &[&str], script: &str) -> Ran {
    let place = Place::new();
    let fifo = place.path().join("fifo");
    mkfifo(&fifo, Mode::S_IRWXU).unwrap();
    let mut command = Command::new(URTEXT);
    command
        .current_dir(place.path())
        .arg("run")
        .args(args)
        .args(["--", "sh", "-c", script, URTEXT]);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The subject holds the other end open as long as it lives.
    let mut subject = BufReader::new(File::open(&fifo).unwrap());
    let mut line = String::new();
    subject.read_line(&mut line).unwrap();
    assert_eq!(line, "waiting\n");
    kill(Pid::from_raw(child.id().cast_signed()), signal).unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    let mut rest = String::new();
    subject.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "", "the subject is gone");
    ran
}

const NEVER: &[&str] = &["--budget=answer=1h", "--budget=start=1h", "--jobs=1"];

#[test]
fn is_130_with_a_report_and_ends_the_subject_of_a_running_game() {
    let bot = [&["--suite", "royalur/bot/first-seat", "--as", "bot"], NEVER].concat();
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let ran = ended_by(
            signal,
            &bot,
            "exec 3>fifo; read name; echo waiting >&3; trap '' INT TERM; while :; do read x; done",
        )
        .expect(130);
        assert!(ran.stdout.contains("inconclusive: interrupted"), "{ran:#?}");
        has(&ran.stdout, "1 scenario: 0 passed, 1 inconclusive");
    }
}

#[test]
fn ends_a_referee_that_is_still_starting_and_its_children() {
    let referee = [&["--free-games", "1", "--as", "referee"], NEVER].concat();
    let ran = ended_by(
        Signal::SIGINT,
        &referee,
        "exec 3>fifo; (trap '' INT TERM; echo waiting >&3; tail -f /dev/null) & wait",
    )
    .expect(130);
    assert!(ran.stdout.contains("inconclusive: interrupted"), "{ran:#?}");
}

#[test]
fn outweighs_a_failure_and_shows_it_all_the_same() {
    // The first scenario fails, and in the second the subject waits.
    let bot = [
        &[
            "--suite",
            "royalur/bot/first-seat",
            "--suite",
            "royalur/bot/second-seat",
            "--as",
            "bot",
        ],
        NEVER,
    ]
    .concat();
    let script = "read a; read b; read seat; if [ $seat = 0 ]; then echo banana; exit; fi\n\
                  exec 3>fifo; echo waiting >&3; while read x; do :; done; tail -f /dev/null";
    let ran = ended_by(Signal::SIGINT, &bot, script).expect(130);
    assert!(ran.stdout.contains("fail[ur/bot/plain-digit]"), "{ran:#?}");
    assert!(ran.stdout.contains("1 failed, 1 inconclusive"), "{ran:#?}");
}
