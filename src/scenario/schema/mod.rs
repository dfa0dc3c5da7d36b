//! JSON Schemas of the files, for editors: draft 7, which they know best.

mod dialogue;
mod turns;

use serde_json::{Value, json};

use super::resolve::{DialogueKeys, GameKeys, NAME};
use crate::yaml::Kind;
use crate::yaml::shape::{self, Mapping, filled, text};

/// The schema of a scenario, and of a file of turns that scenarios include.
#[must_use]
pub fn scenario() -> Value {
    let is_part = json!({"type": "object", "required": ["turns"], "maxProperties": 1});
    let is_dialogue =
        json!({"type": "object", "required": ["game"], "properties": {"game": {"const": "lines"}}});
    json!({
        "$schema": shape::DRAFT,
        "title": "a scenario of urtext",
        "definitions": dialogue::definitions(),
        "if": is_part,
        "then": Mapping::new("a file that is included").required("turns", turns::turns()).shape(),
        "else": {"if": is_dialogue, "then": of_lines(), "else": of_turns()},
    })
}

fn of_turns() -> Value {
    completed(<GameKeys as Kind>::shape(), [("turns", turns::turns())])
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
    shape["allOf"] = json!([dialogue::by_subject()]);
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
