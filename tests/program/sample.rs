//! The sample repository of docs/sample: its workflow is green, step by step as it stands there.

use std::path::Path;
use std::process::Command;

use crate::harness::{Place, ROOT, Ran, URTEXT, python, skip};

const WORKFLOW: &str = include_str!("../../docs/sample/.github/workflows/conformance.yml");

/// What a busy machine explains is no failure of the sample.
const PATIENT: &str = "run: {jobs: 4, retries: 3, allow: [flaky, inconclusive]}";

/// The sample in a folder of its own.
fn sample() -> Place {
    let place = Place::new();
    let root = format!("{ROOT}/docs/sample");
    let files = walkdir::WalkDir::new(&root).into_iter().map(Result::unwrap);
    for file in files.filter(|file| file.file_type().is_file()) {
        let name = file.path().strip_prefix(&root).unwrap().to_str().unwrap();
        place.write(name, &std::fs::read_to_string(file.path()).unwrap());
    }
    let config = place.read("urtext.yaml");
    place.write("urtext.yaml", &format!("{PATIENT}\n{config}"));
    place
}

/// The steps of the workflow that run commands, without the installation of urtext.
fn steps() -> Vec<&'static str> {
    let steps = WORKFLOW.lines();
    let steps = steps.filter_map(|line| line.trim().strip_prefix("- run: "));
    steps.filter(|step| !step.starts_with("cargo ")).collect()
}

/// A step is about what is written in C, which has to be compiled.
fn is_about_c(step: &str) -> bool {
    ["mkdir", "cc ", "urtext run --subject c-"]
        .iter()
        .any(|start| step.starts_with(start))
}

/// Carries out the step, which has to succeed.
fn step(place: &Place, step: &str, python: &str) {
    let folder = |program: &str| Path::new(program).parent().unwrap().display().to_string();
    let path = std::env::var("PATH").unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", step]).current_dir(place.path());
    shell.env(
        "PATH",
        format!("{}:{}:{path}", folder(URTEXT), folder(python)),
    );
    shell.env("GITHUB_STEP_SUMMARY", place.join("summary.md"));
    Ran::of(&mut shell).expect(0);
}

/// How many scenarios stand in a report of JUnit.
fn scenarios(place: &Place, file: &str) -> usize {
    let report = junit_parser::from_reader(place.read(file).as_bytes()).unwrap();
    report.suites.iter().map(|suite| suite.cases.len()).sum()
}

#[test]
#[ignore = "it starts some hundred interpreters; .ci/run has it played"]
fn the_referee_and_the_bot_in_python_pass_the_suites_and_their_own_game() {
    let Some(python) = python() else {
        return;
    };
    let place = sample();
    let own = steps().into_iter().filter(|step| !is_about_c(step));
    let own: Vec<_> = own
        .filter(|step| !step.starts_with("urtext check"))
        .collect();
    assert_eq!(own.len(), 2);
    own.iter().for_each(|command| step(&place, command, python));
    assert_eq!(scenarios(&place, "own.xml"), 1);
    let suites = crate::harness::count("royalur/referee") + crate::harness::count("royalur/bot");
    assert_eq!(scenarios(&place, "python.xml"), suites);
}

#[test]
#[ignore = "it compiles C and starts some hundred processes; .ci/run has it played"]
fn the_referee_and_the_bot_in_c_are_compiled_and_pass_the_suites() {
    let Some(python) = python() else {
        return;
    };
    if Command::new("cc").arg("--version").output().is_err() {
        skip("cc");
        return;
    }
    let place = sample();
    let all = steps();
    let own = all
        .iter()
        .filter(|step| is_about_c(step) || step.starts_with("urtext check"));
    own.for_each(|command| step(&place, command, python));
    assert_eq!(
        scenarios(&place, "c-referee.xml"),
        crate::harness::count("royalur/referee")
    );
    assert_eq!(
        scenarios(&place, "c-bot.xml"),
        crate::harness::count("royalur/bot")
    );
}
