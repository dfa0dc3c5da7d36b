//! A scenario that fails and passes, in every format.

use junit_parser::{RerunOrFlakyKind, TestStatus};
use serde_json::Value;

use super::OWN;
use crate::harness::{PATIENT, Place, Ran, has, urtext};

const FORMATS: [&str; 5] = ["json", "junit", "github", "gitlab", "markdown"];

/// A folder with a scenario, and a referee that writes rolls wrongly in its first games.
pub(crate) fn place(wrong_games: u32) -> Place {
    let wrong = format!("[ $n -lt {wrong_games} ] && set -- --fault roll-without-spaces \"$@\"");
    let script = format!(
        "n=$(cat FOLDER/games 2> /dev/null || echo 0); echo $((n+1)) > FOLDER/games; {wrong}; exec PROGRAM referee royalur \"$@\""
    );
    let place = Place::with(&format!(
        "  mine:
    as: referee
    game: royalur
    command: [sh, -c, '{script}', sh, --spectators, '{{spectators}}', --timeout, '{{timeout}}', --rolls, '{{rolls}}']
    rolls: {{argument: true}}
"
    ));
    let subjects = place.read("urtext.yaml");
    let folder = place.path().to_str().unwrap();
    place.write("urtext.yaml", &subjects.replace("FOLDER", folder));
    place.write("own.yaml", OWN);
    place
}

/// Plays the scenario with these options, and writes every report.
fn play(place: &Place, options: &[&str]) -> Ran {
    let reports = FORMATS.map(|format| format!("{format}=out.{format}"));
    let reports = reports.iter().flat_map(|report| ["--report", report]);
    // One game at a time: a game that is only suspected has no second one beside it, which the referee would count.
    let common = ["own.yaml", "--no-diagnosis", "--jobs", "1"];
    let reports: Vec<_> = reports.collect();
    place.run(&[&common[..], &PATIENT, options, &reports].concat())
}

/// The line of the scenario, which the schema accepts.
fn scenario(place: &Place) -> Value {
    let schema = urtext(&["schema", "report"]).expect(0).stdout;
    let schema = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let lines = place.read("out.json");
    let line = serde_json::from_str(lines.lines().nth(1).unwrap()).unwrap();
    assert!(validator.is_valid(&line), "{line:#}");
    let mut broken: Value = line.clone();
    broken["games"][0]["verdict"] = "splendid".into();
    assert!(!validator.is_valid(&broken));
    line
}

/// The words of each game in the report: `fail` with the mark of a failure.
fn games(scenario: &Value) -> Vec<String> {
    let games = scenario["games"].as_array().unwrap().iter();
    let word = |game: &Value| {
        let failed = if game["failed"] == true { "!" } else { "" };
        format!("{}{failed}", game["verdict"].as_str().unwrap())
    };
    games.map(word).collect()
}

fn junit(place: &Place) -> junit_parser::TestCase {
    let report = junit_parser::from_reader(place.read("out.junit").as_bytes()).unwrap();
    report.suites[0].cases[0].clone()
}

#[test]
fn a_scenario_that_passes_on_a_retry_is_flaky_in_every_report() {
    let place = place(2);
    let ran = play(&place, &["--retries", "3", "--record", "rec"]).expect(4);
    ran.says("1 scenario: 0 passed, 1 flaky in")
        .says("   = 2 of 3 games failed\n")
        .says("flaky[ur/roll/line]");
    assert_eq!(place.read("games").trim(), "3");
    let recordings = ["own.jsonl", "retry-1/own.jsonl", "retry-2/own.jsonl"];
    let verdicts = recordings.map(|file| {
        let recording = place.read(&format!("rec/{file}"));
        recording
            .lines()
            .last()
            .unwrap()
            .contains("\"verdict\":\"pass\"")
    });
    assert_eq!(verdicts, [false, false, true]);

    let line = scenario(&place);
    assert_eq!(
        (&line["verdict"], &line["standing"]),
        (&"flaky".into(), &"open".into())
    );
    assert_eq!(games(&line), ["fail!", "fail!", "pass"]);
    assert_eq!(line["games"][1]["requirement"], "ur/roll/line");

    let case = junit(&place);
    assert!(matches!(case.status, TestStatus::Failure(_)), "{case:?}");
    assert_eq!(case.reruns.len(), 2, "{case:?}");
    let is_flaky = |rerun: &junit_parser::RerunOrFlaky| {
        matches!(rerun.kind, RerunOrFlakyKind::FlakyFailure)
            && rerun.message.contains("ur/roll/line")
    };
    assert!(case.reruns.iter().all(is_flaky), "{case:?}");

    let github = place.read("out.github");
    assert!(
        github.starts_with("::warning file=own.yaml,")
            && github.contains("%0A2 of 3 games failed%0A"),
        "{github}"
    );
    let gitlab: Value = serde_json::from_str(&place.read("out.gitlab")).unwrap();
    assert!(
        gitlab[0]["description"]
            .as_str()
            .unwrap()
            .ends_with("; 2 of 3 games failed"),
        "{gitlab}"
    );
    let markdown = place.read("out.markdown");
    assert!(
        markdown.starts_with("## urtext: 1 scenario: 0 passed, 1 flaky\n"),
        "{markdown}"
    );
    has(&markdown, " in own (2 of 3 games failed)\n");
}

#[test]
fn flaky_that_is_allowed_is_named_all_the_same() {
    let place = place(1);
    play(&place, &["--retries", "1", "--allow", "flaky", "-q"])
        .expect(0)
        .says("1 scenario: 0 passed, 1 flaky in")
        .says("   = 1 of 2 games failed\n");
    let case = junit(&place);
    assert!(matches!(case.status, TestStatus::Success), "{case:?}");
    assert!(
        matches!(case.reruns.as_slice(), [rerun] if matches!(rerun.kind, RerunOrFlakyKind::FlakyFailure)),
        "{case:?}"
    );
    assert!(
        place
            .read("out.github")
            .starts_with("::notice file=own.yaml,")
    );
    let gitlab: Value = serde_json::from_str(&place.read("out.gitlab")).unwrap();
    assert_eq!(gitlab[0]["severity"], "info");
    let markdown = place.read("out.markdown");
    assert!(
        markdown.starts_with("## urtext: 1 scenario: 0 passed, 1 flaky\n")
            && markdown.contains("<summary>flaky: "),
        "{markdown}"
    );
}

#[test]
fn a_scenario_that_fails_in_every_game_fails() {
    let place = place(9);
    play(&place, &["--retries", "1"])
        .expect(1)
        .says("   = 2 of 2 games failed\n");
    assert_eq!(place.read("games").trim(), "2");
    let line = scenario(&place);
    assert_eq!(line["verdict"], "fail");
    assert_eq!(games(&line), ["fail!", "fail!"]);
    let case = junit(&place);
    assert!(matches!(case.status, TestStatus::Failure(_)), "{case:?}");
    assert!(
        matches!(case.reruns.as_slice(), [rerun] if matches!(rerun.kind, RerunOrFlakyKind::RerunFailure)),
        "{case:?}"
    );
}

#[test]
fn a_repeated_scenario_is_flaky_if_a_game_fails() {
    let place = place(1);
    play(&place, &["--repeat", "3", "--record", "rec"])
        .expect(4)
        .says("   = 1 of 3 games failed\n");
    assert_eq!(games(&scenario(&place)), ["fail!", "pass", "pass"]);
    for file in ["own.jsonl", "repeat-2/own.jsonl", "repeat-3/own.jsonl"] {
        assert!(place.join("rec").join(file).exists(), "{file}");
    }
    play(&place, &["--repeat", "2"])
        .expect(0)
        .says("1 scenario: 1 passed")
        .leaves_out("games failed");
    play(&place, &["--repeat", "2", "--retries", "1"]).expect(2);
    play(&place, &["--repeat", "0"]).expect(2);
}
