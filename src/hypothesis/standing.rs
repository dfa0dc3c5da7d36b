//! How each wrong reading of the rules stands after the games of a subject.

use super::belief::{Word, hold};
use super::reason;
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::protocol::GameEvent;
use crate::rules::VariantRow;
use crate::scenario::{CHANCE, PlannedGame, Side};

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
    reading: &'static VariantRow,
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
        let row = |reading| Row {
            reading,
            refutation: None,
            explains: false,
            unshown: 1.0,
        };
        Ledger {
            game: plan.dialect.game().name(),
            side: plan.side,
            games: Vec::new(),
            failed: 0,
            passed: 0,
            rows: plan.hypotheses().map(row).collect(),
        }
    }

    /// Holds every reading against a game.
    pub fn take(&mut self, number: usize, plan: &PlannedGame, outcome: &Outcome) {
        self.games.push(number);
        match outcome.verdict {
            Verdict::Fail => self.failed += 1,
            Verdict::Pass | Verdict::Lenient => self.passed += 1,
            _ => {}
        }
        let finding = reason(outcome).and_then(|finding| finding.hypotheses.as_ref());
        for row in &mut self.rows {
            let name = row.reading.name;
            row.explains |= finding.is_some_and(|rows| rows.iter().any(|row| row.name == name));
            if row.refutation.is_none() {
                match hold(row.reading, plan, outcome) {
                    Word::Refuted(event) => {
                        let history = &outcome.history;
                        row.refutation = Some(Refutation {
                            game: number,
                            turn: GameEvent::turns(&history[..history.len().min(event + 1)]),
                        });
                    }
                    Word::Unshown(unshown) => row.unshown *= unshown,
                }
            }
        }
    }

    /// Every reading, and how it stands.
    pub fn standings(&self) -> impl Iterator<Item = (&'static VariantRow, ReadingState)> {
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
    pub fn that_are(&self, wanted: ReadingState) -> Vec<&'static VariantRow> {
        let standings = self.standings();
        let wanted = standings.filter(|(_, standing)| *standing == wanted);
        wanted.map(|(row, _)| row).collect()
    }

    /// The readings that a game refutes.
    #[must_use]
    pub fn refuted(&self) -> Vec<(&'static VariantRow, Refutation)> {
        let rows = self.rows.iter();
        rows.filter_map(|row| Some((row.reading, row.refutation?)))
            .collect()
    }

    /// Returns true if the subject may believe the reading: no game refutes it, and none of many chances to show it went by.
    #[must_use]
    pub(super) fn fits(&self, reading: &VariantRow) -> bool {
        let mut rows = self.rows.iter();
        let row = rows.find(|row| row.reading.name == reading.name);
        row.is_some_and(|row| row.refutation.is_none() && row.unshown > UNLIKELY)
    }

    /// Returns true if it is one of the readings that are held against every game.
    #[must_use]
    pub(super) fn knows(&self, reading: &VariantRow) -> bool {
        self.rows.iter().any(|row| row.reading.name == reading.name)
    }

    /// What refutes the reading.
    #[must_use]
    pub fn refutation(&self, reading: &VariantRow) -> Option<Refutation> {
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
