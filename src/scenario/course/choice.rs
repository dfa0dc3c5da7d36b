//! What urtext chooses in a game where the scenario leaves that open, and what the players do in the end.

use std::sync::Arc;

use rand_chacha::rand_core::Rng;

use super::super::wrong::refused_moves;
use super::super::{
    Choice, Deed, PlayedGame, SendPart, Situation, Steering, StepKind, Turn, Wrong,
};
use super::Course;
use crate::protocol::{Cause, GameEvent, Model};
use crate::rules::{Mistake, Move, Roll, Seat, Table, WIN, below};

impl Course {
    /// The moves of the player on turn that are there by this situation; none by one that is no matter of a move.
    pub(super) fn moves(&self, model: &Model, situation: &Situation) -> Vec<Move> {
        match situation {
            Situation::CanMove => legal_moves(model),
            Situation::Can(kind) => {
                let mut moves = legal_moves(model);
                moves.retain(|&mv| model.table().is_some_and(|it| it.is_of_kind(mv, kind)));
                moves
            }
            Situation::CanBreak(code) => self.refused_moves(model, code),
            Situation::CanTest(code, ids, rows) => self.testing(model, *code, ids, rows),
            Situation::CannotMove
            | Situation::Rolled(_)
            | Situation::Tested(_)
            | Situation::ToldApart(_) => Vec::new(),
        }
    }

    /// Makes up the turn for the position that has come up.
    ///
    /// # Errors
    /// The turn's precondition is missing.
    pub(super) fn improvise(
        &mut self,
        model: &Model,
        turn: &Turn<Option<Seat>>,
        by: Seat,
    ) -> Result<Turn, String> {
        let mut made_up = turn.clone().taken_by(by);
        if turn.seat.is_some_and(|seat| seat != by) {
            return Err(self.misfit(Wrong::OtherSeat(by)));
        }
        // A scenario that waits for a test means the moves by which it comes.
        let is_test = |awaited: &&Situation| matches!(awaited, Situation::CanTest(..));
        let tests = self.awaited().filter(is_test);
        let is_plain = matches!(turn.deed, Deed::Move(Choice::Any { kind: None, .. }));
        let Some(table) = model.table() else {
            return Ok(made_up);
        };
        if is_plain && tests.is_none() {
            // The player on turn chooses, the bot under test or urtext.
            return Ok(made_up);
        }
        let excluded = self.excluded(&turn.deed);
        let moves = turn.deed.moves(table, self.plan.dialect, excluded);
        let Some(mut moves) = moves.map_err(|wrong| self.misfit(wrong))? else {
            return Ok(made_up);
        };
        let is_refused = matches!(turn.deed, Deed::Refused(_));
        if let Some(test) = tests.filter(|_| is_plain || is_refused) {
            let tested = self.moves(model, test);
            moves = only_if_any(tested, |mv| !is_refused || table.breaks_one_rule(mv));
        }
        if is_refused {
            moves = self.telling(model, moves);
        }
        if let Some(mv) = self.any_of(&moves) {
            self.call(&turn.deed, mv);
            made_up.deed = turn.deed.with(mv, self.plan.dialect);
        }
        Ok(made_up)
    }

    /// The move that this deed excludes.
    fn excluded(&self, deed: &Deed) -> Option<Move> {
        match deed.choice() {
            Some(Choice::Any { except, .. }) => self.called.get(except.as_ref()?).copied(),
            _ => None,
        }
    }

    /// Keeps the move by the name that this deed gives it.
    fn call(&mut self, deed: &Deed, mv: Move) {
        if let Some(Choice::Any { name, .. }) = deed.choice() {
            self.called.extend(name.clone().map(|name| (name, mv)));
        }
    }

    /// What the player on turn, which urtext plays, sends: the pieces, with its departure if it leaves; none if it is silent.
    ///
    /// # Errors
    /// The move of the scenario is not legal, or only the excluded one is.
    pub fn own_turn(&mut self, model: &Model) -> Result<Vec<SendPart>, String> {
        let mut deed = self.deed();
        if let (Some(Choice::This(mv)), Some(table)) = (deed.choice(), model.table()) {
            let refused = |refusal| self.misfit(Wrong::Refused(*mv, refusal));
            table.check(*mv).map_err(refused)?;
        } else if let Some(table) = model.table() {
            let excluded = self.excluded(&deed);
            let moves = deed.moves(table, self.plan.dialect, excluded);
            if let Some(moves) = moves.map_err(|wrong| self.misfit(wrong))? {
                // Without rolls no turn is skipped: the game waits for a move that cannot come.
                let picked = self.pick(model, moves);
                picked.into_iter().for_each(|mv| self.call(&deed, mv));
                deed = picked.map_or(Deed::Silent, |mv| deed.with(mv, self.plan.dialect));
            }
        }
        let parts = deed.sent(self.plan.dialect);
        self.does(match deed {
            Deed::SendMove(..) => Deed::Send(parts.clone()),
            deed => deed,
        });
        Ok(parts)
    }

    /// Takes the move that the bot under test has chosen. Returns true if it was free to.
    ///
    /// # Errors
    /// The scenario does not go on after this move.
    pub fn take_choice(&mut self, mv: Move) -> Result<bool, String> {
        self.does(Deed::this(mv));
        let game = self.plan.dialect.game();
        match self.deed() {
            Deed::Move(Choice::This(wanted)) if wanted != mv => {
                let (wanted, mv) = (game.format_move(wanted), game.format_move(mv));
                Err(format!(
                    "the bot chose {mv}, and the scenario goes on only after {wanted}"
                ))
            }
            Deed::Move(Choice::Any { name, except, .. }) => {
                let is_excluded = |except: &String| self.called.get(except) == Some(&mv);
                if let Some(except) = except.filter(is_excluded) {
                    let mv = game.format_move(mv);
                    return Err(format!(
                        "the bot chose {mv} again, which the scenario excludes as `{except}`"
                    ));
                }
                self.called.extend(name.map(|name| (name, mv)));
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn any_of(&mut self, moves: &[Move]) -> Option<Move> {
        let number = (!moves.is_empty()).then(|| below(self.random.next_u64(), moves.len()));
        number.map(|number| moves[number])
    }

    /// One of these moves, where urtext is free.
    fn pick(&mut self, model: &Model, legal: Vec<Move>) -> Option<Move> {
        let moves = self.moves_to_play_on(model, legal);
        self.hold_mistakes(model);
        let (Some(steering), Some(table)) = (self.steering(model), model.table()) else {
            return self.any_of(&moves);
        };
        let game = self.plan.dialect.game();
        let open = self.mistakes.as_ref().map(|(_, open)| open);
        steering.pick(game, table, open, &moves, &mut || self.random.next_u64())
    }

    /// The roll that urtext makes where it is free.
    pub fn free_roll(&mut self, model: &Model) -> Roll {
        let game = self.plan.dialect.game();
        self.hold_mistakes(model);
        let (Some(steering), Some(table)) = (self.steering(model), model.table()) else {
            return game.draw_roll(self.random.next_u64());
        };
        let open = self.mistakes.as_ref().map(|(_, open)| open);
        steering.roll(game, table, open, &mut || self.random.next_u64())
    }

    /// The moves among which urtext chooses while it plays on: not the game's end, as long as the scenario has something in store.
    fn moves_to_play_on(&self, model: &Model, legal: Vec<Move>) -> Vec<Move> {
        let kind = self.step().map(|step| &step.kind);
        match (model.table(), kind) {
            (Some(table), Some(StepKind::PlayUntil(_))) => {
                only_if_any(legal, |mv| !table.is_of_kind(mv, WIN.name))
            }
            _ => legal,
        }
    }

    /// Holds the mistakes that free play is to tell apart against what has happened.
    pub(super) fn hold_mistakes(&mut self, model: &Model) {
        let plan = &self.plan;
        let words = self.next_step().and_then(|step| match step {
            StepKind::PlayUntil(until) => match &until.situation {
                Situation::ToldApart(words) => Some(words.as_slice()),
                _ => None,
            },
            // It tells most by what most mistakes allow.
            StepKind::Turn(Turn { deed, .. }) | StepKind::Improvise(Turn { deed, .. })
                if plan.is_by_chance =>
            {
                matches!(deed, Deed::Refused(_)).then_some(&[][..])
            }
            _ => None,
        });
        let asks = words.map(|_| self.next_step);
        let is_held = matches!(&self.mistakes, Some((by, _)) if *by == asks);
        if !is_held {
            let setup = model.facts().setup.unwrap_or_default();
            let steered = plan.steering.as_ref().map(|steering| &steering.mistakes);
            self.mistakes = match (words, steered) {
                (Some(words), _) => Some(plan.hold(setup, plan.mistakes_called(words))),
                (None, Some(rows)) if !rows.is_empty() => {
                    Some(plan.hold(setup, rows.iter().copied()))
                }
                _ => None,
            }
            .map(|open| (asks, open));
        }
        if let Some((_, open)) = &mut self.mistakes {
            open.catch_up(model.history());
        }
    }

    /// Target of free play; `None` where chance alone decides.
    fn steering(&self, model: &Model) -> Option<Arc<Steering>> {
        if let Some(StepKind::PlayUntil(until)) = self.step().map(|step| &step.kind)
            && let Situation::Tested(ids) = &until.situation
        {
            let mut steering = Steering::default();
            steering.requirements = self.untested(model, ids);
            return Some(Arc::new(steering));
        }
        let steering = self.plan.steering.clone();
        steering.or_else(|| self.mistakes.as_ref().map(|_| Arc::default()))
    }

    /// Those of the moves, legal ones or those that the rules refuse for the reason of that code, by which the game would put all of these
    /// requirements to the test, and that one of these mistakes allows, where there are any.
    fn testing(
        &self,
        model: &Model,
        code: Option<&str>,
        ids: &[&'static str],
        rows: &[&'static Mistake],
    ) -> Vec<Move> {
        let Some(table) = model.table() else {
            return Vec::new();
        };
        let by = table.to_move();
        let mut moves = match code {
            Some(code) => self.refused_moves(model, code),
            None => table.legal_moves(),
        };
        let mut history = model.history().to_vec();
        moves.retain(|&mv| {
            let mut after = table.fork();
            let (event, losing_move) = match table.check(mv) {
                Err(refusal) => {
                    let cause = Cause::Invalid(refusal.requirement);
                    (GameEvent::Lost { by, cause }, Some(mv))
                }
                Ok(()) => {
                    let result = after.play(mv).ok().and_then(|()| after.phase().result());
                    (GameEvent::Moved { by, mv, result }, None)
                }
            };
            history.push(event);
            let game = PlayedGame {
                losing_move,
                ..self.played(model, &history)
            };
            let is_test = self.plan.untested(ids, &game).is_empty();
            history.pop();
            is_test
        });
        if !moves.is_empty() && !rows.is_empty() {
            let setup = model.facts().setup.unwrap_or_default();
            let mut open = self.plan.hold(setup, rows.iter().copied());
            open.catch_up(model.history());
            moves.retain(|&mv| open.that_allow(mv).next().is_some());
        }
        moves
    }

    fn refused_moves(&self, model: &Model, code: &str) -> Vec<Move> {
        let game = self.plan.dialect.game();
        let refused = |table| refused_moves(table, game, Some(code));
        model.table().map(refused).unwrap_or_default()
    }

    /// The situation that the step before this one has waited for.
    fn awaited(&self) -> Option<&Situation> {
        let before = self.step?.checked_sub(1)?;
        match &self.plan.steps.get(before)?.kind {
            StepKind::PlayUntil(until) => Some(&until.situation),
            _ => None,
        }
    }

    /// Of these moves, which the rules refuse, those that the most of the mistakes allow that are still to be told from the rules; all of
    /// them where none does.
    fn telling(&mut self, model: &Model, mut moves: Vec<Move>) -> Vec<Move> {
        self.hold_mistakes(model);
        if let Some((_, open)) = &self.mistakes {
            let allow = |mv: &Move| open.that_allow(*mv).count();
            let most = moves.iter().map(allow).max();
            moves.retain(|mv| Some(allow(mv)) == most);
        }
        moves
    }
}

/// Those of the moves for which this holds; all of them where it holds for none.
fn only_if_any(moves: Vec<Move>, is_meant: impl Fn(Move) -> bool) -> Vec<Move> {
    let mut meant = moves.clone();
    meant.retain(|&mv| is_meant(mv));
    if meant.is_empty() { moves } else { meant }
}

pub(super) fn legal_moves(model: &Model) -> Vec<Move> {
    model.table().map(Table::legal_moves).unwrap_or_default()
}
