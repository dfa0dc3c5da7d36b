//! `urtext-baseline.yaml`: failures that are known.

use std::path::Path;

use chrono::NaiveDate;
use serde_json::{Value, json};
use wildmatch::WildMatch;

use super::findings::{FindingResult, Place};
use super::results::Results;
use super::scenario::{Expectation, ScenarioResult};
use super::status::Status;
use crate::config::Subject;
use crate::diagnostic::{Diagnostic, Diagnostics, Faults, Paint, Source, did_you_mean, visible};
use crate::finding::Verdict;
use crate::pack;
use crate::scenario::suite;
use crate::yaml::{self, At, Kind, Node, keys, scalar, shape};

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

    /// Warns of names that are probably slips: none of the shipped scenarios and these, of these subjects, or of the requirements.
    #[must_use]
    pub fn slips(&self, mut scenarios: Vec<String>, subjects: Vec<Subject>) -> Diagnostics {
        scenarios.extend(suite::all().0.into_iter().map(|one| one.name));
        let subjects = subjects.into_iter().map(|one| one.name).collect();
        let entries = pack::catalogues().flat_map(|catalogue| &catalogue.requirements);
        let ids = entries.map(|entry| entry.id.clone()).collect();
        let mut found = Diagnostics::new();
        for entry in &self.entries {
            let KnownFailure {
                scenario,
                subject,
                reason,
                ..
            } = &entry.is;
            let names = [
                ("scenario", scenario, &scenarios),
                ("subject", subject, &subjects),
                ("requirement", reason, &ids),
            ];
            found.extend(names.into_iter().filter_map(|(what, name, known)| {
                // The game before all others is in no suite.
                let is_unknown =
                    |name: &&String| !known.contains(name) && !name.ends_with("/plain-game");
                let name = name.as_ref().filter(is_unknown)?;
                let listed = || format!("write one of `{}`", known.join("`, `"));
                let help = did_you_mean(name, known.iter().map(String::as_str));
                let help =
                    help.or_else(|| (what == "subject" && !known.is_empty()).then(listed))?;
                let title = format!("there is no {what} `{}`", visible::short(name));
                let span = self.source.first_line(entry.span);
                Some(
                    Diagnostic::warning("baseline/name", title)
                        .at(&self.source, span, "")
                        .help(help),
                )
            }));
        }
        found
    }

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

fn entries(faults: &Faults) -> Option<Vec<At<KnownFailure>>> {
    let root = yaml::parse("failures:", faults)?;
    let mut entries: Vec<At<KnownFailure>> = Vec::new();
    // All entries were deleted.
    if matches!(root.entry("failures"), Some((_, node)) if node.value == yaml::Value::Null) {
        return Some(entries);
    }
    let keys = FileKeys::read(&root, faults)?;
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

/// The reason in an entry that expects this failure: its requirement, because a title may depend on the other games of the run.
fn reason(failure: &FindingResult) -> &String {
    let seen = failure.observed.as_ref().unwrap_or(&failure.title);
    failure.requirement.as_ref().unwrap_or(seen)
}

/// The lines of the entry that expects the failure of this result.
fn entry(result: &ScenarioResult, indent: usize) -> Option<String> {
    let reason = reason(result.reason()?);
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

/// The comparison of a result with an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Judged {
    /// The failure occurred.
    Failed,
    /// The failure did not occur.
    Passed,
    /// The scenario failed, and for another reason.
    OtherReason,
}

keys! {
    /// A failure that is expected.
    #[derive(Debug, Default)]
    struct KnownFailure in "a known failure" {
        /// Name of the scenario that fails
        required "scenario" => scenario: Option<String>;
        /// Name of the subject; without it, the entry is for every subject
        optional "subject" => subject: Option<String>;
        /// Id of the requirement, or title of the finding, in which `*` stands for any text
        required "reason" => reason: Option<String>;
        /// Link to a description of the failure, such as an issue
        optional "link" => link: Option<String>;
        /// The last day on which the failure is expected
        optional "expires" => expires: Option<NaiveDate>;
        /// The scenario may pass as well
        optional "flaky" => is_flaky: Option<bool>;
    }
}

impl KnownFailure {
    /// Returns true if no required key is missing.
    fn is_whole(&self) -> bool {
        self.scenario.is_some() && self.reason.is_some()
    }

    /// Returns true if it is about the scenario of this name.
    fn is_about(&self, scenario: &str) -> bool {
        self.scenario.as_deref() == Some(scenario)
    }

    /// Returns true if both are about the same failure.
    fn is_same(&self, other: &KnownFailure) -> bool {
        (&self.scenario, &self.subject, &self.reason)
            == (&other.scenario, &other.subject, &other.reason)
    }

    /// Compares a result with the entry; `None` for a result of another scenario or subject, or without a verdict on the subject.
    fn judged(&self, result: &ScenarioResult) -> Option<Judged> {
        let subject = result.subject.as_ref().map(|subject| &subject.name);
        let is_its = self.subject.as_ref().is_none_or(|own| Some(own) == subject);
        if !is_its || !self.is_about(&result.name) {
            return None;
        }
        match result.verdict {
            Verdict::Pass | Verdict::Lenient => return Some(Judged::Passed),
            Verdict::Fail => {}
            Verdict::Flaky if self.is_flaky == Some(true) => {}
            _ => return None,
        }
        let reason = self.reason.as_ref()?;
        let pattern = WildMatch::new(reason);
        let is_expected = result.reason().is_some_and(|finding| {
            let mut titles = finding.observed.iter().chain([&finding.title]);
            finding.requirement.as_ref() == Some(reason)
                || titles.any(|title| pattern.matches(title))
        });
        Some(match is_expected {
            true => Judged::Failed,
            false => Judged::OtherReason,
        })
    }
}

impl Kind for NaiveDate {
    fn read(node: &Node, faults: &Faults) -> Option<NaiveDate> {
        let text = node.as_line(faults)?;
        let is_whole = text.len() == "2027-03-31".len();
        let date = text.parse().ok().filter(|_| is_whole);
        if date.is_none() {
            let title = format!("`{}` is not a date", visible::short(text));
            let help = "write the year, the month and the day, such as `2027-03-31`";
            let label = "a day is due here";
            faults.refuse("baseline/date", title, node.span, label, help);
        }
        date
    }

    fn shape() -> Value {
        json!({"type": "string", "format": "date"})
    }
}

impl Baseline {
    /// Marks the expected failures, and adds a finding for each entry that no longer holds.
    pub fn judge(&self, results: &mut Results, today: NaiveDate) {
        let is_expired = |entry: &KnownFailure| entry.expires.is_some_and(|last| last < today);
        for result in &mut results.scenarios {
            let entries = self.entries.iter();
            let judged = entries.filter_map(|entry| Some((entry.is.judged(result)?, entry)));
            let judged: Vec<_> = judged.collect();
            let mut expecting = judged.iter();
            let expecting = expecting
                .find(|(judged, entry)| *judged == Judged::Failed && !is_expired(&entry.is));
            if let Some((_, entry)) = expecting {
                result.standing = Status::Conforms;
                result.expected = Some(Expectation {
                    place: Place::of(&self.source, entry.span),
                    reason: entry.is.reason.clone().unwrap_or_default(),
                    link: entry.is.link.clone(),
                });
                continue;
            }
            for (judged, entry) in judged {
                let fault = match judged {
                    Judged::OtherReason => self.other_reason(entry, result),
                    Judged::Passed if entry.is.is_flaky != Some(true) => {
                        self.unexpected_pass(entry)
                    }
                    _ if is_expired(&entry.is) => self.expired(entry),
                    _ => continue,
                };
                if judged != Judged::OtherReason {
                    result.standing = Status::Deviates;
                }
                result.findings.push(FindingResult {
                    place: Some(Place::of(&self.source, entry.span)),
                    painted: fault.draw(Paint::Coloured),
                    is_on_stderr: false,
                    ..FindingResult::of_fault(result.verdict, &fault)
                });
            }
        }
    }

    fn other_reason(&self, entry: &At<KnownFailure>, result: &ScenarioResult) -> Diagnostic {
        let title = "the scenario fails for another reason than this entry expects";
        let fault = self.stale("baseline/other-reason", title.to_owned(), entry);
        let Some(failure) = result.reason() else {
            return fault;
        };
        let (seen, reason) = (&failure.title, scalar(reason(failure)));
        fault
            .note(format!("{} fails: {seen}", result.name))
            .help(format!("write `reason: {reason}`"))
    }

    fn unexpected_pass(&self, entry: &At<KnownFailure>) -> Diagnostic {
        let title = "the known failure did not occur";
        self.stale("baseline/unexpected-pass", title.to_owned(), entry)
            .help(self.delete(entry))
    }

    fn expired(&self, entry: &At<KnownFailure>) -> Diagnostic {
        let last = entry.is.expires.map(|last| last.to_string());
        let title = format!("this entry expired on {}", last.unwrap_or_default());
        let help = format!("{}, or write a later date", self.delete(entry));
        self.stale("baseline/expired", title, entry).help(help)
    }

    fn stale(&self, code: &'static str, title: String, entry: &At<KnownFailure>) -> Diagnostic {
        let span = self.source.first_line(entry.span);
        Diagnostic::error(code, title).at(&self.source, span, "")
    }

    /// Says which lines to delete.
    fn delete(&self, entry: &At<KnownFailure>) -> String {
        let Place {
            file,
            line,
            end_line,
            ..
        } = Place::of(&self.source, entry.span);
        match line == end_line {
            true => format!("delete line {line} of {file}"),
            false => format!("delete lines {line} to {end_line} of {file}"),
        }
    }
}

#[cfg(test)]
mod tests;
