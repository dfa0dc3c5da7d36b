//! Turns, and what stands in them.

use serde_json::{Value, json};

use crate::pack;
use crate::rules::Game;
use crate::scenario::Leaving;
use crate::scenario::resolve::{Doer, OTHER, seats};
use crate::yaml::shape::{Mapping, duration, either, list, number, or_filled, text, word};

/// Schema of raw data to send: one piece, or several.
fn pieces() -> Value {
    either(
        "what is sent, as it is: no newline is added",
        [piece(), list("the pieces, in order", piece())],
    )
}

fn piece() -> Value {
    let repeated = json!({"description": "a text that is sent `times` times", "type": "string"});
    either(
        "a text in quotation marks, or bytes, a repeated text, a pause",
        [json!({"type": "string"}), piece_by_key(repeated)],
    )
}

/// Schema of a piece that says what it is by a key. `repeated`: the text of `repeat`.
pub(super) fn piece_by_key(repeated: Value) -> Value {
    Mapping::new("a piece of what is sent")
        .optional("repeat", repeated)
        .optional(
            "hex",
            text("bytes in hexadecimal digits, such as `ff 00 0a`"),
        )
        .optional("pause", or_filled(duration("nothing is sent for so long")))
        .optional(
            "times",
            or_filled(number(
                "how often the text of `repeat` is sent",
                0,
                u64::from(u32::MAX),
            )),
        )
        .one_of(&["repeat", "hex", "pause"])
        .shape()
}

fn leaving(says: &str) -> Value {
    or_filled(word(says, &Leaving::ALL.map(Leaving::words)))
}

/// Schema of an event during a turn, apart from its action.
fn act() -> Value {
    let sending = Mapping::new("what is done meanwhile")
        .required("send", pieces())
        .optional("then", leaving("how the player goes away after it"))
        .shape();
    let (player, spectator) = (Doer::OffTurn.listed(), Doer::Spectator.listed());
    let words = format!("{player}; of a spectator {spectator}");
    let does = either(&words, [text(&words), sending]);
    let mut properties = serde_json::Map::new();
    for seat in seats().into_iter().chain([OTHER]) {
        properties.insert(seat.to_owned(), does.clone());
    }
    json!({
        "title": "what happens meanwhile",
        "type": "object",
        "properties": properties,
        "patternProperties": {"^spectator [0-9]+$": does},
        "additionalProperties": false,
        "minProperties": 1,
        "maxProperties": 1,
    })
}

/// One entry of the list of turns.
fn turn() -> Value {
    // Only without a roll can there be nothing beside what is sent.
    let own =
        |says: &str| json!({"description": says, "type": ["string", "number", "boolean", "null"]});
    let mut first: Vec<&str> = seats();
    let mut turn = Mapping::new("a turn");
    for seat in seats() {
        let is_of = |game: &&dyn Game| game.seat_names().contains(&seat);
        let has_rolls = pack::games()
            .filter(is_of)
            .all(|game| !game.kinds_of_roll().is_empty());
        let says = format!(
            "the turn of this player: `ROLL > WHAT`, or `WHAT` in a game without rolls, which is one of {}",
            Doer::OnTurn.listed()
        );
        turn = turn.optional(seat, if has_rolls { text(&says) } else { own(&says) });
    }
    first.extend(["bot", "opponent"]);
    let file = text("a file with `turns`, beside this one; its name begins with `_`");
    let turn = turn
        .optional("bot", text("the turn of the bot under test, such as `0 0 1 1 > any`"))
        .optional("opponent", own("the turn of its opponent, whom urtext plays"))
        .optional(
            "play",
            either(
                "free rolls and legal moves",
                [
                    word("until the game is over; the last step", &["to the end"]),
                    text("`until`, a player and a situation, such as `until mover can capture, within 100 turns`"),
                ],
            ),
        )
        .optional("mover", own(&format!("the turn of whoever is on turn, made up for the position: one of {}", Doer::Mover.listed())))
        .optional("include", either("turns out of another file", [file.clone(), list("several files", file)]))
        .optional("send", pieces())
        .optional("then", leaving("how the player goes away after what it has sent"))
        .optional("silent", or_filled(word("nothing is sent, which loses the game", &["until the timeout"])))
        .optional("meanwhile", list("what happens before the player does anything", act()));
    first.extend(["play", "mover", "include"]);
    let mut turn = turn.one_of(&first).shape();
    let nothing: serde_json::Map<_, _> = first
        .iter()
        .map(|who| ((*who).to_owned(), json!({"not": {"type": "null"}})))
        .collect();
    turn["anyOf"] =
        json!([{"required": ["send"]}, {"required": ["silent"]}, {"properties": nothing}]);
    turn
}

/// The list of turns.
pub(super) fn turns() -> Value {
    list("the game, one line a turn", turn())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{seats, turn};
    use crate::scenario::resolve::TURN_KEYS;

    #[test]
    fn a_turn_has_the_keys_that_are_read() {
        let shape = turn();
        let keys: BTreeSet<&str> = shape["properties"]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let read = seats()
            .into_iter()
            .chain(["bot", "opponent"])
            .chain(TURN_KEYS)
            .collect();
        assert_eq!(keys, read);
    }
}
