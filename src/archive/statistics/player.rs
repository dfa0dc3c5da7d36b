//! A player's part of the statistics, and scores with error bars.

use super::quantiles::Quantiles;
use super::report::SlowestAnswer;

/// Games won, drawn and lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
}

/// A player as far as the games have been counted.
#[derive(Debug, Clone, Default)]
pub(super) struct PlayerCount {
    pub(super) record: Record,
    pub(super) captures: u64,
    /// Answer times in microseconds.
    pub(super) answers: Option<Quantiles>,
    pub(super) slowest: Option<SlowestAnswer>,
}

impl Record {
    pub(super) fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    pub(super) fn merge(&mut self, other: Record) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }

    pub(super) fn turned(self) -> Record {
        Record {
            wins: self.losses,
            losses: self.wins,
            ..self
        }
    }

    /// Returns the score, from 0 to 1, with half a point for a draw.
    pub(super) fn score(self) -> f64 {
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        points / (self.games() as f64).max(1.0)
    }

    /// Returns the ends of Wilson's interval, in which the score of endless games lies with 95 %.
    pub(super) fn interval(self) -> (f64, f64) {
        const Z: f64 = 1.959_964;
        let games = self.games() as f64;
        if games == 0.0 {
            return (0.0, 1.0);
        }
        let score = self.score();
        let spread = Z * Z / games;
        let middle = (score + spread / 2.0) / (1.0 + spread);
        let half =
            Z / (1.0 + spread) * (score * (1.0 - score) / games + spread / (4.0 * games)).sqrt();
        ((middle - half).max(0.0), (middle + half).min(1.0))
    }
}

impl PlayerCount {
    pub(super) fn merge(&mut self, other: PlayerCount) {
        self.record.merge(other.record);
        self.captures += other.captures;
        match (&mut self.answers, other.answers) {
            (Some(own), Some(others)) => own.merge(&others),
            (None, others) => self.answers = others,
            (Some(_), None) => {}
        }
        if let Some(slowest) = other.slowest {
            self.answered(slowest);
        }
    }

    /// Keeps an answer if it is the slowest; of equal ones the first.
    pub(super) fn answered(&mut self, answer: SlowestAnswer) {
        if self
            .slowest
            .as_ref()
            .is_none_or(|slowest| slowest.ms < answer.ms)
        {
            self.slowest = Some(answer);
        }
    }
}
