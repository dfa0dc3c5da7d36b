//! What the options of a selection take, as `urtext run --list` shows it and `urtext run` plays it.

use crate::harness::{Place, Ran, SCENARIOS, faulty};

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
    let selection = [
        "--suite",
        "royalur/referee",
        "--only",
        "ur/extra-turn/*",
        "--skip",
        "*/adaptive-*",
    ];
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
    // The last part of a name is enough, and so is the id of a requirement.
    let either = [
        "--only",
        "extra-turn-cell-8",
        "--only",
        "ur/retire/overshoot",
    ];
    let either = list(&either);
    assert!(either.contains(&"royalur/referee/extra-turn-cell-8".to_owned()));
    assert!(either.contains(&"royalur/referee/overshoot".to_owned()));
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
    let listing = |args: &[&str]| Place::new().urtext(&[&["run", "--list"], args].concat());
    let nothing = listing(&["--only", "no-such-scenario"]).expect(2);
    let nothing = nothing.complains("none of ").complains("is selected");
    assert_eq!(nothing.stdout, "");
    // A part of a word is not enough.
    listing(&["--only", "cell-8"]).expect(2);
    for option in ["--only", "--skip"] {
        listing(&[option, " "])
            .expect(2)
            .complains("the pattern is empty");
        listing(&[option, "level:shall"])
            .expect(2)
            .complains("there is no level `shall`; the levels are must, should, may, unspecified");
    }
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
    run(&["--failed", "none.json"])
        .expect(3)
        .complains("none.json");
}

#[test]
fn the_shards_of_a_run_are_a_whole_again() {
    let place = Place::new();
    let run = |more: &[&str]| {
        let run = ["run", "--no-gate", "--suite", "onitama/referee"];
        place.urtext(&[&run[..], more].concat()).expect(0)
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
            lacking.stderr.contains(&format!("  {name} (shard 2/3)")),
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
        .complains("some are whole runs");
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
        .complains("shard 2 has another selection");
}

#[test]
fn a_shard_that_gets_nothing_is_no_fault() {
    let place = Place::new();
    place
        .urtext(&["run", "--list", "--shard", "5/4"])
        .expect(2)
        .complains("there is no shard 5 of 4");
    let one = [
        "--suite",
        "onitama/referee",
        "--only",
        "example-of-the-page",
        "--shard",
        "2/2",
    ];
    place.run(&one).expect(0);
}

#[test]
fn a_tag_selects_and_is_spelt_like_a_case() {
    let place = Place::new();
    let scenario =
        std::fs::read_to_string(format!("{SCENARIOS}/royalur/referee/seed-example.yaml")).unwrap();
    let scenario = scenario.replace("golden: seed-example.txt\n", "");
    let tagged = |tags: &str| scenario.replacen("turns:", &format!("tags: {tags}\nturns:"), 1);
    place.write("own/a.yaml", &tagged("[nightly, 7]"));
    place.write("own/b.yaml", &tagged("[weekly]"));
    place.write("own/c.yaml", &scenario);
    let listed = |tags: &[&str]| {
        names(
            &place
                .urtext(&[&["run", "--list", "own"], tags].concat())
                .expect(0),
        )
    };
    assert_eq!(listed(&["--only", "tag:nightly"]), ["own/a"]);
    assert_eq!(
        listed(&["--only", "tag:7", "--only", "tag:weekly"]),
        ["own/a", "own/b"]
    );
    assert_eq!(listed(&[]).len(), 3);
    place
        .urtext(&["run", "--list", "own", "--only", "tag:none"])
        .expect(2)
        .complains("none of 3 scenarios is selected");
    place.write("own/d.yaml", &tagged("[Nightly, a, a]"));
    place
        .urtext(&["check", "own"])
        .expect(2)
        .mentions("`Nightly` is no tag")
        .mentions("`a` stands here twice");
}
