//! A walk through the game that a scenario forces, which gives the steps of the game that chance rolls and deals.

use std::cell::RefCell;

use crate::diagnostic::Span;
use crate::protocol::{Cause, GameEvent, PlayerLine};
use crate::rules::{Move, Phase, Seat, Table, WIN};
use crate::scenario::exercised::Exercised;
use crate::scenario::{
    Act, Choice, Deed, Participant, PlannedGame, PlayedGame, SendPart, Situation, Step, StepKind,
    Turn, Until,
};

/// The most turns that are played for a situation.
const TURNS: u32 = 300;
/// The most turns that are played to tell mistakes in the rules apart.
const TELLING_TURNS: u32 = 100;
/// So many turns are played after the last one that is no clean move, if the scenario has any there: an extra turn may come before the one that
/// shows something.
const AFTER: usize = 3;
/// After so many clean turns that test nothing, what comes is about a game that has gone on for long.
const LATE: usize = 10;

/// A turn that is no clean move, as it is played in whatever position chance brings.
struct Point {
    /// The position that it needs.
    situation: Situation,
    deed: Deed,
    /// The move that the scenario makes by it, if it makes one.
    mv: Option<Move>,
}

/// A walk through the game that is forced, and the steps of the one that is not.
pub(super) struct Walk<'p> {
    plan: &'p PlannedGame,
    table: Box<dyn Table>,
    pub(super) steps: Vec<Step>,
    /// Requirements of the scenario that clean turns have put to the test since the last turn that was none.
    tested: Vec<&'static str>,
    /// Number of clean turns since then.
    clean: usize,
    /// The events of the forced game so far.
    pub(super) history: Vec<GameEvent>,
    /// True if the last turn was clean, and ended the game.
    ends_clean: bool,
    /// The turn before, where it is clean and not like any other: its place, its player, and the situation.
    before: Option<(Span, Seat, Situation)>,
}

impl<'p> Walk<'p> {
    pub(super) fn new(plan: &'p PlannedGame) -> Walk<'p> {
        let setup = plan.setup.unwrap_or_default();
        Walk {
            plan,
            table: plan.dialect.game().table(setup),
            steps: Vec::new(),
            tested: Vec::new(),
            clean: 0,
            history: Vec::new(),
            ends_clean: false,
            before: None,
        }
    }

    /// Walks through the game, to its end or to where the scenario leaves it to chance by itself. Returns whether all turns are clean; `None`
    /// if a turn has its meaning by what was forced.
    pub(super) fn go(&mut self) -> Option<bool> {
        let seen = RefCell::new(Vec::new());
        let mut see = |id| seen.borrow_mut().push(id);
        let mut exercised = Exercised::new(self.plan, None, &mut see);
        let mut are_clean = true;
        for (number, step) in self.plan.steps.iter().enumerate() {
            let StepKind::Turn(turn) = &step.kind else {
                // From here on the scenario itself leaves the game to chance.
                let rest = &self.plan.steps[number..];
                let is_forced = |step: &Step| matches!(step.kind, StepKind::Turn(_));
                self.wait(step.span);
                self.steps.extend_from_slice(rest);
                self.clean = 0;
                return (!rest.iter().any(is_forced)).then_some(false);
            };
            seen.borrow_mut().clear();
            if let Some(roll) = turn.roll.filter(|_| self.table.phase() == Phase::Roll) {
                let (by, skipped) = (self.table.to_move(), !self.table.fork().take_roll(roll));
                self.play(GameEvent::Rolled { by, roll, skipped }, &mut exercised);
            }
            // What a line with an open effect has led to is not known here.
            if turn.deed != Deed::Skip && self.table.phase() != Phase::Move {
                return None;
            }
            let is_clean = turn.meanwhile.is_empty()
                && matches!(turn.deed, Deed::Skip | Deed::Move(Choice::This(_)));
            let (mut mv, mut situation) = (turn.deed.mv(), Some(Situation::CannotMove));
            if !is_clean {
                are_clean = false;
                let point = self.point(turn)?;
                mv = point.mv;
                self.add(step.span, turn, point);
            }
            if let Some(mv) = mv {
                situation = self.kind(mv).map(Situation::Can);
                let mut after = self.table.fork();
                after.play(mv).ok()?;
                let result = after.phase().result();
                let by = turn.seat;
                self.play(GameEvent::Moved { by, mv, result }, &mut exercised);
            }
            self.ends_clean = is_clean && self.table.phase().result().is_some();
            if is_clean {
                self.clean += 1;
                self.before = situation.map(|situation| (step.span, turn.seat, situation));
                // What only the end of the game shows comes with its end.
                let tested = seen.take().into_iter().filter(|_| !self.ends_clean);
                self.tested
                    .extend(tested.filter(|id| self.plan.checks.contains(id)));
            }
        }
        Some(are_clean)
    }

    /// Adds what is left when the forced game is through. `tells`: it tells mistakes from the rules.
    pub(super) fn end(&mut self, tells: bool) {
        let Some(Step { span, .. }) = self.plan.steps.last() else {
            return;
        };
        let is_about_turns = self.tested.is_empty() && !tells;
        self.wait(*span);
        if tells {
            // Another deal tells other mistakes apart, so all are meant.
            self.until(*span, None, Situation::ToldApart(Vec::new()));
        }
        if let (true, Some((last, before))) = (self.ends_clean, self.history.split_last()) {
            // The move that ends the game, where it shows something, and what only the end shows.
            let (winner, known) = (last.by(), self.tested_by(before, None));
            let mut shown = self.tested_by(&self.history, None);
            shown.retain(|id| !known.contains(id));
            if !shown.is_empty() {
                let wins = Situation::CanTest(None, shown, Vec::new());
                self.until(*span, Some(winner), wins);
                let turn = Turn::new(Some(winner), None, Deed::ANY);
                self.push(*span, turn.step(self.plan));
            }
            self.push(*span, StepKind::PlayToTheEnd);
        } else if is_about_turns && self.clean > 0 {
            self.improvise(*span, AFTER);
        }
    }

    /// Plays an event of the forced game.
    fn play(&mut self, event: GameEvent, exercised: &mut Exercised<'_>) {
        exercised.take(&*self.table, &event, None);
        self.history.push(event);
        event.play_on(&mut *self.table);
        if !matches!(event, GameEvent::Rolled { skipped: false, .. }) {
            exercised.end_turn();
        }
    }

    /// Adds so many turns of whoever is on turn, with any moves.
    fn improvise(&mut self, span: Span, turns: usize) {
        for _ in 0..turns {
            self.push(span, StepKind::Improvise(Turn::new(None, None, Deed::ANY)));
        }
    }

    fn push(&mut self, span: Span, kind: StepKind) {
        self.steps.push(Step { span, kind });
    }

    fn until(&mut self, span: Span, who: Option<Seat>, situation: Situation) {
        let turns = match situation {
            Situation::ToldApart(_) => TELLING_TURNS,
            _ => TURNS,
        };
        let until = Until {
            who,
            situation,
            turns,
        };
        self.push(span, StepKind::PlayUntil(until));
    }

    /// Waits until the requirements of the clean turns are put to the test.
    fn wait(&mut self, span: Span) {
        let mut ids = std::mem::take(&mut self.tested);
        ids.sort_unstable();
        ids.dedup();
        if !ids.is_empty() {
            self.until(span, None, Situation::Tested(ids));
        }
    }

    /// Adds a turn that is no clean move, after the turn before it where that one makes it what it is.
    fn add(&mut self, span: Span, turn: &Turn, point: Point) {
        let is_first = self.clean == 0 && self.steps.is_empty();
        let is_late = self.clean >= LATE && self.tested.is_empty();
        self.wait(span);
        if is_late && matches!(point.situation, Situation::CanMove) {
            self.improvise(span, self.clean);
        }
        // A refused move ends the game, so mistakes have to be told apart before it.
        let is_refused = matches!(point.situation, Situation::CanTest(..));
        if is_refused
            && self.clean > 0
            && self.plan.is_dealt()
            && self.plan.tells_apart(&self.history)
        {
            self.until(span, None, Situation::ToldApart(Vec::new()));
        }
        self.clean = 0;
        if let Some((span, seat, situation)) = self.before.take() {
            self.until(span, Some(seat), situation.clone());
            if let Situation::Can(kind) = situation {
                let deed = Deed::Move(Choice::of_kind(kind));
                let turn = Turn::new(Some(seat), None, deed);
                self.push(span, turn.step(self.plan));
            }
        }
        // Who begins is left to chance as well.
        let seat = (!is_first).then_some(turn.seat);
        self.until(span, seat, point.situation);
        let mut made_up = Turn {
            meanwhile: turn.meanwhile.clone(),
            at: turn.at.clone(),
            ..Turn::new(seat, None, point.deed)
        };
        for Act { who, .. } in &mut made_up.meanwhile {
            if is_first && *who == Participant::Player(turn.seat.other()) {
                *who = Participant::Other;
            }
        }
        self.push(span, made_up.step(self.plan));
    }

    /// The first kind of which a legal move is, the win before all.
    fn kind(&self, mv: Move) -> Option<&'static str> {
        let kinds = self.plan.dialect.game().data().kinds.iter();
        let mut kinds = [WIN.name].into_iter().chain(kinds.map(|kind| kind.name));
        kinds.find(|kind| self.table.is_of_kind(mv, kind))
    }

    /// A legal move that is made.
    fn made(&self, mv: Move) -> Point {
        let kind = self.kind(mv);
        Point {
            situation: kind.map_or(Situation::CanMove, Situation::Can),
            deed: Deed::Move(kind.map_or(Choice::ANY, Choice::of_kind)),
            mv: Some(mv),
        }
    }

    /// A deed that is the same in every position.
    fn plain(&self, deed: &Deed) -> Option<Point> {
        let situation = match self.table.legal_moves().is_empty() {
            true if *deed == Deed::Silent => Situation::CannotMove,
            true => return None,
            false => Situation::CanMove,
        };
        let (deed, mv) = (deed.clone(), None);
        Some(Point {
            situation,
            deed,
            mv,
        })
    }

    /// A move that the rules refuse here, and what it puts to the test.
    fn refused(&self, mv: Move) -> Option<Point> {
        let refusal = self.table.check(mv).err()?;
        let mut history = self.history.clone();
        history.push(GameEvent::Lost {
            by: self.table.to_move(),
            cause: Cause::Invalid(refusal.requirement),
        });
        // The mistakes that the move tells from the rules.
        let setup = self.plan.setup.unwrap_or_default();
        let mut open = self.plan.hold(setup, self.plan.hypotheses());
        open.catch_up(&self.history);
        let ids = self.tested_by(&history, Some(mv));
        let mut rows = open.shown_by(mv);
        // Who makes a mistake in all turns makes it in those of one player. What no deal decides shows in any game.
        if rows.iter().any(|row| row.general.is_some()) {
            rows.retain(|row| row.general.is_some());
        }
        rows.retain(|_| self.plan.is_dealt());
        Some(Point {
            situation: Situation::CanTest(Some(refusal.code), ids, rows),
            ..self.plain(&Deed::Refused(Some(refusal.code)))?
        })
    }

    /// The requirements of the scenario that these events put to the test.
    fn tested_by(&self, history: &[GameEvent], losing_move: Option<Move>) -> Vec<&'static str> {
        let game = PlayedGame {
            history,
            setup: self.plan.setup,
            spectators: self.plan.spectators as usize,
            losing_move,
            is_whole: false,
        };
        let untested = self.plan.untested(&self.plan.checks, &game);
        let mut tested = self.plan.checks.clone();
        tested.retain(|id| !untested.contains(id));
        tested
    }

    /// The form of a turn that is not a clean move; `None` if the turn means this only in its forced position.
    fn point(&self, turn: &Turn) -> Option<Point> {
        let (dialect, deed) = (self.plan.dialect, &turn.deed);
        let lines = deed.lines(dialect);
        let said = match (deed, lines.first) {
            (Deed::Skip | Deed::Refused(_) | Deed::Read(_) | Deed::Join, _) => return None,
            (Deed::Move(Choice::Any { .. }), _) => return None,
            _ if deed.is_open() => return self.plain(deed),
            (_, Some(line)) => line,
            // Half a line counts at most where its sender goes away.
            (Deed::Send(_), None) if deed.leaving().is_some() => lines.half,
            (Deed::Illegal(_), None) => return None,
            (_, None) => return self.plain(deed),
        };
        let Some(mv) = said.possible_move() else {
            return self.plain(deed);
        };
        let point = match (self.table.check(mv), &said) {
            (Ok(()), _) if !matches!(deed.of_line(), Deed::Illegal(_)) => self.made(mv),
            (Err(_), PlayerLine::Move(_)) => self.refused(mv)?,
            (Err(_), _) if matches!(deed, Deed::SendMove(..)) => self.refused(mv)?,
            _ => return None,
        };
        let parts = match deed {
            Deed::SendMove(_, parts) => parts.clone(),
            Deed::Send(parts) if point.mv.is_some() => {
                SendPart::with_place(parts, lines.ignored.len(), &dialect.write_move(mv))?
            }
            _ => return Some(point),
        };
        let deed = Deed::SendMove(Box::new(point.deed), parts);
        Some(Point { deed, ..point })
    }
}
