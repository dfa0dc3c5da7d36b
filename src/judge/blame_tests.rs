//! Which requirement a referee's deviation is about, and which line its title names.

use proptest::prelude::*;

use super::timing_tests::Then::{Ends, Hears, Writes};
use super::timing_tests::{Then, greeted_by_onitama, judged_with, settings};
use crate::finding::{Finding, LineFault, Verdict};

const UR: &str = "scenario: t\ngame: royalur\nsubject: referee\nspectators: 0\n";
const ONITAMA: &str = "scenario: t\ngame: onitama\nsubject: referee\ndeal: Cobra,Eel,Crab,Rabbit,Tiger\nstarter: Top\n";

/// The reason why a game fails.
fn failure(text: &str, then: &[Then]) -> Finding {
    let judgement = judged_with(text, settings(), then);
    assert_eq!(judgement.verdict, Verdict::Fail, "{:?}", judgement.findings);
    judgement.findings.into_iter().next().unwrap()
}

/// The handshake of Ur, for both players.
fn ur() -> Vec<Then> {
    let of = |lane, index| ["PlayerA", "PlayerB", index].map(move |line| Hears(1, lane, line));
    [(0, "0"), (1, "1")]
        .into_iter()
        .flat_map(|(lane, index)| of(lane, index))
        .collect()
}

/// Both lanes receive a line.
fn both(at: u64, line: &'static str) -> [Then; 2] {
    [Hears(at, 0, line), Hears(at, 1, line)]
}

/// Lines that are no roll, and no move and no loss either.
fn malformed_roll() -> impl Strategy<Value = String> {
    let is_malformed = |line: &String| {
        let is_coin = |word: &str| matches!(word, "0" | "1");
        let coins: Vec<_> = line.split(' ').collect();
        let is_roll = coins.len() == 4 && coins.iter().all(|coin| is_coin(coin));
        let is_move = line.parse::<u32>().is_ok();
        !is_roll && !is_move && line != "RETIRE"
    };
    "[01 ]{2,9}|[0-4x,-]{0,2}( [0-4x,-]{0,2}){0,5}|[a-z0-9! ]{1,8}"
        .prop_filter("no roll", is_malformed)
}

proptest! {
    /// Also after a skipped turn, and in scenarios about skipped turns.
    #[test]
    fn a_malformed_roll_is_about_the_line_and_never_about_a_skipped_turn(
        line in malformed_roll(),
        skips in 0..3_usize,
        check in prop::sample::select(vec!["ur/skip/roll-0", "ur/roll/line", "ur/skip/roll-follows-for-other"]),
        lane in 0..2_usize,
    ) {
        let seats = ["first", "second"];
        let turn = |number: usize, rest: &str| format!("  - {}: {rest}\n", seats[number % 2]);
        let mut turns: String = (0..skips).map(|number| turn(number, "0 0 0 0")).collect();
        turns += &turn(skips, "0 0 0 1 > 0");
        turns += &turn(skips + 1, "0 0 0 0");
        turns += &turn(skips, "0 0 0 1 > 0");
        let text = format!("{UR}checks: [{check}]\nturns:\n{turns}");
        let mut then = ur();
        for number in 0..skips {
            then.extend(both(2 + number as u64, "0 0 0 0"));
        }
        then.push(Hears(10, lane, line.leak()));
        let finding = failure(&text, &then);
        let id = finding.requirement.unwrap();
        prop_assert!(["ur/roll/line", "ur/roll/four-coins"].contains(&id), "{}", id);
    }
}

#[test]
fn a_line_that_came_in_pieces_and_was_lost_is_about_the_pieces() {
    let text = format!(
        "{ONITAMA}checks: [oni/input/in-pieces, oni/move/confirmed]\nturns:\n  - top:\n    send: [\"Eel c1\", {{pause: 300ms}}, \" d2\\n\"]\n"
    );
    let mut then = greeted_by_onitama();
    then.extend([Writes(2), Writes(400), Writes(60_000)]);
    let finding = failure(&text, &then);
    assert_eq!(finding.requirement, Some("oni/input/in-pieces"));
}

#[test]
fn a_move_that_was_refused_is_no_line_that_is_missing() {
    let text = format!("{ONITAMA}checks: [oni/move/accepted]\nturns:\n  - top: Eel c1 d2\n");
    let mut then = greeted_by_onitama();
    then.push(Writes(2));
    let ends = || [Ends(4, 0), Ends(4, 1), Writes(20_000)];
    let refused = failure(
        &text,
        &greeted_by_onitama()
            .into_iter()
            .chain([Writes(2)])
            .chain(ends())
            .collect::<Vec<_>>(),
    );
    assert_eq!(refused.stray, None, "{}", refused.title);
    // Bottom was told of it, so it was taken.
    then.push(Hears(3, 1, "Eel c1 d2"));
    then.push(Writes(60_000));
    let untold = failure(&text, &then);
    assert_eq!(
        untold.stray.map(|line| line.fault),
        Some(LineFault::Missing)
    );
}

#[test]
fn a_line_that_was_taken_as_a_move_is_named() {
    let of = |line: &str| {
        let text = format!(
            "{UR}checks: [ur/retire/not-a-number]\nturns:\n  - first: 0 0 1 1 > \"{line}\" illegal\n"
        );
        let mut then = ur();
        then.extend(both(2, "0 0 1 1"));
        then.extend([Writes(3), Hears(4, 1, "3"), Writes(60_000)]);
        failure(&text, &then).title
    };
    assert_eq!(of("3 4"), "\"3 4\" was taken as a move");
}

#[test]
fn lines_that_changed_places_are_named() {
    let text = format!(
        "{UR}checks: [ur/move/relayed-to-opponent]\nturns:\n  - first: 0 0 1 1 > 3\n  - second: 0 0 0 1 > 0\n"
    );
    let of = |last: &'static str| {
        let mut then = ur();
        then.extend(both(2, "0 0 1 1"));
        then.extend([
            Writes(3),
            Hears(4, 1, "0 0 0 1"),
            Hears(5, 1, last),
            Writes(60_000),
        ]);
        failure(&text, &then)
    };
    let swapped = of("3");
    assert_eq!(
        swapped.title,
        "PlayerB (second) received a roll before the opponent's move: the two lines changed places"
    );
    assert_eq!(swapped.requirement, Some("ur/move/relayed-to-opponent"));
    assert_eq!(
        of("0 0 0 1").title,
        "PlayerB (second) received a roll instead of the opponent's move"
    );
}
