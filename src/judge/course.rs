//! Position in the scenario: the step of the turn that is being played.

use super::game_facts::GameFacts;
use super::narrated::Narrated;
use crate::diagnostic::Span;
use crate::scenario::{Choice, PlayerAction, StepKind, Turn};

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

    /// The action of the player on turn: any legal move where the scenario leaves it open.
    pub(super) fn action(&self) -> PlayerAction {
        let any = || {
            PlayerAction::Move(Choice::Any {
                name: None,
                except: None,
            })
        };
        self.turn().map_or_else(any, |turn| turn.action)
    }

    /// Returns the span of the current step.
    pub(super) fn span(&self) -> Option<Span> {
        let steps = &self.plan.steps;
        steps.get(self.course.step?).map(|step| step.span)
    }
}
