//! Every format holds what was found.

use junit_parser::TestStatus;
use serde_json::Value;

use super::repository;
use crate::harness::{Place, Ran, has, urtext};

const SUITE: &str = "royalur/referee/extra-turn-cell-8";

/// Plays shipped scenarios, one of which fails, with these options.
fn play(place: &Place, options: &[&str]) -> Ran {
    let scenarios = ["--suite", SUITE, "--suite", "royalur/referee/pace"];
    let common = ["--no-diagnosis", "--allow", "unsupported"];
    place.run(&[&scenarios[..], &common, options].concat())
}

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn json_follows_its_schema_and_holds_everything() {
    let place = repository("--fault, echoes-to-mover, ");
    play(&place, &["--report", "json=run.json"]).expect(1);
    let lines = lines(&place.read("run.json"));
    let schema = urtext(&["schema", "report"]).expect(0).stdout;
    let schema = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    for line in &lines {
        let errors: Vec<_> = validator.iter_errors(line).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
    let mut broken = lines[1].clone();
    broken["verdict"] = "splendid".into();
    assert!(!validator.is_valid(&broken));
    assert_eq!(lines.len(), 4, "{lines:#?}");
    assert_eq!(
        (&lines[0]["type"], &lines[0]["version"]),
        (&"run".into(), &1.into())
    );
    let failed = &lines[1];
    assert_eq!(failed["name"], SUITE);
    assert_eq!(
        (&failed["verdict"], &failed["standing"]),
        (&"fail".into(), &"deviates".into())
    );
    let finding = &failed["findings"][0];
    assert_eq!(finding["requirement"], "ur/move/not-echoed");
    assert_eq!(finding["level"], "must");
    assert_eq!(
        finding["place"],
        Value::Null,
        "a shipped scenario is no file of the user"
    );
    assert_eq!(finding["lanes"][0]["received"], "3");
    assert_eq!(failed["subject"]["place"]["file"], "urtext.yaml");
    assert_eq!(failed["subject"]["place"]["line"], 2);
    assert_eq!(
        (&lines[2]["verdict"], &lines[2]["standing"]),
        (&"unsupported".into(), &"conforms".into())
    );
    assert_eq!(
        (&lines[3]["type"], &lines[3]["status"]),
        (&"end".into(), &1.into())
    );
}

#[test]
fn junit_is_read_by_a_parser_of_ci_servers() {
    let place = repository("--fault, echoes-to-mover, ");
    play(&place, &["--report", "junit=out.xml"]).expect(1);
    let report = junit_parser::from_reader(place.read("out.xml").as_bytes()).unwrap();
    assert_eq!(
        (report.tests, report.failures, report.errors, report.skipped),
        (2, 1, 0, 1)
    );
    let suite = &report.suites[0];
    assert_eq!(suite.name, "royalur/referee");
    let failed = &suite.cases[0];
    let TestStatus::Failure(failure) = &failed.status else {
        panic!("{:?}", failed.status);
    };
    has(&failure.message, "ur/move/not-echoed, must");
    has(
        &failure.text,
        "the other player and the spectators will receive the sent number",
    );
    let has = |name: &str, value: &str| {
        let property = (name.to_owned(), value.to_owned());
        failed.properties.vec.contains(&property)
    };
    assert!(has("requirement", "ur/extra-turn/cell-8 (must)") && has("subject", "mine"));
    assert!(
        matches!(&suite.cases[1].status, TestStatus::Skipped(skipped) if skipped.message.contains("pace"))
    );
}

#[test]
fn annotations_of_github_stand_where_the_user_can_act() {
    let place = repository("--fault, echoes-to-mover, ");
    let summary = place.join("summary.md");
    std::fs::write(&summary, "before\n").unwrap();
    let run = |arguments: &[&str]| {
        let common = ["run", "--no-diagnosis", "--report", "github=-"];
        let mut command = place.command(&[&common[..], arguments].concat());
        Ran::of(command.env("GITHUB_STEP_SUMMARY", &summary))
            .expect(1)
            .stdout
    };
    let own = run(&["games"]);
    let found = "::error file=games/own.yaml,line=6,endLine=6,col=5,endColumn=22,\
                 title=fail[ur/move/not-echoed]%3A PlayerA (first) received a move instead";
    assert_eq!(own.matches(found).count(), 1, "{own}");
    // What the report for people says cannot be taken for a command.
    let (said, annotations) = own.split_at(own.find("::error ").unwrap());
    let parts: Vec<_> = said.split("::stop-commands::").collect();
    assert!(parts[0].is_empty(), "{own}");
    assert!(parts.last().unwrap().contains("1 scenario: "), "{own}");
    for part in &parts[1..] {
        let token = part.lines().next().unwrap();
        assert!(part.ends_with(&format!("\n::{token}::\n")), "{own}");
    }
    assert!(!annotations.contains("1 scenario: "), "{own}");
    let shipped = run(&[
        "--suite",
        SUITE,
        "--suite",
        "royalur/referee/capture-cell-5",
    ]);
    let found = "::error file=urtext.yaml,line=2,endLine=2,col=3,endColumn=6,title=fail[";
    assert_eq!(shipped.matches(found).count(), 1, "{shipped}");
    assert!(shipped.contains("first:  0 0 1 1 > 3%0A"), "{shipped}");
    assert!(
        shipped.contains("%0Aand 1 more failure: royalur/referee/"),
        "{shipped}"
    );
    let summary = place.read("summary.md");
    assert!(
        summary.starts_with("before\n## urtext: 1 scenario: 0 passed, 1 failed\n"),
        "{summary}"
    );
    assert_eq!(summary.matches("## urtext: ").count(), 2, "{summary}");
}

#[test]
fn gitlab_gets_an_issue_for_each_finding() {
    let place = repository("--fault, echoes-to-mover, ");
    play(&place, &["--report", "gitlab=quality.json"]).expect(1);
    let issues: Vec<Value> = serde_json::from_str(&place.read("quality.json")).unwrap();
    assert_eq!(issues.len(), 1, "{issues:#?}");
    assert_eq!(
        issues[0]["location"],
        serde_json::json!({"path": "urtext.yaml", "lines": {"begin": 2}})
    );
    assert_eq!(issues[0]["severity"], "critical");
    assert_eq!(issues[0]["check_name"], "ur/move/not-echoed");
    assert!(
        issues[0]["fingerprint"]
            .as_str()
            .unwrap()
            .starts_with("fail royalur referee mine; ")
    );
}

#[test]
fn markdown_has_a_table_and_the_findings() {
    let place = repository("--fault, echoes-to-mover, ");
    play(&place, &["--report", "markdown=report.md"]).expect(1);
    let text = place.read("report.md");
    assert!(
        text.starts_with("## urtext: 2 scenarios: 0 passed, 1 failed, 1 unsupported\n"),
        "{text}"
    );
    has(&text, "\n| subject | fail | unsupported |\n");
    has(&text, "\n| royalur referee mine | 1 | 1 |\n");
    has(&text, "\n```text\nfail[ur/move/not-echoed]: ");
}

#[test]
fn a_report_is_complete_or_not_there_and_what_cannot_be_written_is_told_first() {
    let place = repository("");
    place.write("folder/there", "");
    let ran = play(&place, &["--report", "json=folder/there/run.json"]).expect(3);
    assert!(ran.stdout.is_empty(), "{ran:#?}");
    ran.complains("there/run.json cannot be written");
    play(&place, &["--report", "json=folder"]).expect(3);
    play(&place, &["--report", "yaml=x"])
        .expect(2)
        .complains("the formats are text, json, junit, github, gitlab, markdown, html");
    play(&place, &["--report", "junit"])
        .expect(2)
        .complains("FORMAT=FILE");
    // One of the old name is replaced, and nothing else is left.
    place.write("run.json", "old");
    let reports = ["json=run.json", "junit=new/x/report.xml"].map(|report| ["--report", report]);
    play(&place, reports.as_flattened()).expect(0);
    assert!(place.read("new/x/report.xml").starts_with("<?xml"));
    assert!(place.read("run.json").starts_with("{\"type\":\"run\""));
    let left = place.files();
    assert!(
        !left.iter().any(|file| file.starts_with(".urtext")),
        "{left:?}"
    );
}
