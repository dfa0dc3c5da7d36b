//! Entries for the failures of a run, appended to a baseline.

use super::super::results::Results;
use super::super::scenario::ScenarioResult;
use super::Baseline;
use super::entry::{Judged, KnownFailure};
use crate::diagnostic::{Diagnostic, Source};
use crate::finding::Verdict;
use crate::yaml::{At, scalar};

impl Baseline {
    /// Adds an entry at the end of the file for each failure that no entry expects, and returns their number.
    ///
    /// # Errors
    /// Fails if the entries are not lines below each other at the end of the file.
    pub fn append(&mut self, results: &Results) -> Result<usize, Diagnostic> {
        let text = self.source.text().unwrap_or_default();
        let last = self.entries.last();
        let column = |last: &At<KnownFailure>| self.source.position(last.span.start).column;
        let indent = last.map_or(2, |last| column(last).saturating_sub(3));
        let mut added: Vec<String> = Vec::new();
        for result in &results.scenarios {
            let is_known =
                |entry: &At<KnownFailure>| entry.is.judged(result) == Some(Judged::Failed);
            let is_new = result.verdict == Verdict::Fail && !self.entries.iter().any(is_known);
            if let Some(entry) = is_new.then(|| entry(result, indent)).flatten()
                && !added.contains(&entry)
            {
                added.push(entry);
            }
        }
        if added.is_empty() {
            return Ok(0);
        }
        let head = match text {
            "" => "failures:\n",
            text if text.ends_with('\n') => "",
            _ => "\n",
        };
        let longer = format!("{text}{head}{}", added.concat());
        let source = Source::new(self.source.name(), longer);
        match Baseline::read(source) {
            Ok(read) if read.count() == self.count() + added.len() => {
                *self = read;
                Ok(added.len())
            }
            _ => {
                let title = "no entry can be added at the end of this file";
                let help = "write each entry on lines of its own that begin with `- `, as the last part of the file; delete a file without entries";
                let fault = Diagnostic::error("baseline/layout", title);
                Err(fault.in_file(self.source.name()).help(help))
            }
        }
    }

    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> &str {
        self.source.text().unwrap_or_default()
    }
}

/// The lines of the entry that expects the failure of this result. The reason is the requirement: a title may depend on the other games of the
/// run.
fn entry(result: &ScenarioResult, indent: usize) -> Option<String> {
    let reason = result.reason()?;
    let seen = reason.observed.as_ref().unwrap_or(&reason.title);
    let reason = reason.requirement.as_ref().unwrap_or(seen);
    let subject = result.subject.as_ref().map(|subject| &subject.name);
    let keys = [
        ("- scenario", Some(&result.name)),
        ("  subject", subject),
        ("  reason", Some(reason)),
    ];
    let keys = keys
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)));
    let lines = keys.map(|(key, value)| format!("{:indent$}{key}: {}\n", "", scalar(value)));
    Some(lines.collect())
}
