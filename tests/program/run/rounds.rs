//! `--fail-fast` with retries, and with games that have begun. `tests/cases/run` has the others, and `--for` and `--quiet`.

use crate::harness::{PATIENT, Place, faulty_referee, words};
use crate::report::flaky;

#[test]
fn a_failure_that_a_retry_does_not_confirm_ends_no_run() {
    let place = flaky::place(1);
    place.write("other.yaml", &place.read("own.yaml"));
    let options = words("own.yaml other.yaml --fail-fast --retries 1 -j 1 --no-diagnosis");
    let ran = place.run(&[&options[..], &PATIENT].concat()).expect(4);
    ran.says("2 scenarios: 1 passed, 1 flaky in")
        .says("   = 1 of 2 games failed\n");
    assert_eq!(place.read("games").trim(), "3");
}

#[test]
fn a_certain_failure_ends_with_fail_fast_what_has_begun() {
    // The other scenario waits for 90 s.
    let suites = words("--suite royalur/referee/default-timeout --suite royalur/referee/own-token");
    let options = ["--fail-fast", "--slow", "--no-gate", "--jobs", "2"];
    let began = std::time::Instant::now();
    Place::new()
        .run(&[&suites[..], &options, &faulty_referee("stacking")].concat())
        .expect(1)
        .says("2 scenarios: 0 passed, 1 failed, 1 skipped");
    assert!(began.elapsed() < std::time::Duration::from_secs(80));
}
