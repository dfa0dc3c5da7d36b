//! The results of a run, compared with a baseline.

use chrono::NaiveDate;

use super::super::findings::{FindingResult, Place};
use super::super::results::Results;
use super::super::scenario::{Expectation, ScenarioResult};
use super::super::status::Status;
use super::Baseline;
use super::entry::{Judged, KnownFailure};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::yaml::At;

impl Baseline {
    /// Marks the expected failures. Adds a finding for each entry that no longer holds, and returns these entries.
    ///
    /// An entry that expects a failure of a [part of a run](super::super::ShardHead) is not compared with a pass in that part.
    pub fn judge(&self, results: &mut Results, today: NaiveDate) -> Diagnostics {
        let is_part = results.run.shard.is_some();
        let mut stale = Diagnostics::new();
        for entry in &self.entries {
            let known = &entry.is;
            let is_expired = known.expires.is_some_and(|last| last < today);
            let scenarios = results.scenarios.iter_mut();
            let mut judged: Vec<_> = scenarios
                .filter_map(|result| Some((known.judged(result)?, result)))
                .collect();
            let has = |kind| judged.iter().position(|(judged, _)| *judged == kind);
            let (failed, passed) = (has(Judged::Failed), has(Judged::Passed));
            let fault = match (failed, passed) {
                (None, Some(at))
                    if known.is_flaky != Some(true) && has(Judged::OtherReason).is_none() =>
                {
                    (!is_part).then(|| (at, self.unexpected_pass(entry)))
                }
                (Some(at), _) | (_, Some(at)) if is_expired => Some((at, self.expired(entry))),
                _ => None,
            };
            if let Some((at, fault)) = fault {
                judged[at].1.standing = Status::Deviates;
                self.add(judged[at].1, entry, &fault);
                stale.push(fault);
            }
            let expected = judged
                .into_iter()
                .filter(|(kind, _)| *kind == Judged::Failed && !is_expired);
            for (_, result) in expected {
                result.standing = Status::Conforms;
                result.expected = Some(Expectation {
                    place: Place::of(&self.source, entry.span),
                    reason: known.reason.clone().unwrap_or_default(),
                    link: known.link.clone(),
                });
            }
        }
        let unexpected = results.scenarios.iter_mut();
        for result in unexpected.filter(|result| result.expected.is_none()) {
            for entry in &self.entries {
                if entry.is.judged(result) == Some(Judged::OtherReason) {
                    let title = "the scenario fails for another reason than this entry expects";
                    let fault = self.stale("baseline/other-reason", title.to_owned(), entry);
                    self.add(result, entry, &fault);
                    stale.push(fault);
                }
            }
        }
        stale
    }

    fn unexpected_pass(&self, entry: &At<KnownFailure>) -> Diagnostic {
        let title = "unexpected pass: this failure did not occur";
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

    /// Adds the finding about an entry, unless the result has it already.
    fn add(&self, result: &mut ScenarioResult, entry: &At<KnownFailure>, fault: &Diagnostic) {
        let finding = FindingResult {
            place: Some(Place::of(&self.source, entry.span)),
            ..FindingResult::of_fault(result.verdict, fault)
        };
        if !result.findings.contains(&finding) {
            result.findings.push(finding);
        }
    }
}
