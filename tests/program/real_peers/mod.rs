//! The shipped suites against peers that share no code with urtext, and the example game of the specification. That their wrong variants
//! are caught, and that their bots pass, is in `snapshots/oracle-processes.txt`.

mod onitama;
mod royalur;

use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::{PATIENT, Place, ROOT, count, urtext_in};

/// Runs urtext in an empty folder: its exit status, and what it said on standard output.
fn run_in(folder: &Path, args: &[&str], subject: &[String]) -> (Option<i32>, String) {
    let subject: Vec<_> = subject.iter().map(String::as_str).collect();
    let ran = urtext_in(
        folder,
        &[&["run", "--jobs", "4"], args, &subject].concat(),
        "",
    )
    .quietly();
    (ran.code, ran.stdout)
}

fn run(args: &[&str], subject: &[String]) -> (Option<i32>, String) {
    run_in(Place::new().path(), &[&PATIENT, args].concat(), subject)
}

#[track_caller]
fn assert_passes(args: &[&str], subject: &[String], scenarios: usize) {
    let (code, said) = run(args, subject);
    let plural = if scenarios == 1 {
        "scenario"
    } else {
        "scenarios"
    };
    assert_eq!(code, Some(0), "{said}");
    // Status 0: each passed, where the specification leaves something open by a choice of the peer's own.
    assert!(said.contains(&format!("{scenarios} {plural}: ")), "{said}");
}

/// The files of the shipped golden transcripts of a suite, those of slow scenarios left out.
fn shipped_goldens(suite: &str) -> Vec<PathBuf> {
    let file = |name: &str| format!("{ROOT}/snapshots/{}.txt", name.replace('#', "."));
    let scenarios = urtext::scenario::suite::load(suite).0;
    let slow: Vec<_> = scenarios
        .iter()
        .filter(|scenario| scenario.keys.is_slow)
        .collect();
    let slow: Vec<_> = slow
        .iter()
        .map(|scenario| PathBuf::from(file(&scenario.name)))
        .collect();
    let mut goldens = files_below(&format!("{ROOT}/snapshots/{suite}"));
    goldens.retain(|path| !slow.contains(path));
    goldens
}

/// The files of a folder and of those in it.
fn files_below(folder: &str) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder)
        .into_iter()
        .map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().is_file());
    files.map(walkdir::DirEntry::into_path).collect()
}

/// The independent referee passes a shipped suite, and the golden transcripts that its games give are the shipped ones.
#[track_caller]
fn assert_same_goldens(suite: &str, subject: &[String]) {
    let place = tempfile::tempdir().unwrap();
    let scenarios = place.path().join("scenarios/referee");
    let shipped = format!("{ROOT}/scenarios/{suite}");
    for file in files_below(&shipped) {
        let text = fs::read_to_string(&file).unwrap();
        let text = text.replace("golden: seed-example.txt\n", "");
        let copy = scenarios.join(file.strip_prefix(&shipped).unwrap());
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::write(copy, text).unwrap();
    }
    let (code, said) = run_in(
        place.path(),
        &[&PATIENT[..], &["--bless", "scenarios"]].concat(),
        subject,
    );
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains(&format!("{} scenarios: ", count(suite))),
        "{said}"
    );
    let given = place.path().join("snapshots/referee");
    // Scenarios about what the specification leaves open have none.
    let goldens = shipped_goldens(suite);
    assert_eq!(files_below(given.to_str().unwrap()).len(), goldens.len());
    let shipped = format!("{ROOT}/snapshots/{suite}");
    for golden in goldens {
        let theirs = given.join(golden.strip_prefix(&shipped).unwrap());
        let theirs = fs::read_to_string(theirs).unwrap();
        assert_eq!(theirs, fs::read_to_string(&golden).unwrap(), "{golden:?}");
    }
}
