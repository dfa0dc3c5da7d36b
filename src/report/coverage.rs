//! Coverage of explored games, as a table and as JSON.

use crate::diagnostic::counted;
use std::fmt::Write;

use serde_json::{Value, json};

use crate::explore::{Coverage, CoverageRow};
use crate::finding::Verdict;

/// The table: requirements with how often a game has put each to the test, then situations and hostile turns; those that were seen
/// are named one by one only where all are asked for.
#[must_use]
pub fn draw(coverage: &Coverage, names_all: bool) -> String {
    let requirements: Vec<_> = coverage.requirements().collect();
    let reached = requirements.iter().filter(|(_, times)| *times > 0).count();
    let mut text = format!(
        "requirements: {reached} of {} put to the test\n",
        requirements.len()
    );
    let width = requirements
        .iter()
        .map(|(entry, _)| entry.id.len())
        .max()
        .unwrap_or(0);
    for (entry, times) in &requirements {
        let (id, what) = (&entry.id, &entry.summary);
        writeln!(text, "  {:>7}  {id:<width$}  {what}", often(*times)).expect("a string takes all");
    }
    rows(&mut text, "situations", &coverage.situations, names_all);
    rows(&mut text, "hostile turns", &coverage.hostile, names_all);
    for (why, times) in &coverage.undecided {
        let games = if *times == 1 { "game" } else { "games" };
        writeln!(text, "{times} {games} without a verdict: {why}").expect("a string takes all");
    }
    text.push_str(&summary(coverage));
    text
}

fn often(times: u64) -> String {
    if times == 0 {
        "never".to_owned()
    } else {
        times.to_string()
    }
}

fn rows(text: &mut String, what: &str, rows: &[CoverageRow], names_all: bool) {
    let can_be_seen = rows.iter().filter(|row| row.impossible.is_none()).count();
    let seen = rows.iter().filter(|row| row.times > 0).count();
    writeln!(text, "{what}: {seen} of {can_be_seen} seen").expect("a string takes all");
    let is_shown = |row: &&CoverageRow| names_all || row.times == 0;
    let width = rows
        .iter()
        .filter(is_shown)
        .map(|row| row.name.chars().count())
        .max()
        .unwrap_or(0);
    for row in rows.iter().filter(is_shown) {
        let (name, id) = (&row.name, row.requirement.unwrap_or("-"));
        let line = match &row.impossible {
            Some(why) => format!("  {:>7}  {name:<width$}  {why}", "-"),
            None => format!("  {:>7}  {name:<width$}  {id}", often(row.times)),
        };
        writeln!(text, "{}", line.trim_end()).expect("a string takes all");
    }
}

/// Returns one line with the number of games and their verdicts.
#[must_use]
pub fn summary(coverage: &Coverage) -> String {
    let (game, side) = (coverage.game(), coverage.side().word());
    let verdicts: Vec<_> = coverage
        .games
        .iter()
        .map(|(verdict, number)| format!("{number} {}", verdict.word()))
        .collect();
    let played = counted(coverage.played(), "game");
    let told = if verdicts.is_empty() {
        String::new()
    } else {
        format!(": {}", verdicts.join(", "))
    };
    format!("explored {game}, {side}: {played}{told}")
}

/// Returns the whole report for programs.
#[must_use]
pub fn as_json(coverage: &Coverage) -> Value {
    let row = |row: &CoverageRow| {
        json!({
            "name": row.name,
            "requirement": row.requirement,
            "times": row.times,
            "impossible": row.impossible,
        })
    };
    let games = |verdict: Verdict| coverage.games.get(&verdict).copied().unwrap_or_default();
    let requirements = coverage
        .requirements()
        .map(|(entry, times)| json!({"id": entry.id, "times": times}));
    json!({
        "game": coverage.game(),
        "subject": coverage.side().word(),
        "games": coverage.played(),
        "verdicts": {
            "pass": games(Verdict::Pass),
            "lenient": games(Verdict::Lenient),
            "fail": games(Verdict::Fail),
            "flaky": games(Verdict::Flaky),
            "inconclusive": games(Verdict::Inconclusive),
            "unsupported": games(Verdict::Unsupported),
            "skipped": games(Verdict::Skipped),
            "error": games(Verdict::Error),
        },
        "without_a_verdict": coverage.undecided,
        "complete": coverage.is_complete(),
        "requirements": requirements.collect::<Vec<_>>(),
        "situations": coverage.situations.iter().map(row).collect::<Vec<_>>(),
        "hostile": coverage.hostile.iter().map(row).collect::<Vec<_>>(),
    })
}
