//! A scenario as text: the inverse of reading it.

use std::time::Duration;

use super::resolve::{
    ALL, CaseKeys, DialogueKeys, Doer, Elsewhere, GameKeys, GoldenName, HeadKeys, Ids, Names,
    OTHER, Said, SeatName, SelectionKeys, SetupKeys, TURNS, Tags, Time, VERBS, sent,
};
use super::{
    Act, Deed, Dialogue, LineAct, LineEnd, LineStep, Participant, Plan, PlannedGame, Scenario,
    SendPart, Side, Situation, StepKind, Turn, Until,
};
use crate::rules::Seat;
use crate::yaml::{At, Keys, Node, Number, Words, list, scalar};

#[cfg(test)]
mod made_up;
#[cfg(test)]
mod made_up_game;
#[cfg(test)]
mod properties;

/// Writes a scenario as YAML. Reading that gives the same scenario, but for the positions in its text: included turns stand in their
/// places, and a case stands alone.
#[must_use]
pub fn write(scenario: &Scenario) -> String {
    let comments = scenario.comments.iter();
    let mut lines: Vec<String> = comments
        .map(|line| format!("# {line}").trim_end().to_owned())
        .collect();
    let mut keys = Vec::new();
    let (list, steps) = match &scenario.plan {
        Plan::Dialogue(dialogue) => {
            keys_of_dialogue(scenario, dialogue).write(&mut keys);
            ("steps:", line_steps(dialogue, &dialogue.steps, 2))
        }
        Plan::Game(plan) => {
            keys_of_game(scenario, plan).write(&mut keys);
            let steps = plan.steps.iter();
            let steps = steps.flat_map(|one| step(plan, &one.kind));
            ("turns:", steps.collect())
        }
    };
    lines.extend(
        keys.into_iter()
            .map(|(key, value)| format!("{key}: {value}")),
    );
    lines.push(list.to_owned());
    lines.extend(steps);
    lines.join("\n") + "\n"
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
    let checks = checks.iter().map(|id| At::nowhere((*id).to_owned()));
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

/// Writes the steps, indented by so many spaces.
fn line_steps(dialogue: &Dialogue, steps: &[LineStep], indent: usize) -> Vec<String> {
    let lines = steps
        .iter()
        .flat_map(|one| line_step(dialogue, one, indent));
    lines.collect()
}

fn line_step(dialogue: &Dialogue, step: &LineStep, indent: usize) -> Vec<String> {
    let margin = " ".repeat(indent);
    if let LineAct::Repeat { times, steps } = &step.what {
        let mut lines = vec![
            format!("{margin}- repeat: {times}"),
            format!("{margin}  steps:"),
        ];
        lines.extend(line_steps(dialogue, steps, indent + 4));
        return lines;
    }
    let written = VERBS.iter().find_map(|verb| {
        let value = (verb.written)(&step.what, dialogue.line_end)?;
        Some((verb.word(dialogue.side), value))
    });
    let (verb, value) = written.expect("a participant of a dialogue can do it");
    let who = match step.lanes[..] {
        [lane] => dialogue.participants[lane].as_str(),
        _ => ALL,
    };
    let key = scalar(&format!("{who} {verb}"));
    vec![format!("{margin}- {key}: {value}")]
}

/// Writes a step: its own line, and the lines below it.
fn step(plan: &PlannedGame, step: &StepKind) -> Vec<String> {
    let lines = unindented(plan, step).into_iter().enumerate();
    lines
        .map(|(place, line)| match place {
            0 => format!("  - {line}"),
            _ => format!("    {line}"),
        })
        .collect()
}

fn unindented(plan: &PlannedGame, step: &StepKind) -> Vec<String> {
    match step {
        StepKind::Turn(turn) => self::turn(plan, &turn.clone().of(Some(turn.seat))),
        StepKind::Improvise(turn) => self::turn(plan, turn),
        StepKind::PlayToTheEnd => vec![format!("play: {}", play(plan, step))],
        StepKind::PlayUntil(until) => {
            let within = match until.turns {
                TURNS => String::new(),
                turns => format!(", within {turns} turns"),
            };
            vec![format!("play: until {}{within}", until.text(plan))]
        }
    }
}

/// Writes legal play that chance decides.
fn play(plan: &PlannedGame, step: &StepKind) -> String {
    let written = Doer::Play.said(&Said::Play(step.clone()), Some(plan));
    written.unwrap_or_default()
}

impl Until {
    /// Legal play until this situation has come up, for as many turns as usual.
    #[must_use]
    pub fn new(who: Option<Seat>, situation: Situation) -> Until {
        Until {
            who,
            situation,
            turns: TURNS,
        }
    }

    /// The situation, such as `top can capture`.
    #[must_use]
    pub fn text(&self, plan: &PlannedGame) -> String {
        match &self.situation {
            Situation::CanTest(code, ids, _) => {
                let what = code.map_or("move".to_owned(), |code| format!("break {code}"));
                let who = plan.mover(self.who);
                format!("{who} can {what}, to test {}", ids.join(", "))
            }
            Situation::Tested(ids) => format!("turns that test {}", ids.join(", ")),
            _ => {
                let until = Until {
                    turns: TURNS,
                    ..self.clone()
                };
                play(plan, &StepKind::PlayUntil(until)).split_off("until ".len())
            }
        }
    }
}

impl Turn<Option<Seat>> {
    /// The turn on one line, such as `mover: any capture`, with what happens meanwhile.
    #[must_use]
    pub fn text(&self, plan: &PlannedGame) -> String {
        let text = format!("{}: {}", plan.mover(self.seat), value(plan, self));
        let acts = self.meanwhile.iter();
        acts.fold(text, |text, act| {
            format!("{text}, meanwhile {}", self::act(plan, act))
        })
    }

    /// The step that is this turn. It is made up for the position where its player is not named, or its roll is not.
    #[must_use]
    pub fn step(self, plan: &PlannedGame) -> StepKind {
        let is_made_up = self.roll.is_none() && plan.has_rolls();
        match self.seat {
            Some(seat) if !is_made_up => StepKind::Turn(self.of(seat)),
            _ => StepKind::Improvise(self),
        }
    }
}

/// The value of a turn's key.
fn value(plan: &PlannedGame, turn: &Turn<Option<Seat>>) -> String {
    let deed = Doer::OnTurn.written(turn.deed.of_line(), plan);
    plan.written(turn.roll, &deed.unwrap_or_default())
}

fn turn(plan: &PlannedGame, turn: &Turn<Option<Seat>>) -> Vec<String> {
    let value = value(plan, turn);
    let key = plan.mover(turn.seat);
    let mut lines = vec![match value.as_str() {
        "" => format!("{key}:"),
        value => format!("{key}: {}", scalar(value)),
    }];
    if let Deed::Send(parts) | Deed::SendMove(_, parts) = &turn.deed {
        let then = SendPart::leaving(parts);
        lines.push(format!("send: {}", sent::written(parts)));
        lines.extend(then.map(|how| format!("then: {}", how.word())));
    }
    if !turn.meanwhile.is_empty() {
        lines.push("meanwhile:".to_owned());
        let acts = turn.meanwhile.iter().map(|act| self::act(plan, act));
        lines.extend(acts.map(|act| format!("  - {act}")));
    }
    lines
}

fn act(plan: &PlannedGame, act: &Act) -> String {
    let (who, by) = match act.who {
        Participant::Player(seat) => (plan.key(seat).to_owned(), Doer::OffTurn),
        Participant::Other => (OTHER.to_owned(), Doer::OffTurn),
        Participant::Spectator(number) => (format!("spectator {number}"), Doer::Spectator),
    };
    let deed = match by.written(&act.deed, plan) {
        Some(words) => scalar(&words),
        None => {
            let then = act.deed.leaving();
            let then = then.map(|how| format!(", then: {}", how.word()));
            let sent = sent::written(act.deed.parts());
            format!("{{send: {sent}{}}}", then.unwrap_or_default())
        }
    };
    format!("{who}: {deed}")
}
