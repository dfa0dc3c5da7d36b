//! The steps of a game without rules.

use serde_json::{Value, json};

use super::shape::{Mapping, duration, either, list, number, or_filled, text, word};
use crate::scenario::Leaving;

fn piece() -> Value {
    let special = Mapping::new("a piece")
        .optional("pause", or_filled(duration("nothing is sent for so long")))
        .optional("hex", text("bytes in hexadecimal digits, such as `ff 00 0a`"))
        .optional("repeat", text("a text that is sent `times` times"))
        .optional(
            "times",
            or_filled(number("how often the text of `repeat` is sent", 0, u64::from(u32::MAX))),
        )
        .with_one_of(&["pause", "hex", "repeat"]);
    either("a text, or bytes, a repeated text, a pause", [text("this text, without a newline"), special])
}

/// What is received or sent.
fn lines() -> Value {
    let pattern = || text("the line; `{name}` captures a part of it, or repeats what was captured");
    let wanted = Mapping::new("a line that has to come")
        .optional("any of", list("one of these lines", pattern()))
        .optional("optional", pattern())
        .with_one_of(&["any of", "optional"]);
    let says = "of the subject: a line that has to come, one of several, or one that may come; of urtext: a line, or pieces as they are";
    either(says, [pattern(), wanted, list("pieces, as they are: no newline is added", piece())])
}

/// One step: a participant's deed, or a repeat of steps.
fn step() -> Value {
    let reading = Mapping::new("a way to read")
        .required("bytes a second", or_filled(number("no more than so many", 0, u64::from(u32::MAX))))
        .shape();
    let how = "how it reads from now on";
    let deeds = json!({
        "^\\S+ (gets|sends)$": lines(),
        "^\\S+ sees$": or_filled(word("its stream ends, in whatever way or in this one", &["end", "end by close", "end by reset"])),
        "^\\S+ leaves$": or_filled(word("it goes away", &Leaving::ALL.map(Leaving::words))),
        "^\\S+ waits$": or_filled(duration("nothing comes for so long")),
        "^\\S+ reads$": either(how, [or_filled(word(how, &["nothing", "everything"])), reading]),
    });
    let deed = json!({
        "title": "a deed",
        "type": "object",
        "patternProperties": deeds,
        "additionalProperties": false,
        "minProperties": 1,
        "maxProperties": 1,
    });
    let repeat = Mapping::new("a repeat")
        .required("repeat", or_filled(number("how often", 0, u64::MAX)))
        .required("steps", json!({"$ref": "#/definitions/steps"}))
        .shape();
    json!({"if": {"type": "object", "required": ["repeat"]}, "then": repeat, "else": deed})
}

/// The list of steps, to which a repeat refers as `#/definitions/steps`.
pub(super) fn steps() -> Value {
    list("what is done, in order, such as `- alice gets: welcome {id}`", step())
}

#[cfg(test)]
mod tests {
    use super::step;
    use crate::scenario::resolve::VERBS;

    #[test]
    fn a_deed_has_the_verbs_that_are_read() {
        let shape = step();
        let keys: Vec<&String> = shape["else"]["patternProperties"].as_object().unwrap().keys().collect();
        let verbs = keys.iter().flat_map(|key| {
            key.trim_start_matches("^\\S+ ").trim_end_matches('$').trim_matches(['(', ')']).split('|')
        });
        assert_eq!(verbs.collect::<Vec<_>>(), VERBS);
    }
}
