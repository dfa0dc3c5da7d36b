//! The action for GitHub and the template for GitLab, as they stand in the repository, in a project with a faulty referee.

use std::process::Command;

use serde_json::Value;

use super::repository;
use crate::harness::{Place, ROOT, Ran, URTEXT, has};

/// A referee that writes RETIRE in small letters.
const FAULT: &str =
    "--fault, retire-lowercase, --pace, '{pace}', --name, '{first}', --name, '{second}', ";
/// One suite is enough to see it.
const ARGUMENTS: &str = "--allow unsupported --suite royalur/referee/overshoot";

fn yaml(file: &str) -> Value {
    let text = std::fs::read_to_string(format!("{ROOT}/{file}")).unwrap();
    serde_yaml::from_str(&text).unwrap()
}

/// Carries out a script as the service does, with these variables.
fn carry_out(place: &Place, script: &str, variables: &[(&str, &str)]) -> Ran {
    let folder = std::path::Path::new(URTEXT).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let mut shell = Command::new("bash");
    shell.args(["-e", "-c", script]).current_dir(place.path());
    shell.env("PATH", format!("{}:{path}", folder.display()));
    shell.env("GITHUB_STEP_SUMMARY", place.join("summary.md"));
    shell.envs(variables.iter().copied());
    Ran::of(&mut shell)
}

fn failures(place: &Place, file: &str) -> u64 {
    let report = junit_parser::from_reader(place.read(file).as_bytes()).unwrap();
    report.failures
}

#[test]
fn the_action_for_github_annotates_and_keeps_reports() {
    let action = yaml(".github/actions/urtext/action.yml");
    let steps = action["runs"]["steps"].as_array().unwrap();
    let run = |number: usize| steps[number]["run"].as_str().unwrap();
    assert!(run(0).ends_with("--path \"$GITHUB_ACTION_PATH/../../..\""));
    // That folder is this repository.
    let source = format!("{ROOT}/.github/actions/urtext/../../../Cargo.toml");
    assert!(std::path::Path::new(&source).exists());
    let inputs = &action["inputs"];
    let reports = inputs["reports"]["default"].as_str().unwrap();
    let arguments = inputs["arguments"]["default"].as_str().unwrap();
    assert!(ARGUMENTS.starts_with(arguments));
    let place = repository(FAULT);
    let variables = [("ARGUMENTS", ARGUMENTS), ("REPORTS", reports)];
    let ran = carry_out(&place, run(1), &variables).expect(1);
    has(&ran.stdout, "::error file=urtext.yaml,");
    assert!(place.read("summary.md").contains("fail"));
    assert!(failures(&place, &format!("{reports}/junit.xml")) > 0);
    for file in ["run.json", "html/index.html"] {
        assert!(place.join(&format!("{reports}/{file}")).exists(), "{file}");
    }
    assert_eq!(steps[2]["with"]["path"], "${{ inputs.reports }}");
    assert_eq!(steps[2]["if"], "always()");
}

#[test]
fn the_template_for_gitlab_writes_the_reports_that_it_names() {
    let template = &yaml("docs/ci/gitlab.yml")[".urtext"];
    let arguments = template["variables"]["URTEXT_ARGUMENTS"].as_str().unwrap();
    assert!(ARGUMENTS.starts_with(arguments));
    let script = template["script"][0].as_str().unwrap();
    let place = repository(FAULT);
    carry_out(&place, script, &[("URTEXT_ARGUMENTS", ARGUMENTS)]).expect(1);
    let reports = &template["artifacts"]["reports"];
    assert!(failures(&place, reports["junit"].as_str().unwrap()) > 0);
    let quality = place.read(reports["codequality"].as_str().unwrap());
    assert!(quality.contains("\"severity\""), "{quality}");
    let folder = template["artifacts"]["paths"][0].as_str().unwrap();
    assert!(place.join(folder).join("index.html").exists());
}

#[test]
fn the_workflow_of_this_repository_carries_out_what_is_there() {
    let workflow = yaml(".github/workflows/ci.yml");
    let steps = workflow["jobs"]["all"]["steps"].as_array().unwrap();
    let last = steps.last().unwrap()["run"].as_str().unwrap();
    let script = last.split(' ').next_back().unwrap();
    assert!(std::path::Path::new(ROOT).join(script).exists(), "{script}");
}
