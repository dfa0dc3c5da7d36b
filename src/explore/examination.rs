//! What a plain game shows of a subject, step by step, and what its user can write to let more be tested.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

use crate::config::{LateSpectator, RollHook, Subject};
use crate::engine::Options;
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::protocol::GameEvent;
use crate::scenario::{Scenario, Side, suite};
use crate::transcript::{Direction, LaneLabel};

/// What an examination says of one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepState {
    /// It was seen.
    Seen(String),
    /// Something that is no fault, but could be better.
    Note(String),
    /// The game came to this verdict before it was seen.
    Missed(Verdict),
    /// A step before it was not seen.
    Unreached,
}

/// One step of an examination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExaminedStep {
    /// Name of the step.
    pub name: &'static str,
    /// What is said of it.
    pub state: StepState,
}

/// Returns the steps of a plain game with this subject. The first one that was not seen has the verdict of the game.
#[must_use]
pub fn examined_steps(
    subject: &Subject,
    scenario: &Scenario,
    outcome: &Outcome,
) -> Vec<ExaminedStep> {
    let seen = Seen {
        subject,
        scenario,
        outcome,
    };
    let mut states: Vec<(&'static str, Option<StepState>)> = vec![("starts", seen.start())];
    match subject.side {
        Side::Referee => {
            states.push(("first line", seen.first_line()));
            states.extend(seen.has_rolls().then(|| ("rolls", seen.rolls())));
            states.push(("moves", seen.moves()));
            states.push(("spectators", seen.spectators()));
        }
        Side::Bot => states.push(("answers", seen.moves())),
    }
    states.push(("time", seen.time()));
    states.push(("ends", seen.end()));
    let mut is_missed = false;
    let step = |(name, state): (&'static str, Option<StepState>)| {
        let state = match state {
            Some(state) if !is_missed => state,
            None if !is_missed => {
                is_missed = true;
                StepState::Missed(outcome.verdict)
            }
            _ => StepState::Unreached,
        };
        ExaminedStep { name, state }
    };
    states.into_iter().map(step).collect()
}

/// A subject and its plain game.
struct Seen<'e> {
    subject: &'e Subject,
    scenario: &'e Scenario,
    outcome: &'e Outcome,
}

impl Seen<'_> {
    fn has_rolls(&self) -> bool {
        let dialect = self.subject.protocol.dialect();
        dialect.is_some_and(|dialect| !dialect.game().kinds_of_roll().is_empty())
    }

    fn start(&self) -> Option<StepState> {
        let names = self.subject.protocol.dialect()?.game().seat_names();
        let lanes = self.outcome.transcript.lanes.iter();
        let lanes: Vec<_> = lanes
            .map(|lane| lane.label.display(names).to_string())
            .collect();
        let said = format!("connected: {}", lanes.join(", "));
        (!lanes.is_empty()).then_some(StepState::Seen(said))
    }

    fn first_line(&self) -> Option<StepState> {
        let mut entries = self
            .outcome
            .transcript
            .lanes
            .iter()
            .flat_map(|lane| &lane.entries);
        entries.find(|entry| entry.direction == Direction::Received)?;
        let said = format!("came after {}", shown(self.outcome.slowest.first));
        Some(StepState::Seen(said))
    }

    fn rolls(&self) -> Option<StepState> {
        let game = self.subject.protocol.dialect()?.game();
        let rolls = self.outcome.history.iter().filter_map(|event| match event {
            GameEvent::Rolled { roll, .. } => Some(game.format_roll(*roll)),
            _ => None,
        });
        let rolls: Vec<_> = rolls.collect();
        let forced = self.scenario.game()?.forced_rolls().len();
        let Some(hook) = &self.subject.roll_hook else {
            let note = "no roll hook: its own dice rolled";
            return (!rolls.is_empty())
                .then(|| StepState::Note(format!("{note} {}", rolls.join(", "))));
        };
        let way = match hook {
            RollHook::Environment(name) => format!("the variable {name}"),
            RollHook::Arguments => "its command".to_owned(),
        };
        let said = format!("came as forced through {way}: {}", rolls.join(", "));
        (rolls.len() >= forced).then_some(StepState::Seen(said))
    }

    fn moves(&self) -> Option<StepState> {
        let plan = self.scenario.game()?;
        let events = self.outcome.history.iter();
        let movers = events.filter_map(|event| match event {
            GameEvent::Moved { by, .. } => Some(*by),
            _ => None,
        });
        let movers: Vec<_> = movers.collect();
        let said = match self.subject.side {
            Side::Referee => format!("{} moves were taken", movers.len()),
            Side::Bot => {
                let own = movers.iter().filter(|&&by| by == plan.bot_seat);
                format!("{} moves, all legal", own.count())
            }
        };
        (movers.len() >= plan.steps.len()).then_some(StepState::Seen(said))
    }

    fn spectators(&self) -> Option<StepState> {
        if !self.subject.has_spectators() {
            return Some(StepState::Note("none can watch".to_owned()));
        }
        let lanes = self.outcome.transcript.lanes.iter();
        let watching = lanes.filter(|lane| matches!(lane.label, LaneLabel::Spectator(_)));
        let counts: Vec<_> = watching.map(|lane| lane.entries.len()).collect();
        let said = match counts[..] {
            [] => "none in a plain game".to_owned(),
            [lines] => format!("one received {lines} lines"),
            _ => format!(
                "{} received {} lines",
                counts.len(),
                counts.iter().sum::<usize>()
            ),
        };
        (!counts.contains(&0)).then_some(StepState::Seen(said))
    }

    fn time(&self) -> Option<StepState> {
        let slowest = shown(self.outcome.slowest.longest());
        Some(StepState::Seen(format!("its slowest line took {slowest}")))
    }

    fn end(&self) -> Option<StepState> {
        let said = "every stream ended after the game";
        self.conforms().then(|| StepState::Seen(said.to_owned()))
    }

    fn conforms(&self) -> bool {
        self.outcome.verdict <= Verdict::Lenient
    }
}

/// Returns what a user can write in `urtext.yaml` after a plain game, so that more can be tested.
#[must_use]
pub fn advice(subject: &Subject, options: &Options, outcome: &Outcome) -> Vec<String> {
    let mut advice = missing(subject);
    if subject.has_spectators() && subject.late_spectator == LateSpectator::Unknown {
        let words = "`late-spectator: whole`, `from-now` or `nothing`";
        advice.push(format!(
            "{words}: nothing says what a spectator receives who joins late"
        ));
    }
    let (slowest, budget) = (outcome.slowest.longest(), options.budgets.answer);
    if slowest * 2 > budget {
        let ample = Duration::from_secs(slowest.as_secs() * 4 + 1);
        let ample = humantime::format_duration(ample);
        let (slowest, budget) = (shown(slowest), shown(budget));
        advice.push(format!(
            "`budgets: {{answer: {ample}}}`: an answer took {slowest} of {budget}"
        ));
    }
    advice
}

/// The reasons why shipped scenarios cannot be played with this subject, that of most scenarios first.
fn missing(subject: &Subject) -> Vec<String> {
    let (game, side) = (subject.protocol.game_name(), subject.side.word());
    let (scenarios, _) = suite::load(&format!("{game}/{side}"));
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for scenario in &scenarios {
        if let Some(mut reason) = subject.missing_capability(scenario) {
            let rolls = scenario
                .game()
                .is_some_and(|plan| !plan.forced_rolls().is_empty());
            if rolls && subject.roll_hook.is_none() {
                reason.push_str(
                    ": write `rolls: {environment: NAME}`, `rolls: argument` or `rolls: file`",
                );
            }
            *counts.entry(reason).or_default() += 1;
        }
    }
    let mut reasons: Vec<_> = counts.into_iter().collect();
    reasons.sort_by_key(|&(_, count)| Reverse(count));
    let total = scenarios.len();
    let line = |(reason, count)| {
        format!("{count} of {total} shipped scenarios cannot be played: {reason}")
    };
    reasons.into_iter().map(line).collect()
}

/// A time as people read it.
fn shown(time: Duration) -> String {
    format!("{time:.1?}")
}
