//! How each wrong reading of the rules stands after the games of a subject.

use super::belief::is_refuted_by;
use super::{GameOfRun, reason};
use crate::rules::VariantRow;
use crate::scenario::Side;

/// The wrong readings of the rules after the games of a subject, on one side of one game.
#[derive(Debug, Clone)]
pub struct Ledger {
    /// Name of the game.
    pub game: &'static str,
    /// The side of the subject.
    pub side: Side,
    /// The numbers of the games in their run.
    pub games: Vec<usize>,
    /// The readings that a game refutes, each with the number of the first such game.
    pub refuted: Vec<(&'static VariantRow, usize)>,
    /// The readings that explain a failure, and that no game refutes.
    pub consistent: Vec<&'static VariantRow>,
    /// The readings that no game has put to the test.
    pub untested: Vec<&'static VariantRow>,
}

impl Ledger {
    /// Holds every reading against these games of a run, which one subject has played on one side of one game.
    pub(super) fn new(games: &[GameOfRun<'_>], group: Vec<usize>) -> Option<Ledger> {
        let plan = games[*group.first()?].plan()?;
        let mut ledger = Ledger {
            game: plan.dialect.game().name(),
            side: plan.side,
            games: group,
            refuted: Vec::new(),
            consistent: Vec::new(),
            untested: Vec::new(),
        };
        for row in plan.hypotheses() {
            let mut numbers = ledger.games.iter().copied();
            if let Some(number) = numbers.find(|&number| is_refuted_by(row, games[number])) {
                ledger.refuted.push((row, number));
            } else if ledger
                .games
                .iter()
                .any(|&number| explains(row, games[number]))
            {
                ledger.consistent.push(row);
            } else {
                ledger.untested.push(row);
            }
        }
        Some(ledger)
    }

    /// The number of the first game that refutes the reading.
    #[must_use]
    pub fn refuted_by(&self, row: &VariantRow) -> Option<usize> {
        let refuted = self.refuted.iter();
        let mut of_row = refuted.filter(|(other, _)| other.name == row.name);
        of_row.next().map(|(_, number)| *number)
    }

    /// Returns the number of readings.
    #[must_use]
    pub fn total(&self) -> usize {
        self.refuted.len() + self.consistent.len() + self.untested.len()
    }
}

fn explains(row: &VariantRow, game: GameOfRun<'_>) -> bool {
    let hypotheses = reason(game.outcome).and_then(|finding| finding.hypotheses.as_ref());
    hypotheses.is_some_and(|rows| rows.iter().any(|other| other.name == row.name))
}
