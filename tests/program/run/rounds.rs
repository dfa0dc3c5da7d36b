//! `--fail-fast`, `--for` and `--quiet`.

use serde_json::Value;

use crate::harness::{PATIENT, Place, Ran, faulty, faulty_referee};
use crate::report::flaky;

const SUITES: [&str; 8] = [
    "--suite",
    "royalur/referee/capture-cell-5",
    "--suite",
    "royalur/referee/capture-cell-12",
    "--suite",
    "royalur/referee/no-extra-turn-after-capture",
    "--suite",
    "royalur/referee/own-token",
];

/// Plays them with a referee that starts wrongly in every game.
fn play(options: &[&str]) -> Ran {
    let common = ["--no-diagnosis", "--report", "json=-"];
    let referee = faulty("referee", "royalur", "second-starts");
    Place::new().run(&[&SUITES[..], &common, options, &referee].concat())
}

/// The verdicts in the order of the report.
fn verdicts(ran: &Ran) -> Vec<(String, String)> {
    let lines = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let scenarios = lines.filter(|line| line["type"] == "scenario");
    let word = |line: &Value, key: &str| line[key].as_str().unwrap().to_owned();
    scenarios
        .map(|line| (word(&line, "name"), word(&line, "verdict")))
        .collect()
}

#[test]
fn nothing_begins_after_a_failure_and_the_rest_is_reported_as_skipped() {
    let ran = play(&["--fail-fast"]).expect(1);
    let told = verdicts(&ran);
    let words: Vec<_> = told.iter().map(|(_, verdict)| verdict.as_str()).collect();
    assert_eq!(
        words.iter().filter(|word| **word == "fail").count(),
        1,
        "{told:?}"
    );
    assert_eq!(
        words.iter().filter(|word| **word == "skipped").count(),
        3,
        "{told:?}"
    );
    let (failed, _) = told.iter().find(|(_, verdict)| verdict == "fail").unwrap();
    let reason = format!("not played: {failed} failed, and --fail-fast ends the run there");
    assert_eq!(
        ran.stdout
            .matches(&format!("\"title\":\"{reason}\""))
            .count(),
        3,
        "{ran:#?}"
    );
    let all = verdicts(&play(&[]).expect(1));
    assert!(all.iter().all(|(_, verdict)| verdict == "fail"), "{all:?}");
}

#[test]
fn nothing_begins_after_the_time_and_the_rest_is_skipped_with_status_4() {
    let ran = play(&["--for", "0s"]).expect(4);
    let told = verdicts(&ran);
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(
        told.iter().all(|(_, verdict)| verdict == "skipped"),
        "{told:?}"
    );
    let reason = "\"title\":\"not played: the time of --for 0s was over\"";
    assert_eq!(ran.stdout.matches(reason).count(), 4, "{ran:#?}");
    play(&["--for", "0s", "--allow", "skipped"]).expect(0);
    let real = ["--suite", "royalur/referee", "--for", "0s"];
    let real = [&real[..], &faulty_referee("stacking")].concat();
    Place::new().run(&real).expect(4).says(": 0 passed, ");
    let ran = Place::new().run(&["--for", "soon"]).expect(2);
    assert!(ran.stderr.contains("for '--for <DURATION>'"), "{ran:#?}");
}

#[test]
fn games_that_began_in_time_are_played_to_their_end() {
    let suite = [
        "--suite",
        "royalur/referee/own-token",
        "--suite",
        "royalur/referee/capture-cell-5",
    ];
    let options = ["--for", "1ns"];
    let ran = Place::new().run(&[&suite[..], &options].concat()).expect(4);
    ran.says("2 scenarios: 1 passed, 1 skipped")
        .says("not played: the time of --for 1ns was over");
}

#[test]
fn the_rounds_end_with_the_time_and_what_was_played_is_not_skipped() {
    let suite = ["--suite", "royalur/referee/own-token"];
    let rounds = ["--repeat", "1000", "--for", "1ns"];
    let ran = Place::new().run(&[&suite[..], &rounds].concat()).expect(0);
    let ran = ran.says("1 scenario: 1 passed");
    let told = "urtext: the time of --for was over after 1 of 1000 rounds
";
    assert_eq!(ran.stderr, told);
    let retries = ["--retries", "1000", "--for", "1ns"];
    let failing = [
        &suite[..],
        &retries,
        &faulty("referee", "royalur", "stacking"),
    ]
    .concat();
    let ran = Place::new().run(&failing).expect(1).says("1 failed");
    assert!(!ran.said().contains("games failed"), "{ran:#?}");
}

#[test]
fn a_failure_that_a_retry_does_not_confirm_ends_no_run() {
    let place = flaky::place(1);
    place.write("other.yaml", &place.read("own.yaml"));
    let options = [
        "own.yaml",
        "other.yaml",
        "--fail-fast",
        "--retries",
        "1",
        "-j",
        "1",
        "--no-diagnosis",
    ];
    let ran = place.run(&[&options[..], &PATIENT].concat()).expect(4);
    ran.says("2 scenarios: 1 passed, 1 flaky in")
        .says("   = 1 of 2 games failed\n");
    assert_eq!(place.read("games").trim(), "3");
}

#[test]
fn a_quiet_run_speaks_only_of_what_did_not_pass() {
    let passes = ["--suite", "royalur/referee/own-token", "-q"];
    let ran = Place::new().run(&passes).expect(0);
    assert_eq!(ran.said(), "");
    let fails = [&passes[..], &faulty("referee", "royalur", "stacking")].concat();
    let ran = Place::new()
        .run(&fails)
        .expect(1)
        .says("1 scenario: 0 passed, 1 failed");
    assert!(
        ran.stdout.starts_with("urtext ") && ran.stderr.is_empty(),
        "{ran:#?}"
    );
    Place::new().run(&["-q", "-v"]).expect(2);
}

#[test]
fn a_certain_failure_ends_with_fail_fast_what_has_begun() {
    // The other scenario waits for 90 s.
    let suites = [
        "--suite",
        "royalur/referee/default-timeout",
        "--suite",
        "royalur/referee/own-token",
    ];
    let options = ["--fail-fast", "--slow", "--no-gate", "--jobs", "2"];
    let began = std::time::Instant::now();
    Place::new()
        .run(&[&suites[..], &options, &faulty_referee("stacking")].concat())
        .expect(1)
        .says("2 scenarios: 0 passed, 1 failed, 1 skipped");
    assert!(began.elapsed() < std::time::Duration::from_secs(80));
}
