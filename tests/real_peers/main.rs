//! The shipped suites against peers that share no code with urtext, and the example game of the specification.

mod onitama;
mod royalur;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const URTEXT: &str = env!("CARGO_BIN_EXE_urtext");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Whether there is a Python to run the peers with. Where not, the test says so, or fails if nothing may be left out.
fn has_python(test: &str) -> bool {
    let version =
        Command::new("python3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let has_python = version.is_ok_and(|status| status.success());
    if !has_python {
        let must_run = std::env::var_os("URTEXT_TEST_REQUIRE_ALL").is_some();
        assert!(!must_run, "{test} needs python3, and URTEXT_TEST_REQUIRE_ALL is set");
        eprintln!("{test} is skipped: there is no python3");
    }
    has_python
}

/// Runs urtext in an empty folder: its exit status, and what it said on standard output.
fn run_in(folder: &Path, args: &[&str], subject: &[String]) -> (Option<i32>, String) {
    let mut command = Command::new(URTEXT);
    // Interpreters are slow to start, and more so side by side.
    command
        .args(["run", "--jobs", "4", "--start-budget", "60s"])
        .args(args)
        .args(subject)
        .current_dir(folder);
    let output = command.env_remove("CI").env_remove("UR_ROLLS").output().unwrap();
    // How far a run is that takes long is said there.
    let is_beat = |line: &str| line.starts_with("urtext: ") && line.contains(" scenarios played after ");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.lines().all(is_beat), "{stderr}");
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

fn run(args: &[&str], subject: &[String]) -> (Option<i32>, String) {
    run_in(tempfile::tempdir().unwrap().path(), args, subject)
}

#[track_caller]
fn assert_passes(args: &[&str], subject: &[String], scenarios: usize) {
    let (code, said) = run(args, subject);
    let plural = if scenarios == 1 { "scenario" } else { "scenarios" };
    assert_eq!(code, Some(0), "{said}");
    // Status 0: each passed, where the specification leaves something open by a choice of the peer's own.
    assert!(said.contains(&format!("{scenarios} {plural}: ")), "{said}");
}

/// How many scenarios of a shipped suite are played where nobody asks for slow ones.
fn count(suite: &str) -> usize {
    urtext::scenario::suite::load(suite).0.iter().filter(|scenario| !scenario.is_slow).count()
}

/// The files of the shipped golden transcripts of a suite, those of slow scenarios left out.
fn shipped_goldens(suite: &str) -> Vec<PathBuf> {
    let file = |name: &str| format!("{ROOT}/snapshots/{}.txt", name.replace('#', "."));
    let scenarios = urtext::scenario::suite::load(suite).0;
    let slow: Vec<_> = scenarios.iter().filter(|scenario| scenario.is_slow).collect();
    let slow: Vec<_> = slow.iter().map(|scenario| PathBuf::from(file(&scenario.name))).collect();
    let folder = fs::read_dir(format!("{ROOT}/snapshots/{suite}")).unwrap();
    folder.map(|file| file.unwrap().path()).filter(|path| !slow.contains(path)).collect()
}

/// The independent referee is asked for the golden transcripts of a shipped suite, and gives the shipped ones.
#[track_caller]
fn assert_same_goldens(suite: &str, subject: &[String]) {
    let place = tempfile::tempdir().unwrap();
    let scenarios = place.path().join("scenarios/referee");
    fs::create_dir_all(&scenarios).unwrap();
    for file in fs::read_dir(format!("{ROOT}/scenarios/{suite}")).unwrap().map(Result::unwrap) {
        let text = fs::read_to_string(file.path()).unwrap().replace("golden: seed-example.txt\n", "");
        fs::write(scenarios.join(file.file_name()), text).unwrap();
    }
    let (code, said) = run_in(place.path(), &["--bless", "scenarios"], subject);
    assert_eq!(code, Some(0), "{said}");
    let given = place.path().join("snapshots/referee");
    // Scenarios about what the specification leaves open have none.
    let goldens = shipped_goldens(suite);
    assert_eq!(fs::read_dir(&given).unwrap().count(), goldens.len());
    for golden in goldens {
        let theirs = fs::read_to_string(given.join(golden.file_name().unwrap())).unwrap();
        assert_eq!(theirs, fs::read_to_string(&golden).unwrap(), "{golden:?}");
    }
}

#[track_caller]
fn assert_caught(suite: &str, subject: &[String], requirement: &str) {
    let (code, said) = run(&["--suite", suite, "--answer-budget", "1s", "--no-diagnosis"], subject);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains(&format!("fail[{requirement}]")), "{said}");
}
