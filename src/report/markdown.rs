//! The Markdown report: for the comment of a pull request, or the summary of a step.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::groups::Group;
use super::results::{Results, tally};
use super::scenario::ScenarioResult;
use crate::diagnostic::counted;

/// Maximum number of bytes. GitHub takes 65,536 characters in a comment.
const LARGEST: usize = 60_000;

/// Writes a report: the causes of failures, a table of verdicts for each subject, then the findings, equal ones together.
///
/// # Errors
/// Fails if the output fails.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let mut text = format!("## urtext: {}\n\n", results.summary());
    let causes = results.causes().map(|(_, sentence)| sentence);
    let lines = causes
        .chain(results.diagnoses(false))
        .chain(results.notes().map(|note| first_line(note)))
        .chain(results.observed_in_line(""));
    let lines = lines.map(|line| format!("- {}\n", inline(&line)));
    let explanation: Vec<_> = lines.collect();
    if !explanation.is_empty() {
        text.push_str(&format!("{}\n", explanation.concat()));
    }
    text.push_str(&table(results));
    let mut left_out = 0;
    for group in results.groups(|scenario| scenario.reported().is_some()) {
        let section = match group.is_brief {
            true => format!("\n{}\n", inline(&group.in_line())),
            false => section(&group, results.run.noun()),
        };
        match text.len() + section.len() > LARGEST {
            true => left_out += 1,
            false => text += &section,
        }
    }
    if left_out > 0 {
        let more = counted(left_out, "more finding");
        text += &format!("\nLeft out here: {more}.\n");
    }
    out.write_all(text.as_bytes())
}

fn first_line(note: &str) -> String {
    note.lines().next().unwrap_or_default().to_owned()
}

fn table(results: &Results) -> String {
    let mut rows: BTreeMap<String, Vec<&ScenarioResult>> = BTreeMap::new();
    for scenario in &results.scenarios {
        rows.entry(row(scenario)).or_default().push(scenario);
    }
    let used = tally(results.scenarios.iter()).filter(|(.., count)| *count > 0);
    let columns: Vec<_> = used.map(|(word, ..)| word).collect();
    let (head, rule) = (columns.join(" | "), " --: |".repeat(columns.len()));
    let mut text = format!("| subject | {head} |\n| --- |{rule}\n");
    for (name, scenarios) in rows {
        let counts = tally(scenarios.into_iter()).filter(|(word, ..)| columns.contains(word));
        let counts: Vec<_> = counts.map(|(.., count)| count.to_string()).collect();
        text += &format!("| {} | {} |\n", inline(&name), counts.join(" | "));
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

fn section(group: &Group<'_>, noun: &str) -> String {
    let (scenario, finding) = group.best();
    let verdict = match scenario.reason() == Some(finding) {
        true => scenario.word(),
        false => finding.verdict.word(),
    };
    let headline = inline(&finding.headline());
    let others = group.others(noun, false);
    let others = others.map_or_else(String::new, |others| format!(" {others}"));
    let of = format!(
        "{} in {}{}{others}",
        row(scenario),
        scenario.name,
        scenario.remark()
    );
    let of = inline(&of);
    let text = scenario.in_full(finding);
    let fence = fence(&text);
    format!(
        "\n<details><summary>{verdict}: {headline}</summary>\n\n{of}\n\n{fence}text\n{text}\n{fence}\n\n</details>\n"
    )
}

/// A fence that no line of the text closes.
fn fence(text: &str) -> String {
    let rows = text.split(|letter| letter != '`').map(str::len);
    "`".repeat(rows.max().unwrap_or(0).max(2) + 1)
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
