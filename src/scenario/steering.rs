//! Free play that is steered: the moves are chosen that lead soonest to situations which are wanted.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::open_mistake::{OpenMistake, OpenMistakes, Sign};
use crate::protocol::GameEvent;
use crate::rules::{Attempt, Fact, Game, Mistake, Move, Phase, Roll, Seat, Table, below};

/// Search depth in turns.
const AHEAD: u32 = 8;
/// Maximum number of turns simulated for one choice.
const EFFORT: usize = 320;
/// The same where mistakes are held against each turn, which costs more.
const EFFORT_WITH_MISTAKES: usize = 96;
/// Value of a situation that is reached at once; each turn of delay reduces the value by an eighth.
const AT_ONCE: u64 = 1 << 20;
/// Maximum number of mistakes that are held against the simulated games of one choice.
const MISTAKES: usize = 12;
/// One choice of so many is left to chance, so that no game is like the one before.
const LEFT_TO_CHANCE: usize = 8;

/// Target of free play: simulates random games after each move, and picks the move after which a wanted
/// situation comes soonest, or a turn that shows whether the subject makes a mistake.
#[derive(Debug, Clone, Default)]
pub struct Steering {
    /// True for each wanted coverage item, by number.
    wanted: Vec<bool>,
    /// Ids of requirements that a turn is to put to the test.
    pub requirements: Vec<&'static str>,
    /// Mistakes that the game is to tell from the rules.
    pub mistakes: Vec<&'static Mistake>,
}

impl Steering {
    /// Towards the coverage items for which this holds.
    #[must_use]
    pub fn towards(game: &dyn Game, is_wanted: impl FnMut(usize) -> bool) -> Steering {
        Steering {
            wanted: (0..game.coverage_items().len()).map(is_wanted).collect(),
            ..Steering::default()
        }
    }

    /// The target by the names of its situations and mistakes, for the recording of a game: without it, nobody knows the choices in the game.
    #[must_use]
    pub fn to_json(&self, game: &dyn Game) -> Value {
        let items = game.coverage_items().iter().zip(&self.wanted);
        let wanted = items.filter(|(_, is_wanted)| **is_wanted);
        let mistakes = self.mistakes.iter().map(|row| row.name);
        json!({
            "wanted": wanted.map(|(item, _)| item.name).collect::<Vec<_>>(),
            "mistakes": mistakes.collect::<Vec<_>>(),
        })
    }

    /// The target that a recording of this game holds; `None` if it is no such value. `mistakes`: those that it can name, in their order.
    pub fn from_json(
        value: &Value,
        game: &dyn Game,
        mistakes: impl Iterator<Item = &'static Mistake>,
    ) -> Option<Steering> {
        let names = |key: &str| -> Option<HashSet<&str>> {
            let names = value.get(key)?.as_array()?.iter();
            names.map(Value::as_str).collect()
        };
        let (wanted, open) = (names("wanted")?, names("mistakes")?);
        let items = game.coverage_items();
        let mut steering = Steering::towards(game, |item| wanted.contains(items[item].name));
        steering.mistakes = mistakes.filter(|row| open.contains(row.name)).collect();
        Some(steering)
    }

    /// One of these legal moves; `None` of none. `open` are the mistakes that the game has not told from the rules yet, `random` gives
    /// uniformly random numbers.
    pub fn pick(
        &self,
        game: &dyn Game,
        table: &dyn Table,
        open: Option<&OpenMistakes>,
        moves: &[Move],
        random: &mut dyn FnMut() -> u64,
    ) -> Option<Move> {
        if let [only] = moves {
            return Some(*only);
        }
        let start = self.paper(game, open, random);
        let after = |mv: Move, paper: &mut Paper<'_>| {
            let mut table = table.fork();
            if paper.play(&mut *table, mv) {
                paper.play_on(table, random);
            }
        };
        let best = start.best(moves, after);
        self.choose(moves, best, random)
    }

    /// A roll, for whoever conducts the game: often the one after which what is wanted comes soonest.
    pub fn roll(
        &self,
        game: &dyn Game,
        table: &dyn Table,
        open: Option<&OpenMistakes>,
        random: &mut dyn FnMut() -> u64,
    ) -> Roll {
        let any = game.draw_roll(random());
        if random().is_multiple_of(2) {
            return any;
        }
        let start = self.paper(game, open, random);
        let after = |roll: Roll, paper: &mut Paper<'_>| {
            let mut table = table.fork();
            paper.take_roll(&mut *table, roll);
            paper.play_on(table, random);
        };
        let kinds = game.kinds_of_roll();
        let best = start.best(kinds, after);
        self.choose(kinds, best, random).unwrap_or(any)
    }

    fn paper<'p>(
        &'p self,
        game: &'p dyn Game,
        open: Option<&OpenMistakes>,
        random: &mut dyn FnMut() -> u64,
    ) -> Paper<'p> {
        Paper {
            game,
            wanted: &self.wanted,
            requirements: self.requirements.clone(),
            bot: open.and_then(|open| open.bot),
            mistakes: open.map_or_else(Vec::new, |open| open.some(MISTAKES, random)),
            seen: Vec::new(),
            unseen: self.wanted.iter().filter(|wanted| **wanted).count() + self.requirements.len(),
            turns: 0,
            worth: 0,
        }
    }

    fn choose<T: Copy>(
        &self,
        all: &[T],
        best: Vec<T>,
        random: &mut dyn FnMut() -> u64,
    ) -> Option<T> {
        let is_left = below(random(), LEFT_TO_CHANCE) == 0;
        let from = if is_left { all } else { &best };
        (!from.is_empty()).then(|| from[below(random(), from.len())])
    }
}

/// A game that is played on paper.
#[derive(Clone)]
struct Paper<'p> {
    game: &'p dyn Game,
    wanted: &'p [bool],
    /// Wanted requirements that were not put to the test.
    requirements: Vec<&'static str>,
    /// The seat of the bot under test; `None` where the subject is the referee.
    bot: Option<Seat>,
    /// Mistakes that are not told from the rules yet.
    mistakes: Vec<OpenMistake>,
    /// Wanted situations that were reached.
    seen: Vec<usize>,
    /// Number of wanted situations and requirements that were not reached.
    unseen: usize,
    turns: u32,
    worth: u64,
}

impl Paper<'_> {
    /// The choices that are worth most; all of them where nothing that is wanted comes.
    fn best<T: Copy>(&self, choices: &[T], mut try_out: impl FnMut(T, &mut Paper<'_>)) -> Vec<T> {
        let effort = match self.mistakes.is_empty() {
            true => EFFORT,
            false => EFFORT_WITH_MISTAKES,
        };
        let rounds = (effort / (choices.len().max(1) * AHEAD as usize)).max(1);
        let mut worth = vec![0; choices.len()];
        for _ in 0..rounds {
            for (choice, worth) in choices.iter().zip(&mut worth) {
                let mut paper = self.clone();
                try_out(*choice, &mut paper);
                *worth += paper.worth;
            }
        }
        let most = worth.iter().max().copied().unwrap_or_default();
        choices
            .iter()
            .zip(worth)
            .filter(|(_, worth)| *worth == most)
            .map(|(choice, _)| *choice)
            .collect()
    }

    /// Value of what is reached now.
    fn now(&self) -> u64 {
        (0..self.turns).fold(AT_ONCE, |worth, _| worth / 8 * 7)
    }

    /// Looks at a turn before it is played.
    fn see(&mut self, table: &dyn Table, roll: Roll, mv: Option<Move>) {
        if self.unseen > 0 {
            let now = self.now();
            let mut new = 0;
            table.facts(roll, Attempt::of(mv), &mut |fact| match fact {
                Fact::Covers(item)
                    if self.wanted.get(item) == Some(&true) && !self.seen.contains(&item) =>
                {
                    self.seen.push(item);
                    new += 1;
                }
                Fact::Now(id) | Fact::Next(id) => {
                    let before = self.requirements.len();
                    self.requirements.retain(|wanted| *wanted != id);
                    new += before - self.requirements.len();
                }
                _ => {}
            });
            self.unseen -= new;
            self.worth += now * new as u64;
        }
        self.turns += 1;
    }

    /// Holds the mistakes against an event before it is played.
    fn hold(&mut self, table: &dyn Table, event: &GameEvent) {
        let (bot, now, worth) = (self.bot, self.now(), &mut self.worth);
        self.mistakes.retain_mut(|mistake| {
            let before = mistake.unshown;
            let (sign, is_kept) = match mistake.see(bot, table, event) {
                Sign::Fits(chance) => (chance * before, true),
                Sign::Refuted => (1.0, false),
                Sign::Surplus | Sign::Unclear => (0.0, false),
            };
            *worth += (sign * now as f64) as u64;
            is_kept
        });
    }

    fn take_roll(&mut self, table: &mut dyn Table, roll: Roll) {
        let (by, before) = (table.to_move(), table.fork());
        let skipped = !table.take_roll(roll);
        self.hold(&*before, &GameEvent::Rolled { by, roll, skipped });
        if skipped {
            self.see(&*before, roll, None);
        }
    }

    /// Plays a move; returns false if it is not legal.
    fn play(&mut self, table: &mut dyn Table, mv: Move) -> bool {
        let by = table.to_move();
        let result = None;
        self.hold(table, &GameEvent::Moved { by, mv, result });
        self.see(table, Roll(0), Some(mv));
        table.play(mv).is_ok()
    }

    /// Plays at random for as long as is thought ahead.
    fn play_on(&mut self, mut table: Box<dyn Table>, random: &mut dyn FnMut() -> u64) {
        while self.turns < AHEAD {
            match table.phase() {
                Phase::Over(_) => return,
                Phase::Roll => self.take_roll(&mut *table, self.game.draw_roll(random())),
                Phase::Move => {
                    let moves = table.legal_moves();
                    if moves.is_empty() {
                        return;
                    }
                    let mv = moves[below(random(), moves.len())];
                    if !self.play(&mut *table, mv) {
                        return;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "steering_tests.rs"]
mod tests;
