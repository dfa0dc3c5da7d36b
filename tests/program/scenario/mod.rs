//! Scenarios as they are read: what is in them, and every fault with its drawing.

mod beside;
mod adaptive;
mod cases;
mod exercised;
mod game;
mod header;
mod include;
mod lines;
mod meanwhile;
mod send_parts;
mod properties;
mod sending;
mod sound;
mod turns;

use urtext::diagnostic::{Diagnostics, Paint, Source};
use urtext::scenario::{Alone, Scenario, resolve};

const REFEREE: &str =
    "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\nturns:\n";
const BOT: &str =
    "scenario: t\ngame: royalur\nsubject: bot\nseat: first\nchecks: [ur/bot/both-seats]\nturns:\n";

fn read(text: &str) -> (Option<Scenario>, Diagnostics) {
    let (mut scenarios, diagnostics) = resolve(&Source::new("s.yaml", text), "s", &Alone);
    assert!(scenarios.len() <= 1, "one scenario was expected");
    (scenarios.pop(), diagnostics)
}

/// The faults of a scenario, drawn.
fn drawn(text: &str) -> String {
    let (scenario, diagnostics) = read(text);
    assert!(
        scenario.is_none() && diagnostics.has_errors(),
        "a fault was expected"
    );
    diagnostics.draw(Paint::Plain)
}

fn with_turns(head: &str, turns: &[&str]) -> String {
    turns
        .iter()
        .fold(head.to_owned(), |text, turn| text + "  - " + turn + "\n")
}

/// A turn with keys beside the player's.
fn with_keys(turn: &str, keys: &[&str]) -> String {
    keys.iter()
        .fold(turn.to_owned(), |text, key| text + "\n    " + key)
}

/// The faults of a scenario for a referee with these turns.
fn referee(turns: &[&str]) -> String {
    drawn(&with_turns(REFEREE, turns))
}

/// The faults of a scenario for a bot in the first seat with these turns.
fn bot(turns: &[&str]) -> String {
    drawn(&with_turns(BOT, turns))
}
