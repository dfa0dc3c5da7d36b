//! What a run says of its subjects' readings of the rules: the causes of failures, and what is ruled out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::diagnostic::{counted, visible};
use crate::hypothesis::{Ledger, ReadingState, RunCause, RunExplanation, Undecided};
use crate::scenario::Side;

/// A reading of the rules that explains a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadingResult {
    /// Name of the reading.
    pub name: String,
    /// The reading, in words that follow "behaves as if".
    pub summary: String,
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
}

impl RuledOut {
    /// The readings of a subject's ledger. `names` are the names of the scenarios of the run.
    #[must_use]
    pub fn new(subject: &str, ledger: &Ledger, names: &[&str]) -> RuledOut {
        let refuted = ledger.refuted();
        let refuted = refuted.iter().map(|(row, game)| RefutedResult {
            name: row.name.to_owned(),
            by: names[*game].to_owned(),
        });
        let that_are = |standing| {
            let rows = ledger.that_are(standing).into_iter();
            rows.map(|row| row.name.to_owned()).collect()
        };
        RuledOut {
            subject: visible::plain(subject.as_bytes()).to_string(),
            game: ledger.game.to_owned(),
            side: ledger.side.word().to_owned(),
            refuted: refuted.collect(),
            consistent: that_are(ReadingState::Consistent),
            unshown: that_are(ReadingState::Unshown),
            untested: that_are(ReadingState::Untested),
        }
    }
}

impl RuledOut {
    /// Adds what other games say: what one game refutes is refuted.
    fn add(&mut self, other: RuledOut) {
        let known =
            |rows: &[RefutedResult], name: &String| rows.iter().any(|row| row.name == *name);
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
}

/// Joins the readings after the games of two parts of a run.
pub(super) fn join(mut one: Vec<RuledOut>, other: Vec<RuledOut>) -> Vec<RuledOut> {
    for part in other {
        let key = |part: &RuledOut| (part.subject.clone(), part.game.clone(), part.side.clone());
        match one.iter_mut().find(|known| key(known) == key(&part)) {
            Some(known) => known.add(part),
            None => one.push(part),
        }
    }
    one
}

/// The readings that explain failures, and the number that is ruled out. `is_verbose` names those that no game put to the test.
#[must_use]
pub fn draw(explanation: &RunExplanation, is_verbose: bool) -> String {
    let mut text: String = explanation.causes.iter().map(draw_cause).collect();
    text.extend(explanation.undecided.iter().map(draw_undecided));
    for ledger in explanation
        .ledgers
        .iter()
        .filter(|ledger| ledger.total() > 0)
    {
        text += &draw_ledger(ledger, is_verbose);
    }
    text
}

fn draw_cause(cause: &RunCause) -> String {
    let fits = match cause.passed {
        0 => String::new(),
        1 => ", and fits the game that passed".to_owned(),
        passed => format!(", and fits all {passed} games that passed"),
    };
    format!(
        "{}: this explains {} of {}{fits}; shortest in {}\n",
        cause.summary,
        cause.explained,
        counted(cause.failed, "failure"),
        cause.shortest
    )
}

fn draw_undecided(undecided: &Undecided) -> String {
    let names = undecided.rows.iter().map(|row| row.name);
    let names: Vec<_> = names.collect();
    let (game, side) = (undecided.game, undecided.side.word());
    let mut text = format!(
        "{game} {side}: several wrong readings explain {}: {}",
        counted(undecided.explained, "failure"),
        names.join(", ")
    );
    let names = names.join(" ");
    let how = match undecided.side {
        Side::Referee => {
            format!("`urtext distinguish {game} {names}` seeks games that tell them apart")
        }
        // The games of a bot are its own choice.
        Side::Bot => {
            format!(
                "a scenario with `play: until told apart {names}` plays towards telling them apart"
            )
        }
    };
    text += "; ";
    text += &how;
    text.push('\n');
    text
}

/// A line that says how many readings a subject's games have ruled out. `is_verbose` names those that no game put to the test.
#[must_use]
pub fn draw_ledger(ledger: &Ledger, is_verbose: bool) -> String {
    let (game, side) = (ledger.game, ledger.side.word());
    let (refuted, total) = (ledger.refuted().len(), ledger.total());
    let mut text =
        format!("{game} {side}: ruled out {refuted} of {total} wrong readings of the rules");
    let mut add = |part: String| text += &part;
    match ledger.that_are(ReadingState::Consistent).len() {
        0 => {}
        consistent => add(format!("; {consistent} may explain a failure")),
    }
    match ledger.that_are(ReadingState::Unshown).len() {
        0 => {}
        unshown => add(format!(
            "; {unshown} had a fair chance to show, and did not"
        )),
    }
    let untested = ledger.that_are(ReadingState::Untested);
    match untested.len() {
        0 => {}
        number if is_verbose => {
            add(format!("; not put to the test ({number}):"));
            let rows = untested.iter();
            rows.for_each(|row| add(format!("\n  {}: {}", row.name, row.summary)));
        }
        number => add(format!("; {number} not put to the test (-v names them)")),
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::VariantRow;

    #[test]
    fn several_readings_are_named_with_what_tells_them_apart() {
        static ROWS: [VariantRow; 2] = [
            VariantRow::new("one", "first", "x/y"),
            VariantRow::new("two", "second", "x/z"),
        ];
        let drawn = |side| {
            let undecided = Undecided {
                game: "race",
                side,
                rows: ROWS.iter().collect(),
                explained: 2,
            };
            let explanation = RunExplanation {
                undecided: vec![undecided],
                ..RunExplanation::default()
            };
            draw(&explanation, false)
        };
        assert_eq!(
            drawn(Side::Referee),
            "race referee: several wrong readings explain 2 failures: one, two; `urtext distinguish race one two` seeks games that tell them apart\n"
        );
        assert_eq!(
            drawn(Side::Bot),
            "race bot: several wrong readings explain 2 failures: one, two; a scenario with `play: until told apart one two` plays towards telling them apart\n"
        );
    }
}
