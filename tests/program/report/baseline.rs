//! Failures that the baseline expects, in every format.

use junit_parser::TestStatus;
use serde_json::Value;

use super::{OWN, repository};
use crate::harness::{Place, Ran, faulty, has, urtext};

const FORMATS: [&str; 5] = ["json", "junit", "github", "gitlab", "markdown"];

/// The entry that expects the failure of `own.yaml`.
const ENTRY: &str = "\
# Issues of our referee
failures:
  - scenario: own
    subject: mine
    reason: REASON
    link: https://issues.example/7
";

/// An honest referee, of which a failure of this scenario is expected.
fn honest(name: &str) -> Place {
    let place = repository("");
    let entry = ENTRY.replace("own", name).replace("REASON", "no roll");
    place.write("urtext-baseline.yaml", &entry);
    place.write("own.yaml", OWN);
    place
}

/// A faulty referee with these files next to its `urtext.yaml`, and the title of its failure.
fn place(files: &[(&str, &str)]) -> (Place, String) {
    let place = repository("--fault, roll-without-spaces, ");
    place.write("own.yaml", OWN);
    play(&place, &["own.yaml"]).expect(1);
    let title = scenario(&place)["findings"][0]["title"]
        .as_str()
        .unwrap()
        .to_owned();
    for (name, text) in files {
        place.write(
            name,
            &text.replace("REASON", &format!("'{}'", title.replace('\'', "''"))),
        );
    }
    (place, title)
}

/// Plays these scenarios, and writes every report.
fn play(place: &Place, options: &[&str]) -> Ran {
    let reports = FORMATS.map(|format| format!("{format}=out.{format}"));
    let reports: Vec<_> = reports
        .iter()
        .flat_map(|report| ["--report", report])
        .collect();
    let common = ["--subject", "mine", "--no-diagnosis"];
    place.run(&[options, &common, &reports].concat())
}

/// The first scenario of the JSON report, which the schema accepts.
fn scenario(place: &Place) -> Value {
    let schema = urtext(&["schema", "report"]).expect(0).stdout;
    let schema = serde_json::from_str(&schema).unwrap();
    let line = place.read("out.json");
    let line = serde_json::from_str(line.lines().nth(1).unwrap()).unwrap();
    assert!(
        jsonschema::draft202012::is_valid(&schema, &line),
        "{line:#}"
    );
    line
}

fn case(place: &Place) -> junit_parser::TestCase {
    let report = junit_parser::from_reader(place.read("out.junit").as_bytes()).unwrap();
    report.suites[0].cases[0].clone()
}

#[test]
fn an_expected_failure_is_shown_in_every_report_and_leaves_the_status_at_0() {
    let (place, title) = place(&[("urtext-baseline.yaml", ENTRY)]);
    let remark = "urtext-baseline.yaml:3, https://issues.example/7";
    let ran = play(&place, &["own.yaml"]).expect(0);
    let ran = ran.says("1 scenario: 0 passed, 1 expected to fail in");
    assert!(!ran.stdout.contains(&title), "{ran:#?}");
    play(&place, &["own.yaml", "-v"])
        .expect(0)
        .says("expected  own")
        .says(&format!("(expected by {remark})"))
        .says(&title);
    assert_eq!(play(&place, &["own.yaml", "-q"]).expect(0).stdout, "");

    play(&place, &["own.yaml"]).expect(0);
    let line = scenario(&place);
    assert_eq!(
        (&line["verdict"], &line["standing"]),
        (&"fail".into(), &"conforms".into())
    );
    assert_eq!(line["expected"]["reason"], *title);
    assert_eq!(line["expected"]["place"]["line"], 3);
    let case = case(&place);
    assert!(matches!(case.status, TestStatus::Skipped(_)), "{case:?}");
    assert!(place.read("out.junit").contains("type=\"expected\""));
    let github = place.read("out.github");
    assert!(
        github.starts_with("::notice file=own.yaml,line="),
        "{github}"
    );
    assert!(
        github.contains("title=expected[") && github.contains(remark),
        "{github}"
    );
    let gitlab: Value = serde_json::from_str(&place.read("out.gitlab")).unwrap();
    assert_eq!(gitlab[0]["severity"], "info");
    assert!(
        gitlab[0]["description"].as_str().unwrap().ends_with(remark),
        "{gitlab}"
    );
    let markdown = place.read("out.markdown");
    assert!(
        markdown.starts_with("## urtext: 1 scenario: 0 passed, 1 expected to fail\n"),
        "{markdown}"
    );
    assert!(
        markdown.contains("| subject | expected |") && markdown.contains("<summary>expected: "),
        "{markdown}"
    );
}

#[test]
fn an_unexpected_pass_is_1_and_names_the_lines_to_delete_in_every_report() {
    let place = honest("own");
    let lines = "delete lines 3 to 6 of urtext-baseline.yaml";
    let title = "error[baseline/unexpected-pass]: the known failure did not occur";
    let options = ["own.yaml"];
    play(&place, &options)
        .expect(1)
        .says(title)
        .says(lines)
        .says("1 passed");
    play(&place, &[&options[..], &["-q"]].concat())
        .expect(1)
        .says(lines);

    play(&place, &options).expect(1);
    let line = scenario(&place);
    assert_eq!(
        (&line["verdict"], &line["standing"]),
        (&"pass".into(), &"deviates".into())
    );
    assert_eq!(line["findings"][0]["place"]["file"], "urtext-baseline.yaml");
    let end = place.read("out.json");
    let end: Value = serde_json::from_str(end.lines().last().unwrap()).unwrap();
    assert_eq!(end["status"], 1);
    assert!(matches!(case(&place).status, TestStatus::Failure(_)));
    let github = place.read("out.github");
    assert!(
        github.starts_with("::error file=urtext-baseline.yaml,line=3,endLine=6,"),
        "{github}"
    );
    let gitlab: Value = serde_json::from_str(&place.read("out.gitlab")).unwrap();
    assert_eq!(gitlab[0]["location"]["path"], "urtext-baseline.yaml");
    let markdown = place.read("out.markdown");
    assert!(
        markdown.contains("<summary>unexpected pass: the known failure did not occur")
            && markdown.contains(lines),
        "{markdown}"
    );
}

#[test]
fn an_expired_entry_and_another_reason_are_1() {
    let expired = format!("{ENTRY}    expires: 2001-12-31\n");
    let (place, title) = place(&[
        ("urtext-baseline.yaml", &expired),
        ("later.yaml", &expired.replace("2001", "2999")),
        (
            "other.yaml",
            &ENTRY.replace("REASON", "the referee is silent"),
        ),
    ]);
    play(&place, &["own.yaml"])
        .expect(1)
        .says("this entry expired on 2001-12-31")
        .says("delete lines 3 to 7 of urtext-baseline.yaml, or write a later date")
        .says("1 failed");
    play(&place, &["own.yaml", "--baseline", "later.yaml"]).expect(0);
    play(&place, &["own.yaml", "--baseline", "other.yaml"])
        .expect(1)
        .says("the scenario fails for another reason than this entry expects")
        .says(&format!("note: own fails: {title}"))
        .says("help: write `reason: ur/roll/line`");
}

#[test]
fn what_was_not_played_is_not_judged() {
    let entry = ENTRY.replace("own", "other");
    let (place, _) = place(&[("urtext-baseline.yaml", &entry)]);
    let ran = play(&place, &["own.yaml"]).expect(1);
    assert!(!ran.stdout.contains("unexpected-pass"), "{ran:#?}");
}

#[test]
fn a_part_of_a_run_judges_its_passes_and_the_joined_report_keeps_that() {
    let place = honest("own");
    place.write("b/other.yaml", OWN);
    for (part, status) in [("1", 1), ("2", 0)] {
        let report = format!("json={part}.json");
        let shard = format!("{part}/2");
        let options = [".", "--shard", &shard, "--report", &report];
        play(&place, &options).expect(status);
    }
    let report = |format: &str, files: &[&str]| {
        let ran = place.urtext(&[&["report", format], files].concat());
        ran.expect(0).stdout
    };
    place.write("all.json", &report("json", &["1.json", "2.json"]));
    let junit = report("junit", &["all.json"]);
    assert_eq!(junit.matches("<failure").count(), 1, "{junit}");
    assert_eq!(report("json", &["all.json"]), place.read("all.json"));
}

#[test]
fn a_baseline_that_cannot_be_read_is_2_before_anything_is_played() {
    let (place, _) = place(&[(
        "urtext-baseline.yaml",
        "failures:\n  - scenario: own\n    raeson: x\n",
    )]);
    let ran = play(&place, &["own.yaml"]).expect(2);
    has(&ran.stderr, "--> urtext-baseline.yaml:3:5");
    assert!(
        ran.stderr.contains("write `reason`") && ran.stdout.is_empty(),
        "{ran:#?}"
    );
    place.urtext(&["check"]).expect(2);
    let ran = play(&place, &["own.yaml", "--baseline", "missing.yaml"]).expect(2);
    assert!(ran.stderr.contains("missing.yaml"), "{ran:#?}");
    place.write("urtext-baseline.yaml", &ENTRY.replace("REASON", "x"));
    place.urtext(&["check"]).expect(0).says("1 known failure");
}

#[test]
fn an_update_makes_this_run_and_the_next_one_green() {
    let (place, _) = place(&[]);
    let update = ["own.yaml", "--update-baseline"];
    play(&place, &update)
        .expect(0)
        .complains("urtext-baseline.yaml: 1 added\n");
    play(&place, &["own.yaml"]).expect(0);
    play(&place, &update)
        .expect(0)
        .complains("urtext-baseline.yaml: 0 added\n");
    let kept = place.read("urtext-baseline.yaml");

    let faulty = place.read("urtext.yaml");
    place.write(
        "urtext.yaml",
        &faulty.replace("--fault, roll-without-spaces, ", ""),
    );
    play(&place, &update)
        .expect(1)
        .says("unexpected-pass")
        .says("delete lines 2 to 4 of urtext-baseline.yaml");
    assert_eq!(place.read("urtext-baseline.yaml"), kept);
}

/// The title of the finding depends on the other games of the run, and the entry does not.
#[test]
fn a_failure_with_an_inferred_cause_is_known_when_it_is_run_alone() {
    let place = Place::new();
    let alone = "royalur/referee/generated/game-10";
    let run = |suite: &str, more: &[&str]| {
        let common = ["--suite", suite, "--report", "json=out.json"];
        let subject = faulty("referee", "royalur", "no-extra-turn-8");
        place.run(&[&common[..], &subject, more].concat())
    };
    run("royalur/referee/generated", &["--update-baseline"]).expect(0);
    let text = place.read("out.json");
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut scenarios = lines.filter(|line: &Value| line["name"] == alone);
    assert_ne!(
        scenarios.next().unwrap()["findings"][0]["mistakes"],
        Value::Null
    );
    let entries = place.read("urtext-baseline.yaml");
    assert!(!entries.contains("gave no extra turn"), "{entries}");
    run(alone, &[]).expect(0).says("1 expected to fail");
    // What is inferred is nothing that an entry can rest on.
    run(alone, &["--no-diagnosis"])
        .expect(0)
        .says("1 expected to fail");
    let seen = place.read("out.json");
    assert!(!seen.contains("as if"), "{seen}");
}

#[test]
fn an_expected_failure_does_not_end_a_run_with_fail_fast() {
    let (place, _) = place(&[("urtext-baseline.yaml", ENTRY), ("z.yaml", OWN)]);
    let options = ["own.yaml", "z.yaml", "--fail-fast", "--jobs", "1"];
    play(&place, &options)
        .expect(1)
        .says("1 failed, 1 expected to fail");
    place.write("urtext-baseline.yaml", "failures: []\n");
    play(&place, &options).expect(1).says("1 failed, 1 skipped");
}
