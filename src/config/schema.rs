//! The JSON Schema of `urtext.yaml`, for editors.

use serde_json::{Value, json};

use super::file::{RunDefaults, RunOptions};
use super::{LateSpectator, Way};
use crate::finding::Verdict;
use crate::pack::Protocol;
use crate::scenario::{MOST_SPECTATORS, Side};
use crate::yaml::shape::{self, Mapping, duration, either, list, number, table, text, truth, word};

/// The schema of the file.
#[must_use]
pub fn schema() -> Value {
    let default = "what is tested where nobody names a subject: at most one for each side and game";
    let mut schema = Mapping::new("urtext.yaml")
        .optional(
            "default",
            either(
                default,
                [text("a subject"), list("subjects", text("a subject"))],
            ),
        )
        .optional("run", run())
        .required(
            "subjects",
            table("what can be tested, by name", "", subject()),
        )
        .shape();
    schema["$schema"] = json!(shape::DRAFT);
    schema
}

fn run() -> Value {
    let allowed = || {
        word(
            "a verdict that leaves the exit status at 0",
            &RunOptions::ALLOWED.map(Verdict::word),
        )
    };
    let reports = RunDefaults::REPORTS.into_iter();
    let file = || {
        text(
            "its file, from the folder of this one; for html a folder, and `-` for standard output",
        )
    };
    let report = reports.fold(Mapping::new("report"), |mapping, name| {
        mapping.optional(name, file())
    });
    Mapping::new("run")
        .optional(
            "jobs",
            number("how many games are played at once", 1, u32::MAX.into()),
        )
        .optional(
            "retries",
            number(
                "how often a failed scenario is played again",
                0,
                u32::MAX.into(),
            ),
        )
        .optional(
            "for",
            duration("the time after which no further game begins"),
        )
        .optional(
            "allow",
            either("what is excused", [allowed(), list("verdicts", allowed())]),
        )
        .optional("report", report.shape())
        .optional(
            "baseline",
            text("the file with the known failures, from the folder of this one"),
        )
        .shape()
}

fn subject() -> Value {
    let ways: Vec<&str> = Way::WORDS.iter().map(|(word, _)| *word).collect();
    let late = LateSpectator::WORDS.map(|(word, _)| word);
    Mapping::new("a subject")
        .required("as", word("what it is", &Side::ALL.map(Side::word)))
        .required("game", word("what it plays", &Protocol::game_words().collect::<Vec<_>>()))
        .optional("game-name", text("what the game is called there"))
        .optional("command", list("how it is started: the program and its arguments, with places such as {port}", text("one word of it; there is no shell")))
        .optional("folder", text("the folder that it runs in, from this file's; `empty`, or nothing: an empty one for each game"))
        .optional("environment", table("variables beside those of urtext itself; null takes one away", "", json!({"description": "its value, with places", "type": ["string", "number", "boolean", "null"]})))
        .optional("ready", text("the line that it prints when it can be connected to"))
        .optional("limits", limits())
        .optional("parameters", table("further places, each with its type", "^[a-z_]+$", parameter()))
        .optional("reach", word("how it is reached", &ways))
        .optional("players", lanes("players", "where the players connect, HOST:PORT, and what is said there"))
        .optional("spectators", lanes("spectators", "`none`, `same-port`, `own-port` or HOST:PORT, and what is said there"))
        .optional("rolls", rolls())
        .optional("late-spectator", word("what a spectator receives that joins after the beginning", &late))
        .optional("timeout", duration("the timeout that it plays with"))
        .optional("pace", duration("the pace that it plays with"))
        .optional("budgets", budgets())
        .shape()
}

fn lanes(title: &'static str, says: &str) -> Value {
    let mut mapping = Mapping::new(title)
        .optional("at", text("the address"))
        .optional(
            "say",
            list(
                "lines that are said on connecting; {name} is the player's",
                text("a line"),
            ),
        )
        .optional(
            "expect",
            list(
                "lines that have to come in reply",
                text("a line, with places"),
            ),
        );
    if title == "spectators" {
        let says = "how many spectators the referee waits for before it begins a game, where that is fixed";
        mapping = mapping.optional("wait-for", number(says, 0, MOST_SPECTATORS));
    }
    either(says, [text(says), mapping.shape()])
}

fn rolls() -> Value {
    let mapping = Mapping::new("rolls")
        .optional(
            "environment",
            text("the environment variable that takes them"),
        )
        .optional(
            "argument",
            truth("the place {rolls} in the command takes them"),
        )
        .optional(
            "file",
            truth("the place {rolls_file} names a file with them"),
        )
        .optional("between-rolls", text("what stands between two rolls"))
        .optional(
            "between-digits",
            text("what stands between the digits of a roll"),
        )
        .optional(
            "digits",
            word("each die for itself, or their sum", &["each", "sum"]),
        )
        .with_one_of(&["environment", "argument", "file"]);
    either(
        "how forced rolls are given to it",
        [word("how", &["argument", "file", "none"]), mapping],
    )
}

fn limits() -> Value {
    Mapping::new("limits")
        .optional("memory", text("a number and a unit, such as `512MiB`"))
        .optional("cpu", duration("whole seconds of processor time"))
        .optional(
            "open-files",
            number("how many files it may have open", 4, u64::from(u32::MAX)),
        )
        .shape()
}

fn parameter() -> Value {
    let kinds = word("its type", &["text", "number", "duration", "boolean"]);
    let mapping = Mapping::new("a parameter")
        .required(
            "type",
            either(
                "its type, or the words that it can be",
                [kinds, list("the words", text("a word"))],
            ),
        )
        .optional("value", text("its value where nothing else is said"))
        .shape();
    either(
        "a text, or its type and its value",
        [text("its text"), mapping],
    )
}

fn budgets() -> Value {
    Mapping::new("budgets")
        .optional(
            "start",
            duration("from its start to the connection of every lane"),
        )
        .optional(
            "handshake",
            duration("from the connection to the end of the handshake"),
        )
        .optional(
            "answer",
            duration("for a line that is due, on top of pace and timeout"),
        )
        .optional(
            "close",
            duration("from the end of the game to the end of every stream"),
        )
        .optional(
            "forfeit",
            duration(
                "to end the game of a player who has gone away, where the timeout is not known",
            ),
        )
        .optional("whole", duration("for a whole scenario"))
        .shape()
}
