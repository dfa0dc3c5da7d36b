//! `urtext-baseline.yaml`: failures that are known.

mod append;
mod entry;
mod judging;

use std::path::Path;

use chrono::NaiveDate;
use serde_json::{Value, json};

use crate::diagnostic::{Diagnostic, Diagnostics, Faults, Source};
use crate::yaml::{self, At, Kind, keys, shape};
use entry::KnownFailure;

keys! {
    /// The file, as it is written.
    #[derive(Debug, Default)]
    struct FileKeys in "urtext-baseline.yaml" {
        /// The known failures
        required "failures" => failures: Vec<At<KnownFailure>>;
    }
}

/// The failures that a run is known to have.
#[derive(Debug)]
pub struct Baseline {
    source: Source,
    entries: Vec<At<KnownFailure>>,
}

impl Baseline {
    /// Name of the file.
    pub const NAME: &str = "urtext-baseline.yaml";

    /// Reads a file.
    ///
    /// # Errors
    /// Everything that is wrong with the file.
    pub fn load(path: &Path) -> Result<Baseline, Diagnostics> {
        Baseline::read(yaml::read(path)?)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// Everything that is wrong with the text.
    pub fn read(source: Source) -> Result<Baseline, Diagnostics> {
        let faults = Faults::new(&source);
        let entries = entries(&faults).unwrap_or_default();
        let found = faults.into_diagnostics();
        if found.has_errors() {
            return Err(found);
        }
        Ok(Baseline { source, entries })
    }

    /// A baseline without entries, for a file of that name that does not exist.
    #[must_use]
    pub fn empty(path: &Path) -> Baseline {
        Baseline {
            source: Source::new(&path.to_string_lossy(), ""),
            entries: Vec::new(),
        }
    }

    /// Returns true if an entry is about the scenario of this name.
    #[must_use]
    pub fn is_about(&self, scenario: &str) -> bool {
        self.entries.iter().any(|entry| entry.is.is_about(scenario))
    }

    /// Number of its entries.
    #[must_use]
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// The date in UTC, by which entries expire.
    #[must_use]
    pub fn today() -> NaiveDate {
        chrono::DateTime::<chrono::Utc>::from(std::time::SystemTime::now()).date_naive()
    }

    /// The JSON Schema of the file.
    #[must_use]
    pub fn schema() -> Value {
        let mut schema = <FileKeys as Kind>::shape();
        schema["$schema"] = json!(shape::DRAFT);
        schema
    }
}

fn entries(faults: &Faults<'_>) -> Option<Vec<At<KnownFailure>>> {
    let keys = FileKeys::read(&yaml::parse(faults)?, faults)?;
    let mut entries: Vec<At<KnownFailure>> = Vec::new();
    let whole = keys.failures.into_iter();
    for entry in whole.filter(|entry| entry.is.is_whole()) {
        if let Some(same) = entries.iter().find(|known| known.is.is_same(&entry.is)) {
            let source = faults.source();
            let title = "the same failure is expected twice";
            let fault = Diagnostic::error("baseline/twice", title)
                .at(source, source.first_line(entry.span), "here again")
                .context(source, source.first_line(same.span), "first here");
            faults.push(fault.help("delete one of the entries"));
        }
        entries.push(entry);
    }
    Some(entries)
}

#[cfg(test)]
mod tests;
