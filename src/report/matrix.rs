//! Faults that a suite catches, as cases: each fault is one, and the honest peer is one.

use super::cases::Cases;
use super::findings::FindingResult;
use crate::diagnostic::counted;
use crate::finding::Verdict;
use crate::mutation::{Matrix, MutationRow, Score};

/// Maximum number of scenarios named for a fault.
const FEW: usize = 2;

impl Cases {
    /// Adds the faults that a suite has to catch, and the false alarms. `names_all`: every scenario is named that catches a fault, or none.
    pub fn add_matrix(&mut self, matrix: &Matrix, names_all: bool) {
        let suite = format!("{}/{}", matrix.game, matrix.side.word());
        let honest = format!("{suite}/honest");
        let case = self.case(&honest);
        case.title = format!("the honest {} passes", matrix.side.word());
        case.game = Some(matrix.game.to_owned());
        let idle = matrix.idle();
        if names_all && !idle.is_empty() {
            let idle = idle.join(", ");
            case.notes = vec![format!("no fault makes these fail: {idle}")];
        }
        for (scenario, verdict) in &matrix.false_alarms {
            let title = format!("false alarm: {scenario} ends with {}", verdict.word());
            self.add(&honest, FindingResult::told(Verdict::Fail, &title, &title));
        }
        for row in &matrix.rows {
            let name = format!("{suite}/{}", row.fault.name);
            let case = self.case(&name);
            case.title = format!("{}: {}", row.fault.summary, caught(row, names_all));
            case.game = Some(matrix.game.to_owned());
            if !row.is_told() {
                let title = format!("{}: {}", row.fault.name, caught(row, names_all));
                let text = format!("fail[{}]: {name}: {}", row.fault.breaks, case.title);
                let finding = FindingResult::told(Verdict::Fail, &title, &text);
                self.add(&name, finding.about(Some(row.fault.breaks)));
            }
        }
    }
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
