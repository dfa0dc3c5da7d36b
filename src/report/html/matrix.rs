//! The matrix: a table for each game, with a row for each requirement and a column for each subject.

use std::collections::BTreeSet;

use super::choices;
use super::entry::Entry;
use crate::finding::Verdict;
use crate::pack;
use crate::report::scenario::EXPECTED;
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

/// The table of a game.
pub(super) struct Table<'r> {
    pub(super) title: &'r str,
    pub(super) columns: Vec<String>,
    /// Areas of the specification, each with its requirements.
    pub(super) areas: Vec<(&'r str, Vec<Row<'r>>)>,
}

/// A requirement, as each subject meets it.
pub(super) struct Row<'r> {
    pub(super) id: &'r str,
    pub(super) entry: Option<&'static Requirement>,
    pub(super) cells: Vec<Cell>,
}

/// The verdict of a subject on a requirement.
pub(super) struct Cell {
    pub(super) class: &'static str,
    pub(super) word: &'static str,
    /// The anchor of the reason.
    pub(super) anchor: Option<String>,
    /// Numbers of scenarios that pass and that check it, where some do not pass.
    pub(super) share: Option<(usize, usize)>,
    /// The anchor of the choices of the subjects.
    pub(super) choice: Option<String>,
}

/// The tables of all games that have requirements.
pub(super) fn tables<'r>(columns: &[Vec<Entry<'r>>]) -> Vec<Table<'r>> {
    let games: BTreeSet<_> = columns
        .iter()
        .filter_map(|column| column[0].game())
        .collect();
    let tables = games.into_iter().map(|game| table(game, columns));
    tables.filter(|table| !table.areas.is_empty()).collect()
}

fn table<'r>(game: &'r str, columns: &[Vec<Entry<'r>>]) -> Table<'r> {
    let of_game = |column: &&Vec<Entry<'r>>| column[0].game() == Some(game);
    let columns: Vec<_> = columns.iter().filter(of_game).collect();
    let mut areas: Vec<(&str, Vec<Row<'r>>)> = Vec::new();
    for (id, entry) in requirements(game, &columns) {
        let cells = columns.iter().map(|column| cell(column, id)).collect();
        let row = Row { id, entry, cells };
        // The part of an id that names its area, such as `extra-turn` in `ur/extra-turn/cell-8`.
        let area = id.split('/').nth(1).unwrap_or(id);
        match areas.iter_mut().find(|(known, _)| *known == area) {
            Some((_, rows)) => rows.push(row),
            None => areas.push((area, vec![row])),
        }
    }
    Table {
        title: pack::find(game).map_or(game, |pack| pack.game.title()),
        columns: columns.iter().map(|column| column[0].subject()).collect(),
        areas,
    }
}

/// The requirements of a game for these columns: those of its catalogue, then those that only the reports name.
fn requirements<'r>(
    game: &str,
    columns: &[&Vec<Entry<'r>>],
) -> Vec<(&'r str, Option<&'static Requirement>)> {
    let results = columns.iter().flat_map(|column| *column);
    let named = results.flat_map(|entry| {
        let checks = entry.result.checks.iter().map(|check| &check.requirement);
        let findings = entry.result.findings.iter();
        checks.chain(findings.filter_map(|finding| finding.requirement.as_ref()))
    });
    let named: Vec<_> = named.map(String::as_str).collect();
    let binds = |entry: &Requirement, column: &Vec<Entry<'_>>| {
        let subject = column[0].result.subject.as_ref();
        let is_bot = subject.is_some_and(|subject| subject.side == "bot");
        entry
            .binds
            .contains(if is_bot { &Binds::Bot } else { &Binds::Referee })
    };
    let catalogues = pack::catalogues().filter(|catalogue| catalogue.protocol == game);
    let entries = catalogues.flat_map(|catalogue| &catalogue.requirements);
    let entries = entries.filter(|entry| {
        named.contains(&entry.id.as_str()) || columns.iter().any(|column| binds(entry, column))
    });
    let mut rows: Vec<(&'r str, _)> = entries
        .map(|entry| (entry.id.as_str(), Some(entry)))
        .collect();
    for id in named {
        if !rows.iter().any(|(known, _)| *known == id) {
            rows.push((id, pack::requirement(id)));
        }
    }
    rows
}

fn cell(column: &[Entry<'_>], id: &str) -> Cell {
    let has_choice =
        |entry: &Entry<'_>| entry.result.open.iter().any(|open| open.requirement == id);
    let choice = column.iter().any(has_choice).then(|| choices::anchor(id));
    let all: Vec<_> = column
        .iter()
        .filter_map(|entry| verdict(*entry, id))
        .collect();
    let passes = |verdict: Verdict| matches!(verdict, Verdict::Pass | Verdict::Lenient);
    let passed = all.iter().filter(|(verdict, ..)| passes(*verdict)).count();
    let of = all.len();
    let rank = |(verdict, ..): &(Verdict, _, _)| ORDER.iter().position(|known| known == verdict);
    match all.into_iter().min_by_key(rank) {
        Some((verdict, word, anchor)) => Cell {
            class: verdict.word(),
            word,
            anchor,
            share: (passed < of && passes(verdict)).then_some((passed, of)),
            choice,
        },
        None => Cell {
            class: if choice.is_some() { "observed" } else { "soft" },
            word: if choice.is_some() {
                "observed"
            } else {
                "not tested"
            },
            anchor: choice,
            share: None,
            choice: None,
        },
    }
}

/// The verdict of one scenario on a requirement, with its word and the anchor of the reason. A scenario that fails for another requirement has not tested this one.
fn verdict(entry: Entry<'_>, id: &str) -> Option<(Verdict, &'static str, Option<String>)> {
    let result = entry.result;
    let mut findings = result.findings.iter();
    let blamed = findings.position(|finding| finding.requirement.as_deref() == Some(id));
    if let Some(number) = blamed.filter(|_| result.has_reason()) {
        let verdict = result.findings[number].verdict;
        let expected = result.expected.as_ref().map(|_| EXPECTED);
        return Some((
            verdict,
            expected.unwrap_or(verdict.word()),
            Some(entry.anchor(number)),
        ));
    }
    if !result.checks.iter().any(|check| check.requirement == id) {
        return None;
    }
    let (verdict, word) = match result.verdict {
        Verdict::Fail | Verdict::Flaky => (Verdict::Inconclusive, Verdict::Inconclusive.word()),
        verdict => (verdict, result.word()),
    };
    let anchor = result.has_reason().then(|| entry.anchor(0));
    Some((verdict, word, anchor))
}
