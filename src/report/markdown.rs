//! The Markdown report: for the comment of a pull request, or the summary of a step.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::groups::Group;
use super::results::Results;
use super::scenario::{EXPECTED, ScenarioResult, UNEXPECTED_PASS};

/// Words of results in the order of the table.
const COLUMNS: [&str; 10] = [
    "pass",
    "lenient",
    EXPECTED,
    UNEXPECTED_PASS,
    "fail",
    "error",
    "flaky",
    "inconclusive",
    "unsupported",
    "skipped",
];

/// Maximum number of bytes. GitHub takes 65,536 characters in a comment.
const LARGEST: usize = 60_000;

/// Writes a report: the causes of failures, a table of verdicts for each subject, then the findings, equal ones together.
///
/// # Errors
/// Fails if the output fails.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let mut text = format!("## urtext: {}\n\n", results.summary());
    let lines = results
        .explanation()
        .chain(results.notes().map(|note| first_line(note)));
    let lines = lines.map(|line| format!("- {}\n", inline(&line)));
    let explanation: Vec<_> = lines.collect();
    if !explanation.is_empty() {
        text.push_str(&format!("{}\n", explanation.concat()));
    }
    text.push_str(&table(results));
    let groups = results.groups(ScenarioResult::is_reported);
    let mut left_out = 0;
    for group in &groups {
        let section = section(group);
        if text.len() + section.len() > LARGEST {
            left_out += 1;
        } else {
            text.push_str(&section);
        }
    }
    if left_out > 0 {
        let more = if left_out == 1 {
            "finding is"
        } else {
            "findings are"
        };
        text.push_str(&format!("\n{left_out} more {more} left out here.\n"));
    }
    text.push_str(&open_choices(results, LARGEST.saturating_sub(text.len())));
    out.write_all(text.as_bytes())
}

fn first_line(note: &str) -> String {
    note.lines().next().unwrap_or_default().to_owned()
}

fn table(results: &Results) -> String {
    let mut rows: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
    for scenario in &results.scenarios {
        *rows
            .entry(row(scenario))
            .or_default()
            .entry(scenario.word())
            .or_default() += 1;
    }
    let is_used = |word: &&str| rows.values().any(|row| row.contains_key(word));
    let columns: Vec<_> = COLUMNS.into_iter().filter(is_used).collect();
    let mut text = format!("| subject | {} |\n", columns.join(" | "));
    text.push_str(&format!("| --- |{}\n", " --: |".repeat(columns.len())));
    for (name, counts) in &rows {
        let counts: Vec<_> = columns
            .iter()
            .map(|word| counts.get(word).map_or_else(String::new, usize::to_string))
            .collect();
        text.push_str(&format!("| {} | {} |\n", inline(name), counts.join(" | ")));
    }
    text
}

fn row(scenario: &ScenarioResult) -> String {
    let game = scenario.game.as_deref().unwrap_or_default();
    match &scenario.subject {
        Some(subject) => format!("{game} {} {}", subject.side, subject.name),
        None => game.to_owned(),
    }
}

fn section(group: &Group<'_>) -> String {
    let (scenario, finding) = group.best();
    let verdict = match scenario.reason() == Some(finding) {
        true => scenario.word(),
        false => finding.verdict.word(),
    };
    let headline = inline(&finding.headline());
    let mut text = format!("\n<details><summary>{verdict}: {headline}</summary>\n\n");
    let names = group
        .members
        .iter()
        .map(|(scenario, _)| inline(&format!("{}{}", scenario.name, scenario.remark())));
    let names: Vec<_> = names.collect();
    text.push_str(&format!(
        "{} in {}\n\n",
        inline(&row(scenario)),
        names.join(", ")
    ));
    let told = scenario.told(finding);
    let fence = fence(&told);
    text.push_str(&format!("{fence}text\n{told}\n{fence}\n\n</details>\n"));
    text
}

fn open_choices(results: &Results, room: usize) -> String {
    let mut choices: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for choice in results.scenarios.iter().flat_map(|scenario| &scenario.open) {
        *choices
            .entry((&choice.requirement, &choice.seen))
            .or_default() += 1;
    }
    if choices.is_empty() {
        return String::new();
    }
    let mut text = "\n<details><summary>Left open by the specification</summary>\n\n".to_owned();
    for ((requirement, seen), times) in choices {
        text.push_str(&format!(
            "- {}: {} ({times})\n",
            inline(requirement),
            inline(seen)
        ));
    }
    text.push_str("\n</details>\n");
    if text.len() <= room {
        text
    } else {
        String::new()
    }
}

/// A fence that no line of the text closes.
fn fence(text: &str) -> String {
    let mut longest = 2;
    let mut row = 0;
    for c in text.chars() {
        row = if c == '`' { row + 1 } else { 0 };
        longest = longest.max(row);
    }
    "`".repeat(longest + 1)
}

/// A text as plain text in one line of Markdown.
fn inline(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        match c {
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '&' => shown.push_str("&amp;"),
            // A mention would notify somebody.
            '@' => shown.push_str("&#64;"),
            '\n' | '\r' => shown.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' | '$' => {
                shown.push('\\');
                shown.push(c);
            }
            _ => shown.push(c),
        }
    }
    shown
}
