//! A game as it is played where chance rolls and deals, for a referee that takes neither rolls nor a setup.
//!
//! What a scenario forces is mostly the way to its point: a turn that is no clean move, or a position in which a rule shows. By chance,
//! such a turn is waited for, with a move of the same kind, and a rule until the game has put it to the test. What a plain turn is does
//! not matter then, nor whether there is one.

use std::cell::RefCell;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::{
    Act, Choice, Deed, Participant, PlanKeys, PlannedGame, PlayedGame, SendPart, Side, Situation,
    Step, StepKind, Turn, Until,
};
use crate::diagnostic::Span;
use crate::protocol::{Cause, Exercised, GameEvent, PlayerLine};
use crate::requirement::Role;
use crate::rules::{Game, Mistake, Move, Phase, Seat, Setup, Table, WIN, below};
use crate::yaml::Number;

/// The most turns that are played for a situation.
const TURNS: u32 = 300;
/// The most turns that are played to tell mistakes in the rules apart.
const TELLING_TURNS: u32 = 100;
/// The most games that are played until one goes as the scenario needs it.
const ATTEMPTS: u32 = 20;
/// The number of games on paper that show whether a mistake matters, and of their turns.
const SAMPLES: u64 = 4;
const SAMPLED_TURNS: usize = 60;
/// The most turns that are played after the last one that is no clean move.
const AFTER: usize = 3;

impl PlannedGame {
    /// The game without what it forces, which is waited for instead. `None` if it forces nothing, or if what it is about has to be forced.
    #[must_use]
    pub fn by_chance(&self) -> Option<PlannedGame> {
        let forces = self.setup.is_some() || !self.forced_rolls().is_empty();
        if !forces || self.side == Side::Bot {
            return None;
        }
        // The example is this one game.
        let checks = self.checks_but(self.dialect.ids(Role::ExampleGame))?;
        let mut walk = Walk::new(self);
        let is_clean = walk.go()?;
        walk.end(is_clean && self.tells_apart(&walk.history));
        Some(PlannedGame {
            checks,
            steps: walk.steps,
            setup: None,
            barrier: None,
            keys: PlanKeys {
                attempts: Some(Number(self.keys.attempts().max(ATTEMPTS).into())),
                ..self.keys.clone()
            },
            is_by_chance: true,
            ..self.clone()
        })
    }

    /// The game with the names that the players have anyway; `None` if it is about its names.
    #[must_use]
    pub fn without_names(&self) -> Option<PlannedGame> {
        Some(PlannedGame {
            checks: self.checks_but(self.dialect.ids(Role::ShownByOddName))?,
            keys: PlanKeys {
                names: None,
                ..self.keys.clone()
            },
            is_without_names: true,
            ..self.clone()
        })
    }

    /// Returns true if chance decides how the game starts.
    fn is_dealt(&self) -> bool {
        !self.dialect.game().setup_keys().is_empty()
    }

    /// Its requirements without these; `None` if one of them is what it exists for.
    fn checks_but(&self, ids: &[&'static str]) -> Option<Vec<&'static str>> {
        let mut checks = self.checks.clone();
        checks.retain(|id| !ids.contains(id));
        (checks.first() == self.checks.first()).then_some(checks)
    }

    /// Returns true if every turn that is to tell mistakes from the rules can come up in a game with this setup.
    #[must_use]
    pub fn may_show_its_mistakes(&self, setup: Setup) -> bool {
        let game = self.dialect.game();
        let rows = self.steps.iter().filter_map(|step| match &step.kind {
            StepKind::PlayUntil(until) => match &until.situation {
                Situation::CanTest(_, _, rows) => Some(rows),
                _ => None,
            },
            _ => None,
        });
        let mut needed = rows.filter(|rows| !rows.is_empty());
        needed.all(|rows| rows.iter().any(|row| shows_soon(game, setup, row)))
    }

    /// Returns true if these events tell a mistake from the rules that breaks a requirement of the scenario.
    fn tells_apart(&self, history: &[GameEvent]) -> bool {
        let mut broken = self.hypotheses();
        broken.any(|row| {
            let setup = self.setup.unwrap_or_default();
            let mut open = self.hold(setup, std::iter::once(row));
            open.catch_up(history);
            self.checks.contains(&row.breaks) && open.number() == 0
        })
    }
}

/// Returns true if in one of some games on paper with this setup, a subject that makes the mistake takes a turn otherwise than the rules do.
fn shows_soon(game: &dyn Game, setup: Setup, row: &Mistake) -> bool {
    (0..SAMPLES).any(|seed| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let Some(mut believed) = game.mistakes().table(setup, row.name) else {
            return false;
        };
        let mut rules = game.table(setup);
        (0..SAMPLED_TURNS).any(|_| {
            if rules.phase() == Phase::Roll {
                let roll = game.draw_roll(random.next_u64());
                let can_move = rules.take_roll(roll);
                if believed.take_roll(roll) != can_move || !can_move {
                    return can_move;
                }
            }
            let (legal, allowed) = (rules.legal_moves(), believed.legal_moves());
            if legal.is_empty() {
                return false;
            }
            if allowed.into_iter().any(|mv| rules.check(mv).is_err()) {
                return true;
            }
            let mv = legal[below(random.next_u64(), legal.len())];
            rules.play(mv).is_err() || believed.play(mv).is_err()
        })
    })
}

/// A turn that is no clean move, as it is played in whatever position chance brings.
struct Point {
    /// The position that it needs.
    situation: Situation,
    deed: Deed,
    /// The move that the scenario makes by it, if it makes one.
    mv: Option<Move>,
}

/// A walk through the game that is forced, and the steps of the one that is not.
struct Walk<'p> {
    plan: &'p PlannedGame,
    table: Box<dyn Table>,
    steps: Vec<Step>,
    /// Requirements of the scenario that clean turns have put to the test since the last turn that was none.
    tested: Vec<&'static str>,
    /// Number of clean turns since then.
    clean: usize,
    /// The events of the forced game so far.
    history: Vec<GameEvent>,
    /// True if the last turn was clean, and ended the game.
    ends_clean: bool,
    /// The turn before, where it is clean and not like any other: its place, its player, and the situation.
    before: Option<(Span, Seat, Situation)>,
}

impl<'p> Walk<'p> {
    fn new(plan: &'p PlannedGame) -> Walk<'p> {
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
    fn go(&mut self) -> Option<bool> {
        let seen = RefCell::new(Vec::new());
        let mut see = |id| seen.borrow_mut().push(id);
        let mut exercised = Exercised::new(self.plan.terms(), &mut see);
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
    fn end(&mut self, tells: bool) {
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
        } else if is_about_turns {
            for _ in 0..self.clean.min(AFTER) {
                self.push(*span, StepKind::Improvise(Turn::new(None, None, Deed::ANY)));
            }
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
        self.wait(span);
        // After a refused move nothing more is told apart.
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
        let sent = deed.sent(dialect);
        let (lines, half) = SendPart::lines(&sent);
        let said = |line: &Vec<u8>| dialect.read_player_line(line);
        let is_ignored = |line: &&Vec<u8>| matches!(said(line), PlayerLine::Ignored(_));
        let number = lines.iter().take_while(is_ignored).count();
        let said = match (deed, lines.get(number)) {
            (Deed::Skip | Deed::Refused(_) | Deed::Read(_) | Deed::Join, _) => return None,
            (Deed::Move(Choice::Any { .. }), _) => return None,
            (_, Some(line)) => said(line),
            // Half a line counts at most where its sender goes away.
            (Deed::Send(_), None) if deed.leaving().is_some() => said(&half),
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
                SendPart::with_place(parts, number, &dialect.write_move(mv))?
            }
            _ => return Some(point),
        };
        let deed = Deed::SendMove(Box::new(point.deed), parts);
        Some(Point { deed, ..point })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::case_files::assert_lines;
    use crate::scenario::{suite, write};

    #[test]
    fn what_a_scenario_forces_is_waited_for() {
        let (scenarios, _) = suite::all();
        let named = scenarios.into_iter().map(|one| (one.name.clone(), one));
        let named: BTreeMap<_, _> = named.collect();
        assert_lines("by-chance", |name| {
            let Some(scenario) = named.get(name) else {
                return "no such scenario".to_owned();
            };
            let by_chance = scenario.clone().by_chance();
            if !by_chance.is_by_chance() {
                return "as it is".to_owned();
            }
            let text = write(&by_chance);
            let (_, turns) = text.split_once("turns:\n").expect("it is a game");
            let dropped = scenario.checks().iter();
            let dropped = dropped.filter(|id| !by_chance.checks().contains(id));
            let dropped: String = dropped.map(|id| format!("\n  (not {id})")).collect();
            format!("\n{}{dropped}", turns.trim_end())
        });
    }

    #[test]
    fn nearly_every_shipped_scenario_for_a_referee_has_a_form_by_chance() {
        let (scenarios, _) = suite::all();
        let forces = |plan: &&crate::scenario::PlannedGame| {
            plan.side == crate::scenario::Side::Referee
                && (plan.setup.is_some() || !plan.forced_rolls().is_empty())
        };
        let games = scenarios.iter().filter_map(|one| one.game()).filter(forces);
        let (with, without): (Vec<_>, Vec<_>) = games.partition(|plan| plan.by_chance().is_some());
        assert!(
            without.len() <= 2,
            "{} without, {} with",
            without.len(),
            with.len()
        );
    }
}
