//! How each wrong reading of the rules stands after the games of a subject.

use super::belief::{Word, hold};
use super::reason;
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::protocol::GameEvent;
use crate::rules::{Game, Mistake};
use crate::scenario::{CHANCE, PlannedGame, Side, hypotheses_of};

/// A bot that believes a reading, and picks at random among the moves that it holds to be legal, would have kept to the rules for so long
/// with at most this probability: then what it does otherwise has another cause, such as a value that is out of date.
const UNLIKELY: f64 = 0.001;

/// The wrong readings of the rules after the games of a subject, on one side of one game.
#[derive(Debug, Clone)]
pub struct Ledger {
    /// Name of the game.
    pub game: &'static str,
    /// The side of the subject.
    pub side: Side,
    /// The numbers of the games in their run.
    pub games: Vec<usize>,
    /// Number of games that failed.
    pub failed: usize,
    /// Number of games that passed.
    pub passed: usize,
    rows: Vec<Row>,
}

/// A reading after the games so far.
#[derive(Debug, Clone)]
struct Row {
    reading: &'static Mistake,
    /// What refutes it.
    refutation: Option<Refutation>,
    /// True if it explains a failure.
    explains: bool,
    /// Probability that a bot which believes it would not have shown it.
    unshown: f64,
}

/// The first game of a subject that refutes a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refutation {
    /// The number of the game in its run.
    pub game: usize,
    /// The turn in which a subject that believes the reading would have shown something else, from 1; 0 before the first.
    pub turn: usize,
}

/// What a game says of a reading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held {
    /// The turn in which a subject that believes it would have shown something else.
    pub refuted_in: Option<usize>,
    /// True if the game failed, and is right by the reading.
    pub explains: bool,
    /// Probability that a bot which believes it would not have shown it; 1 for a referee.
    pub unshown: f64,
}

/// How a reading stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadingState {
    /// A game refutes it.
    Refuted(Refutation),
    /// It explains a failure, and no game refutes it.
    Consistent,
    /// No game refutes it, though a bot that believes it, and picks at random among the moves that it holds to be legal, would have
    /// shown it in at least 7 of 8 runs.
    Unshown,
    /// No game has put it to the test.
    Untested,
}

impl Ledger {
    /// The readings before the first game of a subject that plays what this game is one of.
    #[must_use]
    pub fn new(plan: &PlannedGame) -> Ledger {
        Ledger::of(plan.dialect.game(), plan.side)
    }

    /// The readings before the first game of a subject on this side.
    #[must_use]
    pub fn of(game: &dyn Game, side: Side) -> Ledger {
        let row = |reading| Row {
            reading,
            refutation: None,
            explains: false,
            unshown: 1.0,
        };
        Ledger {
            game: game.name(),
            side,
            games: Vec::new(),
            failed: 0,
            passed: 0,
            rows: hypotheses_of(game, side).map(row).collect(),
        }
    }

    /// Holds every reading against a game.
    pub fn take(&mut self, number: usize, plan: &PlannedGame, outcome: &Outcome) {
        let finding = reason(outcome).filter(|finding| !finding.crashed_in_turn);
        let finding = finding.and_then(|finding| finding.hypotheses.as_ref());
        let history = &outcome.history;
        self.hold(number, outcome.verdict, |reading| {
            let is_named = |rows: &Vec<&Mistake>| rows.iter().any(|row| row.name == reading.name);
            let (refuted_in, unshown) = match hold(reading, plan, outcome) {
                Word::Refuted(event) => {
                    let until = history.len().min(event + 1);
                    (Some(GameEvent::turns(&history[..until])), 1.0)
                }
                Word::Unshown(unshown) => (None, unshown),
            };
            Held {
                refuted_in,
                explains: finding.is_some_and(is_named),
                unshown,
            }
        });
    }

    /// Takes what a game of this verdict says of each reading.
    pub fn hold(
        &mut self,
        number: usize,
        verdict: Verdict,
        mut says: impl FnMut(&'static Mistake) -> Held,
    ) {
        self.games.push(number);
        match verdict {
            Verdict::Fail => self.failed += 1,
            Verdict::Pass | Verdict::Lenient => self.passed += 1,
            _ => {}
        }
        for row in &mut self.rows {
            if row.refutation.is_none() {
                let held = says(row.reading);
                row.explains |= held.explains;
                row.unshown *= held.unshown;
                row.refutation = held
                    .refuted_in
                    .map(|turn| Refutation { game: number, turn });
            }
        }
    }

    /// Every reading, and how it stands.
    pub fn standings(&self) -> impl Iterator<Item = (&'static Mistake, ReadingState)> {
        self.rows.iter().map(|row| {
            let standing = match row.refutation {
                Some(refutation) => ReadingState::Refuted(refutation),
                None if row.explains && row.unshown > UNLIKELY => ReadingState::Consistent,
                None if row.unshown <= CHANCE => ReadingState::Unshown,
                None => ReadingState::Untested,
            };
            (row.reading, standing)
        })
    }

    /// The readings that stand so.
    #[must_use]
    pub fn that_are(&self, wanted: ReadingState) -> Vec<&'static Mistake> {
        let standings = self.standings();
        let wanted = standings.filter(|(_, standing)| *standing == wanted);
        wanted.map(|(row, _)| row).collect()
    }

    /// The readings that a game refutes.
    #[must_use]
    pub fn refuted(&self) -> Vec<(&'static Mistake, Refutation)> {
        let rows = self.rows.iter();
        rows.filter_map(|row| Some((row.reading, row.refutation?)))
            .collect()
    }

    /// Returns true if the subject may believe the reading: no game refutes it, and none of many chances to show it went by.
    #[must_use]
    pub(super) fn fits(&self, reading: &Mistake) -> bool {
        let mut rows = self.rows.iter();
        let row = rows.find(|row| row.reading.name == reading.name);
        row.is_some_and(|row| row.refutation.is_none() && row.unshown > UNLIKELY)
    }

    /// Those of these readings that the subject may believe. A part of a reading, for one player or some times only, is left out where the
    /// whole is among them, and so is one that contains another.
    #[must_use]
    pub fn possible(&self, readings: &[&'static Mistake]) -> Vec<&'static Mistake> {
        let fit = readings.iter().copied().filter(|row| self.fits(row));
        let fit: Vec<_> = fit.collect();
        let simplest = fit.iter().filter(|row| row.is_simplest_of(&fit));
        simplest.copied().collect()
    }

    /// Returns true if it is one of the readings that are held against every game.
    #[must_use]
    pub(super) fn knows(&self, reading: &Mistake) -> bool {
        self.rows.iter().any(|row| row.reading.name == reading.name)
    }

    /// What refutes the reading.
    #[must_use]
    pub fn refutation(&self, reading: &Mistake) -> Option<Refutation> {
        let mut rows = self.rows.iter();
        rows.find(|row| row.reading.name == reading.name)?
            .refutation
    }

    /// Returns the number of readings.
    #[must_use]
    pub fn total(&self) -> usize {
        self.rows.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack;

    fn rows(names: &[&str]) -> Vec<&'static Mistake> {
        let game = pack::game("royalur").unwrap();
        let row = |name: &&str| hypotheses_of(game, Side::Referee).find(|row| row.name == *name);
        names.iter().map(|name| row(name).unwrap()).collect()
    }

    #[test]
    fn a_reading_that_contains_simpler_ones_is_possible_once_those_are_refuted() {
        let mut ledger = Ledger::of(pack::game("royalur").unwrap(), Side::Referee);
        let names = ["cell-11-safe-not-8", "cell-11-safe", "cell-8-capturable"];
        let all = rows(&names);
        assert_eq!(ledger.possible(&all), rows(&names[1..]));
        assert_eq!(ledger.possible(&[all[0], all[2]]), [all[2]]);
        ledger.hold(0, Verdict::Pass, |row| Held {
            refuted_in: ["cell-11-safe", "cell-8-capturable"]
                .contains(&row.name)
                .then_some(1),
            explains: false,
            unshown: 1.0,
        });
        assert_eq!(ledger.possible(&all), [all[0]]);
    }

    #[test]
    fn a_part_of_a_reading_is_possible_only_without_the_whole() {
        let ledger = Ledger::of(pack::game("royalur").unwrap(), Side::Referee);
        let names = [
            "no-extra-turn-8-for-first",
            "no-extra-turn-8",
            "no-extra-turn-4",
        ];
        let left = ledger.possible(&rows(&names));
        assert_eq!(left, rows(&names[1..]));
    }

    #[test]
    fn every_simpler_reading_is_one_of_the_game() {
        for game in ["royalur", "onitama"] {
            let all: Vec<_> = hypotheses_of(pack::game(game).unwrap(), Side::Referee).collect();
            for simpler in all.iter().flat_map(|row| row.contains) {
                assert!(all.iter().any(|row| row.name == *simpler), "{simpler}");
            }
        }
    }
}
