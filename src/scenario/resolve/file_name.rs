//! File names that a scenario writes, of its golden transcript and of what it includes: each stays in the folder it is taken from.

use serde_json::Value as Json;

use super::paper::Undetermined;
use crate::diagnostic::{Diagnostic, Faults, visible};
use crate::yaml::{Key, Kind, Node};

/// A file name for the golden transcript that stays in the folder it is taken from.
#[derive(Debug)]
pub(in crate::scenario) struct GoldenName(pub(in crate::scenario) String);

impl Kind for GoldenName {
    fn read(node: &Node, faults: &Faults<'_>) -> Option<GoldenName> {
        let text = node.as_line(faults)?;
        let Some(reason) = leads_out(text, &[".txt"]) else {
            return Some(GoldenName(text.to_owned()));
        };
        let title = format!("this cannot be the file of the golden transcript: {reason}");
        let help = "write a plain file name, such as `seed-example.txt`, or remove the line: the name follows from the scenario's";
        faults.refuse("scenario/golden", title, node.span, "", help);
        None
    }

    fn shape() -> Json {
        String::shape()
    }

    fn written(&self) -> Option<String> {
        self.0.written()
    }
}

/// The path of a file that is included, which stays in the folder it is taken from.
pub(super) fn included<'n>(node: &'n Node, faults: &Faults<'_>) -> Option<&'n str> {
    let text = node.as_line(faults)?;
    let Some(reason) = leads_out(text, &[".yaml", ".yml"]) else {
        return Some(text);
    };
    let title = format!("this cannot be a file to include: {reason}");
    faults.refuse(
        "turn/include",
        title,
        node.span,
        "",
        "write a plain file name, such as `_opening.yaml`",
    );
    None
}

/// Refuses a golden transcript where the game is not determined by the scenario.
pub(super) fn refuse_golden(entry: &(Key, Node), why: &Undetermined, faults: &Faults<'_>) {
    let span = entry.0.span.to(entry.1.span);
    let fault =
        |title: &str| Diagnostic::error("scenario/golden", title).at(faults.source(), span, "");
    faults.push(match why {
        Undetermined::Chosen => {
            let title =
                "this game has no golden transcript: urtext chooses some of its moves at random";
            let help =
                "remove this line, or write every move of the opponent and no `play: to the end`";
            fault(title).help(help)
        }
        Undetermined::Chance => {
            let title =
                "this game has no golden transcript: the scenario leaves to chance how it starts";
            fault(title).help("remove this line, or say how the game starts")
        }
        Undetermined::Open(by) => {
            let title = "this game has no golden transcript: what it comes to is left open";
            fault(title)
                .explained_by(by.clone())
                .help("remove this line")
        }
    });
}

/// Returns the reason why a path cannot name a file with one of these extensions below its base folder.
fn leads_out(text: &str, endings: &[&str]) -> Option<&'static str> {
    Some(if text.is_empty() {
        "it is empty"
    } else if text.starts_with('/') || text.as_bytes().get(1) == Some(&b':') {
        "it is absolute"
    } else if text.contains('\\') {
        "it holds a `\\`; folders are separated by `/`"
    } else if text.contains(visible::is_hostile) {
        "it holds a character that cannot be seen"
    } else if text.split('/').any(|part| part == ".." || part == ".") {
        "it holds a `.` or `..`, and must stay in its folder"
    } else if text.split('/').any(str::is_empty) {
        "it holds a folder without a name"
    } else if text.split('/').any(|part| part.starts_with('.')) {
        "it is hidden: a part of it begins with `.`"
    } else if !endings.iter().any(|ending| text.ends_with(ending)) {
        if endings == [".txt"] {
            "it does not end with `.txt`"
        } else {
            "it does not end with `.yaml`"
        }
    } else if text.len() > 255 {
        "it is longer than 255 bytes"
    } else {
        return None;
    })
}
