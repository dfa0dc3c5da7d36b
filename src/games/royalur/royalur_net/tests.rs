use std::time::Duration;

use proptest::prelude::*;
use serde_json::json;

use super::RoyalUrJson;
use crate::diagnostic::{Paint, Source};
use crate::games::royalur::hcur::reached;
use crate::games::royalur::{UrCell, UrPosition, UrRules};
use crate::pack::{NotatedGame, NotatedTurn, Notation};
use crate::rules::{Roll, Rules, Seat};

const RULES: UrRules = UrRules::STANDARD;

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

fn read(text: &str) -> NotatedGame {
    let source = Source::new("game", text);
    let read = RoyalUrJson.read(&source);
    read.unwrap_or_else(|faults| panic!("{}\n{text}", faults.draw(Paint::Plain)))
}

/// The faults of a text, or the findings about the game in it.
fn said(text: &str) -> String {
    let source = Source::new("game", text);
    match RoyalUrJson.read(&source) {
        Err(faults) => faults.draw(Paint::Plain),
        Ok(game) => {
            let findings = game.findings.iter();
            let line = |at| source.position(at).line;
            let said = findings.map(|finding| {
                format!(
                    "fail {} line {}: {}",
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

/// The states of a game, as RoyalUr writes them down.
fn states(turns: &[NotatedTurn], lost: Option<Seat>) -> String {
    let letter = |seat| ["L", "D"][Seat::index(seat)];
    let piece = |seat, cell: UrCell| match seat {
        Seat::First => i64::from(cell),
        Seat::Second => -i64::from(cell),
    };
    let mut position = UrPosition::START;
    let mut states = Vec::new();
    for turn in turns {
        let (by, steps) = (letter(turn.by), RULES.steps(turn.roll));
        let time = turn.at.unwrap().as_millis();
        let Some(mv) = turn.mv else {
            states.push(json!({"type": "roll", "time": time, "turn": by, "roll": {"value": steps}, "moves": []}));
            position = RULES.skipped(&position, turn.roll);
            continue;
        };
        let (from, to) = RULES.way(&position, turn.roll, mv);
        let mut written = json!({});
        for (key, cell) in [("src", from), ("dest", to)] {
            if (1..15).contains(&cell) {
                written[key] = piece(turn.by, cell).into();
            }
        }
        if to < 15 && RULES.captures(&position, to) {
            written["captured"] = piece(turn.by.other(), to).into();
        }
        states.push(json!({"type": "move", "time": time, "turn": by, "roll": {"value": steps}, "move": written}));
        position = RULES.moved(&position, turn.roll, mv).unwrap();
    }
    if let Some(lost) = lost {
        states.push(json!({"type": "resigned", "player": letter(lost)}));
    }
    if let Some(winner) = RULES.winner(&position).or(lost.map(Seat::other)) {
        states.push(json!({"type": "win", "winner": letter(winner)}));
    }
    let states: Vec<_> = states.iter().map(ToString::to_string).collect();
    states.join(",\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn a_game_written_down_and_read_is_the_same_game(choices in prop::collection::vec(any::<u64>(), 1..600), resigns in any::<bool>()) {
        let turns = game_of(&choices);
        let end = reached(&turns);
        let lost = (resigns && RULES.winner(&end).is_none()).then(|| end.mover());
        let game = read(&json(&states(&turns, lost)));
        prop_assert_eq!(&game.findings, &[]);
        prop_assert_eq!(game.lost, lost);
        prop_assert_eq!(game.turns.len(), turns.len());
        for (count, (read, turn)) in game.turns.iter().zip(&turns).enumerate() {
            prop_assert_eq!((read.by, read.mv.is_some(), read.at), (turn.by, turn.mv.is_some(), turn.at));
            prop_assert_eq!(RULES.steps(read.roll), RULES.steps(turn.roll));
            prop_assert_eq!(reached(&game.turns[..=count]).sorted(), reached(&turns[..=count]).sorted());
        }
    }

    #[test]
    fn no_text_makes_the_reader_fall_over(text in "[\\[\\]{}:,\"\\\\0-9a-zABC@+x*#/. \n-]{0,200}") {
        let _ = RoyalUrJson.read(&Source::new("game", text.as_str()));
    }
}

#[test]
fn names_the_place_and_the_reason_of_what_is_wrong_in_the_json() {
    let first = r#"{"type":"move","turn":"L","roll":{"value":2},"move":{"dest":2}}"#;
    for (text, due) in [
        (
            json(&format!("{first},\n{first}")),
            "fail ur/turn/alternates line 6: it is the other player's turn",
        ),
        (
            json(r#"{"type":"move","turn":"L","roll":{"value":3},"move":{"dest":2}}"#),
            "no token can move from cell 0 to cell 2 with a roll of 3",
        ),
        (
            json(
                r#"{"type":"move","turn":"L","roll":{"value":2},"move":{"dest":2,"captured":-2}}"#,
            ),
            "ur/capture/shared-lane",
        ),
        (
            json(r#"{"type":"move","turn":"L","roll":{"value":5},"move":{"dest":2}}"#),
            "no token can move from cell 0 to cell 2 with a roll of 5",
        ),
        (
            json(r#"{"type":"move","turn":"L","roll":{"value":2},"move":{"src":-128,"dest":127}}"#),
            "no token can move from cell 128 to cell 127 with a roll of 2",
        ),
        (
            json(r#"{"type":"move","turn":"L","roll":{"value":2},"move":{"dest":200}}"#),
            "invalid value: integer `200`, expected i8",
        ),
        (
            json(r#"{"type":"roll","turn":"L","roll":{"value":2},"moves":[]}"#),
            "fail ur/skip/only-when-blocked line 5: a skipped turn in which a token can move",
        ),
        (
            json(r#"{"type":"move","turn":"X","roll":{"value":2},"move":{"dest":2}}"#),
            "unknown variant `X`, expected `L` or `D`",
        ),
        (
            json(r#"{"type":"move","turn":"L","roll":{"value":2},"move":{}}"#),
            "no token can move from cell 0 to cell 15 with a roll of 2",
        ),
        (
            json(&format!("{first},\n{{\"type\":\"win\",\"winner\":\"L\"}}")),
            "fail ur/win/seven-out line 6: the named winner has not won",
        ),
        (
            json(r#"{"type":"leap"}"#),
            "unknown variant `leap`, expected",
        ),
        (
            json(&format!("{first}, 7")),
            "invalid type: integer `7`, expected a state as an object",
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
            "`safe_rosettes` is null, not true",
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
            "it starts with pieces on the board",
        ),
        (
            json(&first.replace('L', "D")),
            "fail ur/turn/alternates line 5: it is the other player's turn",
        ),
        (json(first) + "x", "trailing characters at line 6 column 3"),
        (json(first).replace("]}", ""), "EOF while parsing a list"),
        (
            "{\"notation_version\": 2}".to_owned(),
            "missing field `settings`",
        ),
    ] {
        let said = said(&text);
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
    let game = read(&json(states));
    assert_eq!((game.turns.len(), game.lost), (1, Some(Seat::Second)));
    assert_eq!(game.findings, []);
}
