//! What a finding looks like.

use std::fs;

use crate::harness::{Place, SCENARIOS, URTEXT, faulty_bot, faulty_referee};

/// The report without what differs from run to run, or from one platform to another.
fn redacted(report: &str) -> String {
    let is_evidence =
        |line: &&str| line.contains(" = note: ") && line.contains(" has read all that was sent");
    let report: String = report
        .split_inclusive('\n')
        .filter(|line| !is_evidence(line))
        .collect();
    let mut text = String::new();
    let mut rest = report.as_str();
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let number = rest[at..]
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .map_or("", |end| &rest[at..at + end]);
        let after = &rest[at + number.len()..];
        let is_time = number.contains('.') && after.starts_with(" s");
        let length = number.len().max(1);
        text.push_str(&rest[..at]);
        text.push_str(if is_time {
            "[time]"
        } else {
            &rest[at..at + length]
        });
        rest = &rest[at + length..];
    }
    text.push_str(rest);
    // How wide a time is depends on how long it is.
    while text.contains("  [time]") {
        text = text.replace("  [time]", " [time]");
    }
    // How much of a command the first line shows depends on where the program is.
    let text = text.replace(URTEXT, "[urtext]");
    let (heading, rest) = text.split_once('\n').unwrap();
    let what = heading.split(" `").next().unwrap();
    format!("{what} `…`\n{rest}")
}

#[track_caller]
fn assert_report(name: &str, args: &[&str]) {
    let ran = Place::new().run(args).expect(1);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/insta");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, redacted(&ran.stdout)));
}

#[test]
fn of_a_referee() {
    let args = ["--suite", "royalur/referee/extra-turn-cell-8"];
    assert_report(
        "finding-of-a-referee",
        &[&args[..], &faulty_referee("no-extra-turn-8")].concat(),
    );
}

#[test]
fn of_a_bot() {
    let args = ["--suite", "royalur/bot/no-move-onto-an-own-token"];
    assert_report(
        "finding-of-a-bot",
        &[&args[..], &faulty_bot("moves-onto-own-token")].concat(),
    );
}

#[test]
fn a_run_in_which_only_slow_scenarios_fail_has_its_report() {
    let place = Place::new();
    let text = fs::read_to_string(format!("{SCENARIOS}/royalur/referee/own-token.yaml")).unwrap();
    place.write("slow.yaml", &format!("slow: true\n{text}"));
    let ran = place
        .run(&[&["slow.yaml"][..], &faulty_referee("stacking")].concat())
        .expect(1);
    let ran = ran.quietly();
    ran.says("1 scenario: 0 passed, 1 failed");
}
