//! The columns of a report: the scenarios of one subject in one run.

use std::collections::BTreeMap;

use crate::report::results::{Results, ScenarioResult, SubjectResult};

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

/// The scenarios of one subject in one run.
pub(super) struct Column<'r> {
    pub(super) run: &'r HtmlRun,
    pub(super) subject: Option<&'r SubjectResult>,
    pub(super) game: Option<&'r str>,
    pub(super) scenarios: Vec<Entry<'r>>,
}

/// A scenario and its anchor.
#[derive(Clone, Copy)]
pub(super) struct Entry<'r> {
    pub(super) run: usize,
    pub(super) number: usize,
    pub(super) result: &'r ScenarioResult,
}

impl Entry<'_> {
    /// The id of a finding in the page.
    pub(super) fn anchor(self, finding: usize) -> String {
        format!("f{}-{}-{finding}", self.run, self.number)
    }
}

impl Column<'_> {
    /// The name of the subject, and of the run where there are several.
    pub(super) fn title(&self) -> String {
        let subject = self.subject.map_or("no subject".to_owned(), |subject| {
            format!("{} ({})", subject.name, subject.side)
        });
        match &self.run.name {
            Some(run) => format!("{run}: {subject}"),
            None => subject,
        }
    }
}

/// Returns the columns of these runs, in the order of their first scenarios.
pub(super) fn columns(runs: &[HtmlRun]) -> Vec<Column<'_>> {
    let mut columns: Vec<Column<'_>> = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        let first = columns.len();
        for (place, result) in run.results.scenarios.iter().enumerate() {
            let (subject, game) = (result.subject.as_ref(), result.game.as_deref());
            let key = |subject: Option<&'_ SubjectResult>| {
                subject.map(|subject| (subject.name.clone(), subject.side.clone()))
            };
            let known = columns[first..]
                .iter()
                .position(|column| column.game == game && key(column.subject) == key(subject));
            let at = known.map_or(columns.len(), |known| first + known);
            if known.is_none() {
                columns.push(Column {
                    run,
                    subject,
                    game,
                    scenarios: Vec::new(),
                });
            }
            columns[at].scenarios.push(Entry {
                run: number,
                number: place,
                result,
            });
        }
    }
    columns
}
