//! A scenario as text: the inverse of reading it.

#[cfg(test)]
mod kinds;
mod lines;
#[cfg(test)]
mod properties;
mod scalar;
mod turn;

use std::fmt::Write;

use super::planned_game::ATTEMPTS;
use super::resolve::DEFAULT;
use super::{
    Dialogue, LineEnd, Plan, PlannedGame, Scenario, Side, StepKind, Turn, TurnPlace, Writes,
};
use crate::diagnostic::{Source, Span};
use crate::rules::Seat;
use crate::yaml::Words;
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
    let own = scenario.game_mut().map(|plan| plan.steps.iter_mut());
    for (step, lines) in own.into_iter().flatten().zip(steps) {
        let acts = match &mut step.kind {
            StepKind::Turn(Turn { meanwhile, .. })
            | StepKind::Improvise(Turn { meanwhile, .. }) => meanwhile.as_mut_slice(),
            _ => &mut [],
        };
        // An act that stands in the line of the turn has no line of its own.
        let first_act = lines.len() - acts.len().min(lines.len() - 1);
        for (number, line) in lines.into_iter().enumerate() {
            let dash = line.find("- ").map_or(0, |dash| dash + 2);
            // What stands below a key alone is no part of its place.
            let end = line.trim_end_matches(':').len();
            let span = Span::new(text.len() + dash, text.len() + end);
            match number.checked_sub(first_act) {
                _ if number == 0 => {
                    step.span = span;
                    acts.iter_mut().for_each(|act| act.span = span);
                }
                Some(act) => acts[act].span = span,
                None => {}
            }
            text += &line;
            text.push('\n');
        }
    }
    let source = Source::new(name, text + &below);
    let own = scenario.game_mut().map(|plan| plan.steps.iter_mut());
    for step in own.into_iter().flatten() {
        if let StepKind::Turn(Turn { at, .. }) | StepKind::Improvise(Turn { at, .. }) =
            &mut step.kind
        {
            *at = TurnPlace::new(&source, step.span);
        }
    }
    scenario.source = source;
}

/// The text above the steps, the lines of each step, and the text below them.
fn parts(scenario: &Scenario) -> (String, Vec<Vec<String>>, String) {
    let mut text = String::new();
    for line in &scenario.comments {
        writeln!(text, "{}", format!("# {line}").trim_end()).expect("a string takes all");
    }
    let (keys, list, steps) = match &scenario.plan {
        Plan::Dialogue(dialogue) => (
            keys_of_dialogue(scenario, dialogue),
            "steps",
            vec![lines::steps(dialogue, &dialogue.steps, 2)],
        ),
        Plan::Game(plan) => {
            let steps = plan.steps.iter();
            let steps = steps.map(|step| turn::step(plan, &step.kind)).collect();
            (keys_of_game(scenario, plan), "turns", steps)
        }
    };
    for (key, value) in keys {
        writeln!(text, "{key}: {value}").expect("a string takes all");
    }
    writeln!(text, "{list}:").expect("a string takes all");
    let golden = scenario.golden_name.iter();
    let golden = golden.map(|golden| format!("golden: {}\n", scalar(golden)));
    (text, steps, golden.collect())
}

/// The keys above the steps, each with its value.
type Keys = Vec<(&'static str, String)>;

/// The keys of every scenario; `slow` and `tags` have their place among the others.
fn common(scenario: &Scenario) -> (Keys, Keys) {
    let keys = vec![
        ("scenario", scalar(&scenario.title)),
        ("game", scenario.protocol().game_name().to_owned()),
        ("subject", scenario.side().word().to_owned()),
    ];
    let slow = scenario.is_slow.then(|| ("slow", "true".to_owned()));
    let tags = (!scenario.tags.is_empty()).then(|| ("tags", list(&scenario.tags)));
    (keys, slow.into_iter().chain(tags).collect())
}

fn keys_of_dialogue(scenario: &Scenario, dialogue: &Dialogue) -> Keys {
    let (mut keys, selecting) = common(scenario);
    keys.push(("participants", list(&dialogue.participants)));
    if dialogue.line_end != LineEnd::default() {
        keys.push(("line-end", dialogue.line_end.word().to_owned()));
    }
    keys.extend(selecting);
    keys
}

fn keys_of_game(scenario: &Scenario, plan: &PlannedGame) -> Keys {
    let game = plan.dialect.game();
    let (mut keys, selecting) = common(scenario);
    let mut key = |name, value: Option<String>| keys.extend(value.map(|value| (name, value)));
    let of_bot = plan.side == Side::Bot;
    key(
        "seat",
        of_bot.then(|| game.seat_name(plan.bot_seat).to_owned()),
    );
    key("checks", Some(list(&plan.checks)));
    let names = plan.names.as_ref();
    key(
        "names",
        names.map(|names| list(Seat::BOTH.map(|seat| &names[seat]))),
    );
    key(
        "writes",
        (plan.writes != Writes::Whole).then(|| plan.writes.word().to_owned()),
    );
    let usual = u32::from(!of_bot && plan.dialect.has_spectators());
    key(
        "spectators",
        (plan.spectators != usual).then(|| plan.spectators.to_string()),
    );
    key(
        "connect",
        (!plan.connect.is_empty()).then(|| list(plan.connect.iter().map(|kind| kind.word()))),
    );
    for (name, time) in [("timeout", plan.timeout), ("pace", plan.pace)] {
        key(
            name,
            time.map(|time| match plan.leaves(name) {
                true => DEFAULT.to_owned(),
                false => humantime::format_duration(time).to_string(),
            }),
        );
    }
    selecting
        .into_iter()
        .for_each(|(name, value)| key(name, Some(value)));
    let values = plan
        .setup
        .map(|setup| game.setup_values(setup))
        .unwrap_or_default();
    for (name, _) in game.setup_keys() {
        let value = values.iter().find(|(place, _)| place == name);
        key(name, value.map(|(_, value)| scalar(value)));
    }
    key(
        "attempts",
        (plan.attempts != ATTEMPTS).then(|| plan.attempts.to_string()),
    );
    keys
}
