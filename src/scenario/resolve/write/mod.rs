//! A scenario as text: the inverse of reading it.

use std::time::Duration;

use super::cases::CaseKeys;
use super::forms::{Doer, Said, TURNS};
use super::keys::{DialogueKeys, GameKeys, HeadKeys, Ids, SetupKeys, Time};
use super::lines::{ALL, RepeatKeys};
use super::sent;
use super::turns::{OTHER, PlayerKeys, SendingKeys, TurnKeys};
use super::verbs::VERBS;
use crate::rules::Seat;
use crate::scenario::{
    Act, Deed, Dialogue, LineAct, LineEnd, LineStep, Participant, Plan, PlannedGame, Scenario,
    SendPart, Side, Situation, StepKind, Turn, Until,
};
use crate::yaml::{At, Entry, Keys, Kind, Number, Words, list, scalar};

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
    let lines = match &scenario.plan {
        Plan::Dialogue(dialogue) => written(&keys_of_dialogue(scenario, dialogue)),
        Plan::Game(plan) => written(&keys_of_game(scenario, plan)),
    };
    lines.join("\n") + "\n"
}

/// Writes the keys of a table, one a line, and below each the lines of its value.
fn written(keys: &impl Keys) -> Vec<String> {
    let mut written = Vec::new();
    keys.write(&mut written);
    let text = written.into_iter().map(|(key, value)| {
        let line = format!("{key}: {value}");
        line.replacen(": \n", ":\n", 1).trim_end().to_owned()
    });
    let text = text.collect::<Vec<_>>().join("\n");
    text.lines().map(str::to_owned).collect()
}

/// A list as the value of a key, with entries of several lines below the key.
fn below(entries: impl Iterator<Item = Vec<String>>) -> String {
    let entries = entries.map(|lines| format!("\n  - {}", lines.join("\n    ")));
    entries.collect()
}

fn head(scenario: &Scenario) -> HeadKeys {
    HeadKeys {
        title: Some(scenario.title.clone()),
        game: Some(scenario.protocol()),
        side: Some(scenario.side()),
    }
}

fn ids<const OF_GAME: bool>(checks: &[&'static str]) -> Ids<OF_GAME> {
    let checks = checks.iter().map(|id| At::nowhere((*id).to_owned()));
    Ids(checks.collect())
}

fn keys_of_dialogue(scenario: &Scenario, dialogue: &Dialogue) -> DialogueKeys {
    let line_end = dialogue.line_end;
    DialogueKeys {
        head: head(scenario),
        checks: (!dialogue.checks.is_empty()).then(|| ids(&dialogue.checks)),
        participants: Entry::of(Some(list(&dialogue.participants))),
        line_end: (line_end != LineEnd::default()).then_some(line_end),
        scenario: scenario.keys.clone(),
        steps: line_steps(dialogue, &dialogue.steps),
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
        seat: Entry::of((plan.side == Side::Bot).then(|| scalar(seat))),
        checks: Some(ids(&plan.checks)),
        plan: plan.keys.clone(),
        spectators: (plan.spectators != usual.spectators)
            .then_some(Number(u64::from(plan.spectators))),
        timeout: time("timeout", plan.timeout).map(At::nowhere),
        pace: time("pace", plan.pace).map(At::nowhere),
        scenario: scenario.keys.clone(),
        setup: plan
            .setup
            .map_or_else(SetupKeys::default, |setup| SetupKeys::of(game, setup)),
        turns: Entry::of(Some(below(
            plan.steps.iter().map(|one| step(plan, &one.kind)),
        ))),
        cases: CaseKeys::default(),
    }
}

fn line_steps(dialogue: &Dialogue, steps: &[LineStep]) -> Entry {
    Entry::of(Some(below(
        steps.iter().map(|one| line_step(dialogue, one)),
    )))
}

fn line_step(dialogue: &Dialogue, step: &LineStep) -> Vec<String> {
    if let LineAct::Repeat { times, steps } = &step.what {
        return written(&RepeatKeys {
            times: Some(Number(*times)),
            steps: line_steps(dialogue, steps),
        });
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
    vec![format!("{}: {value}", scalar(&format!("{who} {verb}")))]
}

fn step(plan: &PlannedGame, step: &StepKind) -> Vec<String> {
    match step {
        StepKind::Turn(turn) => self::turn(plan, &turn.clone().of(Some(turn.seat))),
        StepKind::Improvise(turn) => self::turn(plan, turn),
        StepKind::PlayToTheEnd => of_play(play(plan, step)),
        StepKind::PlayUntil(until) => {
            let within = match until.turns {
                TURNS => String::new(),
                turns => format!(", within {turns} turns"),
            };
            of_play(format!("until {}{within}", until.text(plan)))
        }
    }
}

fn of_play(play: String) -> Vec<String> {
    written(&TurnKeys {
        play: Entry::of(Some(play)),
        ..TurnKeys::default()
    })
}

/// Writes legal play that chance decides.
fn play(plan: &PlannedGame, step: &StepKind) -> String {
    let written = Doer::Play.said(&Said::Play(step.clone()), plan);
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
    let value = match value(plan, turn).as_str() {
        "" => String::new(),
        value => scalar(value),
    };
    let (send, then) = match &turn.deed {
        Deed::Send(_) | Deed::SendMove(..) => sending(&turn.deed),
        _ => (None, None),
    };
    let acts = turn.meanwhile.iter().map(|act| vec![self::act(plan, act)]);
    let acts = (!turn.meanwhile.is_empty()).then(|| below(acts));
    written(&TurnKeys {
        player: PlayerKeys(Some((plan.mover(turn.seat).to_owned(), value))),
        send: Entry::of(send),
        then: Entry::of(then),
        meanwhile: Entry::of(acts),
        ..TurnKeys::default()
    })
}

/// What is sent, and how the sender goes away after it.
fn sending(deed: &Deed) -> (Option<String>, Option<String>) {
    let then = SendPart::leaving(deed.parts());
    let then = then.map(|how| how.word().to_owned());
    (Some(sent::written(deed.parts())), then)
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
            let (send, then) = sending(&act.deed);
            let (send, then) = (Entry::of(send), Entry::of(then));
            SendingKeys { send, then }.written().unwrap_or_default()
        }
    };
    format!("{who}: {deed}")
}
