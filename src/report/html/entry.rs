//! The scenarios of a report, by subject.

use std::collections::BTreeMap;

use crate::report::results::Results;
use crate::report::scenario::ScenarioResult;

/// Addresses of the replay pages, by the number of the scenario in the results.
pub(super) type Pages = BTreeMap<usize, String>;

/// A scenario of a run.
#[derive(Clone, Copy)]
pub(super) struct Entry<'r> {
    pub(super) number: usize,
    pub(super) result: &'r ScenarioResult,
    /// The address of the replay page.
    pub(super) page: Option<&'r String>,
}

/// The scenarios of a run.
pub(super) fn entries<'r>(results: &'r Results, pages: &'r Pages) -> Vec<Entry<'r>> {
    let results = results.scenarios.iter().enumerate();
    let entries = results.map(|(number, result)| Entry {
        number,
        result,
        page: pages.get(&number),
    });
    entries.collect()
}

/// The columns of a table: the scenarios of one subject of a game, in the order of their first ones.
pub(super) fn columns<'r>(entries: &[Entry<'r>]) -> Vec<Vec<Entry<'r>>> {
    let mut columns: Vec<Vec<Entry<'r>>> = Vec::new();
    for &entry in entries {
        let is_its = |column: &&mut Vec<Entry<'r>>| {
            (column[0].game(), column[0].subject()) == (entry.game(), entry.subject())
        };
        match columns.iter_mut().find(is_its) {
            Some(column) => column.push(entry),
            None => columns.push(vec![entry]),
        }
    }
    columns
}

impl<'r> Entry<'r> {
    pub(super) fn game(&self) -> Option<&'r str> {
        self.result.game.as_deref()
    }

    /// The name of the subject.
    pub(super) fn subject(&self) -> String {
        let subject = self.result.subject.as_ref();
        subject.map_or("no subject".to_owned(), |subject| {
            format!("{} ({})", subject.name, subject.side)
        })
    }

    /// The id of a finding in the page.
    pub(super) fn anchor(&self, finding: usize) -> String {
        format!("f{}-{finding}", self.number)
    }
}
