//! The way to what is aimed at in as few turns as can be found, by any rolls and moves.

use std::collections::{BTreeMap, HashSet};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::Answers;
use super::aim::Aim;
use super::script::Script;
use crate::rules::{Move, Phase, Roll, Seat, Table, below};
use crate::scenario::{Deed, Turn};

/// Number of positions kept after each turn of the search.
const BEAM: usize = 1500;
/// Maximum number of turns of a game in the search.
const DEEPEST: usize = 16;
/// Number of random games that are tried.
const SPRINTS: usize = 150;

/// A position that can be reached, and how.
pub(super) struct Reached {
    pub(super) table: Box<dyn Table>,
    pub(super) turns: Vec<Turn>,
}

/// A turn that has begun there; one that is skipped is left as it was before its roll.
pub(super) struct Begun<'b> {
    pub(super) table: Box<dyn Table>,
    pub(super) roll: Option<Roll>,
    pub(super) reached: &'b Reached,
    /// Known answers of the bot under test.
    pub(super) answers: &'b Answers,
}

impl Script {
    /// Finds the shortest games by any rolls and moves whose last turn shows what is aimed at, and those that show the like sooner.
    pub(super) fn quickest(
        &self,
        aim: &Aim,
        last: &Turn,
        answers: &Answers,
        found: &mut dyn FnMut(Script, &[usize]),
    ) {
        let mut random = ChaCha8Rng::seed_from_u64(self.turns.len() as u64);
        let own = aim.wanted();
        let mut wanted = self.wanted_and_alike(aim);
        let mut seen = HashSet::new();
        let mut level = vec![Reached {
            table: self.start(),
            turns: Vec::new(),
        }];
        for _ in 0..DEEPEST.min(self.turns.len() - 1) {
            let mut next = Vec::new();
            for reached in &level {
                for (table, roll) in self.begun(reached.table.as_ref()) {
                    let begun = Begun {
                        table,
                        roll,
                        reached,
                        answers,
                    };
                    self.hits(&begun, aim, last, &mut wanted, &mut |turn, shown| {
                        let turns = reached.turns.iter().cloned().chain([turn]);
                        found(self.with_turns(turns.collect()), shown);
                    });
                    if !own.iter().any(|item| wanted.contains(item)) {
                        return;
                    }
                    next.extend(self.goes_on(begun, &mut seen));
                }
            }
            while next.len() > BEAM {
                next.swap_remove(below(random.next_u64(), next.len()));
            }
            level = next;
        }
    }

    /// Games at random, mostly by the greatest roll and by the first move that there is, until a turn shows what the last one shows: the
    /// shortest one for each thing that it shows. In most of them only one player moves, and the other one's turns are skipped.
    pub(super) fn sprints(&self, aim: &Aim, last: &Turn, answers: &Answers) -> Vec<Script> {
        let [least, .., greatest] = self.plan.dialect.game().kinds_of_roll() else {
            return Vec::new();
        };
        let kinds = self.plan.dialect.game().kinds_of_roll();
        let mut random = ChaCha8Rng::seed_from_u64(self.turns.len() as u64);
        let mut all: BTreeMap<usize, Script> = BTreeMap::new();
        for number in 0..SPRINTS {
            let runner = Seat::BOTH.get(number % 3);
            let mut wanted = aim.wanted();
            let mut reached = Reached {
                table: self.start(),
                turns: Vec::new(),
            };
            while reached.turns.len() < self.turns.len() && reached.table.phase() == Phase::Roll {
                let any = kinds[below(random.next_u64(), kinds.len())];
                let is_fast = below(random.next_u64(), 4) > 0;
                let runs = runner.is_none_or(|runner| *runner == reached.table.to_move());
                let roll = match (runs, is_fast) {
                    (true, true) => *greatest,
                    (true, false) => any,
                    (false, _) => *least,
                };
                let mut table = reached.table.fork();
                let can_move = table.take_roll(roll);
                let before = if can_move {
                    table
                } else {
                    reached.table.fork()
                };
                let begun = Begun {
                    table: before,
                    roll: Some(roll),
                    reached: &reached,
                    answers,
                };
                self.hits(&begun, aim, last, &mut wanted, &mut |turn, shown| {
                    let turns = reached.turns.iter().cloned().chain([turn]);
                    let script = self.with_turns(turns.collect());
                    for item in shown {
                        let known = all.entry(*item).or_insert_with(|| script.clone());
                        if script.cost() < known.cost() {
                            known.clone_from(&script);
                        }
                    }
                });
                if wanted.is_empty() {
                    break;
                }
                let next = self.goes_on(begun, &mut HashSet::new());
                let is_first = below(random.next_u64(), 4) > 0;
                let place = if is_first {
                    0
                } else {
                    below(random.next_u64(), next.len().max(1))
                };
                let Some(next) = next.into_iter().nth(place) else {
                    break;
                };
                reached = next;
            }
        }
        all.into_values().collect()
    }

    /// The turn that begins in a position, with each kind of roll; a skipped turn is left as one before its roll.
    pub(super) fn begun(&self, reached: &dyn Table) -> Vec<(Box<dyn Table>, Option<Roll>)> {
        let game = self.plan.dialect.game();
        match reached.phase() {
            Phase::Over(_) => Vec::new(),
            Phase::Move => vec![(reached.fork(), None)],
            Phase::Roll => {
                let rolled = |&roll: &Roll| {
                    let mut table = reached.fork();
                    let can_move = table.take_roll(roll);
                    (if can_move { table } else { reached.fork() }, Some(roll))
                };
                game.kinds_of_roll().iter().map(rolled).collect()
            }
        }
    }

    /// The new positions after the turn that has begun.
    fn goes_on(&self, begun: Begun<'_>, seen: &mut HashSet<u64>) -> Vec<Reached> {
        let Begun {
            table,
            roll,
            reached,
            answers,
        } = begun;
        let seat = table.to_move();
        let turn = |what| Turn::new(seat, roll, what);
        let with = |what| reached.turns.iter().cloned().chain([turn(what)]).collect();
        let mut next = Vec::new();
        if table.phase() == Phase::Roll {
            let mut after = table;
            if let Some(roll) = roll {
                after.take_roll(roll);
            }
            if seen.insert(after.canonical_fingerprint()) {
                next.push(Reached {
                    table: after,
                    turns: with(Deed::Skip),
                });
            }
            return next;
        }
        for mv in self.choices(&reached.turns, table.as_ref(), roll, answers) {
            let mut after = table.fork();
            if after.play(mv).is_ok() && seen.insert(after.canonical_fingerprint()) {
                next.push(Reached {
                    table: after,
                    turns: with(Deed::this(mv)),
                });
            }
        }
        next
    }

    /// The moves that can follow: of a bot the one that it was seen to answer there, where that is known.
    pub(super) fn choices(
        &self,
        turns: &[Turn],
        table: &dyn Table,
        roll: Option<Roll>,
        answers: &Answers,
    ) -> Vec<Move> {
        let mut legal = table.legal_moves();
        if self.is_bots(table.to_move())
            && let Some(answer) = answers.after(turns, roll)
        {
            legal.retain(|mv| *mv == answer);
        }
        legal
    }
}
