//! `--stderr`: what the terminal shows of the subject's standard error.

use crate::harness::{PATIENT, Place, Ran, URTEXT, faulty_referee};

/// Plays these scenarios with a referee that breaks a rule, and that says two lines before.
fn play(suites: &[&str], options: &[&str]) -> Ran {
    let place = Place::new();
    let script = "printf 'first\\033[2J\\nbefore the game\\n' >&2\nexec \"$@\"\n";
    place.write("referee.sh", script);
    let file = place.join("referee.sh");
    let mut subject = faulty_referee("stacking");
    let program = subject.iter().position(|word| *word == URTEXT).unwrap();
    subject.splice(program..program, ["sh", file.to_str().unwrap()]);
    let suites = suites.iter().flat_map(|suite| ["--suite", *suite]);
    let words: Vec<_> = ["--no-diagnosis"].into_iter().chain(suites).collect();
    place.run(&[&words[..], options, &PATIENT, &subject].concat())
}

const FAILS: &str = "royalur/referee/own-token";
const PASSES: &str = "royalur/referee/capture-cell-5";

/// The end of standard error, as a finding shows it.
const UNDER_THE_FINDING: &str = "standard error: first\\x1b[2J";

#[test]
fn the_end_is_shown_under_what_failed_and_only_there_and_in_a_report() {
    let usual = play(&[FAILS], &[]).expect(1).says(UNDER_THE_FINDING);
    assert!(!usual.stderr.contains("before the game"), "{usual:#?}");
    usual.says("before the game");
    play(&[PASSES], &[]).expect(0).leaves_out("before the game");
    let report = ["--report", "json=-"];
    play(&[FAILS], &report).expect(1).says("before the game");
}

#[test]
fn every_line_is_shown_behind_the_name_also_of_what_passes() {
    let ran = play(&[PASSES], &["--stderr"]).expect(0);
    let shown = "sh: first\\x1b[2J\nsh: before the game\n";
    assert!(ran.stderr.contains(shown), "{ran:#?}");
    assert!(!ran.stderr.contains('\u{1b}'), "{ran:#?}");
    let both = play(&[PASSES, FAILS], &["--stderr"]).expect(1);
    for scenario in [PASSES, FAILS] {
        let shown = format!("sh [{scenario}]: before the game\n");
        assert!(both.stderr.contains(&shown), "{shown} {both:#?}");
    }
    both.says(UNDER_THE_FINDING);
}
