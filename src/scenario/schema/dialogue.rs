//! The steps of a game without rules.

use serde_json::{Value, json};

use super::turns::piece_by_key;
use crate::scenario::resolve::{DUE, Doer, End, Hole, Reading, by_side};
use crate::scenario::{Coming, Leaving, Side};
use crate::yaml::Words;
use crate::yaml::shape::{Mapping, duration, either, list, number, or_filled, text, word};

fn piece() -> Value {
    let repeated = text("a text that is sent `times` times");
    either(
        "a text, or bytes, a repeated text, a pause",
        [text("this text, without a newline"), piece_by_key(repeated)],
    )
}

/// Lines that the subject has to send, or not.
fn wanted() -> Vec<Value> {
    let pattern = || {
        text(
            "the line; `{name}`, `{name:int}` or `{name:word}` captures a part of it, or repeats what was captured, `{_}` takes any text",
        )
    };
    let keys = Coming::words();
    let special = keys
        .iter()
        .fold(Mapping::new("a line that has to come"), |shape, key| {
            let lines = either(
                "a line, or several",
                [pattern(), list("these lines", pattern())],
            );
            shape.optional(key, lines)
        });
    vec![pattern(), special.one_of(&keys).shape()]
}

/// A line that urtext sends.
fn sent() -> Vec<Value> {
    let line = text("the line, whose end is added; what was captured as `{name}` is filled in");
    vec![
        line,
        list("pieces, as they are: no newline is added", piece()),
    ]
}

/// The value of a deed of urtext's participant.
fn argument(hole: Hole) -> Value {
    match hole {
        Hole::How => or_filled(word("it goes away", &Leaving::ALL.map(Leaving::words))),
        Hole::Pace => {
            let how = "how it reads from now on";
            let most = number("no more than so many", 0, u64::from(u32::MAX));
            let pace = Mapping::new("a way to read").required("bytes a second", or_filled(most));
            either(how, [or_filled(word(how, &Reading::words())), pace.shape()])
        }
        _ => either("a line, or pieces as they are", sent()),
    }
}

/// The schema of the value of a verb that expects lines.
fn due(verb: &str) -> Value {
    match verb {
        "gets" => either(
            "a line that has to come, or lines by how they come",
            wanted(),
        ),
        "sees" => {
            let says = "its stream ends, in whatever way or in this one";
            or_filled(word(says, &End::words()))
        }
        _ => or_filled(duration("nothing comes for so long")),
    }
}

/// One step: a participant's deed, or a repeat of steps. `subject` is what is under test, where that is known.
fn step(subject: Option<Side>, steps: &str) -> Value {
    let deeds = Doer::Participant.forms();
    let deeds = deeds.map(|form| (form.words_from(0), form.hole().map_or(json!({}), argument)));
    let verbs = deeds.chain(DUE.map(|verb| (verb.to_owned(), due(verb))));
    let actions: serde_json::Map<_, _> = verbs
        .map(|(verb, shape)| {
            let shape = match (verb.as_str(), subject) {
                ("gets" | "sends", None) => either("a line", [wanted(), sent()].concat()),
                _ => shape,
            };
            let verb = by_side(&verb, subject.unwrap_or(Side::Referee));
            (format!("^\\s*\\S+\\s+{verb}\\s*$"), shape)
        })
        .collect();
    let action = json!({
        "title": "a deed",
        "type": "object",
        "patternProperties": actions,
        "additionalProperties": false,
        "minProperties": 1,
        "maxProperties": 1,
    });
    let repeat = Mapping::new("a repeat")
        .required("repeat", or_filled(number("how often", 0, u64::MAX)))
        .required("steps", json!({"$ref": steps}))
        .shape();
    json!({"if": {"type": "object", "required": ["repeat"]}, "then": repeat, "else": action})
}

/// The lists of steps by what is under test; a repeat refers to the one that it stands in.
pub(super) fn definitions() -> Value {
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
pub(super) fn by_subject() -> Value {
    let is = |side: Side| json!({"properties": {"subject": {"const": side.word()}}, "required": ["subject"]});
    let steps =
        |name: &str| json!({"properties": {"steps": {"$ref": format!("#/definitions/{name}")}}});
    json!({
        "if": is(Side::Referee),
        "then": steps("steps-with-a-referee"),
        "else": {"if": is(Side::Bot), "then": steps("steps-with-a-bot"), "else": steps("steps")},
    })
}
