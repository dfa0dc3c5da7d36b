//! The scenarios of a report, by run and by subject.

use std::collections::BTreeMap;

use crate::report::results::Results;
use crate::report::scenario::ScenarioResult;

/// A run in an HTML report.
#[derive(Debug)]
pub struct HtmlRun {
    /// Name of the run, where the report compares several.
    pub name: Option<String>,
    /// Its results.
    pub results: Results,
    /// Addresses of the replay pages, by the number of the scenario in the results.
    pub pages: BTreeMap<usize, String>,
}

/// A scenario of a run.
#[derive(Clone, Copy)]
pub(super) struct Entry<'r> {
    pub(super) run: usize,
    pub(super) number: usize,
    pub(super) result: &'r ScenarioResult,
    of: &'r HtmlRun,
}

/// The scenarios of these runs.
pub(super) fn entries(runs: &[HtmlRun]) -> Vec<Entry<'_>> {
    let runs = runs.iter().enumerate();
    let entries = runs.flat_map(|(run, of)| {
        let results = of.results.scenarios.iter().enumerate();
        results.map(move |(number, result)| Entry {
            run,
            number,
            result,
            of,
        })
    });
    entries.collect()
}

/// The columns of a table: the scenarios of one subject in one run of a game, in the order of their first ones.
pub(super) fn columns<'r>(entries: &[Entry<'r>]) -> Vec<Vec<Entry<'r>>> {
    let mut columns: Vec<Vec<Entry<'r>>> = Vec::new();
    for &entry in entries {
        let is_its = |column: &&mut Vec<Entry<'r>>| column[0].column() == entry.column();
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

    fn column(&self) -> (usize, String, Option<&'r str>) {
        (self.run, self.subject(), self.game())
    }

    /// The name of the subject, and of the run where there are several.
    pub(super) fn subject(&self) -> String {
        let subject = self.result.subject.as_ref();
        let subject = subject.map_or("no subject".to_owned(), |subject| {
            format!("{} ({})", subject.name, subject.side)
        });
        match &self.of.name {
            Some(run) => format!("{run}: {subject}"),
            None => subject,
        }
    }

    /// The id of a finding in the page.
    pub(super) fn anchor(&self, finding: usize) -> String {
        format!("f{}-{}-{finding}", self.run, self.number)
    }

    /// The address of the replay page.
    pub(super) fn page(&self) -> Option<&'r String> {
        self.of.pages.get(&self.number)
    }
}
