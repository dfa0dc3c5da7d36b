//! The findings of every scenario that did not pass.

use std::fmt::Write;

use super::column::{Column, Entry};
use crate::diagnostic::visible;
use crate::report::drawing::escaped;
use crate::report::results::{FindingResult, LaneResult};

/// The most bytes of a line that are shown; the full text of a finding has its own limit.
const MOST: usize = 400;

/// Draws the findings, those of one subject together.
pub(super) fn draw(columns: &[Column<'_>]) -> String {
    let mut text = String::new();
    for column in columns {
        for &entry in column
            .scenarios
            .iter()
            .filter(|entry| entry.result.has_reason())
        {
            scenario(&mut text, column, entry);
        }
    }
    if text.is_empty() {
        text.push_str("<p>Every scenario passed.\n");
    }
    text
}

fn scenario(text: &mut String, column: &Column<'_>, entry: Entry<'_>) {
    let result = entry.result;
    let (class, word) = (result.verdict.word(), result.word());
    write!(
        text,
        "<article id=\"s{}-{}\">\n<h3><span class={class}>{word}</span>: {}</h3>\n<p class=soft>{}; {}",
        entry.run,
        entry.number,
        escaped(&result.name),
        escaped(&result.title),
        escaped(&column.title()),
    )
    .expect("a string takes all");
    if let Some(games) = result.failed_games() {
        write!(text, "; {games}").expect("a string takes all");
    }
    if let Some(entry) = &result.expected {
        write!(text, "<br>{}", escaped(&entry.to_string())).expect("a string takes all");
    }
    text.push('\n');
    match (column.run.pages.get(&entry.number), &result.recording) {
        (Some(page), _) => writeln!(text, "<p><a href=\"{page}\">Replay of the game</a>"),
        (None, Some(_)) => writeln!(
            text,
            "<p class=soft>No replay page: the recording shows no board, or cannot be read."
        ),
        (None, None) => writeln!(
            text,
            "<p class=soft>No replay page: the game has no recording."
        ),
    }
    .expect("a string takes all");
    if result.findings.is_empty() {
        writeln!(text, "<div id=\"{}\"></div>", entry.anchor(0)).expect("a string takes all");
    }
    for (number, shown) in result.findings.iter().enumerate() {
        writeln!(text, "<div id=\"{}\">", entry.anchor(number)).expect("a string takes all");
        finding(text, entry, shown);
        text.push_str("</div>\n");
    }
    if !result.stderr.is_empty() {
        details(text, "Standard error of the subject", &result.stderr);
    }
    if !result.repeat.is_empty() {
        writeln!(
            text,
            "<p>Play it again: <code>{}</code>",
            escaped(&result.repeat)
        )
        .expect("a string takes all");
    }
    text.push_str("</article>\n");
}

fn finding(text: &mut String, entry: Entry<'_>, finding: &FindingResult) {
    writeln!(text, "<p><strong>{}</strong>", escaped(&finding.headline()))
        .expect("a string takes all");
    if let Some(says) = &finding.specification {
        writeln!(text, "<blockquote>{}</blockquote>", escaped(says)).expect("a string takes all");
    }
    if let Some(step) = &finding.step {
        let place = entry.result.own_place(finding);
        let place = place.map_or(String::new(), |place| {
            format!(" ({}:{})", escaped(&place.file), place.line)
        });
        writeln!(
            text,
            "<p>Step of the scenario{place}: <code>{}</code>",
            escaped(&bounded(step))
        )
        .expect("a string takes all");
    }
    if !finding.event.is_empty() {
        writeln!(text, "<p>Event: {}", escaped(&bounded(&finding.event)))
            .expect("a string takes all");
    }
    if !finding.lanes.is_empty() {
        text.push_str(
            "<div class=wide role=region tabindex=0 aria-label=Lanes><table><caption>The lanes at that moment</caption>\n\
             <thead><tr><th scope=col>Lane<th scope=col>Line<th scope=col>Expected<th scope=col>Received<th scope=col>Result</thead>\n<tbody>\n",
        );
        finding.lanes.iter().for_each(|shown| lane(text, shown));
        text.push_str("</tbody></table></div>\n");
    }
    details(text, "The finding in full", &finding.text);
}

fn lane(text: &mut String, lane: &LaneResult) {
    let shown = |line: &Option<String>| match line {
        Some(line) => format!("<code>{}</code>", escaped(&bounded(line))),
        None => "nothing".to_owned(),
    };
    let result = if lane.agrees { "agrees" } else { "differs" };
    writeln!(
        text,
        "<tr><th scope=row>{}<td>{}<td>{}<td>{}<td>{result}",
        escaped(&bounded(&lane.lane)),
        lane.line,
        shown(&lane.expected),
        shown(&lane.received)
    )
    .expect("a string takes all");
}

/// Draws lines that can be folded away.
fn details(text: &mut String, summary: &str, lines: &str) {
    let lines: Vec<_> = lines.lines().map(escaped).collect();
    let lines = lines.join("\n");
    writeln!(
        text,
        "<details open><summary>{summary}</summary><pre>{lines}</pre></details>"
    )
    .expect("a string takes all");
}

fn bounded(text: &str) -> String {
    visible::plain(text).at_most(MOST).to_string()
}
