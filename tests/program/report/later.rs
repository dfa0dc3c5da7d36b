//! What is made of a JSON report later.

use super::play_own;
use crate::harness::{Place, has, words};

/// Plays one scenario of the user with a referee that has this fault, and writes two reports.
fn played(fault: &str) -> Place {
    let place = Place::new();
    let reports = ["--report", "json=run.json", "--report", "junit=out.xml"];
    let more =
        words("--report gitlab=out.gitlab --report markdown=out.md --report github=out.github");
    play_own(&place, fault, &[&reports[..], &more].concat());
    place
}

#[test]
fn every_format_is_made_from_the_json_report_as_in_the_run() {
    let place = played("second-starts");
    for (format, file) in [
        ("junit", "out.xml"),
        ("gitlab", "out.gitlab"),
        ("markdown", "out.md"),
        ("github", "out.github"),
    ] {
        let made = place
            .urtext(&["report", format, "run.json"])
            .expect(0)
            .stdout;
        assert_eq!(made, place.read(file), "{format}");
        place
            .urtext(&["report", format, "run.json", "-o", "made"])
            .expect(0);
        assert_eq!(place.read("made"), place.read(file), "{format}");
    }
}

#[test]
fn reports_are_joined_and_incomplete_ones_are_refused() {
    let (good, bad) = (played(""), played("second-starts"));
    let text = bad.read("run.json");
    good.write("bad.json", &text);
    let merged = good
        .urtext(&["report", "json", "run.json", "bad.json"])
        .expect(0)
        .stdout;
    good.write("merged.json", &merged);
    assert_eq!(merged.lines().count(), 4, "{merged}");
    has(merged.lines().last().unwrap(), "\"status\":1");
    good.urtext(&["report", "markdown", "merged.json"])
        .expect(0)
        .says("## urtext: 2 scenarios: 1 passed, 1 failed\n");
    // A report without its last line breaks off.
    let cut = text.lines().take(2).collect::<Vec<_>>().join("\n");
    good.write("cut.json", &cut);
    good.urtext(&["report", "json", "run.json", "cut.json"])
        .expect(3)
        .complains("cut.json is incomplete");
    good.urtext(&["report", "markdown", "cut.json"])
        .expect(3)
        .says("the report breaks off");
    // A later version may have other lines and fields.
    let later =
        text.replacen("\"name\"", "\"colour\":\"blue\",\"name\"", 1) + "{\"type\":\"weather\"}\n";
    good.write("later.json", &later);
    good.urtext(&["report", "junit", "later.json"]).expect(0);
    good.write("none.json", "{}\n");
    good.urtext(&["report", "junit", "none.json"])
        .expect(3)
        .complains("none.json:1")
        .complains("this is no JSON report of urtext");
    good.write(
        "version.json",
        &text.replacen("\"version\":1", "\"version\":2", 1),
    );
    good.urtext(&["report", "junit", "version.json"])
        .expect(3)
        .complains("this report has version 2, and urtext reads version 1");
}
