//! `urtext check` on many files. What it says of single ones is in `snapshots/cases`.

use std::time::{Duration, Instant};

use crate::harness::Place;

/// A guard against reading the catalogue, or anything else, once for each scenario; a debug build takes some 100 ms.
#[test]
fn a_hundred_scenarios_are_no_matter_of_seconds() {
    let place = Place::new();
    let head = "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\n";
    for number in 0..100 {
        let text = format!("{head}turns:\n  - first: 0 0 1 1 > 3\n");
        place.write(&format!("scenarios/x/{number}.yaml"), &text);
    }
    let start = Instant::now();
    let ran = place.urtext(&["check"]).expect(0);
    assert_eq!(ran.said(), "checked 100 scenarios: no problems\n");
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}
