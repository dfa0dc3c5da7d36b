use std::time::Duration;

use proptest::prelude::*;
use serde_json::json;

use super::ROYALUR_JSON;
use crate::diagnostic::{Paint, Source};
use crate::games::royalur::hcur::{reached, tests};
use crate::games::royalur::{UrCell, UrPosition, UrRules};
use crate::pack::{NotatedGame, NotatedTurn};
use crate::rules::{Rules, Seat};

const RULES: UrRules = UrRules::STANDARD;

/// A legal game that these numbers choose, with times.
fn game_of(choices: &[u64]) -> Vec<NotatedTurn> {
    let mut turns = tests::game_of(choices);
    for (turn, second) in turns.iter_mut().zip(1..) {
        turn.at = Some(Duration::from_millis(second * 250));
    }
    turns
}

fn read(text: &str) -> NotatedGame {
    let source = Source::new("game", text);
    let read = (ROYALUR_JSON.read)(&source);
    read.unwrap_or_else(|faults| panic!("{}\n{text}", faults.draw(Paint::Plain)))
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
        let _ = (ROYALUR_JSON.read)(&Source::new("game", text.as_str()));
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
