//! Writes a game in RoyalUr's JSON notation, version 2.

use serde_json::{Map, Value, json};

use super::json_reader::VERSION;
use super::{NAME_KEYS, settings};
use crate::games::royalur::position::{END, START};
use crate::games::royalur::{UrCell, UrPosition, UrRules};
use crate::pack::NotatedTurn;
use crate::rules::{PerSeat, Rules, Seat};

const RULES: UrRules = UrRules::STANDARD;

/// Writes turns from the start of a game as one JSON object, each state on a line. `lost`: the player who lost before the end.
///
/// # Panics
/// Panics if the turns are not legal from the start.
pub(super) fn write(
    turns: &[NotatedTurn],
    names: &PerSeat<Option<String>>,
    lost: Option<Seat>,
) -> String {
    let mut metadata = Map::new();
    for (key, name) in NAME_KEYS.iter().zip(&names.0) {
        if let Some(name) = name {
            metadata.insert((*key).to_owned(), json!(name));
        }
    }
    let settings: Map<String, Value> = settings::finkel()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    let side = json!({"pieces": 7, "score": 0});
    let initial = json!({
        "board": {"pieces": {}}, "players": {"L": side, "D": side}, "type": "wait4roll", "time": 0, "turn": "L",
    });
    let states: Vec<_> = states(turns, lost)
        .iter()
        .map(|state| format!("  {state}"))
        .collect();
    format!(
        "{{\"notation_version\":{VERSION},\"metadata\":{},\"settings\":{},\"initial_state\":{initial},\"states\":[\n{}\n]}}",
        Value::Object(metadata),
        Value::Object(settings),
        states.join(",\n"),
    )
}

fn states(turns: &[NotatedTurn], lost: Option<Seat>) -> Vec<Value> {
    let mut position = UrPosition::START;
    let mut time = 0;
    let mut states = Vec::new();
    for turn in turns {
        time = turn
            .at
            .map_or(time, |at| u64::try_from(at.as_millis()).unwrap_or(u64::MAX));
        let steps = RULES.steps(turn.roll);
        let Some(mv) = turn.mv else {
            states.push(json!({
                "type": "roll", "time": time, "turn": letter(turn.by), "roll": {"value": steps}, "moves": [],
            }));
            position = RULES.skipped(&position, turn.roll);
            continue;
        };
        let (from, to) = RULES.way(&position, turn.roll, mv);
        let mut written = Map::new();
        if from != START {
            written.insert("src".to_owned(), piece(turn.by, from));
        }
        if to != END {
            written.insert("dest".to_owned(), piece(turn.by, to));
        }
        if to != END && RULES.captures(&position, to) {
            written.insert("captured".to_owned(), piece(turn.by.other(), to));
        }
        states.push(json!({
            "type": "move", "time": time, "turn": letter(turn.by), "roll": {"value": steps}, "move": written,
        }));
        position = RULES
            .moved(&position, turn.roll, mv)
            .expect("the turns are legal");
    }
    if let Some(lost) = lost {
        states.push(json!({"type": "resigned", "time": time, "player": letter(lost)}));
    }
    states.push(match RULES.winner(&position).or(lost.map(Seat::other)) {
        Some(winner) => json!({"type": "win", "time": time, "winner": letter(winner)}),
        None => json!({"type": "wait4roll", "time": time, "turn": letter(position.mover())}),
    });
    states
}

fn letter(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "L",
        Seat::Second => "D",
    }
}

/// A piece by the number of its place, negative for Dark.
fn piece(seat: Seat, cell: UrCell) -> Value {
    let index = i64::from(cell);
    json!(if seat == Seat::First { index } else { -index })
}
