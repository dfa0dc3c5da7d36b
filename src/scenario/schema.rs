//! JSON Schemas of the files, for editors: draft 7, which they know best.

use serde_json::{Value, json};

use super::resolve::{
    DialogueKeys, Doer, GameKeys, NAME, OTHER, Silence, VERBS, Verb, seats, sent,
};
use super::{Leaving, Side};
use crate::pack;
use crate::rules::Game;
use crate::yaml::shape::{self, Mapping, described, either, filled, list, or_filled, text};
use crate::yaml::{Kind, Number};

/// The schema of a scenario, and of a file of turns that scenarios include.
#[must_use]
pub fn scenario() -> Value {
    let is_part = json!({"type": "object", "required": ["turns"], "maxProperties": 1});
    let is_dialogue =
        json!({"type": "object", "required": ["game"], "properties": {"game": {"const": "lines"}}});
    json!({
        "$schema": shape::DRAFT,
        "title": "a scenario of urtext",
        "definitions": definitions(),
        "if": is_part,
        "then": Mapping::new("a file that is included").required("turns", turns()).shape(),
        "else": {"if": is_dialogue, "then": of_lines(), "else": of_turns()},
    })
}

fn of_turns() -> Value {
    completed(<GameKeys as Kind>::shape(), [("turns", turns())])
}

fn of_lines() -> Value {
    let participants = <Vec<String> as Kind>::shape();
    let checks = <Vec<String> as Kind>::shape();
    let more = [
        ("checks", checks),
        ("participants", participants),
        ("steps", json!({"type": "array"})),
    ];
    let mut shape = completed(<DialogueKeys as Kind>::shape(), more);
    shape["allOf"] = json!([by_subject()]);
    shape
}

/// The schema of these keys with the values that have readers of their own, and with names that are filled in.
fn completed<const N: usize>(keys: Value, more: [(&str, Value); N]) -> Value {
    let mut shape = filled(keys);
    let filled_in = text("what is filled in where its name stands between braces");
    let name = text("its name: small letters, digits and `-`");
    let mut case = Mapping::new("a case").required("case", name).shape();
    case["additionalProperties"] = filled_in.clone();
    let variables = json!({"type": "object", "propertyNames": {"pattern": NAME}, "additionalProperties": filled_in});
    let cases = json!({"type": "array", "items": case});
    for (key, value) in more
        .into_iter()
        .chain([("variables", variables), ("cases", cases)])
    {
        let says = shape["properties"][key]["description"].take();
        shape["properties"][key] = value;
        shape["properties"][key]["description"] = says;
    }
    shape
}

/// One step: a participant's deed, or a repeat of steps. `subject` is what is under test, where that is known.
fn step(subject: Option<Side>, steps: &str) -> Value {
    let verbs = VERBS.iter().map(|verb| {
        let word = verb.word(Side::Referee);
        let is_called = |verb: &&Verb| match subject {
            Some(side) => verb.word(side) == word,
            None => Side::ALL.iter().any(|side| verb.word(*side) == word),
        };
        let shapes = VERBS.iter().filter(is_called).map(|verb| (verb.shape)());
        let mut shapes: Vec<Value> = shapes.collect();
        let shape = match shapes.len() {
            1 => shapes.remove(0),
            _ => either("a line", shapes),
        };
        (format!("^\\s*\\S+\\s+{word}\\s*$"), shape)
    });
    let action = json!({
        "title": "a deed",
        "type": "object",
        "patternProperties": verbs.collect::<serde_json::Map<_, _>>(),
        "additionalProperties": false,
        "minProperties": 1,
        "maxProperties": 1,
    });
    let repeat = Mapping::new("a repeat")
        .required(
            "repeat",
            or_filled(described("how often", Number::<0, { u64::MAX }>::shape())),
        )
        .required("steps", json!({"$ref": steps}))
        .shape();
    json!({"if": {"type": "object", "required": ["repeat"]}, "then": repeat, "else": action})
}
/// The lists of steps by what is under test; a repeat refers to the one that it stands in.
fn definitions() -> Value {
    let steps = |subject: Option<Side>, name: &str| {
        list(
            "what is done, in order, such as `- alice gets: welcome {id}`",
            step(subject, &format!("#/definitions/{name}")),
        )
    };
    json!({
        "steps-with-a-referee": steps(Some(Side::Referee), "steps-with-a-referee"),
        "steps-with-a-bot": steps(Some(Side::Bot), "steps-with-a-bot"),
        "steps": steps(None, "steps"),
    })
}

/// The schema that the steps of a scenario fulfil by what it says is under test.
fn by_subject() -> Value {
    let is = |side: Side| json!({"properties": {"subject": {"const": side.word()}}, "required": ["subject"]});
    let steps =
        |name: &str| json!({"properties": {"steps": {"$ref": format!("#/definitions/{name}")}}});
    json!({
        "if": is(Side::Referee),
        "then": steps("steps-with-a-referee"),
        "else": {"if": is(Side::Bot), "then": steps("steps-with-a-bot"), "else": steps("steps")},
    })
}

fn leaving(says: &str) -> Value {
    or_filled(described(says, Leaving::shape()))
}

/// Schema of an event during a turn, apart from its action.
fn act() -> Value {
    let sending = Mapping::new("what is done meanwhile")
        .required("send", sent::shape())
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
                    described("until the game is over; the last step", json!({"enum": ["to the end"]})),
                    text("`until`, a player and a situation, such as `until mover can capture, within 100 turns`"),
                ],
            ),
        )
        .optional("mover", own(&format!("the turn of whoever is on turn, made up for the position: one of {}", Doer::OnTurn.listed())))
        .optional("include", either("turns out of another file", [file.clone(), list("several files", file)]))
        .optional("send", sent::shape())
        .optional("then", leaving("how the player goes away after what it has sent"))
        .optional("silent", or_filled(described("nothing is sent, which loses the game", Silence::shape())))
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
fn turns() -> Value {
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
