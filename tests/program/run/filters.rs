//! What the options of a selection take, as `urtext run --list` shows it and `urtext run` plays it.

use crate::harness::{Place, Ran, faulty, words};

fn names(ran: &Ran) -> Vec<String> {
    let first = |line: &str| line.split_whitespace().next().unwrap().to_owned();
    ran.stdout.lines().map(first).collect()
}

fn list(arguments: &[&str]) -> Vec<String> {
    names(&crate::harness::urtext(&[&["run", "--list"], arguments].concat()).expect(0))
}

/// The names of the scenarios in a JSON report, in order.
fn played(report: &str) -> Vec<String> {
    let value = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
    let lines = report.lines().map(value);
    let scenarios = lines.filter(|line| line["type"] == "scenario");
    scenarios
        .map(|line| line["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_list_is_what_a_run_plays() {
    let place = Place::new();
    let selection = words("--suite royalur/referee --only ur/extra-turn/* --skip */generated/*");
    let listed = place
        .urtext(&[&["run", "--list"], &selection[..]].concat())
        .expect(0);
    assert!(listed.stderr.starts_with("urtext "), "{}", listed.stderr);
    let listed = names(&listed);
    assert!(listed.contains(&"royalur/referee/extra-turn-cell-8".to_owned()));
    assert!(listed.len() < list(&["--suite", "royalur/referee"]).len());
    let run = ["--no-gate", "--report", "json=run.json"];
    place.run(&[&selection[..], &run].concat()).expect(0);
    assert_eq!(played(&place.read("run.json")), listed);
}

#[test]
fn one_pattern_is_enough_and_options_hold_together() {
    let all = list(&[]);
    assert!(all.iter().any(|name| name.starts_with("onitama/")));
    let clocks = list(&["--only", "*clock*", "--game", "royalur"]);
    assert!(
        !clocks.is_empty()
            && clocks
                .iter()
                .all(|name| name.contains("clock") && name.starts_with("royalur/"))
    );
    let referee = ["--suite", "royalur/referee", "--slow"];
    let of_level = |levels: &[&str]| list(&[&referee[..], levels].concat()).len();
    let must = of_level(&["--only", "level:must"]);
    let other = of_level(&[
        "--only",
        "level:should",
        "--only",
        "level:may",
        "--only",
        "level:unspecified",
    ]);
    assert!(must > other && other > 0);
    assert_eq!(must + other, list(&referee).len());
    assert_eq!(of_level(&["--skip", "level:must"]), other);
}

#[test]
fn what_failed_is_played_again_from_the_report() {
    let place = Place::new();
    let run = |more: &[&str]| {
        let run = ["run", "--no-gate", "--no-diagnosis"];
        let subject = faulty("referee", "royalur", "no-extra-turn-8");
        place.urtext(&[&run[..], more, &subject[..]].concat())
    };
    run(&["--report", "json=first.json"]).expect(1);
    run(&["--report", "json=second.json", "--failed", "first.json"]).expect(1);
    let (first, second) = (place.read("first.json"), place.read("second.json"));
    let failed: Vec<_> = first
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|line| line["standing"] == "deviates")
        .map(|line| line["name"].as_str().unwrap().to_owned())
        .collect();
    assert!(!failed.is_empty() && failed.len() < played(&first).len());
    assert_eq!(played(&second), failed);
}

#[test]
fn the_shards_of_a_run_are_a_whole_again() {
    let place = Place::new();
    let run = |more: &[&str]| {
        let run = ["run", "--no-gate", "--suite", "onitama/referee"];
        let slow = ["--suite", "royalur/referee/default-pace"];
        place.urtext(&[&run[..], &slow, more].concat()).expect(0)
    };
    run(&["--report", "json=whole.json"]);
    let files = ["1.json", "2.json", "3.json"];
    for (number, file) in (1..).zip(files) {
        let (shard, report) = (format!("{number}/3"), format!("json={file}"));
        run(&["--shard", &shard, "--report", &report]);
    }
    let merged = place
        .urtext(&[&["report", "json"], &files[..]].concat())
        .expect(0);
    assert!(
        merged.stdout.contains("\"slow_left_out\":1,"),
        "{merged:#?}"
    );
    let (mut merged, mut whole) = (played(&merged.stdout), played(&place.read("whole.json")));
    merged.sort();
    whole.sort();
    assert_eq!(merged, whole);
    let lacking = place
        .urtext(&["report", "json", "1.json", "3.json"])
        .expect(3);
    let second = played(&place.read("2.json"));
    assert!(!second.is_empty());
    for name in &second {
        assert!(
            lacking
                .stderr
                .contains(&format!(" = note: {name} (shard 2/3)")),
            "{}",
            lacking.stderr
        );
    }
    place
        .urtext(&["report", "json", "1.json", "2.json", "2.json"])
        .expect(3)
        .complains("shard 2 is there twice");
    place
        .urtext(&["report", "json", "1.json", "whole.json"])
        .expect(3)
        .complains("report 2 is not a part of the same run");
    run(&[
        "--shard",
        "2/3",
        "--report",
        "json=other.json",
        "--skip",
        "*example-of-the-page*",
    ]);
    place
        .urtext(&["report", "json", "1.json", "other.json"])
        .expect(3)
        .complains("report 2 is not a part of the same run");
}
