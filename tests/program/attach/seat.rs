//! `urtext seat`, and what leads to it.

use std::process::{Command, Stdio};

use super::transcripts::transcripts;
use crate::harness::{Place, URTEXT};

#[test]
fn a_seat_without_a_session_says_so() {
    let seat = |args: &[&str]| {
        let mut command = Command::new(URTEXT);
        command
            .arg("seat")
            .args(args)
            .env_remove("URTEXT_SEAT_SOCKET")
            .env_remove("URTEXT_SEAT_TOKEN");
        command.stdin(Stdio::null()).output().unwrap()
    };
    let output = seat(&["first", "--socket", "/nowhere/at/all", "--token", "0"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("no session of urtext is there"),
        "{output:?}"
    );
    assert_eq!(seat(&["first"]).status.code(), Some(2));
}

#[test]
fn a_referee_can_have_the_command_of_a_seat_in_its_own_settings() {
    // Socket and token are in the environment, so that a fixed command does.
    let script = "exec PROGRAM referee royalur --bot 'PROGRAM seat first' --bot 'PROGRAM seat second' --pace 0";
    let place = Place::with(&format!(
        "  fixed:
    as: referee
    game: royalur
    reach: seats
    command: [sh, -c, \"{script}\"]
    rolls: {{environment: URTEXT_ROLLS}}
"
    ));
    transcripts(
        &place,
        "fixed",
        &[
            "royalur/referee/seed-example",
            "royalur/referee/capture-cell-5",
        ],
    );
}
