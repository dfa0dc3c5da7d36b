//! Whatever the specification leaves open, a referee that reads it in one of the ways passes, and its choice is recorded.
//!
//! A case `tests/cases/readings/NAME.txt` has a sentence and its rows, then the turns of a scenario, then how the referee reads the
//! specification; `snapshots/readings/NAME.snap` has what is said of it.

#[path = "../../../src/case_files.rs"]
#[expect(dead_code, reason = "unit tests have cases of other forms as well")]
mod case_files;
mod referee;

use std::collections::BTreeSet;
use std::sync::Arc;

use case_files::{assert_all, each_row};
use referee::{Readings, play};
use urtext::diagnostic::{Paint, Source};
use urtext::event::Outcome;
use urtext::finding::Verdict;
use urtext::scenario::{Alone, Scenario, resolve};

const HEAD: &str =
    "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\nspectators: 2\n";

fn scenario(text: &str) -> Arc<Scenario> {
    // Only a scenario that is about late spectators is undecided by what they receive.
    let is_about_late = text.contains("spectator 2: join");
    let head = if is_about_late {
        HEAD.replace("ur/roll/line", "ur/spectators/late")
    } else {
        HEAD.to_owned()
    };
    let (mut scenarios, faults) = resolve(&Source::new("s.yaml", head + text), "s", &Alone);
    assert_eq!(faults.draw(Paint::Plain), "");
    Arc::new(scenarios.pop().unwrap())
}

/// The verdict, where a lenient game counts as passed, and what was chosen.
fn decided(judgement: &Outcome) -> (Verdict, BTreeSet<String>) {
    let verdict = match judgement.verdict {
        Verdict::Lenient => Verdict::Pass,
        verdict => verdict,
    };
    let ids = judgement
        .open
        .iter()
        .map(|choice| choice.requirement.clone());
    (verdict, ids.filter(|id| *id != "ur/end/close").collect())
}

/// What is said of a referee with these readings; the same in whatever order its lanes are read.
fn said(case: &str) -> String {
    let (turns, keys) = case.split_once("---\n").unwrap();
    let scenario = scenario(turns);
    let mut readings = Readings::default();
    for line in keys.lines() {
        let (key, words) = line.split_once(": ").unwrap();
        readings.set(key, words);
    }
    let mut all = (0..20).map(|order| play(&scenario, readings, order));
    let first = all.next().unwrap();
    for (order, other) in (1..).zip(all) {
        assert_eq!(
            decided(&other),
            decided(&first),
            "{readings:?}, order {order}: {other:?}"
        );
    }
    let mut said = format!("{}\n", decided(&first).0.word());
    for finding in first.findings.iter().take(1) {
        said += &format!("  {}\n", finding.title);
    }
    for choice in first
        .open
        .iter()
        .filter(|choice| choice.requirement != "ur/end/close")
    {
        said += &format!("  open {}: {}\n", choice.requirement, choice.seen);
    }
    said
}

#[test]
fn every_reading_of_what_is_left_open_passes_and_is_recorded() {
    assert_all("readings", |case| each_row(case, said));
}
