//! The Markdown report: for the comment of a pull request, or the summary of a step.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::results::{Expectation, FindingResult, Results, ScenarioResult, Standing};
use crate::diagnostic::counted;
use crate::finding::Verdict;

/// Words of results in the order of the table.
const COLUMNS: [&str; 11] = [
    "pass",
    "lenient",
    "expected",
    "new",
    "unexpected pass",
    "fail",
    "error",
    "flaky",
    "inconclusive",
    "unsupported",
    "skipped",
];

/// Maximum number of bytes. GitHub takes 65,536 characters in a comment.
const LARGEST: usize = 60_000;

/// Equal findings.
struct Group<'r> {
    finding: &'r FindingResult,
    scenario: &'r ScenarioResult,
    /// The scenarios with it, and how many of their games failed.
    names: Vec<String>,
}

/// Writes a report: the causes of failures, a table of verdicts for each subject, then the findings, equal ones together.
///
/// # Errors
/// Fails if the output fails.
pub(super) fn write(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let mut text = format!("## urtext: {}\n\n", conclusion(results));
    let explanation: Vec<_> = results
        .explanation()
        .map(|line| format!("- {}\n", inline(&line)))
        .collect();
    if !explanation.is_empty() {
        text.push_str(&format!("{}\n", explanation.concat()));
    }
    text.push_str(&table(results));
    let groups = groups(results);
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

fn conclusion(results: &Results) -> String {
    let number = |is: &dyn Fn(&ScenarioResult) -> bool| {
        results
            .scenarios
            .iter()
            .filter(|scenario| is(scenario))
            .count()
    };
    let is_expected = |scenario: &ScenarioResult| scenario.expected.is_some();
    let is_flaky =
        |scenario: &ScenarioResult| scenario.verdict == Verdict::Flaky && !is_expected(scenario);
    let count = |standing| {
        let is_counted = |scenario: &ScenarioResult| {
            let is_told =
                is_expected(scenario) || standing != Standing::Conforms && is_flaky(scenario);
            scenario.standing == standing && !is_told
        };
        number(&is_counted)
    };
    let total = results.scenarios.len();
    let noun = results.run.noun();
    let scenarios = counted(total, noun);
    let mut parts = vec![match count(Standing::Conforms) {
        all if all == total => format!("all of {scenarios} conform"),
        some => format!("{some} of {scenarios} conform"),
    }];
    let others = [
        (Standing::Deviates, "failed"),
        (Standing::Broken, "could not be played"),
        (Standing::Open, "not tested"),
    ];
    let others = others.map(|(standing, word)| (count(standing), word));
    parts.extend(
        others
            .iter()
            .chain(&[
                (number(&is_flaky), "flaky"),
                (number(&is_expected), "expected to fail"),
            ])
            .filter(|(number, _)| *number > 0)
            .map(|(number, word)| format!("{number} {word}")),
    );
    match &results.end {
        Some(end) if end.interrupted => parts.push("interrupted".to_owned()),
        Some(_) => {}
        None => parts.push("the report breaks off".to_owned()),
    }
    parts.join(", ")
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

fn groups(results: &Results) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let counted = results
        .scenarios
        .iter()
        .filter(|scenario| scenario.is_reported());
    for scenario in counted {
        let games = scenario.failed_games();
        let entry = scenario.expected.as_ref().map(Expectation::to_string);
        let remarks: Vec<_> = games.into_iter().chain(entry).collect();
        let games = match remarks.as_slice() {
            [] => String::new(),
            remarks => format!(" ({})", remarks.join("; ")),
        };
        let name = format!("{}{games}", scenario.name);
        for finding in &scenario.findings {
            let is_same = |group: &&mut Group<'_>| {
                let same = |of: &ScenarioResult| (row(of), of.word());
                group.finding.kind == finding.kind && same(group.scenario) == same(scenario)
            };
            match groups.iter_mut().find(is_same) {
                Some(group) if group.names.contains(&name) => {}
                Some(group) => group.names.push(name.clone()),
                None => groups.push(Group {
                    finding,
                    scenario,
                    names: vec![name.clone()],
                }),
            }
        }
    }
    groups
}

fn section(group: &Group<'_>) -> String {
    let Group {
        finding,
        scenario,
        names,
    } = group;
    let verdict = match scenario.reason() == Some(*finding) {
        true => scenario.word(),
        false => finding.verdict.word(),
    };
    let mut text = format!("\n### {verdict}: {}\n\n", inline(&finding.headline()));
    let names: Vec<_> = names.iter().map(|name| inline(name)).collect();
    text.push_str(&match names.as_slice() {
        [one] => format!("{} in {one}\n\n", inline(&row(scenario))),
        [one, rest @ ..] => format!(
            "{} in {one}\n\n<details><summary>and {} more</summary>\n\n{}\n\n</details>\n\n",
            inline(&row(scenario)),
            rest.len(),
            rest.join(", ")
        ),
        [] => String::new(),
    });
    let fence = fence(&finding.text);
    text.push_str(&format!("{fence}text\n{}\n{fence}\n", finding.text));
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
