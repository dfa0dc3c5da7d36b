//! Faulty subjects in Python, written from the specification alone: what a run says of each, and what was expected before it was run.

use std::process::Command;

use crate::harness::{URTEXT, python};

/// Of both games and both sides, each with one wrong rule.
const SUBJECTS: [&str; 9] = [
    "cell-13-shared",
    "cell-12-private",
    "capture-gives-extra-turn",
    "crab-one-step",
    "middle-card-is-played",
    "takes-own-students",
    "top-not-turned",
    "only-roll-0-skips",
    "cell-8-gives-one-extra-turn",
];

#[test]
#[ignore = "it starts some hundred interpreters; .ci/run has it played"]
fn of_faulty_subjects_the_first_finding_names_the_requirement_and_no_wrong_cause() {
    let Some(python) = python() else {
        return;
    };
    let score = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers/faulty/score.py");
    let reports = tempfile::tempdir().unwrap();
    let ran = Command::new(python)
        .env("TMPDIR", reports.path())
        .args([score, URTEXT])
        .args(SUBJECTS)
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    for name in SUBJECTS {
        let line = said
            .lines()
            .find(|line| line.contains(&format!(" {name}: ")));
        let line = line.unwrap_or_else(|| panic!("{name}: {said}"));
        assert!(line.contains("requirement as expected"), "{said}");
        assert!(!line.ends_with("cause wrong"), "{said}");
    }
    assert!(said.contains("all: 9 subjects: caught 9 "), "{said}");
    let right = said.matches(", cause right\n").count();
    assert!(right >= 6, "{said}");
}
