//! JSON Schemas of the files, for editors: draft 7, which they know best.

mod dialogue;
mod turns;

use serde_json::{Value, json};

use super::{LineEnd, Side, Writes};
use crate::pack::{self, Protocol};
use crate::yaml::Kind;
use crate::yaml::shape::{
    self, Mapping, described, duration, either, list, number, or_filled, table, text, truth, word,
};

/// Pattern of the names in braces, and of the names of cases.
const NAME: &str = "^[a-z0-9][a-z0-9-]{0,39}$";

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

/// The keys that every scenario has.
fn common(title: &'static str, games: &[&str]) -> Mapping {
    let case =
        Mapping::new("a case").required("case", text("its name: small letters, digits and `-`"));
    let mut case = case.shape();
    case["additionalProperties"] = text("what is filled in for this name between braces");
    let mut tag = text("a tag");
    tag["pattern"] = NAME.into();
    let filled = text("what is filled in where its name stands between braces");
    Mapping::new(title)
        .required("scenario", text("what it is about, in one line"))
        .required("game", or_filled(word("the game", games)))
        .required(
            "subject",
            or_filled(word("what is under test", &Side::ALL.map(Side::word))),
        )
        .optional(
            "golden",
            text("another file name for the golden transcript"),
        )
        .optional(
            "slow",
            or_filled(truth("whether it is only played when it is asked for")),
        )
        .optional(
            "tags",
            list("words by which it can be selected", or_filled(tag)),
        )
        .optional(
            "variables",
            table("names that stand for a text", NAME, filled),
        )
        .optional(
            "cases",
            list(
                "many scenarios in one: what is filled in, for each of them",
                case,
            ),
        )
}

fn of_turns() -> Value {
    let games = Protocol::game_words();
    let ids: Vec<&str> = pack::catalogues()
        .flat_map(|catalogue| &catalogue.requirements)
        .filter(|requirement| requirement.unchecked.is_none())
        .map(|requirement| requirement.id.as_str())
        .collect();
    let mut keys = common("a scenario", &games.collect::<Vec<_>>())
        .required(
            "checks",
            list(
                "the requirements that it checks, the one it exists for first",
                or_filled(word("the id of a requirement", &ids)),
            ),
        )
        .required("turns", turns::turns())
        .optional(
            "seat",
            or_filled(word("the seat of the bot under test", &turns::seats())),
        )
        .optional(
            "names",
            list(
                "the players' names, the first player's first",
                text("a name on one line"),
            ),
        )
        .optional(
            "writes",
            or_filled(word(
                "how a bot receives its lines: each in two writes, or all up to its next turn in one",
                &Writes::NAMED.map(Writes::word),
            )),
        )
        .optional(
            "spectators",
            or_filled(number("how many watch", 0, super::resolve::MOST_SPECTATORS)),
        )
        .optional(
            "connect",
            list(
                "in which order players and spectators connect",
                word("who", &["player", "spectator"]),
            ),
        )
        .optional(
            "timeout",
            or_filled(time("the timeout that the game is played with")),
        )
        .optional(
            "attempts",
            or_filled(number(
                "how many games are played until one brings what it waits for",
                1,
                super::resolve::MOST_ATTEMPTS,
            )),
        )
        .optional(
            "pace",
            or_filled(time("the pace that the game is played with")),
        );
    for (key, due) in pack::games().flat_map(|game| game.setup_keys()) {
        keys = keys.optional(key, text(due));
    }
    keys.shape()
}

/// A time, or what leaves it to the subject.
fn time(says: &str) -> Value {
    either(
        says,
        [
            duration(says),
            word("the subject's own default", &[super::resolve::DEFAULT]),
        ],
    )
}

fn of_lines() -> Value {
    let steps = json!({"description": "what is done, in order", "type": "array"});
    let mut shape = common("a scenario of lines", &["lines"])
        .optional(
            "participants",
            list("who takes part, one word each", text("a name of one word")),
        )
        .optional(
            "line-end",
            described("the end of each line, sent and received", LineEnd::shape()),
        )
        .required("steps", steps)
        .shape();
    shape["allOf"] = json!([dialogue::by_subject()]);
    shape
}
