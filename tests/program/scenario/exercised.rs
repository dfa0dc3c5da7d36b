//! `checks:` is believed: a requirement that no turn of a written game puts to the test is a fault of the scenario.

use super::{drawn, read, with_keys, with_turns};
use urtext::diagnostic::Paint;

const UR: &str = "scenario: t\ngame: royalur\nsubject: referee\n";
const BOT: &str = "scenario: t\ngame: royalur\nsubject: bot\nseat: first\n";
const ONITAMA: &str = "scenario: t\ngame: onitama\nsubject: referee\ndeal: Cobra,Eel,Crab,Rabbit,Tiger\nstarter: top\n";

/// A scenario that claims this requirement.
fn claiming(head: &str, id: &str, turns: &[&str]) -> String {
    with_turns(&format!("{head}checks: [{id}]\nturns:\n"), turns)
}

/// The requirements that a scenario with these turns is refused for.
#[track_caller]
fn is_refused(head: &str, id: &str, turns: &[&str]) -> bool {
    let (scenario, diagnostics) = read(&claiming(head, id, turns));
    let faults = diagnostics.sorted();
    let is_refused = !faults.is_empty();
    let is_idle =
        |fault: &&urtext::diagnostic::Diagnostic| fault.code() == "scenario/not-exercised";
    assert!(
        faults.iter().all(is_idle),
        "{id}: {}",
        diagnostics.draw(Paint::Plain)
    );
    assert_eq!(scenario.is_none(), is_refused, "{id}");
    is_refused
}

/// Every requirement is claimed by a game that nearly puts it to the test, and by the same game with what it lacks.
#[track_caller]
fn only_with_more(head: &str, rows: &[(&str, &[&str], &[&str])]) {
    for (id, nearly, does) in rows {
        assert!(
            is_refused(head, id, nearly),
            "{id} is claimed by {nearly:?} and believed"
        );
        assert!(
            !is_refused(head, id, does),
            "{id} is put to the test by {does:?}"
        );
    }
}

#[test]
fn a_one_turn_game_cannot_claim_a_win() {
    insta::assert_snapshot!(drawn(&claiming(UR, "ur/roll/line, ur/win/seven-out", &["first: 0 0 1 1 > 3"])), @"
    error[scenario/not-exercised]: no turn of this game puts `ur/win/seven-out` to the test
     --> s.yaml:4:24
      |
    4 | checks: [ur/roll/line, ur/win/seven-out]
      |                        ^^^^^^^^^^^^^^^^ who has brought all seven tokens out has won
      |
      = help: it takes the move that brings the seventh token out, or the sixth with a turn after it: add that, or remove the id
    ");
}

#[test]
fn each_id_that_is_not_put_to_the_test_is_a_fault_of_its_own_and_only_in_a_sound_game() {
    let text = claiming(
        UR,
        "ur/exit/exact, ur/roll/line, ur/retire/timeout",
        &["first: 0 0 1 1 > 3"],
    );
    let (_, diagnostics) = read(&text);
    let said: Vec<_> = diagnostics
        .sorted()
        .iter()
        .map(ToString::to_string)
        .collect();
    let fault = |column, id| {
        format!(
            "s.yaml:4:{column}: error[scenario/not-exercised]: no turn of this game puts `{id}` to the test"
        )
    };
    assert_eq!(
        said,
        [fault(10, "ur/exit/exact"), fault(39, "ur/retire/timeout")]
    );
    // What the game is, is not known where a turn is wrong.
    let text = claiming(UR, "ur/exit/exact", &["second: 0 0 1 1 > 3"]);
    assert!(!drawn(&text).contains("not-exercised"));
}

#[test]
fn a_case_is_refused_for_what_it_fills_in() {
    let cases = "cases:\n  - {case: own, id: ur/retire/own-token}\n  - {case: empty, id: ur/retire/empty-line}\n";
    let head = format!("{UR}{cases}");
    let text = claiming(&head, "\"{id}\"", &["first: 0 0 1 1 > \"\" illegal"]);
    let (scenario, diagnostics) = read(&text);
    let said: Vec<_> = diagnostics
        .sorted()
        .iter()
        .map(|fault| fault.draw(Paint::Plain))
        .collect();
    assert!(
        matches!(&said[..], [one] if one.contains("`ur/retire/own-token`") && one.contains("the case `own`"))
    );
    assert_eq!(scenario.unwrap().name, "s#empty");
}

#[test]
fn whose_turn_it_is_shows_only_in_the_turn_after() {
    let capture = [
        "first: 0 0 1 1 > 3",
        "second: 1 1 1 1 > 0",
        "second: 1 0 1 0 > 0",
        "first: 0 1 0 0 > 3",
        "second: 0 0 0 0",
        "first: 1 0 1 1 > 3",
    ];
    let and = |more: &[&'static str]| [&capture[..], more].concat();
    let (anew, another) = (and(&["second: 0 0 1 1 > 0"]), and(&["second: 0 0 1 1 > 1"]));
    let moved_on = and(&["second: 0 0 1 1 > 0", "first: 0 0 0 1 > 3"]);
    only_with_more(
        UR,
        &[
            (
                "ur/extra-turn/cell-4",
                &["first: 1 1 1 1 > 0", "first: 0 0 0 0"],
                &["first: 1 1 1 1 > 0", "first: 0 0 0 1 > 1"],
            ),
            (
                "ur/skip/after-extra-turn",
                &["first: 1 1 1 1 > 0", "first: 0 0 0 0"],
                &[
                    "first: 1 1 1 1 > 0",
                    "first: 0 0 0 0",
                    "second: 0 0 0 1 > 1",
                ],
            ),
            (
                "ur/skip/roll-follows-for-other",
                &["first: 0 0 0 0"],
                &["first: 0 0 0 0", "second: 0 0 0 1 > 1"],
            ),
            (
                "ur/turn/alternates",
                &["first: 0 0 0 1 > 0"],
                &[
                    "first: 0 0 0 1 > 0",
                    "second: 0 0 0 0",
                    "first: 0 0 0 1 > 0",
                ],
            ),
            ("ur/capture/shared-lane", &capture[..5], &capture),
            ("ur/extra-turn/not-after-capture", &capture, &anew),
            ("ur/capture/sent-back-to-start", &another, &anew),
            ("ur/capture/cell-taken", &anew, &moved_on),
        ],
    );
}

#[test]
fn what_must_not_happen_needs_the_turn_in_which_it_could() {
    let rosette = [
        "first: 1 1 1 1 > 0",
        "first: 1 1 1 1 > 0",
        "first: 0 0 0 1 > 1",
        "second: 1 1 1 1 > 0",
        "second: 0 0 1 0 > 0",
        "first: 0 1 0 0 > 1",
        "second: 0 1 1 1 > 0 illegal",
    ];
    let onto_own = [
        "first: 0 0 0 1 > 0",
        "second: 0 0 0 0",
        "first: 0 0 0 1 > 3 illegal",
    ];
    only_with_more(
        UR,
        &[
            ("ur/capture/safe-rosette", &rosette[..6], &rosette),
            ("ur/retire/own-token", &onto_own[..2], &onto_own),
            (
                "ur/retire/own-token",
                &["first: 0 0 0 1 > \"x\" illegal"],
                &onto_own,
            ),
            (
                "ur/track/private-cells-apart",
                &["first: 0 0 1 1 > 3", "second: 0 0 0 1 > 0"],
                &["first: 0 0 1 1 > 3", "second: 0 0 1 1 > 0"],
            ),
            (
                "ur/capture/only-shared",
                &["first: 0 0 1 1 > 3", "second: 0 0 1 1 > 0"],
                &[
                    "first: 0 0 1 1 > 3",
                    "second: 0 0 1 1 > 0",
                    "first: 0 0 0 1 > 3",
                ],
            ),
            (
                "ur/skip/blocked",
                &["first: 0 0 0 0"],
                &[
                    "first: 1 1 1 1 > 0",
                    "first: 1 1 1 1 > 0",
                    "first: 0 0 0 1 > 1",
                    "second: 1 1 1 1 > 0",
                    "second: 1 1 1 1",
                ],
            ),
            (
                "ur/retire/instead-of-the-number",
                &["first: 0 0 1 1 > hang up"],
                &["first: 0 0 1 1 > \"7\" illegal"],
            ),
        ],
    );
    only_with_more(
        ONITAMA,
        &[
            (
                "oni/cards/rotate",
                &["top: Cobra b1 a2", "bottom: Crab a5 a4"],
                &[
                    "top: Cobra b1 a2",
                    "bottom: Crab a5 a4",
                    "top: Cobra c1 b2 illegal",
                ],
            ),
            (
                "oni/cards/through-the-middle",
                &["top: Eel c1 d2", "bottom: Crab a5 a4"],
                &["top: Eel c1 d2", "bottom: Eel b5 a4 illegal"],
            ),
            (
                "oni/invalid/middle-card",
                &["top: Eel b1 a1 illegal"],
                &["top: Tiger c1 c3 illegal"],
            ),
            (
                "oni/input/empty-line",
                &["top: '\"banana\" ignored'"],
                &["top: '\"\" ignored'"],
            ),
            (
                "oni/turn/alternates",
                &["top: Eel c1 d2"],
                &["top: Eel c1 d2", "bottom: Crab a5 a4"],
            ),
            (
                "oni/win/broadcast",
                &["top: Eel c1 d2", "bottom: Rabbit c5 d4"],
                &["top: Eel c1 d2", "bottom: Rabbit c5 d4", "top: Tiger d2 d4"],
            ),
        ],
    );
}

#[test]
fn a_requirement_about_an_end_needs_that_end() {
    let lost = ["first: 0 0 1 1 > \"x\" illegal"];
    let went = with_keys("first: 0 0 1 1 > 3", &["meanwhile:", "  - second: hang up"]);
    only_with_more(
        UR,
        &[
            ("ur/retire/ends-the-game", &["first: 0 0 1 1 > 3"], &lost),
            ("ur/end/close", &["first: 0 0 1 1 > 3"], &lost),
            ("ur/retire/hang-up", &lost, &["first: 0 0 1 1 > hang up"]),
            (
                "ur/retire/hang-up-off-turn",
                &["first: 0 0 1 1 > hang up"],
                &[&went],
            ),
        ],
    );
    assert!(is_refused(UR, "ur/win/nothing-after", &lost));
    only_with_more(
        BOT,
        &[
            (
                "ur/bot/ends-after-retire",
                &["bot: 0 0 1 1 > any"],
                &["bot: 0 0 1 1 > any", "opponent: 0 0 0 1 > \"x\" illegal"],
            ),
            (
                "ur/bot/ends-on-closed-input",
                &["bot: 0 0 0 0", "opponent: 0 0 0 1 > hang up"],
                &["bot: 0 0 0 0"],
            ),
        ],
    );
    let timed = format!("{ONITAMA}timeout: 2s\n");
    assert!(is_refused(
        &timed,
        "oni/timeout/drops-both",
        &["top: Ox c1 c2 illegal"]
    ));
    assert!(!is_refused(
        &timed,
        "oni/timeout/drops-both",
        &["top: silent"]
    ));
    assert!(is_refused(&timed, "oni/timeout/forfeit", &["top: hang up"]));
}

#[test]
fn a_requirement_about_time_needs_a_turn_that_waits() {
    let late = ["first: 0 0 1 1\n    send: [{pause: 200ms}, \"3\\n\"]"];
    let timed = format!("{UR}timeout: 1s\n");
    let by_default = format!("{UR}timeout: default\n");
    let silent = ["first: 0 0 1 1 > silent"];
    assert!(is_refused(UR, "ur/timeout/not-early", &late));
    assert!(!is_refused(&timed, "ur/timeout/not-early", &late));
    assert!(!is_refused(&timed, "ur/timeout/not-early", &silent));
    assert!(is_refused(&timed, "ur/retire/timeout", &late));
    assert!(!is_refused(&timed, "ur/retire/timeout", &silent));
    assert!(is_refused(&timed, "ur/timeout/default-90", &silent));
    assert!(!is_refused(&by_default, "ur/timeout/default-90", &silent));
    let turns = [
        "first: 0 0 1 1 > 3",
        "second: 0 0 0 0",
        "first: 0 0 0 1 > 3",
    ];
    for (pace, id, is_idle) in [
        ("0s", "ur/pace/minimum", true),
        ("300ms", "ur/pace/minimum", false),
        ("300ms", "ur/pace/default", true),
        ("default", "ur/pace/default", false),
        ("300ms", "ur/pace/what-is-a-turn", false),
    ] {
        assert_eq!(
            is_refused(&format!("{UR}pace: {pace}\n"), id, &turns),
            is_idle,
            "{id}, {pace}"
        );
    }
    assert!(is_refused(
        &format!("{UR}pace: 300ms\n"),
        "ur/pace/what-is-a-turn",
        &turns[..1]
    ));
    let waits = ["top:\n    send: [{pause: 1s}, \"banana\\n\"]"];
    let timed = format!("{ONITAMA}timeout: 3s\n");
    assert!(is_refused(
        &timed,
        "oni/timeout/ignored-lines",
        &["top: silent"]
    ));
    assert!(!is_refused(&timed, "oni/timeout/ignored-lines", &waits));
}

#[test]
fn a_requirement_about_framing_needs_bytes_that_are_framed_so() {
    let sends = |what: &str| format!("first: 0 0 1 1\n    send: {what}");
    let hangs_up = |what: &str| with_keys(&sends(what), &["then: hang up"]);
    let timed = format!("{UR}timeout: 1s\n");
    assert!(is_refused(UR, "ur/input/crlf", &[&sends("\"3\\n\"")]));
    assert!(!is_refused(UR, "ur/input/crlf", &[&sends("\"3\\r\\n\"")]));
    assert!(is_refused(
        UR,
        "ur/input/several-lines",
        &[&sends("\"3\\n\"")]
    ));
    assert!(!is_refused(
        UR,
        "ur/input/several-lines",
        &[&sends("\"3\\n4\\n\"")]
    ));
    assert!(is_refused(
        &timed,
        "ur/input/no-final-newline",
        &[&sends("\"3\"")]
    ));
    assert!(!is_refused(
        UR,
        "ur/input/no-final-newline",
        &[&hangs_up("\"3\"")]
    ));
    let top = |what: &str| format!("top:\n    send: {what}");
    assert!(is_refused(
        ONITAMA,
        "oni/input/in-pieces",
        &[&top("\"Eel c1 d2\\n\"")]
    ));
    assert!(!is_refused(
        ONITAMA,
        "oni/input/in-pieces",
        &[&top("[\"Eel c1\", {pause: 300ms}, \" d2\\n\"]")]
    ));
}

#[test]
fn what_only_somebody_beside_the_players_shows_needs_him_there() {
    let lost = ["first: 0 0 1 1 > \"x\" illegal"];
    let alone = format!("{UR}spectators: 0\n");
    for id in ["ur/retire/spectators", "ur/handshake/spectator-names-only"] {
        assert!(
            is_refused(&alone, id, &lost) && !is_refused(UR, id, &lost),
            "{id}"
        );
    }
    let sends = with_keys(
        "first: 0 0 1 1 > 3",
        &["meanwhile:", "  - second: send \"4\\n\""],
    );
    assert!(is_refused(UR, "ur/input/off-turn", &["first: 0 0 1 1 > 3"]));
    assert!(!is_refused(UR, "ur/input/off-turn", &[&sends]));
    let joins = with_keys(
        "first: 0 0 1 1 > 3",
        &["meanwhile:", "  - spectator 1: join"],
    );
    assert!(is_refused(
        UR,
        "ur/spectators/late",
        &["first: 0 0 1 1 > 3"]
    ));
    assert!(!is_refused(UR, "ur/spectators/late", &[&joins]));
    assert!(
        is_refused(UR, "ur/handshake/spectator-names-only", &[&joins]),
        "it is not there from the beginning"
    );
}

#[test]
fn a_bot_is_put_to_the_test_by_what_it_could_choose_wrongly() {
    let both = [
        "bot: 0 0 0 1 > any",
        "opponent: 0 0 0 0",
        "bot: 0 0 0 1 > any",
    ];
    only_with_more(
        BOT,
        &[
            ("ur/retire/own-token", &both[..2], &both),
            (
                "ur/bot/legal-token",
                &["bot: 0 0 0 0", "opponent: 0 0 0 1 > any"],
                &both[..1],
            ),
            ("ur/bot/silent-when-skipped", &both[..1], &["bot: 0 0 0 0"]),
            ("ur/bot/silent-off-turn", &["bot: 0 0 0 0"], &both),
        ],
    );
    let names = |names: &str| format!("{BOT}names: [{names}]\n");
    assert!(is_refused(&names("Ada, Bob"), "ur/bot/odd-names", &both));
    assert!(!is_refused(
        &names("Ada, 0 1 1 1"),
        "ur/bot/odd-names",
        &both
    ));
}

#[test]
fn of_a_bots_choices_any_that_puts_it_to_the_test_is_enough() {
    // Only with the token on the third cell does the bot land on the fourth.
    let may = [
        "bot: 0 1 1 1 > any",
        "opponent: 0 0 0 0",
        "bot: 0 0 0 1 > any",
        "bot: 0 0 0 1 > any",
    ];
    assert!(!is_refused(BOT, "ur/extra-turn/cell-4", &may));
    let cannot = [
        "bot: 0 0 0 1 > any",
        "opponent: 0 0 0 0",
        "bot: 0 0 0 1 > any",
        "opponent: 0 0 0 1 > any",
    ];
    assert!(is_refused(BOT, "ur/extra-turn/cell-4", &cannot));
}

#[test]
fn the_example_of_the_specification_is_told_from_another_game() {
    let turns = [
        "first: 0 0 1 1 > 3",
        "second: 1 1 1 1 > 0",
        "second: 1 0 1 0 > 0",
        "first: 0 1 0 0 > 3",
        "second: 0 0 0 0",
        "first: 1 0 1 1 > 3",
        "second: 0 0 1 1 > 0",
        "first: 0 0 0 1 > 4",
        "second: 1 0 1 0 > 2 illegal",
    ];
    assert!(!is_refused(UR, "ur/example/streams", &turns));
    assert!(is_refused(UR, "ur/example/streams", &turns[..8]));
    let mut other = turns;
    other[8] = "second: 1 0 1 0 > 3 illegal";
    assert!(is_refused(UR, "ur/example/streams", &other));
}
