//! How each known mistake in the rules stands after the games of a subject.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::says::{Says, UNLIKELY, says};
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::protocol::GameEvent;
use crate::rules::{Game, Mistake, Move};
use crate::scenario::{CHANCE, PlannedGame, Side, hypotheses_of};

/// Number of failed games in which causes are sought.
pub(super) const SOUGHT: usize = 300;

/// A mistake that explains failures of a subject and that none of its games refutes, or several of which each explains the same failures.
#[derive(Debug, Clone)]
pub struct RunCause {
    /// The mistake; of several, the games do not tell which it is.
    pub rows: Vec<&'static Mistake>,
    /// The numbers of the games whose failures each explains, that with the fewest events first.
    pub explained: Vec<usize>,
}

/// The mistakes in the rules after the games of a subject, on one side of one game.
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
    /// The causes of failures, once all games were taken. Causes of which a subject may have too many are left out.
    pub causes: Vec<RunCause>,
    rows: Vec<Row>,
    /// Less usual mistakes, of which no report tells.
    further: Vec<Row>,
    /// The moves of a bot, each by its position and its roll.
    decided: HashSet<(u64, Move)>,
}

/// A mistake after the games so far.
#[derive(Debug, Clone)]
struct Row {
    mistake: &'static Mistake,
    /// True if a game refutes it.
    is_refuted: bool,
    /// The numbers of the failed games that it explains.
    explained: Vec<usize>,
    /// Probability that a bot which believes it would not have shown it.
    unshown: f64,
}

impl Row {
    fn new(mistake: &'static Mistake) -> Row {
        Row {
            mistake,
            is_refuted: false,
            explained: Vec::new(),
            unshown: 1.0,
        }
    }

    /// Returns true if the subject may believe the mistake: no game refutes it, and none of many chances to show it went by.
    fn fits(&self) -> bool {
        !self.is_refuted && self.unshown > UNLIKELY
    }
}

/// State of a mistake in the rules after all games. Of what several parts of a run say, the last of these holds.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum MistakeState {
    /// No game has put it to the test.
    Untested,
    /// No game refutes it, though a bot that believes it, and picks at random among the moves that it holds to be legal, would have
    /// shown it in at least 7 of 8 runs.
    Unshown,
    /// It explains a failure, and no game refutes it.
    Consistent,
    /// A game refutes it.
    Refuted,
}

impl Ledger {
    /// The mistakes before the first game of a subject on this side.
    #[must_use]
    pub fn of(game: &dyn Game, side: Side) -> Ledger {
        Ledger {
            game: game.name(),
            side,
            games: Vec::new(),
            failed: 0,
            passed: 0,
            causes: Vec::new(),
            rows: hypotheses_of(game, side).map(Row::new).collect(),
            further: Vec::new(),
            decided: HashSet::new(),
        }
    }

    /// Also holds the less usual mistakes against the games.
    #[must_use]
    pub(super) fn with_further(mut self, plan: &PlannedGame) -> Ledger {
        self.further = plan.further().map(Row::new).collect();
        self
    }

    /// Holds every mistake against a game.
    pub fn take(&mut self, number: usize, plan: &PlannedGame, outcome: &Outcome) {
        let known = match plan.side {
            Side::Bot => self.known(plan, outcome),
            Side::Referee => Vec::new(),
        };
        self.hold(number, outcome.verdict, |row| {
            says(row, plan, outcome, &known)
        });
    }

    /// For each event of a bot's game, whether a game before has shown what it decides there. One that does not choose at random does that again,
    /// which says no more.
    fn known(&mut self, plan: &PlannedGame, outcome: &Outcome) -> Vec<bool> {
        let mut table = plan.dialect.game().table(outcome.setup.unwrap_or_default());
        let history = outcome.history.iter();
        history
            .map(|event| {
                let is_known = match *event {
                    GameEvent::Moved { by, mv, .. } if by == plan.bot_seat => {
                        !self.decided.insert((table.fingerprint(), mv))
                    }
                    _ => false,
                };
                event.play_on(table.as_mut());
                is_known
            })
            .collect()
    }

    /// Takes what a game of this verdict says of each mistake.
    pub fn hold(
        &mut self,
        number: usize,
        verdict: Verdict,
        mut says: impl FnMut(&'static Mistake) -> Says,
    ) {
        self.games.push(number);
        match verdict {
            Verdict::Fail => self.failed += 1,
            Verdict::Pass | Verdict::Lenient => self.passed += 1,
            _ => {}
        }
        // Of many failures, the later ones only confirm or refute what explains one of the first.
        let is_sought = verdict != Verdict::Fail || self.failed <= SOUGHT;
        let is_asked = |row: &Row| !row.is_refuted && (is_sought || !row.explained.is_empty());
        let rows = self.rows.iter_mut().chain(&mut self.further);
        for row in rows.filter(|row| is_asked(row)) {
            match says(row.mistake) {
                Says::Refutes => row.is_refuted = true,
                Says::Allows { explains, unshown } => {
                    row.explained.extend(explains.then_some(number));
                    row.unshown *= unshown;
                }
            }
        }
    }

    /// Every mistake, and how it stands.
    pub fn standings(&self) -> impl Iterator<Item = (&'static Mistake, MistakeState)> {
        self.rows.iter().map(|row| {
            let standing = match row.is_refuted {
                true => MistakeState::Refuted,
                false if row.fits() && !row.explained.is_empty() => MistakeState::Consistent,
                false if row.unshown <= CHANCE => MistakeState::Unshown,
                false => MistakeState::Untested,
            };
            (row.mistake, standing)
        })
    }

    /// The mistakes that stand so.
    #[must_use]
    pub fn that_are(&self, wanted: MistakeState) -> Vec<&'static Mistake> {
        let standings = self.standings();
        let wanted = standings.filter(|(_, standing)| *standing == wanted);
        wanted.map(|(row, _)| row).collect()
    }

    /// The mistakes that explain failures and that the subject may believe, each with the numbers of those.
    pub fn suspects(&self) -> impl Iterator<Item = (&'static Mistake, Vec<usize>)> {
        suspects(&self.rows)
    }

    /// The same of less usual mistakes.
    pub(super) fn further(&self) -> impl Iterator<Item = (&'static Mistake, Vec<usize>)> {
        suspects(&self.further)
    }

    /// Whether a mistake that the subject may believe explains this failure and breaks this requirement.
    #[must_use]
    pub(super) fn explains(&self, number: usize, requirement: Option<&str>) -> bool {
        let mut rows = self.rows.iter().filter(|row| row.fits());
        rows.any(|row| requirement == Some(row.mistake.breaks) && row.explained.contains(&number))
    }

    /// The mistakes that the subject may believe and that explain a failure. A part of a mistake, for one player or some times only, is left out
    /// where the whole is among them, and so is one that contains another.
    #[must_use]
    pub fn possible(&self, explains: impl Fn(&Mistake) -> bool) -> Vec<&'static Mistake> {
        let fit = self.rows.iter().filter(|row| row.fits());
        let fit = fit.map(|row| row.mistake).filter(|row| explains(row));
        let fit: Vec<_> = fit.collect();
        let simplest = fit.iter().filter(|row| row.is_simplest_of(&fit));
        simplest.copied().collect()
    }

    /// Returns the number of mistakes.
    #[must_use]
    pub fn total(&self) -> usize {
        self.rows.len()
    }
}

/// Of those that explain the same, one that a bot would most likely have shown elsewhere is left out beside one that it would not.
fn suspects(rows: &[Row]) -> impl Iterator<Item = (&'static Mistake, Vec<usize>)> {
    let likely = rows.iter().filter(|row| row.fits() && row.unshown > CHANCE);
    let likely: HashSet<_> = likely.map(|row| &row.explained).collect();
    let rows = rows.iter().filter(|row| row.fits());
    let rows = rows.filter(move |row| row.unshown > CHANCE || !likely.contains(&row.explained));
    rows.map(|row| (row.mistake, row.explained.clone()))
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
    fn a_mistake_that_contains_simpler_ones_is_possible_once_those_are_refuted() {
        let mut ledger = Ledger::of(pack::game("royalur").unwrap(), Side::Referee);
        let names = ["cell-11-safe-not-8", "cell-11-safe", "cell-8-capturable"];
        let possible = |ledger: &Ledger, names: &[&str]| {
            let mut rows = ledger.possible(|row| names.contains(&row.name));
            rows.sort_by_key(|row| row.name);
            rows
        };
        assert_eq!(possible(&ledger, &names), rows(&names[1..]));
        assert_eq!(possible(&ledger, &[names[0], names[2]]), rows(&names[2..]));
        ledger.hold(0, Verdict::Pass, |row| {
            match ["cell-11-safe", "cell-8-capturable"].contains(&row.name) {
                true => Says::Refutes,
                false => Says::NOTHING,
            }
        });
        assert_eq!(possible(&ledger, &names), rows(&names[..1]));
    }

    #[test]
    fn a_part_of_a_mistake_is_possible_only_without_the_whole() {
        let ledger = Ledger::of(pack::game("royalur").unwrap(), Side::Referee);
        let names = [
            "no-extra-turn-8-for-first",
            "no-extra-turn-8",
            "no-extra-turn-4",
        ];
        let left = ledger.possible(|row| names.contains(&row.name));
        let left: Vec<_> = left.iter().map(|row| row.name).collect();
        assert_eq!(left.len(), 2);
        assert!(names[1..].iter().all(|name| left.contains(name)));
    }

    #[test]
    fn every_simpler_mistake_is_one_of_the_game() {
        for game in ["royalur", "onitama"].map(|name| pack::game(name).unwrap()) {
            let mistakes = game.mistakes();
            let rows = hypotheses_of(game, Side::Referee).chain(mistakes.kept());
            let all: Vec<_> = rows.chain(mistakes.further()).collect();
            for simpler in all.iter().flat_map(|row| row.contains) {
                assert!(all.iter().any(|row| row.name == *simpler), "{simpler}");
            }
        }
    }
}
