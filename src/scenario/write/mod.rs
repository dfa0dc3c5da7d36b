//! A scenario as text: the inverse of reading it.

mod lines;
#[cfg(test)]
mod properties;
mod scalar;
mod turn;

use std::fmt::Write;

use super::resolve::DEFAULT;
use super::script::ATTEMPTS;
use super::{Scenario, Side, StepKind};
use crate::diagnostic::{Source, Span};
use crate::protocol::LaneKind;
use crate::rules::Seat;
use scalar::{list, scalar};

/// Writes a scenario as YAML. Reading that gives the same scenario, but for the positions in its text: included turns stand in their
/// places, and a case stands alone.
#[must_use]
pub fn write(scenario: &Scenario) -> String {
    let (above, steps, below) = parts(scenario);
    let lines = steps.into_iter().flatten();
    lines.fold(above, |text, line| text + &line + "\n") + &below
}

/// Sets the text of a scenario to what is written of it, and the places of its turns to those in that text.
pub(super) fn place(scenario: &mut Scenario, name: &str) {
    let (mut text, steps, below) = parts(scenario);
    for (step, lines) in scenario.steps.iter_mut().zip(steps) {
        let acts = match &mut step.kind {
            StepKind::Turn(turn) => turn.meanwhile.as_mut_slice(),
            _ => &mut [],
        };
        let first_act = lines.len() - acts.len();
        for (number, line) in lines.into_iter().enumerate() {
            let dash = line.find("- ").map_or(0, |dash| dash + 2);
            // What stands below a key alone is no part of its place.
            let end = line.trim_end_matches(':').len();
            let span = Span::new(text.len() + dash, text.len() + end);
            match number.checked_sub(first_act) {
                _ if number == 0 => step.span = span,
                Some(act) => acts[act].span = span,
                None => {}
            }
            text += &line;
            text.push('\n');
        }
    }
    scenario.source = Source::new(name, text + &below);
}

/// The text above the steps, the lines of each step, and the text below them.
fn parts(scenario: &Scenario) -> (String, Vec<Vec<String>>, String) {
    let mut text = String::new();
    for line in &scenario.comments {
        writeln!(text, "{}", format!("# {line}").trim_end()).expect("a string takes all");
    }
    let steps = match &scenario.dialogue {
        Some(dialogue) => vec![lines::steps(dialogue, &dialogue.steps, scenario.side, 2)],
        None => {
            let steps = scenario.steps.iter();
            steps.map(|step| turn::step(scenario, &step.kind)).collect()
        }
    };
    for (key, value) in keys(scenario) {
        writeln!(text, "{key}: {value}").expect("a string takes all");
    }
    let list = if scenario.dialogue.is_some() {
        "steps"
    } else {
        "turns"
    };
    writeln!(text, "{list}:").expect("a string takes all");
    let golden = scenario.golden_name.iter();
    let golden = golden.map(|golden| format!("golden: {}\n", scalar(golden)));
    (text, steps, golden.collect())
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
