//! What a run says of its subjects' readings of the rules: the causes of failures, and what is ruled out.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::diagnostic::{counted, visible};
use crate::hypothesis::{Ledger, ReadingState, Refutation, RunExplanation};
use crate::pack;
use crate::rules::Mistake;
use crate::scenario::Side;

/// What follows a line that `-v` would continue.
pub(super) const NAMES_OTHERS: &str = " (-v names the others)";

/// A reading of the rules that explains a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadingResult {
    /// Name of the reading.
    pub name: String,
    /// The reading, in words that follow "behaves as if".
    pub summary: String,
}

impl ReadingResult {
    /// The result for a reading.
    #[must_use]
    pub fn new(row: &Mistake) -> ReadingResult {
        ReadingResult {
            name: row.name.to_owned(),
            summary: row.summary.to_owned(),
        }
    }
}

/// What all games of a run say of its subjects' readings of the rules.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ExplanationResult {
    /// The readings that explain failures and that no game refutes.
    pub causes: Vec<CauseResult>,
    /// The wrong readings of the rules after all games, for each subject, side and game.
    pub readings: Vec<RuledOut>,
}

/// The games of a subject on one side of one game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GamesOf {
    /// Name of the subject.
    pub subject: String,
    /// Name of the game.
    pub game: String,
    /// The side of the subject: `referee` or `bot`.
    pub side: String,
}

impl GamesOf {
    fn new(subject: &str, game: &str, side: Side) -> GamesOf {
        GamesOf {
            subject: visible::plain(subject.as_bytes()).to_string(),
            game: game.to_owned(),
            side: side.word().to_owned(),
        }
    }
}

/// A wrong reading of the rules that explains failures of a subject, or several of which each explains the same ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CauseResult {
    /// Whose games they are.
    #[serde(flatten)]
    pub of: GamesOf,
    /// The reading; of several, the games do not tell which it is.
    pub readings: Vec<ReadingResult>,
    /// Names of the scenarios whose failures it explains, that with the shortest game first.
    pub explains: Vec<String>,
}

/// Wrong readings of the rules after all games of a subject, on one side of one game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuledOut {
    /// Whose games they are.
    #[serde(flatten)]
    pub of: GamesOf,
    /// Number of its games that failed.
    pub failed: usize,
    /// Number of its games that passed.
    pub passed: usize,
    /// How each reading stands, by its name.
    pub readings: BTreeMap<String, StateResult>,
}

/// How a reading of the rules stands after all games. What several parts of a run say of it is the last of these.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StateResult {
    /// No game put it to the test.
    Untested,
    /// No game refutes it, though a bot that believes it, and picks at random among the moves that it holds to be legal, would have shown it in
    /// at least 7 of 8 runs.
    Unshown,
    /// It explains a failure, and no game refutes it.
    Consistent,
    /// A game refutes it.
    Refuted {
        /// Name of the scenario in whose game the subject would have shown something else.
        by: String,
        /// The turn in which it would have, from 1; 0 before the first.
        turn: usize,
    },
}

impl ExplanationResult {
    /// The result of an explanation of games, each with the names of its scenario and of its subject.
    #[must_use]
    pub fn new<N: AsRef<str>>(explanation: &RunExplanation, games: &[(N, N)]) -> ExplanationResult {
        let causes = explanation.causes.iter();
        let causes =
            causes.map(|cause| (cause.game, cause.side, vec![cause.row], &cause.explained));
        let undecided = explanation.undecided.iter();
        let undecided = undecided.map(|of| (of.game, of.side, of.rows.clone(), &of.explained));
        let causes = causes
            .chain(undecided)
            .map(|(game, side, rows, explained)| {
                let explained = explained.iter().map(|&number| &games[number]);
                let subject = explained
                    .clone()
                    .next()
                    .map_or("", |(_, subject)| subject.as_ref());
                CauseResult {
                    of: GamesOf::new(subject, game, side),
                    readings: rows.into_iter().map(ReadingResult::new).collect(),
                    explains: explained
                        .map(|(name, _)| name.as_ref().to_owned())
                        .collect(),
                }
            });
        let ledgers = explanation.ledgers.iter();
        ExplanationResult {
            causes: causes.collect(),
            readings: ledgers.map(|ledger| RuledOut::new(ledger, games)).collect(),
        }
    }

    /// Joins what two parts of a run say. What one part refutes, or cannot have held against its games, is no cause of the whole.
    #[must_use]
    pub(super) fn merged(mut self, other: ExplanationResult) -> ExplanationResult {
        for cause in other.causes {
            let is_same =
                |known: &&mut CauseResult| known.of == cause.of && known.readings == cause.readings;
            match self.causes.iter_mut().find(is_same) {
                Some(known) => known.explains.extend(cause.explains),
                None => self.causes.push(cause),
            }
        }
        for part in other.readings {
            let known = self.readings.iter_mut().find(|known| known.of == part.of);
            let Some(known) = known else {
                self.readings.push(part);
                continue;
            };
            known.add(part);
            self.causes.retain(|cause| {
                let mut readings = cause.readings.iter();
                known.of != cause.of || readings.all(|reading| known.leaves_open(&reading.name))
            });
        }
        self
    }

    /// Joins what is said of other games.
    pub fn append(&mut self, other: ExplanationResult) {
        self.causes.extend(other.causes);
        self.readings.extend(other.readings);
    }

    /// The causes, each with its sentence: those that are certain first, then those of which two readings are left. More tell a reader nothing.
    pub(super) fn causes(&self) -> impl Iterator<Item = (&CauseResult, String)> {
        let counts = [1, 2].into_iter();
        counts.flat_map(|count| {
            let causes = self.causes.iter();
            let causes = causes.filter(move |cause| cause.readings.len() == count);
            causes.map(|cause| (cause, self.sentence(cause)))
        })
    }

    /// What is ruled out: a line for each subject, or one line for all. `is_verbose` names what no game put to the test below each.
    #[must_use]
    pub fn ruled_out(&self, is_verbose: bool) -> Vec<String> {
        let parts = self.readings.iter();
        let parts = parts.filter(|part| !part.readings.is_empty());
        let parts: Vec<_> = parts.collect();
        if is_verbose || parts.len() < 2 {
            let line = |part: &&RuledOut| format!("{}{}", self.whose(part), part.draw(is_verbose));
            return parts.iter().map(line).collect();
        }
        let refuted: usize = parts.iter().map(|part| part.refuted()).sum();
        let total: usize = parts.iter().map(|part| part.readings.len()).sum();
        vec![format!(
            "ruled out {refuted} of {total} wrong readings of the rules"
        )]
    }

    /// What a cause explains, in one line.
    fn sentence(&self, cause: &CauseResult) -> String {
        let CauseResult {
            of,
            readings,
            explains,
        } = cause;
        let part = self.readings.iter().find(|part| part.of == *of);
        let whose = part.map_or_else(String::new, |part| self.whose(part));
        let [reading] = &readings[..] else {
            let failures = counted(explains.len(), "failure");
            let names: Vec<_> = readings
                .iter()
                .map(|reading| reading.name.as_str())
                .collect();
            let (count, names) = (names.len(), names.join(", "));
            let GamesOf { game, side, .. } = of;
            return format!(
                "{whose}{game} {side}: {count} wrong readings explain {failures}: {names}"
            );
        };
        let (passed, failed) = part.map_or((0, explains.len()), |part| (part.passed, part.failed));
        let fits = match passed {
            0 => String::new(),
            1 => ", and fits the game that passed".to_owned(),
            passed => format!(", and fits all {passed} games that passed"),
        };
        format!(
            "{whose}the {} behaves as if {}: this explains {} of {}{fits}; shortest in {}",
            of.side,
            reading.summary,
            explains.len(),
            counted(failed, "failure"),
            explains.first().map_or("", String::as_str)
        )
    }

    /// Names the subject, where the run has another one on that side of that game.
    fn whose(&self, part: &RuledOut) -> String {
        let like = |part: &RuledOut| (part.of.game.clone(), part.of.side.clone());
        let is_like = |other: &&RuledOut| like(other) == like(part);
        match self.readings.iter().filter(is_like).count() {
            0 | 1 => String::new(),
            _ => format!("{}: ", part.of.subject),
        }
    }
}

impl RuledOut {
    /// The readings of a subject's ledger.
    #[must_use]
    pub fn new<N: AsRef<str>>(ledger: &Ledger, games: &[(N, N)]) -> RuledOut {
        let subject = ledger.games.first().and_then(|&number| games.get(number));
        let subject = subject.map_or("", |(_, subject)| subject.as_ref());
        // A part of a reading that fits says no more than the whole.
        let fitting = ledger.that_are(ReadingState::Consistent);
        let states = ledger.standings().map(|(row, state)| {
            let state = match state {
                ReadingState::Refuted(Refutation { game, turn }) => {
                    let by = games.get(game).map_or("", |(name, _)| name.as_ref());
                    let by = by.to_owned();
                    StateResult::Refuted { by, turn }
                }
                ReadingState::Consistent if row.is_simplest_of(&fitting) => StateResult::Consistent,
                ReadingState::Unshown => StateResult::Unshown,
                ReadingState::Consistent | ReadingState::Untested => StateResult::Untested,
            };
            (row.name.to_owned(), state)
        });
        RuledOut {
            of: GamesOf::new(subject, ledger.game, ledger.side),
            failed: ledger.failed,
            passed: ledger.passed,
            readings: states.collect(),
        }
    }

    /// Number of the readings that a game refutes.
    #[must_use]
    pub fn refuted(&self) -> usize {
        let states = self.readings.values();
        let refuted = states.filter(|state| matches!(state, StateResult::Refuted { .. }));
        refuted.count()
    }

    fn leaves_open(&self, name: &String) -> bool {
        let state = self.readings.get(name);
        state.is_some_and(|state| !matches!(state, StateResult::Refuted { .. }))
    }

    /// Adds what other games say: what one game refutes is refuted.
    fn add(&mut self, other: RuledOut) {
        self.failed += other.failed;
        self.passed += other.passed;
        for (name, state) in other.readings {
            let known = self.readings.entry(name).or_insert(StateResult::Untested);
            *known = std::cmp::max(known.clone(), state);
        }
    }

    /// Says in a line how many readings the subject's games have ruled out. `is_verbose` names the others below it.
    #[must_use]
    pub fn draw(&self, is_verbose: bool) -> String {
        let GamesOf { game, side, .. } = &self.of;
        let mut text = format!(
            "{game} {side}: ruled out {} of {} wrong readings of the rules",
            self.refuted(),
            self.readings.len()
        );
        let parts = [
            (StateResult::Consistent, "may explain a failure"),
            (
                StateResult::Unshown,
                "had a fair chance to show, and did not",
            ),
            (StateResult::Untested, "not put to the test"),
        ];
        let rows = pack::find(game).map_or(&[][..], |pack| pack.game.mistakes().whole());
        let mut named = String::new();
        for (state, words) in parts {
            let of_state = self.readings.iter().filter(|(_, known)| **known == state);
            let names: Vec<_> = of_state.map(|(name, _)| name).collect();
            if names.is_empty() {
                continue;
            }
            text += &format!("; {} {words}", names.len());
            named += &format!("\n  {words}:");
            for name in names {
                let row = rows.iter().find(|row| row.name == *name);
                let summary = row.map_or_else(String::new, |row| format!(": {}", row.summary));
                named += &format!("\n    {name}{summary}");
            }
        }
        if is_verbose {
            text += &named;
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(subject: &str, side: &str) -> GamesOf {
        GamesOf {
            subject: subject.to_owned(),
            game: "race".to_owned(),
            side: side.to_owned(),
        }
    }

    fn cause(side: &str, readings: &[&str], explains: &[&str]) -> CauseResult {
        let owned = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        let readings = owned(readings).into_iter().map(|name| ReadingResult {
            summary: format!("{name} held"),
            name,
        });
        CauseResult {
            of: of("mine", side),
            readings: readings.collect(),
            explains: owned(explains),
        }
    }

    fn lines(explanation: &ExplanationResult, is_verbose: bool) -> String {
        let lines = explanation.causes().map(|(_, sentence)| sentence);
        let lines = lines.chain(explanation.ruled_out(is_verbose));
        lines.map(|line| format!("{line}\n")).collect()
    }

    fn part(failed: usize, passed: usize, refuted: &[&str], untested: &[&str]) -> RuledOut {
        let refuted = refuted.iter().map(|name| {
            let by = "elsewhere".to_owned();
            ((*name).to_owned(), StateResult::Refuted { by, turn: 2 })
        });
        let untested = untested.iter();
        let untested = untested.map(|name| ((*name).to_owned(), StateResult::Untested));
        RuledOut {
            of: of("mine", "referee"),
            failed,
            passed,
            readings: refuted.chain(untested).collect(),
        }
    }

    #[test]
    fn several_readings_that_explain_the_same_are_named() {
        let explanation = ExplanationResult {
            causes: vec![cause("bot", &["one", "two"], &["a", "b"])],
            ..ExplanationResult::default()
        };
        assert_eq!(
            lines(&explanation, false),
            "race bot: 2 wrong readings explain 2 failures: one, two\n"
        );
    }

    #[test]
    fn a_cause_of_one_part_of_a_run_stays_unless_the_other_part_refutes_it() {
        let merged = |other: ExplanationResult| {
            let one = ExplanationResult {
                causes: vec![cause("referee", &["one"], &["a"])],
                readings: vec![part(1, 3, &[], &["one"])],
            };
            lines(&one.merged(other), false)
        };
        let other = |causes: Vec<CauseResult>, readings| ExplanationResult { causes, readings };
        let silent = merged(other(Vec::new(), vec![part(0, 4, &[], &["one"])]));
        assert!(silent.starts_with("the referee behaves as if one held: this explains 1 of 1 failure, and fits all 7 games that passed; shortest in a\n"), "{silent}");
        let both = vec![cause("referee", &["one"], &["b"])];
        let both = merged(other(both, vec![part(2, 0, &[], &["one"])]));
        assert!(both.contains("explains 2 of 3 failures"), "{both}");
        let refuted = merged(other(Vec::new(), vec![part(0, 4, &["one"], &[])]));
        assert_eq!(
            refuted,
            "race referee: ruled out 1 of 1 wrong readings of the rules\n"
        );
        // A cause that is no reading of the ledger may be contradicted by games that nobody held it against.
        let one = ExplanationResult {
            causes: vec![cause("referee", &["one"], &["a"])],
            readings: vec![part(1, 3, &[], &["two"])],
        };
        let unknown = one.merged(other(Vec::new(), vec![part(0, 4, &[], &["two"])]));
        let unknown = lines(&unknown, false);
        assert!(!unknown.contains("behaves as if"), "{unknown}");
    }

    #[test]
    fn two_subjects_of_one_side_are_told_apart_by_name() {
        let theirs = RuledOut {
            of: of("theirs", "referee"),
            ..part(0, 1, &["one"], &[])
        };
        let explanation = ExplanationResult {
            causes: vec![cause("referee", &["one"], &["a"])],
            readings: vec![part(1, 0, &[], &["one"]), theirs],
        };
        let drawn = lines(&explanation, true);
        assert!(
            drawn.starts_with("mine: the referee behaves as if one held"),
            "{drawn}"
        );
        assert!(
            drawn.contains("\ntheirs: race referee: ruled out 1 of 1"),
            "{drawn}"
        );
        assert!(
            drawn.contains("; 1 not put to the test\n  not put to the test:\n    one\n"),
            "{drawn}"
        );
    }
}
