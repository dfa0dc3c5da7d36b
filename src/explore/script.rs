//! Explored games as lists of turns, which shrinking shortens and which can be written as scenarios.

use std::collections::{HashMap, HashSet};

use super::made_up::made_up;
use crate::event::Outcome;
use crate::rules::{Move, Phase, Roll, Seat, Table};
use crate::scenario::{
    Deed, Participant, PlannedGame, Scenario, Side, Situation, StepKind, Turn, Until,
};

/// A game that was played, as turns that bring it about again where rolls and what chance fixes before the first turn are forced.
#[derive(Debug, Clone)]
pub(super) struct Script {
    /// All of the game but its checks and its turns.
    pub(super) plan: PlannedGame,
    /// Its turns. After a line that is ignored, its player has another one.
    pub(super) turns: Vec<Turn>,
    /// First turn in which a bot chooses its own moves; in earlier turns it has to repeat its recorded moves.
    pub(super) free_from: usize,
    /// Number of free turns after these.
    pub(super) then_free: usize,
}

/// The turn as one of this seat, with this action: what each player says in it, the other one says then.
pub(super) fn given_to(turn: &Turn, seat: Seat, deed: Deed) -> Turn {
    let mut given = Turn {
        seat,
        deed,
        ..turn.clone()
    };
    for act in given.meanwhile.iter_mut().filter(|_| seat != turn.seat) {
        if let Participant::Player(by) = &mut act.who {
            *by = by.other();
        }
    }
    given
}

/// Takes the roll of a turn, unless it is in force. Returns false if it leaves no move.
pub(super) fn take_roll(table: &mut dyn Table, roll: Option<Roll>) -> bool {
    match roll.filter(|_| table.phase() == Phase::Roll) {
        Some(roll) => table.take_roll(roll),
        None => true,
    }
}

impl Script {
    /// The game of an outcome, up to where it went as predicted, with the turn in which it failed. In a turn that was not played to its end,
    /// the first legal move is made.
    ///
    /// `None` where the game did not come so far that its setup was told.
    pub(super) fn of(scenario: &Scenario, outcome: &Outcome) -> Option<Script> {
        let played = scenario.game()?;
        let game = played.dialect.game();
        let setup = match game.setup_keys() {
            [] => None,
            _ => Some(outcome.setup?),
        };
        let mut turns = outcome.turns.clone();
        let is_silent = |turn: &Turn| turn.deed == Deed::Silent;
        let is_timed = played.side == Side::Referee && turns.iter().any(is_silent);
        for turn in &mut turns {
            // For what the opponent lost, a bot cannot see.
            if played.side == Side::Bot && matches!(turn.deed, Deed::Illegal(_)) {
                turn.deed = Deed::Silent;
            }
        }
        let unplayed = turns.pop_if(|turn| turn.deed == Deed::ANY);
        let is_open = |turn: &Turn| matches!(turn.deed, Deed::Ignored(_));
        let is_begun = unplayed.is_some() || turns.last().is_none_or(is_open);
        let mut script = Script {
            plan: PlannedGame {
                setup,
                timeout: played.timeout.filter(|_| is_timed),
                ..made_up(played.dialect, played.side, played.bot_seat, &[])
            },
            turns,
            free_from: usize::MAX,
            then_free: 0,
        };
        let mut table = script.reached(script.turns.len())?;
        if is_begun && !matches!(table.phase(), Phase::Over(_)) {
            let seat = table.to_move();
            let usual = || Turn::new(seat, game.kinds_of_roll().last().copied(), Deed::ANY);
            let mut turn = unplayed.unwrap_or_else(usual);
            take_roll(&mut *table, turn.roll);
            if !script.is_bots(seat) {
                turn.deed = Deed::this(*table.legal_moves().first()?);
            }
            script.turns.push(turn);
        }
        Some(script)
    }

    /// Returns the number of turns.
    pub(super) fn length(&self) -> usize {
        let ends = |turn: &&Turn| !matches!(turn.deed, Deed::Ignored(_));
        self.turns.iter().filter(ends).count()
    }

    /// Returns the kind of subject.
    pub(super) fn side(&self) -> Side {
        self.plan.side
    }

    /// Returns true if the bot under test has this seat.
    pub(super) fn is_bots(&self, seat: Seat) -> bool {
        self.plan.side == Side::Bot && seat == self.plan.bot_seat
    }

    /// Returns true if the game skips a turn of the bot under test.
    pub(super) fn skips_the_bot(&self) -> bool {
        let is_skipped = |turn: &Turn| self.is_bots(turn.seat) && turn.deed == Deed::Skip;
        self.turns.iter().any(is_skipped)
    }

    /// Returns the game with the bot free to choose its own moves.
    pub(super) fn freed(&self) -> Script {
        Script {
            free_from: 0,
            ..self.clone()
        }
    }

    /// Returns the game with so many free turns after it: the failure may show only then.
    pub(super) fn played_on_for(&self, turns: usize) -> Script {
        Script {
            then_free: turns,
            ..self.clone()
        }
    }

    /// Returns the game with these turns in place of its own.
    pub(super) fn with_turns(&self, turns: Vec<Turn>) -> Script {
        Script {
            turns,
            ..self.clone()
        }
    }

    /// Returns the cost of reading the game: a skipped turn, a line that is ignored or an additional line costs half of a turn.
    pub(super) fn cost(&self) -> usize {
        let own = |turn: &Turn| match turn.deed {
            Deed::Skip | Deed::Ignored(_) => 1,
            _ => 2,
        };
        let turns = self.turns.iter();
        let cost = turns.map(|turn| own(turn) + turn.meanwhile.len());
        cost.sum::<usize>() + self.then_free
    }

    /// Returns true if this game is cheaper to read than the other one.
    pub(super) fn is_shorter_than(&self, other: &Script) -> bool {
        self.cost() < other.cost()
    }

    pub(super) fn start(&self) -> Box<dyn Table> {
        let setup = self.plan.setup.unwrap_or_default();
        self.plan.dialect.game().table(setup)
    }

    /// The rolls with which the next turn can begin.
    pub(super) fn rolls(&self, table: &dyn Table) -> Vec<Option<Roll>> {
        let kinds = self.plan.dialect.game().kinds_of_roll().iter();
        match table.phase() {
            Phase::Over(_) => Vec::new(),
            Phase::Move => vec![None],
            Phase::Roll => kinds.copied().map(Some).collect(),
        }
    }

    /// The position after so many turns.
    pub(super) fn reached(&self, turns: usize) -> Option<Box<dyn Table>> {
        let mut table = self.start();
        for turn in &self.turns[..turns] {
            take_roll(&mut *table, turn.roll);
            if let Some(mv) = turn.deed.mv() {
                table.play(mv).ok()?;
            }
        }
        Some(table)
    }

    /// The position before a turn, its roll taken unless it skips the turn, and that turn.
    pub(super) fn before(&self, place: usize) -> Option<(Box<dyn Table>, &Turn)> {
        let turn = self.turns.get(place)?;
        let mut table = self.reached(place)?;
        take_roll(&mut *table, turn.roll.filter(|_| turn.deed != Deed::Skip));
        Some((table, turn))
    }

    /// This game with a move after it: one for each roll, the greatest first, and for each position that a move leads to.
    pub(super) fn followed(&self) -> Vec<Script> {
        let mut all = Vec::new();
        let Some(table) = self.reached(self.turns.len()) else {
            return all;
        };
        for roll in self.rolls(&*table).into_iter().rev() {
            let mut table = table.fork();
            if !take_roll(&mut *table, roll) {
                continue;
            }
            let mut seen = HashSet::new();
            for mv in table.legal_moves() {
                let mut after = table.fork();
                if after.play(mv).is_ok() && seen.insert(after.canonical_fingerprint()) {
                    let turn = Turn::new(table.to_move(), roll, Deed::this(mv));
                    let turns = self.turns.iter().cloned().chain([turn]);
                    all.push(self.with_turns(turns.collect()));
                }
            }
        }
        all
    }

    /// The scenario that plays it, where it is one: that it is legal is checked on paper. It is about this requirement, where its turns
    /// put that to the test.
    pub(super) fn scenario(&self, requirement: Option<&'static str>) -> Option<Scenario> {
        let about = requirement.unwrap_or("under no requirement in particular");
        let title = format!("found by exploring, {about}");
        let about = |requirement| {
            let plan = self.as_plan(requirement);
            plan.titled(&title).placed("a shorter game").ok()
        };
        // What failed in a game need not be what its turns put to the test.
        about(requirement).or_else(|| about(None))
    }

    /// Its turns as a game that says to check this requirement, where one can.
    pub(super) fn as_plan(&self, requirement: Option<&'static str>) -> PlannedGame {
        let wished = requirement.as_slice();
        let PlannedGame {
            dialect,
            side,
            bot_seat,
            ..
        } = self.plan;
        let plan = PlannedGame {
            checks: made_up(dialect, side, bot_seat, wished).checks,
            ..self.plan.clone()
        };
        let step = |(place, turn): (usize, &Turn)| {
            let is_free = place >= self.free_from && self.is_bots(turn.seat);
            let mut turn = turn.clone();
            if is_free && turn.deed.mv().is_some() {
                turn.deed = Deed::ANY;
            }
            StepKind::Turn(turn)
        };
        // So many turns do not tell all mistakes apart, and the step is content with that.
        let on = (self.then_free > 0).then(|| Until {
            turns: self.then_free as u32,
            ..Until::new(None, Situation::ToldApart(Vec::new()))
        });
        let turns = self.turns.iter().enumerate().map(step);
        plan.with_steps(turns.chain(on.map(StepKind::PlayUntil)))
    }
}

/// Observed answers of a bot, by the game before each answer. One that answers otherwise the next time is
/// taken at its last word.
#[derive(Debug, Clone, Default)]
pub(super) struct Answers(HashMap<(Vec<Turn>, Option<Roll>), Move>);

impl Answers {
    /// Learns the answers of a game that was played. Returns whether one of them is new.
    pub(super) fn learn(&mut self, script: &Script) -> bool {
        let known = self.0.len();
        for (place, turn) in script.turns.iter().enumerate() {
            if let Some(mv) = turn.deed.mv()
                && script.is_bots(turn.seat)
            {
                self.0
                    .insert((script.turns[..place].to_vec(), turn.roll), mv);
            }
        }
        self.0.len() > known
    }

    /// Returns the bot's answer to this roll after these turns, if known.
    pub(super) fn after(&self, turns: &[Turn], roll: Option<Roll>) -> Option<Move> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&(turns.to_vec(), roll)).copied()
    }
}
