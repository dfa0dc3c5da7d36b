//! `urtext seat`, and what leads to it.

use std::process::{Command, Stdio};

use crate::harness::URTEXT;

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
