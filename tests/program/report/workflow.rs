//! The workflow of docs/running.md, as it stands there, in a project with a faulty referee.

use std::process::Command;

use junit_parser::TestStatus;

use super::repository;
use crate::harness::{Place, Ran, URTEXT};

const PAGE: &str = include_str!("../../../docs/running.md");

/// A game of the user, in which the fault shows at line 7.
const OWN: &str = "\
scenario: a token that there is not
game: royalur
subject: referee
checks: [ur/retire/opponent]
turns:
  - first: 0 0 1 1 > 3
  - second: 0 0 1 1 > \"9\" illegal
";

/// The commands of the first workflow that run urtext, each with the files that it writes.
fn commands() -> Vec<&'static str> {
    let (_, workflow) = PAGE.split_once("```yaml\n").unwrap();
    let (workflow, _) = workflow.split_once("```").unwrap();
    let steps = workflow
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- run: "));
    steps.filter(|step| step.starts_with("urtext ")).collect()
}

fn step(place: &Place, command: &str) -> Ran {
    let folder = std::path::Path::new(URTEXT).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(place.path());
    shell.env("PATH", format!("{}:{path}", folder.display()));
    shell.env("GITHUB_STEP_SUMMARY", place.join("summary.md"));
    Ran::of(&mut shell)
}

/// The page leads from its failed cell to the replay of a game, which is a file of the report.
fn assert_leads_to_a_replay(place: &Place, folder: &str) {
    let page = place.read(&format!("{folder}/index.html"));
    let (_, cell) = page.split_once("<td class=fail><a href=\"#").unwrap();
    let id = cell.split('"').next().unwrap();
    let before = page.split(&format!("id=\"{id}\"")).next().unwrap();
    let (_, link) = before.rsplit_once("<a href=\"games/").unwrap();
    let file = format!("{folder}/games/{}", link.split('"').next().unwrap());
    let replay = place.read(&file);
    assert!(
        replay.contains("id=\"slider\"") || replay.contains("id=slider"),
        "{file}"
    );
}

fn assert_junit(place: &Place, file: &str, failed: &str) {
    let report = junit_parser::from_reader(place.read(file).as_bytes()).unwrap();
    assert!(report.failures > 0, "{report:?}");
    let cases = report.suites.iter().flat_map(|suite| &suite.cases);
    let mut failing = cases.filter(|case| matches!(case.status, TestStatus::Failure(_)));
    assert!(failing.any(|case| case.name.contains(failed)), "{file}");
}

#[test]
fn the_workflow_of_the_page_shows_a_fault_where_it_is() {
    let more =
        "--fault, retire-lowercase, --pace, '{pace}', --name, '{first}', --name, '{second}', ";
    let place = repository(more);
    place.write("games/own.yaml", OWN);
    let [check, own, shipped] = commands()[..] else {
        panic!("{:?}", commands());
    };
    step(&place, check).expect(0);
    let said = step(&place, own).expect(1).stdout;
    let found = "::error file=games/own.yaml,line=7,";
    assert_eq!(said.matches(found).count(), 1, "{said}");
    assert_junit(&place, "own.xml", "own");
    assert_leads_to_a_replay(&place, "own");
    // A few of the scenarios.
    let few = format!(
        "{shipped} --only 'royalur/referee/own-token' --only 'royalur/referee/illegal-lines*'"
    );
    let said = step(&place, &few).expect(1).stdout;
    assert!(said.contains("::error file=urtext.yaml,line=2,"), "{said}");
    assert_junit(&place, "shipped.xml", "own-token");
    assert_leads_to_a_replay(&place, "shipped");
    let summary = place.read("summary.md");
    assert_eq!(summary.matches("## urtext: ").count(), 2, "{summary}");
}
