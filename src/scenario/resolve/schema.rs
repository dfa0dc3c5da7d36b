//! JSON Schemas of the files, for editors: draft 7, which they know best.

use serde_json::{Value, json};

use super::include::PartKeys;
use super::keys::{DialogueKeys, GameKeys};
use super::lines::RepeatKeys;
use super::verbs::{VERBS, Verb};
use crate::scenario::Side;
use crate::yaml::Kind;
use crate::yaml::shape::{self, either, filled, list};

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
        "then": PartKeys::shape(),
        "else": {"if": is_dialogue, "then": of_lines(), "else": filled(GameKeys::shape())},
    })
}

fn of_lines() -> Value {
    let mut shape = filled(DialogueKeys::shape());
    shape["allOf"] = json!([by_subject()]);
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
    let mut repeat = filled(RepeatKeys::shape());
    repeat["properties"]["steps"]["$ref"] = json!(steps);
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
