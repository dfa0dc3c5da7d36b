//! Faults that a suite catches, for people.

use crate::diagnostic::counted;
use std::fmt::Write;

use crate::mutation::{Matrix, MutationRow, Score};

/// Maximum number of scenarios named for a fault, unless all are wanted.
const FEW: usize = 2;

/// A line for every fault, then what the suite itself has to answer for.
#[must_use]
pub fn draw(matrix: &Matrix, names_all: bool) -> String {
    let (game, side) = (matrix.game, matrix.side.word());
    let mut text = format!(
        "{game}, {side}: {} faults, {} scenarios\n",
        matrix.rows.len(),
        matrix.scenarios.len()
    );
    let width = matrix
        .rows
        .iter()
        .map(|row| row.fault.name.len())
        .max()
        .unwrap_or(0);
    for row in &matrix.rows {
        let name = row.fault.name;
        writeln!(
            text,
            "  {:<9}  {name:<width$}  {}",
            word(row.score()),
            told(row, names_all)
        )
        .expect("a string takes all");
    }
    for (name, verdict) in &matrix.false_alarms {
        writeln!(
            text,
            "  false alarm: {name} ends with {} against the honest {side}",
            verdict.word()
        )
        .expect("a string takes all");
    }
    let idle = matrix.idle();
    if !idle.is_empty() && names_all {
        writeln!(text, "  no fault makes these fail: {}", idle.join(", "))
            .expect("a string takes all");
    }
    let off = matrix.off_target();
    if !off.is_empty() && names_all {
        text.push_str("  no fault makes these fail under the requirement that they exist for:\n");
        for (name, id) in &off {
            writeln!(text, "    {name} ({id})").expect("a string takes all");
        }
    }
    text.push_str(&summary(matrix));
    text
}

fn word(score: Score) -> &'static str {
    match score {
        Score::Caught => "caught",
        Score::Elsewhere => "elsewhere",
        Score::Observed => "observed",
        Score::Broken => "error",
        Score::Missed => "MISSED",
    }
}

/// Describes one fault: the requirement that caught the fault, and the scenarios.
fn told(row: &MutationRow, names_all: bool) -> String {
    let id = row.fault.breaks;
    match row.score() {
        Score::Missed => return format!("{} ({id})", row.fault.summary),
        Score::Observed => return format!("{id} leaves it open"),
        Score::Broken => return "no game could be played".to_owned(),
        Score::Caught | Score::Elsewhere => {}
    }
    let right: &[String] = row.blamed.get(id).map_or(&[], Vec::as_slice);
    let shown = if names_all {
        right.len()
    } else {
        right.len().min(FEW)
    };
    let mut text = format!("{id}: ");
    text.push_str(&match right.len() {
        0 => "by nothing".to_owned(),
        _ => right[..shown]
            .iter()
            .map(|name| last_part(name))
            .collect::<Vec<_>>()
            .join(", "),
    });
    if right.len() > shown {
        write!(text, " and {} more", right.len() - shown).expect("a string takes all");
    }
    let others: Vec<_> = row
        .blamed
        .iter()
        .filter(|(other, _)| **other != id)
        .map(|(other, names)| {
            if names_all {
                format!("{other} by {}", names.join(", "))
            } else {
                format!("{other} {}", names.len())
            }
        })
        .collect();
    if !others.is_empty() && (names_all || right.is_empty()) {
        write!(text, "; also {}", others.join("; ")).expect("a string takes all");
    }
    text
}

fn last_part(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, last)| last)
}

/// How many faults are caught, in one line.
#[must_use]
pub fn summary(matrix: &Matrix) -> String {
    let total = matrix.rows.len();
    let observed = matrix.count(Score::Observed);
    let missed = matrix.count(Score::Missed);
    let mut parts = vec![format!(
        "{} of {} caught",
        total - observed - missed,
        total - observed
    )];
    if observed > 0 {
        parts.push(format!("{observed} observed"));
    }
    let elsewhere = matrix.count(Score::Elsewhere);
    if elsewhere > 0 {
        parts.push(format!("{elsewhere} under another requirement only"));
    }
    parts.push(match matrix.false_alarms.len() {
        0 => "no false alarm".to_owned(),
        number => counted(number, "false alarm"),
    });
    let failing = matrix.scenarios.len() - matrix.idle().len();
    parts.push(format!(
        "{failing} of {} scenarios catch something",
        matrix.scenarios.len()
    ));
    format!(
        "mutation score {:.0} %: {}",
        100.0 * matrix.share(),
        parts.join(", ")
    )
}
