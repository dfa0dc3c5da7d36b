//! What explored games have shown, and what they have not, as remarks.

use crate::diagnostic::counted;
use crate::explore::{Coverage, CoverageRow};

/// The remarks about explored games. The first line of each counts, the others name what was never reached.
#[must_use]
pub fn coverage_notes(coverage: &Coverage) -> Vec<String> {
    let undecided = coverage.undecided.iter();
    let undecided =
        undecided.map(|(why, times)| format!("{} without a verdict: {why}", games(*times)));
    let mut notes: Vec<_> = undecided.collect();
    // Where nothing could be played, the others would only say so.
    if !coverage.is_blank() {
        let never = coverage.requirements().filter(|(_, times)| *times == 0);
        let never: Vec<_> = never
            .map(|(entry, _)| format!("{}: {}", entry.id, entry.summary))
            .collect();
        let all = coverage.requirements().count();
        let reached = format!(
            "requirements: {} of {all} put to the test",
            all - never.len()
        );
        notes.push(named(reached, never));
        notes.push(rows("situations", &coverage.situations));
        notes.push(rows("hostile turns", &coverage.hostile));
    }
    notes
}

fn rows(what: &str, rows: &[CoverageRow]) -> String {
    let possible = rows.iter().filter(|row| row.impossible.is_none()).count();
    let seen = rows.iter().filter(|row| row.times > 0).count();
    let never = rows.iter().filter(|row| row.times == 0);
    let never = never.map(|row| match (&row.impossible, row.requirement) {
        (Some(why), _) => format!("{}: not possible: {why}", row.name),
        (None, Some(id)) => format!("{} ({id})", row.name),
        (None, None) => row.name.clone(),
    });
    named(
        format!("{what}: {seen} of {possible} seen"),
        never.collect(),
    )
}

fn named(count: String, names: Vec<String>) -> String {
    names
        .iter()
        .fold(count, |text, name| format!("{text}\n  {name}"))
}

fn games(number: u64) -> String {
    counted(usize::try_from(number).unwrap_or(usize::MAX), "game")
}

/// The number of games and their verdicts in one line.
#[must_use]
pub fn summary(coverage: &Coverage) -> String {
    let (game, side) = (coverage.game(), coverage.side().word());
    let verdicts = coverage.games.iter();
    let verdicts = verdicts.map(|(verdict, number)| format!("{number} {}", verdict.word()));
    let verdicts: Vec<_> = verdicts.collect();
    let played = games(coverage.played());
    match verdicts.is_empty() {
        true => format!("explored {game}, {side}: {played}"),
        false => format!("explored {game}, {side}: {played}: {}", verdicts.join(", ")),
    }
}
