//! Steps of a scenario that depend on the course of the game: situations, and turns made up for them.

use super::finding_context::{misfit, never};
use super::state::State;
use crate::finding::{Finding, Verdict};
use crate::pack;
use crate::protocol::{Cause, GameEvent};
use crate::rules::{Move, Roll, Seat, Table, WIN};
use crate::scenario::{
    Choice, Deed, PlayedGame, SendPart, Situation, Step, StepKind, Turn, Until, Wrong,
};

impl State {
    /// Returns true if the situation has come up in the turn that begins.
    pub(super) fn has_come_up(
        &self,
        until: &Until,
        by: Seat,
        roll: Option<Roll>,
        skipped: bool,
    ) -> bool {
        let is_his = until.who.is_none_or(|seat| seat == by) && !self.seen.model.is_over();
        is_his
            && match &until.situation {
                Situation::CanMove => !skipped && !self.legal_moves().is_empty(),
                Situation::CannotMove => skipped || self.legal_moves().is_empty(),
                Situation::Rolled(wanted) => roll == Some(*wanted),
                Situation::Can(kind) => !skipped && !self.moves_of_kind(kind).is_empty(),
                Situation::CanBreak(code) => !skipped && !self.refused_moves(Some(code)).is_empty(),
                Situation::CanTest(code, ids) => !skipped && !self.testing(*code, ids).is_empty(),
                Situation::Tested(ids) => self.seen.untested(ids).is_empty(),
                Situation::ToldApart(_) => {
                    let readings = self.seen.course.readings.as_ref();
                    self.seen.course.turns_played_on >= until.turns
                        || readings.is_none_or(|(_, open)| open.number() == 0)
                }
            }
    }

    /// Counts a turn that is played for a situation.
    ///
    /// # Errors
    /// It was one too many.
    pub(super) fn play_on(&mut self, until: &Until) -> Result<(), Box<Finding>> {
        self.seen.course.turns_played_on += 1;
        if self.seen.course.turns_played_on <= until.turns {
            return Ok(());
        }
        Err(Box::new(never(
            &self.seen,
            format!(
                "`{}` did not come up in {} turns",
                until.text(&self.seen.plan),
                until.turns
            ),
        )))
    }

    /// Makes up the turn for the position that has come up.
    ///
    /// # Errors
    /// Returns a finding if the turn's precondition is missing.
    pub(super) fn improvise(
        &mut self,
        turn: &Turn<Option<Seat>>,
        by: Seat,
    ) -> Result<Turn, Box<Finding>> {
        let mut made_up = turn.clone().taken_by(by);
        if turn.seat.is_some_and(|seat| seat != by) {
            return Err(misfit(&self.seen, Wrong::OtherSeat(by)));
        }
        let moves = match turn.deed {
            Deed::Move(Choice::OfKind(kind)) | Deed::SendMove(Choice::OfKind(kind), _) => {
                self.moves_of_kind(kind)
            }
            Deed::SendMove(..) => self.legal_moves(),
            Deed::Move(Choice::Any { .. }) => match self.awaited() {
                Some(Situation::CanTest(code, ids)) => self.testing(*code, ids),
                _ => return Ok(made_up),
            },
            Deed::Refused(code) => {
                let refused = match self.awaited() {
                    Some(Situation::CanTest(code, ids)) => self.testing(*code, ids),
                    _ => self.refused_moves(code),
                };
                let is_plain = |mv: &&Move| {
                    self.seen
                        .model
                        .table()
                        .is_some_and(|table| table.breaks_one_rule(**mv))
                };
                let plain: Vec<_> = refused.iter().filter(is_plain).copied().collect();
                // One that breaks several rules says nothing of each.
                let moves = if plain.is_empty() { refused } else { plain };
                self.telling(moves)
            }
            _ => return Ok(made_up),
        };
        let Some(mv) = self.seen.chooser.pick(&moves) else {
            let text = turn.text(&self.seen.plan);
            let title = format!("as the game went, there is no move for `{text}`");
            return Err(Box::new(never(&self.seen, title)));
        };
        let line = self.seen.plan.dialect.write_move(mv);
        made_up.deed = match &turn.deed {
            Deed::Refused(_) => Deed::Illegal(line),
            Deed::SendMove(_, parts) => Deed::Send(SendPart::with_move(parts, &line)),
            _ => Deed::this(mv),
        };
        Ok(made_up)
    }

    /// The move of a player that urtext plays; `None` where no move is legal.
    ///
    /// # Errors
    /// A finding where the move of the scenario is not legal, or where only the excluded one is.
    pub(super) fn chosen(&mut self, choice: Choice) -> Result<Option<Move>, Box<Finding>> {
        let seen = &self.seen;
        match choice {
            Choice::This(mv) => {
                let checked = seen.model.table().map_or(Ok(()), |table| table.check(mv));
                let refused = |refusal| misfit(seen, Wrong::Refused(mv, refusal));
                checked.map(|()| Some(mv)).map_err(refused)
            }
            Choice::OfKind(kind) => {
                let moves = self.moves_of_kind(kind);
                Ok(self.seen.chooser.pick(&moves))
            }
            Choice::Any { name, except } => {
                let excluded =
                    except.and_then(|except| self.seen.chooser.called.get(&except).copied());
                let allowed = self
                    .legal_moves()
                    .into_iter()
                    .filter(|&mv| Some(mv) != excluded);
                let picked = self.pick(allowed.collect());
                if let (None, Some(only)) = (picked, excluded) {
                    return Err(misfit(&self.seen, Wrong::OnlyExcluded(only)));
                }
                let called = name.zip(picked);
                self.seen.chooser.called.extend(called);
                Ok(picked)
            }
        }
    }

    /// The move that urtext makes where it is free.
    pub(super) fn pick(&mut self, legal: Vec<Move>) -> Option<Move> {
        let moves = self.moves_to_play_on(legal);
        let kind = &mut self.seen.kind;
        kind.hold_readings();
        match (kind.steering(), kind.model.table()) {
            (Some(steering), Some(table)) => {
                let game = kind.plan.dialect.game();
                let open = kind.course.readings.as_ref().map(|(_, open)| open);
                steering.pick(game, table, open, &moves, &mut || kind.chooser.random())
            }
            _ => kind.chooser.pick(&moves),
        }
    }

    /// The roll that urtext makes where it is free.
    pub(super) fn free_roll(&mut self) -> Roll {
        let kind = &mut self.seen.kind;
        let game = kind.plan.dialect.game();
        kind.hold_readings();
        match (kind.steering(), kind.model.table()) {
            (Some(steering), Some(table)) => {
                let open = kind.course.readings.as_ref().map(|(_, open)| open);
                steering.roll(game, table, open, &mut || kind.chooser.random())
            }
            _ => kind.chooser.roll(game),
        }
    }

    /// The moves among which urtext chooses while it plays on: not the game's end, as long as the scenario has something in store.
    fn moves_to_play_on(&self, legal: Vec<Move>) -> Vec<Move> {
        let is_playing_on = self
            .seen
            .course
            .step
            .and_then(|step| self.seen.plan.steps.get(step));
        let is_playing_on =
            is_playing_on.is_some_and(|step| matches!(step.kind, StepKind::PlayUntil(_)));
        let Some(table) = self.seen.model.table().filter(|_| is_playing_on) else {
            return legal;
        };
        let quiet: Vec<_> = legal
            .iter()
            .copied()
            .filter(|&mv| !table.is_of_kind(mv, WIN.name))
            .collect();
        if quiet.is_empty() { legal } else { quiet }
    }

    /// Returns a finding if the game ended before a scenario that depends on its course.
    pub(super) fn is_cut_short(&self) -> Option<Finding> {
        let steps = self.seen.plan.steps.get(self.seen.course.next_step..)?;
        let is_tested = |step: &&Step| match &step.kind {
            StepKind::PlayUntil(until) => match &until.situation {
                Situation::Tested(ids) => self.seen.untested(ids).is_empty(),
                // The end of the game is as good, if nothing is to come after it.
                Situation::ToldApart(_) => true,
                _ => false,
            },
            _ => false,
        };
        let any = Turn::new(None, None, Deed::ANY);
        let mut steps = steps.iter().skip_while(is_tested);
        let step = steps.next().filter(|_| self.seen.plan.is_adaptive())?;
        let title = match &step.kind {
            StepKind::PlayToTheEnd => return None,
            // What may follow the point of a scenario, and need not.
            StepKind::Improvise(turn) if self.seen.plan.is_by_chance && *turn == any => {
                return None;
            }
            StepKind::PlayUntil(until) => {
                let text = until.text(&self.seen.plan);
                format!("`{text}` did not come up before the game was over")
            }
            StepKind::Turn(_) | StepKind::Improvise(_) => Wrong::Over.words(&self.seen.plan),
        };
        Some(Finding {
            span: Some(step.span),
            ..never(&self.seen, title)
        })
    }

    /// Returns a finding if a game with free choices has not exercised a requirement that the scenario claims
    /// to check. Of a game that is written down whole, the scenario was refused for it.
    pub(super) fn is_idle(&self) -> Option<Finding> {
        let plan = &self.seen.plan;
        if plan.checks.is_empty() || !plan.is_chosen_as_it_goes() {
            return None;
        }
        let history = self.seen.model.history();
        let game = PlayedGame {
            is_whole: true,
            ..self.seen.played(history)
        };
        let mut idle = plan.untested(&plan.checks, &game);
        idle.retain(|id| {
            let mut open = self.results.open.iter();
            open.all(|choice| choice.requirement != *id)
        });
        let id = *idle.first()?;
        let title = format!("as the game went, nothing put `{id}` to the test");
        let mut finding = Finding::new(Verdict::Inconclusive, title);
        finding.requirement = Some(id);
        let needs = pack::requirement(id).and_then(|entry| entry.needs.as_ref());
        finding
            .notes
            .extend(needs.map(|needs| format!("it takes {needs}")));
        if let [_, others @ ..] = &idle[..]
            && !others.is_empty()
        {
            finding.notes.push(format!("nor {}", others.join(", ")));
        }
        Some(finding)
    }

    /// Those of the moves, legal ones or those that the rules refuse for the reason of that code, by which the game would put all of these
    /// requirements to the test.
    fn testing(&self, code: Option<&str>, ids: &[&'static str]) -> Vec<Move> {
        let model = &self.seen.model;
        let Some(table) = model.table() else {
            return Vec::new();
        };
        let by = table.to_move();
        let mut moves = match code {
            Some(_) => self.refused_moves(code),
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
                ..self.seen.played(&history)
            };
            let is_test = self.seen.plan.untested(ids, &game).is_empty();
            history.pop();
            is_test
        });
        moves
    }

    /// The situation that the step before the next one has waited for.
    fn awaited(&self) -> Option<&Situation> {
        let before = self.seen.course.next_step.checked_sub(1)?;
        match &self.seen.plan.steps.get(before)?.kind {
            StepKind::PlayUntil(until) => Some(&until.situation),
            _ => None,
        }
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.seen
            .model
            .table()
            .map(Table::legal_moves)
            .unwrap_or_default()
    }

    fn moves_of_kind(&self, kind: &str) -> Vec<Move> {
        let Some(table) = self.seen.model.table() else {
            return Vec::new();
        };
        table
            .legal_moves()
            .into_iter()
            .filter(|&mv| table.is_of_kind(mv, kind))
            .collect()
    }

    /// Of these moves, which the rules refuse, those that the most of the readings allow that are still to be told from the rules; all of
    /// them where none does.
    fn telling(&mut self, moves: Vec<Move>) -> Vec<Move> {
        let kind = &mut self.seen.kind;
        kind.hold_readings();
        let Some((_, open)) = &kind.course.readings else {
            return moves;
        };
        let allowed: Vec<_> = moves.iter().map(|&mv| open.that_allow(mv)).collect();
        let most = allowed.iter().max().copied().unwrap_or_default();
        let telling = moves.into_iter().zip(allowed);
        let telling = telling.filter(|(_, number)| *number == most);
        telling.map(|(mv, _)| mv).collect()
    }

    /// The moves that the rules refuse, for the reason of that code where one is named.
    fn refused_moves(&self, code: Option<&str>) -> Vec<Move> {
        let Some(table) = self.seen.model.table() else {
            return Vec::new();
        };
        let is_meant = |mv: &Move| {
            table
                .check(*mv)
                .err()
                .is_some_and(|refusal| code.is_none_or(|code| refusal.code == code))
        };
        self.seen
            .plan
            .dialect
            .game()
            .every_move()
            .into_iter()
            .filter(is_meant)
            .collect()
    }
}
