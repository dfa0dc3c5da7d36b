//! Whatever bytes a file holds, reading it ends, and every place it speaks of lies inside the text.

use proptest::prelude::*;

use urtext::diagnostic::{Faults, Source, Span};
use urtext::yaml::{Kind, Node, Row, Value, known, parse};

use super::properties::are_sound;

const SCENARIO: &str = "\
scenario: extra turn, skipped turn, capture
game: royalur
checks: [ur/extra-turn/cell-4, &x ur/skip/roll-0, *x]
spectators: 1
turns:
  - first:  0 0 1 1 > 3
  - second: 1 1 1 1 > 0      # the fourth cell: second plays again
  - second: 1 0 1 0
    send: [\"2\", {pause: 300ms}, \"\\n\"]
  - first: 'żółw'
    silent: |
      until the timeout
golden: seed-example.txt
";

const PIECES: [&str; 40] = [
    ": ", "- ", "\n", "\r\n", "  ", "\t", "#", "[", "]", "{", "}", ",", "&a ", "*a", "!", "!!str ",
    "|", ">", ">3", "'", "\"", "\\", "%", "@", "`", "?", "? ", "---\n", "...\n", "<<", "~", "null",
    "é", "\u{feff}", "\u{2028}", "\0", "\x1b", "a", "\n- ", "\n  ",
];

fn hostile_bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => prop::sample::select(PIECES.as_slice()).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        1 => any::<char>().prop_map(|character| character.to_string().into_bytes()),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn mutated_scenario() -> impl Strategy<Value = Vec<u8>> {
    let edit = (
        any::<prop::sample::Index>(),
        0usize..6,
        prop::sample::select(PIECES.as_slice()),
    );
    prop::collection::vec(edit, 1..6).prop_map(|edits| {
        let mut bytes = SCENARIO.as_bytes().to_vec();
        for (index, removed, piece) in edits {
            let start = index.index(bytes.len() + 1);
            let end = (start + removed).min(bytes.len());
            bytes.splice(start..end, piece.bytes());
        }
        bytes
    })
}

fn spans_of(node: &Node, spans: &mut Vec<Span>) {
    spans.push(node.span);
    match &node.value {
        Value::List(nodes) => nodes.iter().for_each(|node| spans_of(node, spans)),
        Value::Map(entries) => entries.iter().for_each(|(key, node)| {
            spans.push(key.span);
            spans_of(node, spans);
        }),
        Value::Null | Value::Scalar(_) => {}
    }
}

/// Asks every node for everything, so that every refusal is built and drawn.
fn ask_for_everything(node: &Node, faults: &Faults) {
    let _ = (
        node.as_str(faults),
        node.as_line(faults),
        node.as_u64(faults),
        node.as_bool(faults),
    );
    let _ = (
        node.as_duration(faults),
        node.as_one_of(&["bot", "referee"], faults),
    );
    for entry in node.as_list(faults).unwrap_or_default() {
        ask_for_everything(entry, faults);
    }
    let keys = ["first", "game", "send", "silent"];
    let mut rows = keys.map(|key| Row::optional(key, String::shape));
    rows[0].is_required = true;
    known(node, "a thing", &rows, &["send", "silent"], faults);
    if let Some((_, first)) = node.entry("first") {
        ask_for_everything(first, faults);
    }
}

fn holds(bytes: Vec<u8>) -> Result<(), TestCaseError> {
    let source = Source::from_bytes("a", bytes);
    let faults = Faults::new(&source);
    let root = parse("scenario:", &faults);
    prop_assert!(root.is_some() || !faults.is_empty());
    let mut spans = Vec::new();
    if let Some(root) = &root {
        spans_of(root, &mut spans);
        ask_for_everything(root, &faults);
    }
    are_sound(spans, &faults.into_diagnostics(), &source)?;
    Ok(())
}

proptest! {
    #[test]
    fn any_bytes_are_read_to_an_end(bytes in hostile_bytes()) {
        holds(bytes)?;
    }

    #[test]
    fn a_mutated_scenario_is_read_to_an_end(bytes in mutated_scenario()) {
        holds(bytes)?;
    }
}

#[test]
fn the_scenario_that_is_mutated_is_sound() {
    let source = Source::new("a", SCENARIO);
    let faults = Faults::new(&source);
    assert!(parse("scenario:", &faults).is_some());
    assert!(faults.is_empty());
}
