//! The reports of commands that play no scenarios: `verify`, `check`, `mutants` and `explore`.

use std::fs;

use junit_parser::{TestCase, TestStatus};
use serde_json::Value;

use crate::harness::{Place, ROOT, SCENARIOS, faulty, urtext};

/// The test cases of a JUnit report, and the report in JSON, held against its schema.
fn reports(place: &Place) -> (Vec<TestCase>, Vec<Value>) {
    let parsed = junit_parser::from_reader(place.read("r.xml").as_bytes()).unwrap();
    let suites = parsed.suites.into_iter();
    let schema = urtext(&["schema", "report"]).expect(0).stdout;
    let validator = jsonschema::draft202012::new(&serde_json::from_str(&schema).unwrap()).unwrap();
    let text = place.read("r.json");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for line in &lines {
        assert!(validator.is_valid(line), "{line}");
    }
    (suites.flat_map(|suite| suite.cases).collect(), lines)
}

fn failed(cases: &[TestCase]) -> Vec<&str> {
    let is_failed = |case: &&TestCase| matches!(case.status, TestStatus::Failure(_));
    let failed = cases.iter().filter(is_failed);
    failed.map(|case| case.original_name.as_str()).collect()
}

const REPORTS: [&str; 4] = ["--report", "json=r.json", "--report", "junit=r.xml"];

#[test]
fn each_file_that_is_verified_is_a_case_and_a_complaint_names_its_line() {
    let place = Place::new();
    let golden = |name: &str| {
        fs::read_to_string(format!("{ROOT}/snapshots/royalur/referee/{name}.txt")).unwrap()
    };
    place.write("games/good.txt", &golden("timeout"));
    let bad = golden("own-token").replace("\n0 0 1 1\n", "\n0 0 0 1\n");
    place.write("games/bad.txt", &bad);
    place.write("games/nothing.txt", "hello\n");
    place.write("games/broken.jsonl", "{\"urtext\":\"recording\"\n");
    let mut args = [&["verify", "games"], &REPORTS[..]].concat();
    args.extend(["--report", "html=site"]);
    let ran = place.urtext(&args).says("games/bad.txt");
    let (cases, lines) = reports(&place);
    let names: Vec<_> = cases
        .iter()
        .map(|case| case.original_name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "games/bad.txt",
            "games/broken.jsonl",
            "games/good.txt",
            "games/nothing.txt"
        ]
    );
    assert_eq!(failed(&cases), ["games/bad.txt"], "{cases:#?}");
    assert!(
        matches!(cases[1].status, TestStatus::Error(_)),
        "{cases:#?}"
    );
    let finding = &lines[1]["findings"][0];
    assert_eq!(finding["requirement"], "ur/roll/heads");
    let line = finding["place"]["line"].as_u64().unwrap();
    assert_eq!(bad.lines().nth(line as usize - 1), Some("0"), "{finding}");
    assert!(
        finding["text"]
            .as_str()
            .unwrap()
            .contains("= board: before this line")
    );
    let end = lines.last().unwrap();
    assert_eq!(end["status"].as_u64().map(|status| status as i32), ran.code);
    let page = place.read("site/index.html");
    assert!(page.contains("games/game-1.html") && place.join("site/games/game-1.html").is_file());
    // Reports can be made later.
    place
        .urtext(&["report", "junit", "r.json"])
        .says("games/good.txt");
}

#[test]
fn a_report_takes_the_place_of_what_verify_prints() {
    let place = Place::new();
    let golden = format!("{ROOT}/snapshots/royalur/referee/timeout.txt");
    let ran = place
        .urtext(&["verify", &golden, "--report", "junit=-"])
        .expect(0);
    assert!(
        ran.stdout.starts_with("<?xml ") && ran.stdout.contains("tests=\"1\""),
        "{ran:#?}"
    );
    // Nothing of a file can look like a command of GitHub.
    let ran = place
        .urtext(&["verify", &golden, "--report", "github=-"])
        .expect(0);
    let lines: Vec<_> = ran.stdout.lines().collect();
    assert!(lines[0].starts_with("::stop-commands::urtext-"), "{ran:#?}");
    let token = lines[0].rsplit("::").next().unwrap();
    assert_eq!(
        lines.last(),
        Some(&format!("::{token}::").as_str()),
        "{ran:#?}"
    );
}

#[test]
fn each_file_that_is_checked_is_a_case_with_its_faults() {
    let place = Place::new();
    let text = fs::read_to_string(format!("{SCENARIOS}/royalur/referee/own-token.yaml")).unwrap();
    place.write("scenarios/good.yaml", &text);
    place.write(
        "scenarios/bad.yaml",
        &text.replace("game: royalur", "game: royalurr"),
    );
    place
        .urtext(&[&["check"], &REPORTS[..]].concat())
        .expect(2)
        .says("1 problem");
    let (cases, lines) = reports(&place);
    assert_eq!(cases.len(), 2);
    assert_eq!(failed(&cases), ["scenarios/bad.yaml"]);
    let place_of = &lines[1]["findings"][0]["place"];
    let wrong = text
        .lines()
        .position(|line| line == "game: royalur")
        .unwrap();
    assert_eq!(
        (&place_of["line"], &place_of["column"]),
        (&(wrong + 1).into(), &7.into())
    );
    let ran = place.urtext(&["check", "--report", "github=-"]).expect(2);
    let says = format!("::error file=scenarios/bad.yaml,line={},", wrong + 1);
    assert!(ran.stdout.contains(&says), "{ran:#?}");
}

#[test]
fn each_fault_that_a_suite_has_to_catch_is_a_case() {
    let place = Place::new();
    let scenario = format!("{SCENARIOS}/royalur/referee/extra-turn-cell-8.yaml");
    let faults = ["--fault", "no-extra-turn-8", "--fault", "no-capture-12"];
    let args = [&["mutants", &scenario], &faults[..], &REPORTS].concat();
    place.urtext(&args).expect(1);
    let (cases, lines) = reports(&place);
    let names: Vec<_> = cases
        .iter()
        .map(|case| case.original_name.as_str())
        .collect();
    assert!(names.contains(&"royalur/referee/honest"), "{names:?}");
    assert_eq!(
        failed(&cases),
        ["royalur/referee/no-capture-12"],
        "{cases:#?}"
    );
    assert_eq!(lines[0]["command"], "mutants");
}

#[test]
fn each_failure_of_an_exploration_is_a_case() {
    let place = Place::new();
    let explore = ["explore", "--seed", "1", "--games", "16"];
    place.urtext(&[&explore[..], &REPORTS].concat()).expect(0);
    let (cases, _) = reports(&place);
    assert_eq!(cases.len(), 1);
    assert!(matches!(cases[0].status, TestStatus::Success), "{cases:#?}");
    let subject = faulty("referee", "royalur", "no-capture-12");
    place
        .urtext(&[&explore[..], &REPORTS, &subject].concat())
        .expect(1);
    let (cases, lines) = reports(&place);
    assert_eq!(failed(&cases).len(), 1, "{cases:#?}");
    let told = lines[2]["repeat"].as_str().unwrap();
    assert!(told.starts_with("urtext run explored/"), "{told}");
}
