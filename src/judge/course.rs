//! Position in the scenario: the step of the turn that is being played.

use std::sync::Arc;

use super::game_facts::GameFacts;
use super::narrated::Narrated;
use crate::diagnostic::Span;
use crate::protocol::{GameEvent, Party};
use crate::scenario::{Deed, OpenReadings, PlayedGame, Situation, Steering, StepKind, Turn};

/// Position in the scenario.
#[derive(Debug, Clone, Default)]
pub(super) struct Course {
    /// The step of the turn that is being played.
    pub(super) step: Option<usize>,
    /// The step whose turn comes next.
    pub(super) next_step: usize,
    /// The turn that was made up for the current step.
    pub(super) improvised: Option<Turn>,
    /// Number of turns played to reach the awaited situation.
    pub(super) turns_played_on: u32,
    /// The last turn that was played: its step, and what happened in words.
    pub(super) last_turn: Option<Narrated>,
    /// Description of the current turn.
    pub(super) narrated: Option<Narrated>,
    /// Readings that free play is to tell from the rules, with the number of the step that asks for it, if one does.
    pub(super) readings: Option<(Option<usize>, OpenReadings)>,
}

impl GameFacts {
    /// The turn of the current step.
    pub(super) fn turn(&self) -> Option<Turn> {
        match &self.plan.steps.get(self.course.step?)?.kind {
            StepKind::Turn(turn) => Some(turn.clone()),
            StepKind::Improvise(_) => self.course.improvised.clone(),
            StepKind::PlayToTheEnd | StepKind::PlayUntil(_) => None,
        }
    }

    /// The deed of the player on turn: any legal move where the scenario leaves it open.
    pub(super) fn deed(&self) -> Deed {
        self.turn().map_or(Deed::ANY, |turn| turn.deed)
    }

    /// Holds the readings that free play is to tell apart against what has happened.
    pub(super) fn hold_readings(&mut self) {
        let plan = &self.plan;
        let number = self.course.next_step;
        let words = plan.steps.get(number).and_then(|step| match &step.kind {
            StepKind::PlayUntil(until) => match &until.situation {
                Situation::ToldApart(words) => Some(words.as_slice()),
                _ => None,
            },
            // It tells most by what most readings allow.
            StepKind::Improvise(turn) if plan.is_by_chance => {
                matches!(turn.deed, Deed::Refused(_)).then_some(&[][..])
            }
            _ => None,
        });
        let asks = words.map(|_| number);
        let steered = plan.steering.as_ref().map(|steering| &steering.readings);
        let is_held = matches!(&self.course.readings, Some((by, _)) if *by == asks);
        if !is_held {
            let setup = self.model.facts().setup.unwrap_or_default();
            self.course.readings = match (words, steered) {
                (Some(words), _) => Some(plan.hold(setup, plan.readings_called(words))),
                (None, Some(rows)) if !rows.is_empty() => {
                    Some(plan.hold(setup, rows.iter().copied()))
                }
                _ => None,
            }
            .map(|open| (asks, open));
        }
        if let Some((_, open)) = &mut self.course.readings {
            open.catch_up(self.model.history());
        }
    }

    /// What free play is steered towards; `None` where chance alone decides.
    pub(super) fn steering(&self) -> Option<Arc<Steering>> {
        if let Some(StepKind::PlayUntil(until)) = self.step()
            && let Situation::Tested(ids) = &until.situation
        {
            let mut steering = Steering::default();
            steering.requirements = self.untested(ids);
            return Some(Arc::new(steering));
        }
        let steering = self.plan.steering.clone();
        steering.or_else(|| self.course.readings.as_ref().map(|_| Arc::default()))
    }

    /// The current step.
    fn step(&self) -> Option<&StepKind> {
        let step = self.plan.steps.get(self.course.step?)?;
        Some(&step.kind)
    }

    /// Those of the requirements that the game so far has not put to the test.
    pub(super) fn untested(&self, ids: &[&'static str]) -> Vec<&'static str> {
        let game = self.played(self.model.history());
        self.plan.untested(ids, &game)
    }

    /// The game with these events, which is not over.
    pub(super) fn played<'g>(&self, history: &'g [GameEvent]) -> PlayedGame<'g> {
        let (players, spectators) = self.plan.lanes();
        let is_open = |lane: &usize| self.model.party(*lane) == Some(Party::Spectator);
        PlayedGame {
            history,
            setup: self.model.facts().setup,
            spectators: (players..players + spectators).filter(is_open).count(),
            losing_move: self.model.losing_move(),
            is_whole: false,
        }
    }

    /// Returns the span of the current step.
    pub(super) fn span(&self) -> Option<Span> {
        let steps = &self.plan.steps;
        steps.get(self.course.step?).map(|step| step.span)
    }
}
