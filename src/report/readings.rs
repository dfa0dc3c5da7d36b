//! What a run says of its subjects' readings of the rules: the causes of failures, and what is ruled out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::diagnostic::{counted, visible};
use crate::hypothesis::{Ledger, ReadingState, Refutation, RunExplanation};
use crate::pack;
use crate::rules::VariantRow;
use crate::scenario::Side;

/// What follows a line that `-v` would continue.
pub const NAMES_OTHERS: &str = " (-v names the others)";

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
    pub fn new(row: &VariantRow) -> ReadingResult {
        ReadingResult {
            name: row.name.to_owned(),
            summary: row.summary.to_owned(),
        }
    }
}

/// What all games of a run say of its subjects' readings of the rules.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ExplanationResult {
    /// The readings that explain failures and that no game refutes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<CauseResult>,
    /// The wrong readings of the rules after all games, for each subject, side and game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<RuledOut>,
}

/// A wrong reading of the rules that explains failures of a subject, or several of which each explains the same ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CauseResult {
    /// Name of the subject.
    pub subject: String,
    /// Name of the game.
    pub game: String,
    /// The side of the subject: `referee` or `bot`.
    pub side: String,
    /// The reading; of several, the games do not tell which it is.
    pub readings: Vec<ReadingResult>,
    /// Names of the scenarios whose failures it explains, that with the shortest game first.
    pub explains: Vec<String>,
}

/// Wrong readings of the rules after all games of a subject, on one side of one game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuledOut {
    /// Name of the subject.
    pub subject: String,
    /// Name of the game.
    pub game: String,
    /// The side of the subject: `referee` or `bot`.
    pub side: String,
    /// Number of its games that failed.
    #[serde(default)]
    pub failed: usize,
    /// Number of its games that passed.
    #[serde(default)]
    pub passed: usize,
    /// The readings that a game refutes.
    pub refuted: Vec<RefutedResult>,
    /// The readings that explain a failure, and that no game refutes.
    pub consistent: Vec<String>,
    /// The readings of a bot that no game refutes, though a bot that believes one, and picks at random among the moves that it holds to be
    /// legal, would have shown it in at least 7 of 8 runs.
    #[serde(default)]
    pub unshown: Vec<String>,
    /// The readings that no game put to the test.
    pub untested: Vec<String>,
}

/// A reading of the rules that a game refutes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RefutedResult {
    /// Name of the reading.
    pub name: String,
    /// Name of the scenario in whose game the subject would have shown something else.
    pub by: String,
    /// The turn in which it would have, from 1; 0 before the first.
    #[serde(default)]
    pub turn: usize,
}

/// A game of a run, for those who read of it.
#[derive(Debug, Clone, Copy)]
pub struct NamedGame<'a> {
    /// Name of the scenario.
    pub scenario: &'a str,
    /// Name of the subject.
    pub subject: &'a str,
}

impl ExplanationResult {
    /// The result of an explanation of these games.
    #[must_use]
    pub fn new(explanation: &RunExplanation, games: &[NamedGame<'_>]) -> ExplanationResult {
        let causes = explanation.causes.iter().map(|cause| {
            let readings = vec![ReadingResult::new(cause.row)];
            CauseResult::new(cause.game, cause.side, readings, &cause.explained, games)
        });
        let undecided = explanation.undecided.iter().map(|undecided| {
            let rows = undecided.rows.iter().copied();
            let readings = rows.map(ReadingResult::new).collect();
            let (game, side) = (undecided.game, undecided.side);
            CauseResult::new(game, side, readings, &undecided.explained, games)
        });
        let ledgers = explanation.ledgers.iter();
        ExplanationResult {
            causes: causes.chain(undecided).collect(),
            readings: ledgers.map(|ledger| RuledOut::new(ledger, games)).collect(),
        }
    }

    /// Joins what two parts of a run say. What one part refutes is no cause of the whole; what the other part cannot have held against its
    /// games is none either.
    #[must_use]
    pub(super) fn merged(mut self, other: ExplanationResult) -> ExplanationResult {
        let (mine, theirs) = (self.readings.clone(), other.readings.clone());
        let mut causes = Vec::new();
        let parts = [(self.causes, theirs), (other.causes, mine)];
        for (of_part, others) in parts {
            for cause in of_part {
                let fits = |part: &RuledOut| {
                    let mut readings = cause.readings.iter();
                    !part.is_of(&cause) || readings.all(|reading| part.leaves_open(&reading.name))
                };
                let is_same = |known: &&mut CauseResult| known.is_about(&cause);
                match causes.iter_mut().find(is_same) {
                    Some(known) => known.explains.extend(cause.explains),
                    None if others.iter().all(fits) => causes.push(cause),
                    None => {}
                }
            }
        }
        self.causes = causes;
        for part in other.readings {
            let key =
                |part: &RuledOut| (part.subject.clone(), part.game.clone(), part.side.clone());
            match self
                .readings
                .iter_mut()
                .find(|known| key(known) == key(&part))
            {
                Some(known) => known.add(part),
                None => self.readings.push(part),
            }
        }
        self
    }

    /// Joins what is said of other games.
    pub fn append(&mut self, other: ExplanationResult) {
        self.causes.extend(other.causes);
        self.readings.extend(other.readings);
    }

    /// A line for each cause: those that are certain first, then those of which two readings are left. More tell a reader nothing.
    #[must_use]
    pub fn causes(&self) -> Vec<String> {
        let with = |readings: usize| {
            let causes = self.causes.iter();
            causes.filter(move |cause| cause.readings.len() == readings)
        };
        let causes = with(1).chain(with(2));
        causes.map(|cause| self.sentence(cause)).collect()
    }

    /// What is ruled out: a line for each subject, or one line for all. `is_verbose` names what no game put to the test below each.
    #[must_use]
    pub fn ruled_out(&self, is_verbose: bool) -> Vec<String> {
        let parts = self.readings.iter().filter(|part| part.total() > 0);
        let parts: Vec<_> = parts.collect();
        if is_verbose || parts.len() < 2 {
            let line = |part: &&RuledOut| format!("{}{}", self.whose(part), part.draw(is_verbose));
            return parts.iter().map(line).collect();
        }
        let refuted: usize = parts.iter().map(|part| part.refuted.len()).sum();
        let total: usize = parts.iter().map(|part| part.total()).sum();
        vec![format!(
            "ruled out {refuted} of {total} wrong readings of the rules"
        )]
    }

    /// What a cause explains, in one line.
    #[must_use]
    pub fn sentence(&self, cause: &CauseResult) -> String {
        let CauseResult {
            side,
            readings,
            explains,
            ..
        } = cause;
        let part = self.readings.iter().find(|part| part.is_of(cause));
        let whose = part.map_or_else(String::new, |part| self.whose(part));
        let [reading] = &readings[..] else {
            return format!("{whose}{}", cause.undecided());
        };
        let fits = match part.map_or(0, |part| part.passed) {
            0 => String::new(),
            1 => ", and fits the game that passed".to_owned(),
            passed => format!(", and fits all {passed} games that passed"),
        };
        let failed = part.map_or(explains.len(), |part| part.failed);
        format!(
            "{whose}the {side} behaves as if {}: this explains {} of {}{fits}; shortest in {}",
            reading.summary,
            explains.len(),
            counted(failed, "failure"),
            explains.first().map_or("", String::as_str)
        )
    }

    /// Names the subject, where the run has another one on that side of that game.
    fn whose(&self, part: &RuledOut) -> String {
        let is_like = |other: &&RuledOut| other.game == part.game && other.side == part.side;
        match self.readings.iter().filter(is_like).count() {
            0 | 1 => String::new(),
            _ => format!("{}: ", part.subject),
        }
    }
}

impl CauseResult {
    fn new(
        game: &str,
        side: Side,
        readings: Vec<ReadingResult>,
        explained: &[usize],
        games: &[NamedGame<'_>],
    ) -> CauseResult {
        let subject = explained
            .first()
            .map_or("", |&number| games[number].subject);
        let explained = explained.iter();
        CauseResult {
            subject: visible::plain(subject.as_bytes()).to_string(),
            game: game.to_owned(),
            side: side.word().to_owned(),
            readings,
            explains: explained
                .map(|&number| games[number].scenario.to_owned())
                .collect(),
        }
    }

    /// Returns true if the other one is the same cause, in another part of a run.
    fn is_about(&self, other: &CauseResult) -> bool {
        let key = |cause: &CauseResult| {
            (
                cause.subject.clone(),
                cause.game.clone(),
                cause.side.clone(),
            )
        };
        key(self) == key(other) && self.readings == other.readings
    }

    /// Names the readings of which the games do not tell which it is.
    fn undecided(&self) -> String {
        let CauseResult { game, side, .. } = self;
        let failures = counted(self.explains.len(), "failure");
        let names: Vec<_> = self
            .readings
            .iter()
            .map(|reading| reading.name.as_str())
            .collect();
        let (count, names) = (names.len(), names.join(", "));
        format!("{game} {side}: {count} wrong readings explain {failures}: {names}")
    }
}

impl RuledOut {
    /// The readings of a subject's ledger.
    #[must_use]
    pub fn new(ledger: &Ledger, games: &[NamedGame<'_>]) -> RuledOut {
        let subject = ledger.games.first().and_then(|&number| games.get(number));
        let refuted = ledger.refuted().into_iter();
        let refuted = refuted.map(|(row, Refutation { game, turn })| RefutedResult {
            name: row.name.to_owned(),
            by: games.get(game).map_or("", |game| game.scenario).to_owned(),
            turn,
        });
        let names = |rows: Vec<&VariantRow>| -> Vec<String> {
            rows.iter().map(|row| row.name.to_owned()).collect()
        };
        // A part of a reading that fits says no more than the whole.
        let all = ledger.that_are(ReadingState::Consistent);
        let (consistent, parts): (Vec<_>, Vec<_>) = all
            .iter()
            .copied()
            .partition(|row| row.is_simplest_of(&all));
        let mut untested = names(ledger.that_are(ReadingState::Untested));
        untested.extend(names(parts));
        RuledOut {
            subject: subject.map_or(String::new(), |game| {
                visible::plain(game.subject.as_bytes()).to_string()
            }),
            game: ledger.game.to_owned(),
            side: ledger.side.word().to_owned(),
            failed: ledger.failed,
            passed: ledger.passed,
            refuted: refuted.collect(),
            consistent: names(consistent),
            unshown: names(ledger.that_are(ReadingState::Unshown)),
            untested,
        }
    }

    /// Number of readings.
    #[must_use]
    pub fn total(&self) -> usize {
        self.refuted.len() + self.consistent.len() + self.unshown.len() + self.untested.len()
    }

    fn is_of(&self, cause: &CauseResult) -> bool {
        self.subject == cause.subject && self.game == cause.game && self.side == cause.side
    }

    fn leaves_open(&self, name: &String) -> bool {
        [&self.consistent, &self.unshown, &self.untested]
            .iter()
            .any(|names| names.contains(name))
    }

    /// Adds what other games say: what one game refutes is refuted.
    fn add(&mut self, other: RuledOut) {
        let known =
            |rows: &[RefutedResult], name: &String| rows.iter().any(|row| row.name == *name);
        self.failed += other.failed;
        self.passed += other.passed;
        for row in other.refuted {
            if !known(&self.refuted, &row.name) {
                self.refuted.push(row);
            }
        }
        self.consistent.extend(other.consistent);
        self.consistent.sort_unstable();
        self.consistent.dedup();
        self.consistent.retain(|name| !known(&self.refuted, name));
        self.unshown.extend(other.unshown);
        self.unshown.sort_unstable();
        self.unshown.dedup();
        let said = |name: &String| known(&self.refuted, name) || self.consistent.contains(name);
        self.unshown.retain(|name| !said(name));
        self.untested.retain(|name| {
            other.untested.contains(name) && !said(name) && !self.unshown.contains(name)
        });
    }

    /// Says in a line how many readings the subject's games have ruled out. `is_verbose` names the others below it.
    #[must_use]
    pub fn draw(&self, is_verbose: bool) -> String {
        let RuledOut { game, side, .. } = self;
        let mut text = format!(
            "{game} {side}: ruled out {} of {} wrong readings of the rules",
            self.refuted.len(),
            self.total()
        );
        let parts = [
            (&self.consistent, "may explain a failure"),
            (&self.unshown, "had a fair chance to show, and did not"),
            (&self.untested, "not put to the test"),
        ];
        let parts = parts.iter().filter(|(names, _)| !names.is_empty());
        for (names, words) in parts.clone() {
            text += &format!("; {} {words}", names.len());
        }
        if is_verbose {
            for (names, words) in parts {
                text += &format!("\n  {words}:{}", self.named(names));
            }
        }
        text
    }

    /// A line with the meaning of each of these readings.
    fn named(&self, names: &[String]) -> String {
        let rows = pack::find(&self.game).map_or(&[][..], |pack| pack.game.hypotheses());
        let line = |name: &String| match rows.iter().find(|row| row.name == *name) {
            Some(row) => format!("\n    {name}: {}", row.summary),
            None => format!("\n    {name}"),
        };
        names.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            subject: "mine".to_owned(),
            game: "race".to_owned(),
            side: side.to_owned(),
            readings: readings.collect(),
            explains: owned(explains),
        }
    }

    fn lines(explanation: &ExplanationResult, is_verbose: bool) -> String {
        let lines = explanation.causes().into_iter();
        let lines = lines.chain(explanation.ruled_out(is_verbose));
        lines.map(|line| format!("{line}\n")).collect()
    }

    fn part(failed: usize, passed: usize, refuted: &[&str], untested: &[&str]) -> RuledOut {
        let refuted = refuted.iter().map(|name| RefutedResult {
            name: (*name).to_owned(),
            by: "elsewhere".to_owned(),
            turn: 2,
        });
        RuledOut {
            subject: "mine".to_owned(),
            game: "race".to_owned(),
            side: "referee".to_owned(),
            failed,
            passed,
            refuted: refuted.collect(),
            consistent: Vec::new(),
            unshown: Vec::new(),
            untested: untested.iter().map(|name| (*name).to_owned()).collect(),
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
        let unknown = merged(other(Vec::new(), vec![part(0, 4, &[], &["two"])]));
        assert!(!unknown.contains("behaves as if"), "{unknown}");
    }

    #[test]
    fn two_subjects_of_one_side_are_told_apart_by_name() {
        let theirs = RuledOut {
            subject: "theirs".to_owned(),
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
