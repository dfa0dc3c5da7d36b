//! The matrix: a table for each game, with a row for each requirement and a column for each subject.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::Entry;
use crate::finding::Verdict;
use crate::pack;
use crate::report::groups::grouped;
use crate::report::scenario::EXPECTED;
use crate::requirement::{Binds, Requirement};

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
    pub(super) cells: Vec<Cell<'r>>,
}

/// The verdict of a subject on a requirement.
pub(super) struct Cell<'r> {
    pub(super) class: &'static str,
    pub(super) word: &'static str,
    /// The anchor of the reason.
    pub(super) anchor: Option<String>,
    /// Its choices where the specification leaves one, with the number of scenarios that show each.
    pub(super) seen: BTreeMap<&'r str, usize>,
}

/// The tables of all games that have requirements.
pub(super) fn tables<'r>(entries: &[Entry<'r>]) -> Vec<Table<'r>> {
    let games: BTreeSet<_> = entries.iter().filter_map(Entry::game).collect();
    let tables = games.into_iter().map(|game| {
        let entries = entries.iter().filter(|entry| entry.game() == Some(game));
        // The columns: the scenarios of each subject, in the order of their first ones.
        table(game, &grouped(entries.copied(), Entry::subject))
    });
    tables.filter(|table| !table.areas.is_empty()).collect()
}

fn table<'r>(game: &'r str, columns: &[Vec<Entry<'r>>]) -> Table<'r> {
    let mut areas: Vec<(&str, Vec<Row<'r>>)> = Vec::new();
    for id in requirements(game, columns) {
        let row = Row {
            id,
            entry: pack::requirement(id),
            cells: columns.iter().map(|column| cell(column, id)).collect(),
        };
        // The part of an id that names its area, such as `extra-turn` in `ur/extra-turn/cell-8`.
        let area = id.split('/').nth(1).unwrap_or(id);
        match areas.last_mut() {
            Some((known, rows)) if *known == area => rows.push(row),
            _ => areas.push((area, vec![row])),
        }
    }
    Table {
        title: pack::find(game).map_or(game, |pack| pack.game.title()),
        columns: columns.iter().map(|column| column[0].subject()).collect(),
        areas,
    }
}

/// The ids of the requirements that bind a subject of these columns, and of those that the reports name.
fn requirements<'r>(game: &str, columns: &[Vec<Entry<'r>>]) -> BTreeSet<&'r str> {
    let mut ids = BTreeSet::new();
    for Entry { result, .. } in columns.iter().flatten() {
        ids.extend(result.checks.iter().map(|check| check.requirement.as_str()));
        ids.extend(result.open.iter().map(|open| open.requirement.as_str()));
        let blamed = result
            .findings
            .iter()
            .filter_map(|finding| finding.requirement.as_deref());
        ids.extend(blamed);
    }
    let sides = columns.iter().map(|column| {
        let subject = column[0].result.subject.as_ref();
        match subject.is_some_and(|subject| subject.side == "bot") {
            true => Binds::Bot,
            false => Binds::Referee,
        }
    });
    let sides: Vec<_> = sides.collect();
    let catalogues = pack::catalogues().filter(|catalogue| catalogue.protocol == game);
    let entries = catalogues.flat_map(|catalogue| &catalogue.requirements);
    let bound = entries.filter(|entry| sides.iter().any(|side| entry.binds.contains(side)));
    ids.extend(bound.map(|entry| entry.id.as_str()));
    ids
}

fn cell<'r>(column: &[Entry<'r>], id: &str) -> Cell<'r> {
    let mut seen = BTreeMap::new();
    for open in column.iter().flat_map(|entry| &entry.result.open) {
        if open.requirement == id {
            *seen.entry(open.seen.as_str()).or_default() += 1;
        }
    }
    let all = column.iter().filter_map(|entry| verdict(*entry, id));
    // The worst counts, and what was not tested only where nothing else is.
    let rank = |(verdict, ..): &(Verdict, _, _)| {
        let is_untested = matches!(
            verdict,
            Verdict::Inconclusive | Verdict::Unsupported | Verdict::Skipped
        );
        (is_untested, Reverse(*verdict))
    };
    let (class, word, anchor) = match all.min_by_key(rank) {
        Some((verdict, word, anchor)) => (verdict.word(), word, anchor),
        None if seen.is_empty() => ("soft", "not tested", None),
        None => ("observed", "observed", None),
    };
    Cell {
        class,
        word,
        anchor,
        seen,
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
        let word = expected.unwrap_or(verdict.word());
        return Some((verdict, word, Some(entry.anchor(number))));
    }
    let mut checks = result.checks.iter();
    checks.find(|check| check.requirement == id)?;
    let (verdict, word) = match result.verdict {
        Verdict::Fail | Verdict::Flaky => (Verdict::Inconclusive, Verdict::Inconclusive.word()),
        verdict => (verdict, result.word()),
    };
    let anchor = result.has_reason().then(|| entry.anchor(0));
    Some((verdict, word, anchor))
}
