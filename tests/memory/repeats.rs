//! Scenarios that repeat as much as a scenario may: they take little memory, and the game budget ends them.

use std::process::Command;
use std::thread;

use super::flood::assert_little_memory;

const URTEXT: &str = env!("CARGO_BIN_EXE_urtext");

/// What `urtext run` says of a step that is repeated a million times, against a bot that ends with its input, and its status.
fn repeated(step: &str, args: &[&str]) -> (String, Option<i32>) {
    let place = tempfile::tempdir().unwrap();
    let head = "scenario: t\ngame: lines\nsubject: bot\nsteps:\n";
    let steps = format!(
        "  - repeat: 1000\n    steps:\n      - repeat: 1000\n        steps: [{{{step}}}]\n"
    );
    std::fs::write(place.path().join("s.yaml"), head.to_owned() + &steps).unwrap();
    let output = Command::new(URTEXT)
        .args("run s.yaml --game lines --as bot --record recordings".split(' '))
        .args(args)
        .args(["--", "sh", "-c", "cat >/dev/null"])
        .current_dir(place.path())
        .env_remove("CI")
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    // How far a run is that takes long is said there.
    let is_beat =
        |line: &str| line.starts_with("urtext: ") && line.contains(" games played after ");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.lines().all(is_beat), "{stderr}");
    (said, output.status.code())
}

#[test]
fn a_million_optional_lines_and_a_million_lines_that_are_sent_fit_into_little_memory() {
    thread::scope(|scope| {
        for step in ["bot sends: {optional: x}", "bot gets: x"] {
            scope.spawn(move || {
                let (said, status) = repeated(step, &[]);
                assert_eq!(status, Some(0), "{said}");
            });
        }
    });
    assert_little_memory();
}

#[test]
fn the_game_budget_ends_a_game_that_always_has_a_step_to_take() {
    // No machine wakes anybody a million times in that time.
    let (said, status) = repeated("bot waits: 0ms", &["--budget", "whole=50ms"]);
    assert_eq!(status, Some(3), "{said}");
    assert!(
        said.contains("error: the game was not over after 50ms"),
        "{said}"
    );
}
