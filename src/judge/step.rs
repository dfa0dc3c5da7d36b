//! The step of the scenario that is being played: which one a turn is, whether it is the one that is meant, and what its move does.

use std::sync::Arc;

use super::finding_context::misfit;
use super::game_facts::PlayedTurn;
use super::narrated::Narrated;
use super::state::State;
use crate::finding::{Finding, FindingKind, Verdict};
use crate::requirement::Role;
use crate::rules::{Move, Roll, Seat};
use crate::scenario::{Deed, StepKind, Turn, Wrong};

impl State {
    /// Takes the next step for the turn that has just begun, with this roll where there are rolls.
    ///
    /// # Errors
    /// A finding where the turn is not the one that the scenario means.
    pub(super) fn begin_turn(
        &mut self,
        by: Seat,
        roll: Option<Roll>,
        skipped: bool,
    ) -> Result<(), Box<Finding>> {
        self.seen.progress = PlayedTurn::default();
        self.seen.course.improvised = None;
        self.seen.kind.hold_readings();
        let plan = Arc::clone(&self.seen.plan);
        while let Some(step) = plan.steps.get(self.seen.course.next_step)
            && let StepKind::PlayUntil(until) = &step.kind
        {
            if !self.has_come_up(until, by, roll, skipped) {
                self.seen.course.step = Some(self.seen.course.next_step);
                self.seen.course.last_turn = self.seen.course.narrated.take();
                return self.play_on(until);
            }
            self.seen.course.next_step += 1;
            self.seen.course.turns_played_on = 0;
            if skipped {
                // That was all that there is of such a turn.
                self.seen.course.step = Some(self.seen.course.next_step - 1);
                return Ok(());
            }
        }
        let Some(step) = plan.steps.get(self.seen.course.next_step) else {
            self.seen.course.step = None;
            return Ok(());
        };
        self.seen.course.step = Some(self.seen.course.next_step);
        self.seen.course.last_turn = self.seen.course.narrated.take();
        let turn = match &step.kind {
            StepKind::Turn(turn) => turn.clone(),
            // Nothing can be done in a turn that is skipped: the next one is meant.
            StepKind::Improvise(_) if skipped => return Ok(()),
            StepKind::Improvise(turn) if !self.seen.model.is_over() => {
                self.seen.course.improvised = Some(self.improvise(turn, by)?);
                self.seen.course.next_step += 1;
                return Ok(());
            }
            StepKind::Improvise(_) | StepKind::PlayToTheEnd => return Ok(()),
            StepKind::PlayUntil(_) => {
                unreachable!("it is played on for every situation that has not come up")
            }
        };
        self.seen.course.next_step += 1;
        if let Some(roll) = roll {
            self.check_roll(&turn, roll)?;
        }
        Wrong::check_turn(&turn, by, &self.seen.model).map_err(|wrong| misfit(&self.seen, wrong))
    }

    fn check_roll(&self, turn: &Turn, shown_roll: Roll) -> Result<(), Box<Finding>> {
        let Some(forced) = turn.roll.filter(|&forced| forced != shown_roll) else {
            return Ok(());
        };
        let game = self.seen.plan.dialect.game();
        let (forced, shown) = (game.format_roll(forced), game.format_roll(shown_roll));
        let is_skip_hidden = self.is_next_move_turn(turn, shown_roll);
        let has_held = self.seen.course.next_step > 1;
        let mut finding = if has_held && is_skip_hidden {
            let kind = FindingKind::SkipNotShown { forced, shown };
            let mut finding = Finding::new(Verdict::Fail, kind);
            let dialect = self.seen.plan.dialect;
            finding.requirement = Some(
                dialect
                    .find_id(Role::SkipShown)
                    .unwrap_or(dialect.id(Role::Roll)),
            );
            finding
        } else {
            let kind = match has_held {
                false => FindingKind::RollsNotForced,
                true => FindingKind::RollsNotHeld,
            };
            let mut finding = Finding::new(Verdict::Error, kind);
            let number = self.seen.course.next_step;
            finding.notes.push(format!(
                "roll {number} was forced as `{forced}`, and `{shown}` was shown"
            ));
            if is_skip_hidden {
                let note = "that is the roll after the next one: it may also be that the roll of a skipped turn is not shown";
                finding.notes.push(note.to_owned());
            }
            finding.by_hook = true;
            finding
        };
        finding.span = self.seen.span();
        Err(Box::new(finding))
    }

    /// Returns true if this turn has to be skipped and the shown roll belongs to the next turn that is not
    /// skipped: then the referee held back the rolls of the skipped turns.
    fn is_next_move_turn(&self, turn: &Turn, shown: Roll) -> bool {
        let is_skipped = |turn: &Turn| turn.deed == Deed::Skip;
        let mut later = self
            .seen
            .plan
            .turns()
            .filter(|(index, _)| *index >= self.seen.course.next_step)
            .map(|(_, turn)| turn);
        is_skipped(turn)
            && later
                .find(|turn| !is_skipped(turn))
                .and_then(|turn| turn.roll)
                .or(self.seen.plan.barrier)
                == Some(shown)
    }

    /// Keeps what the move of this turn is, before it is played.
    pub(super) fn narrate(&mut self, seat: Seat, mv: Move) {
        let Some(span) = self.seen.span() else { return };
        self.seen.course.narrated = self.seen.model.table().map(|table| Narrated {
            span,
            seat,
            mv,
            before: table.fork(),
        });
    }
}
