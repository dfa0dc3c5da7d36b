//! A scenario as text: the inverse of reading it.

mod lines;
#[cfg(test)]
mod properties;
mod scalar;
mod turn;

use std::fmt::Write;

use super::resolve::DEFAULT;
use super::script::ATTEMPTS;
use super::{Scenario, Side};
use crate::protocol::LaneKind;
use crate::rules::Seat;
use scalar::{list, scalar};

/// Writes a scenario as YAML. Reading that gives the same scenario, but for the positions in its text: included turns stand in their
/// places, and a case stands alone.
#[must_use]
pub fn write(scenario: &Scenario) -> String {
    let mut text = String::new();
    for line in &scenario.comments {
        writeln!(text, "{}", format!("# {line}").trim_end()).expect("a string takes all");
    }
    let steps: Vec<String> = match &scenario.dialogue {
        Some(dialogue) => lines::steps(dialogue, &dialogue.steps, scenario.side, 2),
        None => scenario
            .steps
            .iter()
            .flat_map(|step| {
                let lines = turn::step(scenario, &step.kind).into_iter();
                lines.enumerate().map(|(place, line)| match place {
                    0 => format!("  - {line}"),
                    _ => format!("    {line}"),
                })
            })
            .collect(),
    };
    for (key, value) in keys(scenario) {
        writeln!(text, "{key}: {value}").expect("a string takes all");
    }
    let list = if scenario.dialogue.is_some() {
        "steps"
    } else {
        "turns"
    };
    writeln!(text, "{list}:\n{}", steps.join("\n")).expect("a string takes all");
    if let Some(golden) = &scenario.golden_name {
        writeln!(text, "golden: {}", scalar(golden)).expect("a string takes all");
    }
    text
}

/// The keys above the turns, each with what stands there.
fn keys(scenario: &Scenario) -> Vec<(&'static str, String)> {
    let game = scenario.dialect.game();
    let mut keys = vec![
        ("scenario", scalar(&scenario.title)),
        ("game", game.name().to_owned()),
        ("subject", scenario.side.word().to_owned()),
    ];
    let mut key = |name, value: Option<String>| keys.extend(value.map(|value| (name, value)));
    let is_slow = scenario.is_slow.then(|| "true".to_owned());
    if let Some(dialogue) = &scenario.dialogue {
        key("participants", Some(list(&dialogue.participants)));
        key("slow", is_slow);
        return keys;
    }
    let of_bot = scenario.side == Side::Bot;
    key(
        "seat",
        of_bot.then(|| game.seat_name(scenario.bot_seat).to_owned()),
    );
    key("checks", Some(list(&scenario.checks)));
    let names = scenario.names.as_ref();
    key(
        "names",
        names.map(|names| list(Seat::BOTH.map(|seat| &names[seat]))),
    );
    let usual = u32::from(!of_bot && scenario.dialect.has_spectators());
    key(
        "spectators",
        (scenario.spectators != usual).then(|| scenario.spectators.to_string()),
    );
    let connects = |kind: &LaneKind| match kind {
        LaneKind::Player => "player",
        LaneKind::Spectator => "spectator",
    };
    key(
        "connect",
        (!scenario.connect.is_empty()).then(|| list(scenario.connect.iter().map(connects))),
    );
    for (name, time) in [("timeout", scenario.timeout), ("pace", scenario.pace)] {
        key(
            name,
            time.map(|time| match scenario.leaves(name) {
                true => DEFAULT.to_owned(),
                false => humantime::format_duration(time).to_string(),
            }),
        );
    }
    key("slow", is_slow);
    let values = scenario
        .setup
        .map(|setup| game.setup_values(setup))
        .unwrap_or_default();
    for (name, _) in game.setup_keys() {
        let value = values.iter().find(|(place, _)| place == name);
        key(name, value.map(|(_, value)| scalar(value)));
    }
    key(
        "attempts",
        (scenario.attempts != ATTEMPTS).then(|| scenario.attempts.to_string()),
    );
    keys
}
