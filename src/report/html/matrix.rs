//! The matrix: a table for each game, with a row for each requirement and a column for each subject.

use std::fmt::Write;

use super::column::{Column, Entry};
use super::ledger;
use crate::finding::Verdict;
use crate::pack;
use crate::report::drawing::escaped;
use crate::requirement::{Binds, Requirement};

/// Verdicts in the order in which they decide a cell.
const ORDER: [Verdict; 8] = [
    Verdict::Fail,
    Verdict::Error,
    Verdict::Flaky,
    Verdict::Lenient,
    Verdict::Pass,
    Verdict::Inconclusive,
    Verdict::Unsupported,
    Verdict::Skipped,
];

/// A verdict on a requirement.
struct Judged {
    verdict: Verdict,
    word: &'static str,
    /// The anchor of the reason.
    anchor: Option<String>,
}

/// Draws the tables.
pub(super) fn draw(columns: &[Column<'_>]) -> String {
    let mut games: Vec<_> = columns.iter().filter_map(|column| column.game).collect();
    games.sort_unstable();
    games.dedup();
    games
        .iter()
        .enumerate()
        .map(|(number, game)| table(number, game, columns))
        .collect()
}

/// Draws the table of one game; empty if it has no requirement.
fn table(number: usize, game: &str, columns: &[Column<'_>]) -> String {
    let of_game = |column: &&Column<'_>| column.game == Some(game);
    let columns: Vec<_> = columns.iter().filter(of_game).collect();
    let mut rows: Vec<_> = requirements(game, &columns);
    // Stable: within an area, the order of the specification.
    let mut areas: Vec<&str> = Vec::new();
    for (id, _) in &rows {
        if !areas.contains(&area(id)) {
            areas.push(area(id));
        }
    }
    rows.sort_by_key(|(id, _)| areas.iter().position(|known| *known == area(id)));
    if rows.is_empty() {
        return String::new();
    }
    let title = pack::find(game).map_or(game, |pack| pack.game.title());
    let title = escaped(title);
    let mut text = format!(
        "<section aria-labelledby=\"m{number}\">\n<h2 id=\"m{number}\">{title}</h2>\n\
         <div class=wide role=region tabindex=0 aria-labelledby=\"m{number}\">\n<table>\n\
         <caption>Verdict of each subject on each requirement. A link leads to the reason.</caption>\n\
         <thead><tr><th scope=col>Requirement"
    );
    for column in &columns {
        write!(text, "<th scope=col>{}", escaped(&column.title())).expect("a string takes all");
    }
    text.push_str("</thead>\n");
    for of_area in rows.chunk_by(|(one, _), (other, _)| area(one) == area(other)) {
        let area = escaped(area(of_area[0].0));
        let width = columns.len() + 1;
        write!(
            text,
            "<tbody>\n<tr><th scope=rowgroup colspan={width}>{area}\n"
        )
        .expect("a string takes all");
        for (id, entry) in of_area {
            row(&mut text, id, *entry, &columns);
        }
        text.push_str("</tbody>\n");
    }
    text + "</table>\n</div>\n</section>\n"
}

/// The requirements of a game for these columns: those of its catalogue, then those that only the reports name.
fn requirements<'r>(
    game: &str,
    columns: &[&Column<'r>],
) -> Vec<(&'r str, Option<&'static Requirement>)> {
    let binds = |entry: &Requirement| {
        let side = |column: &&Column<'_>| match column.subject.map(|subject| subject.side.as_str())
        {
            Some("bot") => entry.binds.contains(&Binds::Bot),
            _ => entry.binds.contains(&Binds::Referee),
        };
        columns.iter().any(side)
    };
    let catalogues = pack::catalogues().filter(|catalogue| catalogue.protocol == game);
    let entries = catalogues.flat_map(|catalogue| &catalogue.requirements);
    let mut rows: Vec<(&'r str, _)> = entries
        .filter(|entry| {
            binds(entry)
                || columns
                    .iter()
                    .any(|column| judged(column, &entry.id).is_some())
        })
        .map(|entry| (entry.id.as_str(), Some(entry)))
        .collect();
    for entry in columns.iter().flat_map(|column| &column.scenarios) {
        let checks = entry.result.checks.iter().map(|check| &check.requirement);
        let blamed = entry
            .result
            .findings
            .iter()
            .filter_map(|finding| finding.requirement.as_ref());
        for id in checks.chain(blamed) {
            if !rows.iter().any(|(known, _)| known == id) {
                rows.push((id, pack::requirement(id)));
            }
        }
    }
    rows
}

/// The part of an id that names its area, such as `extra-turn` in `ur/extra-turn/cell-8`.
fn area(id: &str) -> &str {
    id.split('/').nth(1).unwrap_or(id)
}

fn row(text: &mut String, id: &str, entry: Option<&Requirement>, columns: &[&Column<'_>]) {
    write!(text, "<tr><th scope=row><code>{}</code>", escaped(id)).expect("a string takes all");
    if let Some(entry) = entry {
        write!(
            text,
            " <small>{}</small><br>{}",
            entry.level,
            escaped(&entry.summary)
        )
        .expect("a string takes all");
    }
    for column in columns {
        cell(text, id, column);
    }
    text.push('\n');
}

fn cell(text: &mut String, id: &str, column: &Column<'_>) {
    let observed = column
        .scenarios
        .iter()
        .any(|entry| entry.result.open.iter().any(|open| open.requirement == id));
    match judged(column, id) {
        Some((judged, passed, of)) => {
            let Judged {
                verdict,
                word,
                anchor,
            } = judged;
            let class = verdict.word();
            write!(text, "<td class={class}>").expect("a string takes all");
            match anchor {
                Some(anchor) => write!(text, "<a href=\"#{anchor}\">{word}</a>"),
                None => write!(text, "{word}"),
            }
            .expect("a string takes all");
            if passed < of && matches!(verdict, Verdict::Pass | Verdict::Lenient) {
                write!(text, " <small>in {passed} of {of}</small>").expect("a string takes all");
            }
            if observed {
                write!(
                    text,
                    " <small><a href=\"#{}\">choice</a></small>",
                    ledger::anchor(id)
                )
                .expect("a string takes all");
            }
        }
        None if observed => write!(text, "<td><a href=\"#{}\">observed</a>", ledger::anchor(id))
            .expect("a string takes all"),
        None => text.push_str("<td class=soft>not tested"),
    }
}

/// Returns the verdict of a subject on a requirement, and the numbers of scenarios that pass and that check it; `None`
/// if no scenario checks it.
fn judged(column: &Column<'_>, id: &str) -> Option<(Judged, usize, usize)> {
    let all: Vec<_> = column
        .scenarios
        .iter()
        .filter_map(|entry| judged_by(*entry, id))
        .collect();
    let passed = all
        .iter()
        .filter(|judged| matches!(judged.verdict, Verdict::Pass | Verdict::Lenient))
        .count();
    let of = all.len();
    let rank = |judged: &Judged| ORDER.iter().position(|known| *known == judged.verdict);
    let judged = all.into_iter().min_by_key(rank)?;
    Some((judged, passed, of))
}

/// Returns the verdict of one scenario on a requirement. A scenario that fails for another requirement has not tested
/// this one.
fn judged_by(entry: Entry<'_>, id: &str) -> Option<Judged> {
    let result = entry.result;
    let is_of = |requirement: &Option<String>| requirement.as_deref() == Some(id);
    let blamed = result
        .findings
        .iter()
        .position(|finding| is_of(&finding.requirement));
    if let Some(number) = blamed.filter(|_| entry.result.has_reason()) {
        let verdict = result.findings[number].verdict;
        let expected = result
            .expected
            .as_ref()
            .map(|_| crate::report::results::EXPECTED);
        return Some(Judged {
            verdict,
            word: expected.unwrap_or(verdict.word()),
            anchor: Some(entry.anchor(number)),
        });
    }
    if !result.checks.iter().any(|check| check.requirement == id) {
        return None;
    }
    let (verdict, word) = match result.verdict {
        Verdict::Fail | Verdict::Flaky => (Verdict::Inconclusive, Verdict::Inconclusive.word()),
        verdict => (verdict, result.word()),
    };
    let anchor = result.has_reason().then(|| entry.anchor(0));
    Some(Judged {
        verdict,
        word,
        anchor,
    })
}
