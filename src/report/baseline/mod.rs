//! `urtext-baseline.yaml`: failures that are known.

mod append;
mod entry;
mod judging;

use std::path::Path;

use chrono::NaiveDate;
use serde_json::{Value, json};

use crate::diagnostic::{Diagnostic, Diagnostics, Faults, Source};
use crate::yaml::shape::{self, Mapping, list, text, truth};
use crate::yaml::{self, MapReader};
use entry::KnownFailure;

/// The failures that a run is known to have.
#[derive(Debug)]
pub struct Baseline {
    source: Source,
    entries: Vec<KnownFailure>,
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
        self.entries.iter().any(|entry| entry.scenario == scenario)
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
        let date = json!({"description": "the last day on which the failure is expected", "type": "string", "format": "date"});
        let entry = Mapping::new("a known failure")
            .required("scenario", text("name of the scenario that fails"))
            .optional("subject", text("name of the subject; without it, the entry is for every subject"))
            .required("reason", text("id of the requirement, or title of the finding, in which `*` stands for any text"))
            .optional("link", text("where the failure is described, such as an issue"))
            .optional("expires", date)
            .optional("flaky", truth("the scenario may pass as well"))
            .shape();
        let mut schema = Mapping::new(Baseline::NAME)
            .required("failures", list("the known failures", entry))
            .shape();
        schema["$schema"] = json!(shape::DRAFT);
        schema
    }
}

fn entries(faults: &Faults<'_>) -> Option<Vec<KnownFailure>> {
    let root = yaml::parse(faults)?;
    let mut keys = MapReader::new(&root, Baseline::NAME, faults)?;
    let failures = keys.required("failures");
    keys.finish();
    let mut entries: Vec<KnownFailure> = Vec::new();
    for node in failures?.as_list(faults)? {
        let Some(entry) = KnownFailure::read(node, faults) else {
            continue;
        };
        if let Some(same) = entries.iter().find(|known| known.is_same(&entry)) {
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
