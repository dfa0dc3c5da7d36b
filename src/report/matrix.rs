//! Faults that a suite catches, as results: each fault is one, and the honest peer is one.

use super::findings::FindingResult;
use super::scenario::ScenarioResult;
use crate::diagnostic::counted;
use crate::finding::Verdict;
use crate::mutation::{Matrix, MutationRow, Score};

/// Maximum number of scenarios named for a fault.
const FEW: usize = 2;

/// The honest peer and each fault as a result. `names_all`: every scenario is named that catches a fault, or none.
#[must_use]
pub fn mutant_results(matrix: &Matrix, names_all: bool) -> Vec<ScenarioResult> {
    let side = matrix.side.word();
    let result = |name: &str, title: String| ScenarioResult {
        name: format!("{}/{side}/{name}", matrix.game),
        title,
        game: Some(matrix.game.to_owned()),
        ..ScenarioResult::default()
    };
    let mut honest = result("honest", format!("the honest {side} passes"));
    let idle = matrix.idle();
    if names_all && !idle.is_empty() {
        let note = format!("no fault makes these fail: {}", idle.join(", "));
        honest.notes.push(note);
    }
    for (scenario, verdict) in &matrix.false_alarms {
        let title = format!("false alarm: {scenario} ends with {}", verdict.word());
        honest.add(FindingResult::in_words(Verdict::Fail, &title, &title));
    }
    let mut results = vec![honest];
    for row in &matrix.rows {
        let (fault, caught) = (&row.fault, caught(row, names_all));
        let mut result = result(fault.name, format!("{}: {caught}", fault.summary));
        if !row.is_told() {
            let title = format!("{}: {caught}", fault.name);
            let text = format!("fail[{}]: {}: {}", fault.breaks, result.name, result.title);
            let finding = FindingResult::in_words(Verdict::Fail, &title, &text);
            result.add(finding.about(Some(fault.breaks)));
        }
        results.push(result);
    }
    results
}

/// What became of a fault.
fn caught(row: &MutationRow, names_all: bool) -> String {
    let id = row.fault.breaks;
    match row.score() {
        Score::Caught if row.is_open() => format!("caught, although {id} leaves it open"),
        Score::Caught => {
            let names = &row.blamed[id];
            let last = |name: &String| name.rsplit('/').next().unwrap_or_default().to_owned();
            let most = if names_all { names.len() } else { FEW };
            let named: Vec<_> = names.iter().take(most).map(last).collect();
            let more = match names.len().saturating_sub(most) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("caught by {}{more}", named.join(", "))
        }
        Score::Elsewhere => {
            let others: Vec<_> = row.blamed.keys().copied().collect();
            let others = others.join(", ");
            format!("scenarios fail only under other requirements: {others}")
        }
        Score::Observed if row.is_open() => format!("observed: {id} leaves it open"),
        Score::Broken => "no game could be played".to_owned(),
        Score::Observed | Score::Missed => "no scenario notices".to_owned(),
    }
}

/// How many faults are caught, in one line.
#[must_use]
pub fn summary(matrix: &Matrix) -> String {
    let count = |score, words: &str| match matrix.count(score) {
        0 => None,
        number => Some(format!("{number} {words}")),
    };
    let due = matrix.rows.len() - matrix.count(Score::Observed);
    let caught = due - matrix.count(Score::Missed);
    let alarms = match matrix.false_alarms.len() {
        0 => "no false alarm".to_owned(),
        number => counted(number, "false alarm"),
    };
    let scenarios = matrix.scenarios.len();
    let failing = scenarios - matrix.idle().len();
    let parts = [
        Some(format!("{caught} of {due} caught")),
        count(Score::Observed, "observed"),
        count(Score::Elsewhere, "under another requirement only"),
        Some(alarms),
        Some(format!(
            "{failing} of {scenarios} scenarios catch something"
        )),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    let (game, side) = (matrix.game, matrix.side.word());
    let share = 100.0 * matrix.share();
    format!(
        "{game}, {side}: mutation score {share:.0} %: {}",
        parts.join(", ")
    )
}
