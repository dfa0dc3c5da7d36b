//! Writes a game in RGN.

use super::{NAME_KEYS, tile};
use crate::games::royalur::position::{END, START};
use crate::games::royalur::{UrPosition, UrRules};
use crate::pack::NotatedTurn;
use crate::rules::{PerSeat, Rules, Seat};

const RULES: UrRules = UrRules::STANDARD;

/// Writes turns from the start of a game: a tag for each known name, then a line for each round.
///
/// # Panics
/// Panics if the turns are not legal from the start.
pub(super) fn write(turns: &[NotatedTurn], names: &PerSeat<Option<String>>) -> String {
    let mut text = String::new();
    for (key, name) in NAME_KEYS.iter().zip(&names.0) {
        if let Some(name) = name {
            text.push_str(&format!("[{key} {}]\n", quoted(name)));
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let mut position = UrPosition::START;
    let (mut round, mut before) = (0, None);
    for turn in turns {
        match (turn.by, before == Some(turn.by)) {
            (_, true) => text.push(' '),
            (Seat::First, false) => {
                round += 1;
                let end = if round > 1 { "\n" } else { "" };
                text.push_str(&format!("{end}{round}. "));
            }
            (Seat::Second, false) => text.push_str(" / "),
        }
        before = Some(turn.by);
        text.push_str(&action(&position, turn));
        position = match turn.mv {
            Some(mv) => RULES
                .moved(&position, turn.roll, mv)
                .expect("the turns are legal"),
            None => RULES.skipped(&position, turn.roll),
        };
    }
    if RULES.winner(&position).is_some() {
        text.push('#');
    }
    text
}

fn action(position: &UrPosition, turn: &NotatedTurn) -> String {
    let Some(mv) = turn.mv else {
        return format!("{} --", RULES.steps(turn.roll));
    };
    let (from, to) = RULES.way(position, turn.roll, mv);
    let column = tile::own_column(turn.by);
    let from = match from {
        START => format!("{column}@"),
        from => tile::of_cell(turn.by, from),
    };
    match to {
        END => format!("{from}{column}+"),
        to => {
            let capture = if RULES.captures(position, to) {
                "x"
            } else {
                ""
            };
            let rosette = if RULES.is_rosette(to) { " *" } else { "" };
            format!("{from}{}{capture}{rosette}", tile::of_cell(turn.by, to))
        }
    }
}

/// A value of a tag in quotation marks.
fn quoted(value: &str) -> String {
    let mut text = String::from("\"");
    for character in value.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\r' => text.push_str("\\r"),
            '\n' => text.push_str("\\n"),
            character => text.push(character),
        }
    }
    text.push('"');
    text
}
