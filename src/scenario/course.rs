//! The course of a game that a scenario plays: the step that it is at.

mod choice;

use std::collections::HashMap;
use std::sync::Arc;

use choice::legal_moves;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::{
    Act, Deed, OpenMistakes, PlannedGame, PlayedGame, Situation, Step, StepKind, Turn, Until, Wrong,
};
use crate::diagnostic::Span;
use crate::protocol::{GameEvent, Model, Party};
use crate::rules::{Move, Roll, Seat, Setup};

/// The course of a game that a scenario plays.
///
/// Choices follow from a seed, so that a run can be repeated as far as the subject allows. An error is a sentence on why the game that has come up
/// does not fit the scenario.
#[derive(Debug, Clone)]
pub struct Course {
    plan: Arc<PlannedGame>,
    /// The step of the turn that is being played; `None` before the first and after the last.
    step: Option<usize>,
    /// The step whose turn comes next.
    next_step: usize,
    /// The turn that was made up for the current step.
    improvised: Option<Turn>,
    /// Number of turns played to reach the awaited situation.
    turns_played_on: u32,
    /// Mistakes that free play is to tell from the rules, with the number of the step that asks for it, if one does.
    mistakes: Option<(Option<usize>, OpenMistakes)>,
    random: ChaCha8Rng,
    /// The turns that have begun, as far as they were played.
    turns: Vec<Turn>,
    /// Moves of earlier choices, by name.
    called: HashMap<String, Move>,
}

impl Course {
    /// The course before the first step.
    #[must_use]
    pub fn new(plan: Arc<PlannedGame>, seed: u64) -> Course {
        Course {
            plan,
            step: None,
            next_step: 0,
            improvised: None,
            turns_played_on: 0,
            mistakes: None,
            random: ChaCha8Rng::seed_from_u64(seed),
            turns: Vec::new(),
            called: HashMap::new(),
        }
    }

    /// The setup before the first turn: the forced one, or a random one where the game has one.
    pub fn setup(&mut self) -> Setup {
        let game = self.plan.dialect.game();
        self.plan
            .setup
            .unwrap_or_else(|| match game.setup_keys().first() {
                Some(_) => game.draw_setup(self.random.next_u64()),
                None => Setup::default(),
            })
    }

    fn step(&self) -> Option<&Step> {
        self.plan.steps.get(self.step?)
    }

    /// The place of the current step.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        Some(self.step()?.span)
    }

    /// The number of steps that have begun; a step that awaits a situation counts once that has come up.
    #[must_use]
    pub fn steps_begun(&self) -> usize {
        self.next_step
    }

    /// The step whose turn comes next.
    #[must_use]
    pub fn next_step(&self) -> Option<&StepKind> {
        Some(&self.plan.steps.get(self.next_step)?.kind)
    }

    /// Returns true if no turn of the scenario is being played.
    #[must_use]
    pub fn is_between_steps(&self) -> bool {
        self.step.is_none()
    }

    /// The turn of the current step.
    #[must_use]
    pub fn turn(&self) -> Option<&Turn> {
        match &self.step()?.kind {
            StepKind::Turn(turn) => Some(self.improvised.as_ref().unwrap_or(turn)),
            StepKind::Improvise(_) => self.improvised.as_ref(),
            StepKind::PlayToTheEnd | StepKind::PlayUntil(_) => None,
        }
    }

    /// The deed of the player on turn: any legal move where the scenario leaves it open.
    #[must_use]
    pub fn deed(&self) -> Deed {
        self.turn().map_or(Deed::ANY, |turn| turn.deed.clone())
    }

    /// The next of what happens in this turn before its player's deed.
    pub fn next_act(&mut self) -> Option<Act> {
        let played = self.turns.last()?.meanwhile.len();
        let act = self.turn()?.meanwhile.get(played)?.clone();
        self.turns.last_mut()?.meanwhile.push(act.clone());
        Some(act)
    }

    /// Returns true if something is still to happen before the player's deed.
    #[must_use]
    pub fn has_acts_left(&self) -> bool {
        let played = self.turns.last().map_or(0, |turn| turn.meanwhile.len());
        self.turn()
            .is_some_and(|turn| turn.meanwhile.len() > played)
    }

    /// The turns that have begun, as far as they were played.
    #[must_use]
    pub fn into_turns(self) -> Vec<Turn> {
        self.turns
    }

    /// Keeps what the player on turn does.
    fn does(&mut self, deed: Deed) {
        if let Some(turn) = self.turns.last_mut() {
            turn.deed = deed;
        }
    }

    /// Returns true if the player on turn lets the timeout pass.
    #[must_use]
    pub fn lets_time_pass(&self) -> bool {
        self.turn()
            .is_some_and(|turn| self.plan.lets_time_pass(&turn.deed))
    }

    /// The sentence that the current step does not fit the game that has come up.
    #[must_use]
    pub fn misfit(&self, wrong: Wrong) -> String {
        format!("as the game went, {}", wrong.words(&self.plan))
    }

    /// Takes the next step for the turn that has just begun, with this roll where there are rolls.
    ///
    /// # Errors
    /// The turn is not the one that the scenario means.
    pub fn begin_turn(
        &mut self,
        model: &Model,
        by: Seat,
        roll: Option<Roll>,
        skipped: bool,
    ) -> Result<(), String> {
        self.improvised = None;
        let deed = if skipped { Deed::Skip } else { Deed::ANY };
        self.turns.push(Turn::new(by, roll, deed));
        self.hold_mistakes(model);
        let plan = Arc::clone(&self.plan);
        while let Some(StepKind::PlayUntil(until)) =
            plan.steps.get(self.next_step).map(|step| &step.kind)
        {
            self.step = Some(self.next_step);
            if !self.has_come_up(model, until, by, roll, skipped) {
                return self.play_on(model, until);
            }
            self.next_step += 1;
            self.turns_played_on = 0;
            if skipped {
                // That was all that there is of such a turn.
                return Ok(());
            }
        }
        let step = plan.steps.get(self.next_step);
        self.step = step.map(|_| self.next_step);
        match step.map(|step| &step.kind) {
            Some(StepKind::Turn(turn)) => {
                self.next_step += 1;
                let checked = Wrong::check_turn(turn, by, model);
                checked.map_err(|wrong| self.misfit(wrong))?;
                if !skipped && !model.is_over() {
                    let turn = turn.clone().of(Some(turn.seat));
                    self.improvised = Some(self.improvise(model, &turn, by)?);
                }
            }
            // Nothing can be done in a turn that is skipped: the next one is meant.
            Some(StepKind::Improvise(turn)) if !skipped && !model.is_over() => {
                self.improvised = Some(self.improvise(model, turn, by)?);
                self.next_step += 1;
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns true if the situation has come up in the turn that begins.
    fn has_come_up(
        &self,
        model: &Model,
        until: &Until,
        by: Seat,
        roll: Option<Roll>,
        skipped: bool,
    ) -> bool {
        if until.who.is_some_and(|seat| seat != by) || model.is_over() {
            return false;
        }
        match &until.situation {
            Situation::CannotMove => skipped || legal_moves(model).is_empty(),
            Situation::Rolled(wanted) => roll == Some(*wanted),
            Situation::Tested(ids) => self.untested(model, ids).is_empty(),
            Situation::ToldApart(_) => {
                let mistakes = self.mistakes.as_ref();
                self.turns_played_on >= until.turns
                    || mistakes.is_none_or(|(_, open)| open.number() == 0)
            }
            awaited => !skipped && !self.moves(model, awaited).is_empty(),
        }
    }

    /// Counts a turn that is played for a situation.
    ///
    /// # Errors
    /// It was one too many.
    fn play_on(&mut self, model: &Model, until: &Until) -> Result<(), String> {
        self.turns_played_on += 1;
        let setup = model.facts().setup.unwrap_or_default();
        if model.history().is_empty() && !self.plan.may_show_its_mistakes(setup) {
            let title = "no mistake that the scenario tells from the rules shows with this setup";
            return Err(title.to_owned());
        }
        if self.turns_played_on <= until.turns {
            return Ok(());
        }
        Err(format!(
            "`{}` did not come up in {} turns",
            until.text(&self.plan),
            until.turns
        ))
    }

    /// The step that a game which is over has not come to, and the sentence that says so; `None` where nothing of the scenario is missing, or where
    /// its steps do not depend on the course of the game.
    #[must_use]
    pub fn cut_short(&self, model: &Model) -> Option<(Span, String)> {
        let is_tested = |step: &&Step| match &step.kind {
            StepKind::PlayUntil(until) => match &until.situation {
                Situation::Tested(ids) => self.untested(model, ids).is_empty(),
                // The end of the game is as good, if nothing is to come after it.
                Situation::ToldApart(_) => true,
                _ => false,
            },
            _ => false,
        };
        let any = Turn::new(None, None, Deed::ANY);
        let mut steps = self.plan.steps.get(self.next_step..)?.iter();
        let step = steps.find(|step| !is_tested(step));
        let step = step.filter(|_| self.plan.is_adaptive())?;
        let title = match &step.kind {
            StepKind::PlayToTheEnd => return None,
            // What may follow the point of a scenario, and need not.
            StepKind::Improvise(turn) if self.plan.is_by_chance && *turn == any => {
                return None;
            }
            StepKind::PlayUntil(until) => {
                let text = until.text(&self.plan);
                format!("`{text}` did not come up before the game was over")
            }
            StepKind::Turn(_) | StepKind::Improvise(_) => Wrong::Over.words(&self.plan),
        };
        Some((step.span, title))
    }

    /// Those of the requirements that the game so far has not put to the test.
    fn untested(&self, model: &Model, ids: &[&'static str]) -> Vec<&'static str> {
        let game = self.played(model, model.history());
        self.plan.untested(ids, &game)
    }

    /// The game with these events, which is not over.
    #[must_use]
    pub fn played<'g>(&self, model: &Model, history: &'g [GameEvent]) -> PlayedGame<'g> {
        let (players, spectators) = self.plan.lanes();
        let is_open = |lane: &usize| model.party(*lane) == Some(Party::Spectator);
        PlayedGame {
            history,
            setup: model.facts().setup,
            spectators: (players..players + spectators).filter(is_open).count(),
            losing_move: model.losing_move(),
            is_whole: false,
        }
    }
}
