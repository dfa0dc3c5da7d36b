//! A scenario as text: the inverse of reading it.

#[cfg(test)]
mod kinds;
mod lines;
mod piece;
#[cfg(test)]
mod properties;
mod turn;

use std::fmt::Write;
use std::time::Duration;

use super::resolve::{
    CaseKeys, DialogueKeys, Elsewhere, GameKeys, GoldenName, HeadKeys, Ids, Names, SeatName,
    SelectionKeys, SetupKeys, Tags, Time,
};
use super::{Dialogue, LineEnd, Plan, PlannedGame, Scenario, Side, StepKind, Turn, TurnPlace};
use crate::diagnostic::{Source, Span};
use crate::yaml::{At, Keys, Node, Number, list};

/// Writes a scenario as YAML. Reading that gives the same scenario, but for the positions in its text: included turns stand in their
/// places, and a case stands alone.
#[must_use]
pub fn write(scenario: &Scenario) -> String {
    let (above, steps) = parts(scenario);
    let lines = steps.into_iter().flatten();
    lines.fold(above, |text, line| text + &line + "\n")
}

/// Sets the text of a scenario to what is written of it, and the places of its turns to those in that text.
pub(super) fn place(scenario: &mut Scenario, name: &str) {
    let (mut text, steps) = parts(scenario);
    let own = scenario.game_mut().map(|plan| plan.steps.iter_mut());
    for (step, lines) in own.into_iter().flatten().zip(steps) {
        let acts = match &mut step.kind {
            StepKind::Turn(Turn { meanwhile, .. })
            | StepKind::Improvise(Turn { meanwhile, .. }) => meanwhile.as_mut_slice(),
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
    let source = Source::new(name, text);
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

/// The text above the steps, and the lines of each step.
fn parts(scenario: &Scenario) -> (String, Vec<Vec<String>>) {
    let mut text = String::new();
    for line in &scenario.comments {
        writeln!(text, "{}", format!("# {line}").trim_end()).expect("a string takes all");
    }
    let mut keys = Vec::new();
    let (list, steps) = match &scenario.plan {
        Plan::Dialogue(dialogue) => {
            keys_of_dialogue(scenario, dialogue).write(&mut keys);
            ("steps", vec![lines::steps(dialogue, &dialogue.steps, 2)])
        }
        Plan::Game(plan) => {
            keys_of_game(scenario, plan).write(&mut keys);
            let steps = plan.steps.iter();
            let steps = steps.map(|step| turn::step(plan, &step.kind)).collect();
            ("turns", steps)
        }
    };
    for (key, value) in keys {
        writeln!(text, "{key}: {value}").expect("a string takes all");
    }
    writeln!(text, "{list}:").expect("a string takes all");
    (text, steps)
}

fn head(scenario: &Scenario) -> HeadKeys {
    HeadKeys {
        title: Some(scenario.title.clone()),
        game: Some(scenario.protocol()),
        side: Some(scenario.side()),
    }
}

fn selection(scenario: &Scenario) -> SelectionKeys {
    let tags = &scenario.tags;
    SelectionKeys {
        is_slow: scenario.is_slow.then_some(true),
        tags: (!tags.is_empty()).then(|| Tags(tags.clone())),
    }
}

fn ids(checks: &[&'static str]) -> Ids {
    let span = Span::default();
    let checks = checks.iter().map(|id| At {
        is: (*id).to_owned(),
        span,
    });
    Ids(checks.collect())
}

fn golden(scenario: &Scenario) -> Option<GoldenName> {
    scenario.golden_name.clone().map(GoldenName)
}

fn keys_of_dialogue(scenario: &Scenario, dialogue: &Dialogue) -> DialogueKeys {
    let line_end = dialogue.line_end;
    DialogueKeys {
        head: head(scenario),
        checks: (!dialogue.checks.is_empty()).then(|| ids(&dialogue.checks)),
        participants: Some(Elsewhere(Some(list(&dialogue.participants)))),
        line_end: (line_end != LineEnd::default()).then_some(line_end),
        selection: selection(scenario),
        golden: golden(scenario),
        steps: None,
        cases: CaseKeys::default(),
    }
}

fn keys_of_game(scenario: &Scenario, plan: &PlannedGame) -> GameKeys {
    let game = plan.dialect.game();
    let usual = PlannedGame::new(plan.dialect, plan.side);
    let seat = game.seat_name(plan.bot_seat);
    let time = |place, time: Option<Duration>| match plan.leaves(place) {
        true => Some(Time::Default),
        false => time.map(Time::Said),
    };
    GameKeys {
        head: head(scenario),
        seat: (plan.side == Side::Bot).then(|| SeatName(Node::of_text(seat))),
        checks: Some(ids(&plan.checks)),
        names: plan.names.clone().map(Names),
        writes: (plan.writes != usual.writes).then_some(plan.writes),
        spectators: (plan.spectators != usual.spectators)
            .then_some(Number(u64::from(plan.spectators))),
        connect: (!plan.connect.is_empty()).then(|| plan.connect.clone()),
        timeout: time("timeout", plan.timeout),
        pace: time("pace", plan.pace),
        selection: selection(scenario),
        setup: plan
            .setup
            .map_or_else(SetupKeys::default, |setup| SetupKeys::of(game, setup)),
        attempts: (plan.attempts != usual.attempts).then_some(Number(u64::from(plan.attempts))),
        golden: golden(scenario),
        turns: None,
        cases: CaseKeys::default(),
    }
}
