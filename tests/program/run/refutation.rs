//! Variants of the rules that a finding names, and that other games of the run refute.

use crate::harness::Place;

/// Plays these scenarios against a referee that lets tokens be captured on the eighth cell.
fn play(scenarios: &[&str]) -> String {
    let suites = scenarios
        .iter()
        .flat_map(|name| ["--suite".to_owned(), format!("royalur/referee/{name}")]);
    let mut args: Vec<String> = suites.collect();
    let rest = "--simulated --no-gate --as referee --rolls-env URTEXT_ROLLS -- urtext referee royalur --fault cell-8-capturable";
    args.extend(rest.split(' ').map(str::to_owned));
    let args: Vec<_> = args.iter().map(String::as_str).collect();
    Place::new().run(&args).expect(1).stdout
}

#[test]
fn a_game_that_passes_refutes_what_a_failure_alone_leaves_open() {
    let alone = play(&["second-player-wins"]);
    assert!(
        alone.contains(
            "fail[ur/skip/blocked]: PlayerA (first) did not receive the line that was due"
        ),
        "{alone}"
    );
    let several = "the referee behaves as if a token on the eighth cell could be captured, or as if the fourth cell was shared, \
                   or as if a token could leave the track by more than the exact number";
    assert!(alone.contains(several), "{alone}");
    let fewer = play(&["second-player-wins", "first-player-wins"]);
    for said in [
        "the referee behaves as if a token on the eighth cell could be captured, or as if a token could leave the track by",
        "it does not behave as if the fourth cell was shared: it passes royalur/referee/first-player-wins",
    ] {
        assert!(fewer.contains(said), "{fewer}");
    }
    // In the third, a move is refused that one of them allows.
    let one = play(&["second-player-wins", "first-player-wins", "overshoot"]);
    for said in [
        "fail[ur/skip/blocked]: the referee behaves as if a token on the eighth cell could be captured (must)",
        "it does not behave as if a token could leave the track by more than the exact number: it passes royalur/referee/overshoot",
    ] {
        assert!(one.contains(said), "{one}");
    }
    assert!(!one.contains("or as if"), "{one}");
}
