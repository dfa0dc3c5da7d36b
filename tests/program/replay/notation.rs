//! The states of hc-ur, held against those of an independent program.

use std::fs;
use std::process;

use crate::harness::{DATA, PEERS, Ran, python, urtext_in};

/// Runs it beside the data of the tests.
fn urtext(arguments: &[&str]) -> Ran {
    urtext_in(DATA.as_ref(), arguments, "")
}

const CAPTURED: &str = "code-colosseum/spectator.received";

#[test]
fn an_independent_program_comes_to_the_same_states() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("game.json");
    fs::write(
        &records,
        urtext(&["replay", CAPTURED, "--to", "hc-ur"]).stdout,
    )
    .unwrap();
    let program = format!("{PEERS}/hcur_state.py");
    let output = process::Command::new(python)
        .arg(program)
        .arg(&records)
        .output()
        .unwrap();
    let states = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        states.lines().count(),
        164,
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for (turn, theirs) in states
        .lines()
        .enumerate()
        .filter(|(turn, _)| turn % 9 == 1 || *turn > 160)
    {
        let turn = (turn + 1).to_string();
        let ours = urtext(&["replay", CAPTURED, "--to", "state", "--at", &turn]).stdout;
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&ours), value(theirs), "turn {turn}");
    }
}
