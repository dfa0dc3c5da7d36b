use std::time::Duration;

use proptest::prelude::*;

use super::{Rgn, RoyalUrJson};
use crate::diagnostic::{Paint, Source};
use crate::finding::Verdict;
use crate::games::royalur::hcur::reached;
use crate::games::royalur::{UrPosition, UrRules};
use crate::pack::{GamePart, GameToWrite, NotatedGame, NotatedTurn, Notation};
use crate::rules::{PerSeat, Roll, Rules, Seat};

const RULES: UrRules = UrRules::STANDARD;

const NOTATIONS: [&dyn Notation; 2] = [&RoyalUrJson, &Rgn];

/// A legal game that these numbers choose.
fn game_of(choices: &[u64]) -> Vec<NotatedTurn> {
    let mut position = UrPosition::START;
    let mut turns = Vec::new();
    for (&choice, second) in choices.iter().zip(1..) {
        if RULES.winner(&position).is_some() {
            break;
        }
        let roll = Roll((choice & 0xF) as u16);
        let moves = RULES.legal_moves(&position, roll);
        let mv = moves
            .get((choice >> 8) as usize % moves.len().max(1))
            .copied();
        turns.push(NotatedTurn {
            record: None,
            by: position.mover(),
            rolled: Some(roll),
            is_roll_complete: true,
            roll,
            mv,
            at: Some(Duration::from_millis(second * 250)),
        });
        position = match mv {
            Some(mv) => RULES.moved(&position, roll, mv).unwrap(),
            None => RULES.skipped(&position, roll),
        };
    }
    turns
}

fn read(notation: &dyn Notation, text: &str) -> NotatedGame {
    let source = Source::new("game", text);
    let read = notation.read(&source);
    read.unwrap_or_else(|faults| panic!("{}\n{text}", faults.draw(Paint::Plain)))
}

/// The faults of a text, or the findings about the game in it.
fn said(notation: &dyn Notation, text: &str) -> String {
    let source = Source::new("game", text);
    match notation.read(&source) {
        Err(faults) => faults.draw(Paint::Plain),
        Ok(game) => {
            let findings = game.findings.iter();
            let line = |at| source.position(at).line;
            let said = findings.map(|finding| {
                let grade = if finding.verdict == Verdict::Lenient {
                    "note"
                } else {
                    "fail"
                };
                format!(
                    "{grade} {} line {}: {}",
                    finding.requirement.unwrap(),
                    line(finding.span.unwrap().start),
                    finding.title
                )
            });
            said.collect::<Vec<_>>().join("\n")
        }
    }
}

/// A game of these states in the JSON.
fn json(states: &str) -> String {
    format!("{{\"notation_version\": 2,\n\"settings\": {SETTINGS},\n\"states\": [\n{states}\n]}}")
}

const SETTINGS: &str = r#"{"board_shape": "standard", "paths": "bell", "dice": "four_binary", "start_pieces": 7,
    "safe_rosettes": true, "rosettes_grant_rolls": true, "captures_grant_rolls": false}"#;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn a_game_written_down_and_read_again_is_the_same_game(
        choices in prop::collection::vec(any::<u64>(), 1..600), names in ("\\PC{1,12}", "[\\PC\n\"\\\\]{1,12}"), resigns in any::<bool>()
    ) {
        let turns = game_of(&choices);
        let names = PerSeat([Some(names.0.into_bytes()), Some(names.1.into_bytes())]);
        let end = reached(&turns);
        let lost = (resigns && RULES.winner(&end).is_none()).then(|| end.mover());
        for notation in NOTATIONS {
            let written = notation.write(GameToWrite { turns: &turns, names: &names, lost, with_rolls: true }).unwrap();
            prop_assert!(notation.is_records(&written.as_bytes()[..written.len().min(4096)]) || turns.iter().all(|turn| turn.mv.is_none()));
            let game = read(notation, &written);
            prop_assert_eq!(&game.findings, &[]);
            let keeps = |part| notation.keeps().contains(&part);
            prop_assert_eq!(game.lost, lost.filter(|_| keeps(GamePart::Loss)));
            prop_assert_eq!(&PerSeat(game.players.0.clone().map(|name| name.map(String::into_bytes))), &names);
            // A last roll without a move that blocks is the same as a skipped turn; one that does not is no turn.
            prop_assert_eq!(game.turns.len(), turns.len());
            for (count, (read, turn)) in game.turns.iter().zip(&turns).enumerate() {
                prop_assert_eq!((read.by, read.mv.is_some()), (turn.by, turn.mv.is_some()));
                prop_assert_eq!(RULES.steps(read.roll), RULES.steps(turn.roll));
                prop_assert_eq!(read.at, turn.at.filter(|_| keeps(GamePart::Times)));
                prop_assert_eq!(reached(&game.turns[..=count]).sorted(), reached(&turns[..=count]).sorted());
            }
            let again = GameToWrite { turns: &game.turns, names: &names, lost: game.lost, with_rolls: true };
            prop_assert_eq!(notation.write(again).unwrap(), written);
        }
    }

    #[test]
    fn no_text_makes_the_readers_fall_over(text in "[\\[\\]{}:,\"\\\\0-9a-zABC@+x*#/. \n-]{0,200}") {
        for notation in NOTATIONS {
            let _ = notation.read(&Source::new("game", text.as_str()));
        }
    }
}

#[test]
fn reads_rgn_with_wrapped_lines_and_marks_at_the_move() {
    let wrapped = "[StartTime \"2026-11-22T10:00:00Z\"]\n[Light Ann]\n\n1. A@A1*\nA1B1\n/ C@C3 2. 0 -- / C3C1 * 0 --";
    let game = read(&Rgn, wrapped);
    assert_eq!(game.findings, []);
    assert_eq!(game.players[Seat::First].as_deref(), Some("Ann"));
    let by: String = game
        .turns
        .iter()
        .map(|turn| turn.by.index().to_string())
        .collect();
    assert_eq!(by, "001011");
    let again = Rgn.write(GameToWrite {
        turns: &game.turns,
        names: &PerSeat([None, None]),
        lost: None,
        with_rolls: true,
    });
    assert_eq!(
        again.unwrap(),
        "1. A@A1 * A1B1 / C@C3\n2. 0 -- / C3C1 * 0 --"
    );
}

#[test]
fn names_the_place_and_the_reason_of_what_is_wrong_in_rgn() {
    for (text, due) in [
        ("1. A@A1 * / C@C3", "ur/turn/alternates line 1"),
        (
            "1. A@A1 A1B1",
            "fail ur/extra-turn/only-there line 1: the token reaches a rosette, and the record does not mark one",
        ),
        ("1. A@A2 *", "the record marks a rosette"),
        (
            "1. A@A2x",
            "ur/capture/shared-lane line 1: the record has a capture",
        ),
        (
            "1. A@A2 / C@C2\n2. A@A2",
            "fail ur/retire/own-token line 2: a move that the rules refuse: an own token stands there",
        ),
        ("1. A@B1", "a move of 5 cells, and 4 is the most"),
        ("1. A4A3", "no token of the first player is on A4"),
        (
            "1. 2 -- / C@C2",
            "fail ur/skip/only-when-blocked line 1: the turn was skipped although a token can move 2",
        ),
        (
            "1. A@A2 #",
            "note ur/win/seven-out line 1: the end is marked",
        ),
        ("1. A@A9", "\"A9\" is not on the path of Light"),
        (
            "1. A@A1 * A7B7",
            "this move does not go forward on the bell path",
        ),
        ("1. A@A1 * A1B9", "--> game:1:11"),
        ("1. A@A2 / A@A3", "\"A@\" is not on the path of Dark"),
        ("1. A@", "\"A@\" is no move"),
        ("A@A2", "a move comes after the number of its turn"),
        (
            "1. 3 / C@C2",
            "a roll is written only where no move follows",
        ),
        ("1. 5 --", "a roll is a number from 0 to 4"),
        ("1. --", "`--` follows a roll"),
        ("[Light\n1. A@A2", "a tag is `[Key \"value\"]`"),
        ("[Light Ann]\n", "there is no move in this file"),
    ] {
        let said = said(&Rgn, text);
        assert!(said.contains(due), "{text}: {said}");
    }
}

#[test]
fn names_the_place_and_the_reason_of_what_is_wrong_in_the_json() {
    let first = r#"{"type":"move","turn":"L","roll":{"value":2},"move":{"dest":2}}"#;
    for (text, due) in [
        (
            json(&format!("{first},\n{first}")),
            "fail ur/turn/alternates line 6: a turn of the first player, and it is the second player's",
        ),
        (
            json(r#"{"type":"move","turn":"L","roll":{"value":3},"move":{"dest":2}}"#),
            "a move of 2 cells with a roll of 3",
        ),
        (
            json(
                r#"{"type":"move","turn":"L","roll":{"value":2},"move":{"dest":2,"captured":-2}}"#,
            ),
            "ur/capture/shared-lane",
        ),
        (
            json(r#"{"type":"move","turn":"L","roll":{"value":5},"move":{"dest":2}}"#),
            "the value of a roll is a number from 0 to 4",
        ),
        (
            json(r#"{"type":"move","turn":"D","roll":{"value":2},"move":{"dest":2}}"#),
            "-1 to -14 for Dark",
        ),
        (
            json(r#"{"type":"move","turn":"X","roll":{"value":2},"move":{"dest":2}}"#),
            "a player is \"L\" or \"D\"",
        ),
        (
            json(r#"{"type":"move","turn":"L","roll":{"value":2},"move":{}}"#),
            "a move has `src`, `dest`, or both",
        ),
        (
            json(&format!("{first},\n{{\"type\":\"win\",\"winner\":\"L\"}}")),
            "fail ur/win/seven-out line 6: a winner is named",
        ),
        (json(r#"{"type":"leap"}"#), "\"leap\" is no type of a state"),
        (
            json(&format!("{first}, 7")),
            "a state is an object, and this is a number",
        ),
        (
            json(first)
                .replace("\"bell\"", "\"masters\"")
                .replace("four_binary", "three_binary_0eq4"),
            "this game has other rules: `paths` is \"masters\", not \"bell\", `dice` is \"three_binary_0eq4\", not \"four_binary\"",
        ),
        (
            json(first).replace(": 7,", ": 5,"),
            "`start_pieces` is 5, not 7",
        ),
        (
            json(first).replace("\"safe_rosettes\": true,", ""),
            "no `safe_rosettes`",
        ),
        (
            json(first).replace("\"notation_version\": 2", "\"notation_version\": 1"),
            "only version 2 of the notation is read",
        ),
        (
            json(first).replace(
                "\"states\"",
                "\"initial_state\": {\"board\": {\"pieces\": {\"A4\": 1}}},\n\"states\"",
            ),
            "the game starts with pieces on the board",
        ),
        (
            json(first).replace(
                "\"states\"",
                "\"initial_state\": {\"turn\": \"D\"},\n\"states\"",
            ),
            "Dark has the first turn",
        ),
        (json(first) + "x", "something follows the end of the game"),
        (json(first).replace("]}", ""), "never closed"),
        (
            "{\"notation_version\": 2}".to_owned(),
            "`settings` is missing",
        ),
    ] {
        let said = said(&RoyalUrJson, &text);
        assert!(said.contains(due), "{text}: {said}");
    }
}

#[test]
fn a_roll_whose_move_follows_and_waiting_states_are_no_turns() {
    let states = r#"{"type":"wait4roll","turn":"L"},
        {"type":"roll","turn":"L","roll":{"value":2},"moves":[{"dest":2}]},
        {"type":"move","turn":"L","roll":{"value":2},"move":{"dest":2}},
        {"type":"abandoned","reason":"player_left","player":"D"},
        {"type":"win","winner":"L"}"#;
    let game = read(&RoyalUrJson, &json(states));
    assert_eq!((game.turns.len(), game.lost), (1, Some(Seat::Second)));
    assert_eq!(game.findings, []);
}
