//! What a run says of its subjects' mistakes in the rules: the causes of failures, and what is ruled out.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::diagnostic::{counted, visible};
use crate::mistake::{Ledger, MistakeState};
use crate::pack;
use crate::rules::Mistake;

/// What follows a remark that `-v` would continue.
pub(super) const NAMES_OTHERS: &str = " (-v names the others)";

/// A mistake in the rules that explains a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MistakeResult {
    /// Name of the mistake.
    pub name: String,
    /// The mistake, in words that follow "behaves as if".
    pub summary: String,
}

impl MistakeResult {
    /// The result for a mistake.
    #[must_use]
    pub fn new(row: &Mistake) -> MistakeResult {
        MistakeResult {
            name: row.name.to_owned(),
            summary: row.summary.to_owned(),
        }
    }
}

/// The mistakes in the rules that the games of one subject fit or refute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubjectMistakes {
    /// Name of the subject.
    pub subject: String,
    /// Name of the game.
    pub game: String,
    /// The side of the subject: `referee` or `bot`.
    pub side: String,
    /// Number of its games that failed.
    pub failed: usize,
    /// Number of its games that passed.
    pub passed: usize,
    /// The mistakes that explain failures and that no game refutes.
    #[serde(default)]
    pub causes: Vec<CauseResult>,
    /// The state of each mistake, by its name.
    pub mistakes: BTreeMap<String, MistakeState>,
}

/// A mistake in the rules that explains failures of a subject, or several of which each explains the same ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CauseResult {
    /// The mistake; of several, the games do not tell which it is.
    pub mistakes: Vec<MistakeResult>,
    /// Names of the scenarios whose failures it explains, that with the shortest game first.
    pub explains: Vec<String>,
}

impl SubjectMistakes {
    /// The mistakes of a subject's ledger, and the causes of its failures. `games`: the name of each scenario, and of its subject.
    #[must_use]
    pub fn new<N: AsRef<str>>(ledger: &Ledger, games: &[(N, N)]) -> SubjectMistakes {
        let subject = ledger.games.first().and_then(|&number| games.get(number));
        let subject = subject.map_or("", |(_, subject)| subject.as_ref());
        let name = |number: usize| games.get(number).map_or("", |(name, _)| name.as_ref());
        let causes = ledger.causes.iter().map(|cause| CauseResult {
            mistakes: cause.rows.iter().copied().map(MistakeResult::new).collect(),
            explains: cause
                .explained
                .iter()
                .map(|&number| name(number).to_owned())
                .collect(),
        });
        // A part of a mistake that fits says no more than the whole.
        let fitting = ledger.that_are(MistakeState::Consistent);
        let states = ledger.standings().map(|(row, state)| {
            let is_part = state == MistakeState::Consistent && !row.is_simplest_of(&fitting);
            let state = if is_part {
                MistakeState::Untested
            } else {
                state
            };
            (row.name.to_owned(), state)
        });
        SubjectMistakes {
            subject: visible::plain(subject).to_string(),
            game: ledger.game.to_owned(),
            side: ledger.side.word().to_owned(),
            failed: ledger.failed,
            passed: ledger.passed,
            causes: causes.collect(),
            mistakes: states.collect(),
        }
    }

    /// Joins what two parts of a run say.
    pub(super) fn join(all: &mut Vec<SubjectMistakes>, others: Vec<SubjectMistakes>) {
        for part in others {
            let whose = |part: &SubjectMistakes| {
                let SubjectMistakes {
                    subject,
                    game,
                    side,
                    ..
                } = part;
                [subject, game, side].map(String::clone)
            };
            match all.iter_mut().find(|known| whose(known) == whose(&part)) {
                Some(known) => known.add(part),
                None => all.push(part),
            }
        }
    }

    /// Adds what other games say: what one game refutes is refuted, and what is refuted, or cannot have been held against all games, is no
    /// cause.
    fn add(&mut self, other: SubjectMistakes) {
        self.failed += other.failed;
        self.passed += other.passed;
        for cause in other.causes {
            let mut known = self.causes.iter_mut();
            match known.find(|known| known.mistakes == cause.mistakes) {
                Some(known) => known.explains.extend(cause.explains),
                None => self.causes.push(cause),
            }
        }
        for (name, state) in other.mistakes {
            let known = self.mistakes.entry(name).or_insert(state);
            *known = state.max(*known);
        }
        let is_open = |mistake: &MistakeResult| {
            let state = self.mistakes.get(&mistake.name);
            state.is_some_and(|state| *state != MistakeState::Refuted)
        };
        self.causes
            .retain(|cause| cause.mistakes.iter().all(is_open));
    }

    /// What a cause explains, in one line.
    pub(super) fn sentence(&self, cause: &CauseResult) -> String {
        let (game, side) = (&self.game, &self.side);
        let CauseResult { mistakes, explains } = cause;
        let [mistake] = &mistakes[..] else {
            let failures = counted(explains.len(), "failure");
            let names = mistakes.iter().map(|mistake| mistake.name.as_str());
            let names = names.collect::<Vec<_>>().join(", ");
            let count = mistakes.len();
            return format!("{game} {side}: one of {count} mistakes explains {failures}: {names}");
        };
        let fits = match self.passed {
            0 => String::new(),
            1 => ", and fits the game that passed".to_owned(),
            passed => format!(", and fits all {passed} games that passed"),
        };
        format!(
            "the {side} behaves as if {}: this explains {} of {}{fits}; shortest in {}",
            mistake.summary,
            explains.len(),
            counted(self.failed, "failure"),
            explains.first().map_or("", String::as_str)
        )
    }

    /// Says in a line how many mistakes the subject's games fit, refute and do not test. `is_verbose` names those that are not refuted below it.
    pub(super) fn draw(&self, is_verbose: bool) -> String {
        let (game, side, all) = (&self.game, &self.side, self.mistakes.len());
        let rows = pack::find(game).map_or(&[][..], |pack| pack.game.mistakes().whole());
        let has_failed = self.failed > 0;
        let refuted = if has_failed { "do not" } else { "do not fit" };
        let parts = [
            ("fit the failures", MistakeState::Consistent),
            (refuted, MistakeState::Refuted),
            ("unlikely", MistakeState::Unshown),
            ("untested", MistakeState::Untested),
        ];
        let (mut counts, mut named) = (Vec::new(), String::new());
        for (words, part) in parts {
            let of_part = self.mistakes.iter().filter(|(_, state)| **state == part);
            let names: Vec<_> = of_part.map(|(name, _)| name).collect();
            let count = names.len();
            if counts.is_empty() && (count > 0 || has_failed) {
                counts.push(format!("{count} of {all} known mistakes {words}"));
            } else if count > 0 {
                counts.push(format!("{count} {words}"));
            }
            if count == 0 || part == MistakeState::Refuted {
                continue;
            }
            named += &format!("\n  {words}:");
            for name in names {
                let row = rows.iter().find(|row| row.name == *name);
                let summary = row.map_or_else(String::new, |row| format!(": {}", row.summary));
                named += &format!("\n    {name}{summary}");
            }
        }
        let text = format!("Diagnosis for {game} {side}: {}", counts.join(", "));
        match is_verbose {
            true => text + &named,
            false => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Results;

    fn cause(mistakes: &[&str], explains: &[&str]) -> CauseResult {
        let mistakes = mistakes.iter().map(|name| MistakeResult {
            summary: format!("{name} held"),
            name: (*name).to_owned(),
        });
        CauseResult {
            mistakes: mistakes.collect(),
            explains: explains.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    fn part(failed: usize, passed: usize, refuted: &[&str], untested: &[&str]) -> SubjectMistakes {
        let refuted = refuted.iter();
        let refuted = refuted.map(|name| ((*name).to_owned(), MistakeState::Refuted));
        let untested = untested.iter();
        let untested = untested.map(|name| ((*name).to_owned(), MistakeState::Untested));
        SubjectMistakes {
            subject: "mine".to_owned(),
            game: "race".to_owned(),
            side: "referee".to_owned(),
            failed,
            passed,
            causes: Vec::new(),
            mistakes: refuted.chain(untested).collect(),
        }
    }

    /// Draws the mistakes of these subjects as a report does.
    fn lines(parts: Vec<SubjectMistakes>, is_verbose: bool) -> String {
        let mut results = Results::new("run", String::new(), 0, Vec::new());
        results.end.get_or_insert_default().mistakes = parts;
        let lines = results.causes().map(|(_, sentence)| sentence);
        let lines = lines.chain(results.diagnoses(is_verbose));
        lines.map(|line| format!("{line}\n")).collect()
    }

    #[test]
    fn several_mistakes_that_explain_the_same_are_named() {
        let explanation = SubjectMistakes {
            side: "bot".to_owned(),
            causes: vec![cause(&["one", "two"], &["a", "b"])],
            ..part(0, 0, &[], &[])
        };
        assert_eq!(
            lines(vec![explanation], false),
            "race bot: one of 2 mistakes explains 2 failures: one, two\n"
        );
    }

    #[test]
    fn a_cause_of_one_part_of_a_run_stays_unless_the_other_part_refutes_it() {
        let with = |explains: &str, part| SubjectMistakes {
            causes: vec![cause(&["one"], &[explains])],
            ..part
        };
        let joined = |one: SubjectMistakes, other: SubjectMistakes| {
            let mut all = vec![one];
            SubjectMistakes::join(&mut all, vec![other]);
            lines(all, false)
        };
        let one = || with("a", part(1, 3, &[], &["one"]));
        let silent = joined(one(), part(0, 4, &[], &["one"]));
        assert!(silent.starts_with("the referee behaves as if one held: this explains 1 of 1 failure, and fits all 7 games that passed; shortest in a\n"), "{silent}");
        let both = joined(one(), with("b", part(2, 0, &[], &["one"])));
        assert!(both.contains("explains 2 of 3 failures"), "{both}");
        let refuted = joined(one(), part(0, 4, &["one"], &[]));
        assert_eq!(
            refuted,
            "Diagnosis for race referee: 0 of 1 known mistakes fit the failures, 1 do not\n"
        );
        // A cause that is no mistake of the ledger may be contradicted by games that nobody held it against.
        let one = with("a", part(1, 3, &[], &["two"]));
        let unknown = joined(one, part(0, 4, &[], &["two"]));
        assert!(!unknown.contains("behaves as if"), "{unknown}");
    }

    #[test]
    fn two_subjects_of_one_side_are_told_apart_by_name() {
        let theirs = SubjectMistakes {
            subject: "theirs".to_owned(),
            ..part(0, 1, &["one"], &[])
        };
        let mine = SubjectMistakes {
            causes: vec![cause(&["one"], &["a"])],
            ..part(1, 0, &[], &["one"])
        };
        let drawn = lines(vec![mine, theirs], true);
        assert!(
            drawn.starts_with("mine: the referee behaves as if one held"),
            "{drawn}"
        );
        assert!(
            drawn.contains(
                "\ntheirs: Diagnosis for race referee: 1 of 1 known mistakes do not fit\n"
            ),
            "{drawn}"
        );
        assert!(
            drawn.contains(", 1 untested\n  untested:\n    one\n"),
            "{drawn}"
        );
    }
}
