//! The search for short legal games whose last turn shows something, by any rolls and moves.

use std::collections::HashSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::script::{Answers, Script, take_roll};
use crate::rules::{Mistake, Move, Roll, Seat, Table, below};
use crate::scenario::{Deed, Turn};

/// Number of positions kept after each turn of a wide search.
const BEAM: usize = 1500;
/// Maximum number of turns of a game in a wide search.
const DEEPEST: usize = 16;
/// Number of sprints.
pub(super) const SPRINTS: usize = 150;

/// A position that can be reached, and how.
struct Position {
    /// The position by the rules, and after it the same by the mistake that the search is about.
    tables: Vec<Box<dyn Table>>,
    turns: Vec<Turn>,
}

/// A turn that has begun.
pub(super) struct Begun<'s> {
    position: &'s Position,
    pub(super) roll: Option<Roll>,
    /// The tables after the roll, each with whether it leaves a move.
    pub(super) tables: Vec<(Box<dyn Table>, bool)>,
    /// The moves that can follow: of a bot the one that it was seen to answer, where that is known.
    pub(super) moves: Vec<Move>,
}

impl Begun<'_> {
    /// Returns the position by the rules; one in which the turn is skipped is as it was before the roll.
    pub(super) fn table(&self) -> &dyn Table {
        match &self.tables[0] {
            (table, true) => table.as_ref(),
            (_, false) => self.position.tables[0].as_ref(),
        }
    }

    /// Returns true if the player on turn can move.
    pub(super) fn can_move(&self) -> bool {
        self.tables[0].1
    }

    /// Returns the turns before this one, and then this one.
    pub(super) fn ended_by(&self, turn: Turn) -> Vec<Turn> {
        self.position.turns.iter().cloned().chain([turn]).collect()
    }

    /// Returns the turn with this deed.
    pub(super) fn turn(&self, deed: Deed) -> Turn {
        Turn::new(self.table().to_move(), self.roll, deed)
    }

    /// Returns the tables after a move, or after the turn is skipped; `None` where one of them refuses it.
    pub(super) fn after(&self, mv: Option<Move>) -> Option<Vec<Box<dyn Table>>> {
        let played = |(table, can_move): &(Box<dyn Table>, bool)| {
            let mut table = table.fork();
            let is_right = match mv {
                Some(mv) => *can_move && table.play(mv).is_ok(),
                None => !can_move,
            };
            is_right.then_some(table)
        };
        self.tables.iter().map(played).collect()
    }

    /// Returns what the player on turn can do: each of the moves, or nothing where none is possible.
    pub(super) fn deeds(&self) -> impl Iterator<Item = Deed> {
        let moves = self.moves.iter().copied().map(Deed::this);
        moves.chain((!self.can_move()).then_some(Deed::Skip))
    }

    /// Adds the positions after this turn that were not reached before, but none in which the tables differ.
    fn go_on(&self, seen: &mut HashSet<Vec<u64>>, next: &mut Vec<Position>) {
        for deed in self.deeds() {
            let Some(tables) = self.after(deed.mv()).filter(|tables| !are_apart(tables)) else {
                continue;
            };
            let place = tables.iter().map(|table| table.canonical_fingerprint());
            if seen.insert(place.collect()) {
                let turns = self.ended_by(self.turn(deed));
                next.push(Position { tables, turns });
            }
        }
    }
}

/// Returns true if another turn follows by the mistake than by the rules, or another end.
pub(super) fn are_apart(tables: &[Box<dyn Table>]) -> bool {
    let next = |table: &dyn Table| (table.phase(), table.to_move());
    tables
        .iter()
        .any(|table| next(table.as_ref()) != next(tables[0].as_ref()))
}

impl Script {
    /// Searches games from the start, the shortest first: all by any rolls and moves, or one at random. The *sprint* of a number mostly takes
    /// the greatest roll and the first move that there is, and in two of three of them only one player moves; it leads further. `goal` takes
    /// each turn that begins, and returns true when enough was found.
    pub(super) fn search(
        &self,
        sprint: Option<usize>,
        mistake: Option<&Mistake>,
        answers: &Answers,
        goal: &mut dyn FnMut(&Begun<'_>) -> bool,
    ) {
        let most = self.turns.len();
        let deepest = sprint.map_or(most.min(DEEPEST), |_| most);
        let setup = self.plan.setup.unwrap_or_default();
        let mistakes = self.plan.dialect.game().mistakes();
        let mistaken =
            mistake.and_then(|mistake| mistakes.table_of(self.plan.bot_seat, setup, mistake.name));
        let tables = std::iter::once(self.start()).chain(mistaken).collect();
        let turns = Vec::new();
        let mut level = vec![Position { tables, turns }];
        let mut random = ChaCha8Rng::seed_from_u64((self.turns.len() + sprint.unwrap_or(0)) as u64);
        let (mut seen, mut is_enough) = (HashSet::new(), false);
        for _ in 0..deepest {
            let mut next = Vec::new();
            if sprint.is_some() {
                // Where nobody can move, the same position comes again.
                seen.clear();
            }
            for position in &level {
                let mut rolls = self.rolls(position.tables[0].as_ref());
                if let Some(number) = sprint {
                    let runner = Seat::BOTH.get(number % 3);
                    let is_fast = below(random.next_u64(), 4) > 0;
                    let place = match runner {
                        Some(runner) if *runner != position.tables[0].to_move() => 0,
                        _ if is_fast => rolls.len().saturating_sub(1),
                        _ => below(random.next_u64(), rolls.len().max(1)),
                    };
                    rolls = rolls.into_iter().skip(place).take(1).collect();
                }
                for roll in rolls {
                    let begun = self.begun(position, roll, answers);
                    is_enough |= goal(&begun);
                    begun.go_on(&mut seen, &mut next);
                }
            }
            if is_enough || next.is_empty() {
                return;
            }
            if sprint.is_some() && below(random.next_u64(), 4) > 0 {
                next.truncate(1);
            }
            while next.len() > if sprint.is_some() { 1 } else { BEAM } {
                next.swap_remove(below(random.next_u64(), next.len()));
            }
            level = next;
        }
    }

    fn begun<'s>(
        &self,
        position: &'s Position,
        roll: Option<Roll>,
        answers: &Answers,
    ) -> Begun<'s> {
        let rolled = position.tables.iter().map(|table| {
            let mut table = table.fork();
            let can_move = take_roll(&mut *table, roll);
            (table, can_move)
        });
        let tables: Vec<_> = rolled.collect();
        let moves = match &tables[0] {
            (table, true) => self.choices(&position.turns, table.as_ref(), roll, answers),
            _ => Vec::new(),
        };
        Begun {
            position,
            roll,
            tables,
            moves,
        }
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
