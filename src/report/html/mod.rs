//! The HTML report: one page without scripts. A matrix of requirements and subjects leads to the findings, and each
//! finding to the replay page of its game.

mod column;
mod findings;
mod ledger;
mod matrix;

use std::fmt::Write;

use super::drawing::escaped;
use super::page::{compact, fill, hash};
use super::results::ScenarioResult;
use crate::diagnostic::counted;
pub use column::HtmlRun;
use column::columns;

const PAGE: &str = include_str!("report.html");
const STYLE: &str = include_str!("report.css");

/// Returns the page of runs: their subjects side by side.
#[must_use]
pub fn draw(runs: &[HtmlRun]) -> String {
    let columns = columns(runs);
    let style = compact(STYLE);
    let heads: Vec<_> = runs.iter().map(head).collect();
    let titles: Vec<_> = runs
        .iter()
        .map(|run| run.results.run.heading.as_str())
        .collect();
    let parts = [
        ("STYLE-HASH", hash(&style)),
        ("TITLE", escaped(&titles.join("; "))),
        ("STYLE", style),
        ("RUNS", heads.concat()),
        ("MATRICES", matrix::draw(&columns)),
        ("LEDGER", ledger::draw(&columns)),
        ("FINDINGS", findings::draw(&columns)),
    ];
    fill(PAGE, &parts)
}

/// The paragraph of a run.
fn head(run: &HtmlRun) -> String {
    let HtmlRun { name, results, .. } = run;
    let mut text = String::from("<p>");
    if let Some(name) = name {
        write!(text, "<strong>{}</strong>: ", escaped(name)).expect("a string takes all");
    }
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for word in results.scenarios.iter().map(ScenarioResult::word) {
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    let counts = counts
        .into_iter()
        .map(|(word, count)| format!("{count} {word}"));
    let counts: Vec<_> = counts.collect();
    let scenarios = counted(results.scenarios.len(), "scenario");
    write!(
        text,
        "{}<br>{scenarios}: {}",
        escaped(&results.run.heading),
        counts.join(", ")
    )
    .expect("a string takes all");
    if let Some(began) = &results.run.began {
        write!(text, "<br>began {}", escaped(began)).expect("a string takes all");
    }
    match &results.end {
        Some(end) if end.interrupted => {
            text.push_str("<br>The run was interrupted; scenarios are missing.")
        }
        Some(end) => write!(text, "<br>exit status {}", end.status).expect("a string takes all"),
        None => text.push_str("<br>The report breaks off; scenarios are missing."),
    }
    text.push('\n');
    let explanation: Vec<_> = results
        .explanation()
        .map(|line| format!("<li>{}\n", escaped(&line)))
        .collect();
    if !explanation.is_empty() {
        write!(text, "<ul>\n{}</ul>\n", explanation.concat()).expect("a string takes all");
    }
    text
}
