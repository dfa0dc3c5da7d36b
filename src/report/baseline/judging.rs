//! The results of a run, held against a baseline.

use chrono::NaiveDate;

use super::super::findings::{FindingResult, Place, fnv1a};
use super::super::results::Results;
use super::super::scenario::{Expectation, ScenarioResult, Standing};
use super::Baseline;
use super::entry::{Judged, KnownFailure};
use crate::diagnostic::{Diagnostic, Diagnostics, Paint};

impl Baseline {
    /// Marks the expected failures. Adds a finding for each entry that no longer holds, and returns these entries.
    ///
    /// An entry that expects a failure of a [part of a run](super::super::ShardHead) is not held against a pass in that part.
    pub fn judge(&self, results: &mut Results, today: NaiveDate) -> Diagnostics {
        let is_part = results.run.shard.is_some();
        let mut stale = Diagnostics::new();
        let mut others = Vec::new();
        for entry in &self.entries {
            let is_expired = entry.expires.is_some_and(|last| last < today);
            let scenarios = results.scenarios.iter_mut();
            let mut judged: Vec<_> = scenarios
                .filter_map(|result| Some((entry.judged(result)?, result)))
                .collect();
            let has = |kind| judged.iter().position(|(judged, _)| *judged == kind);
            let (failed, passed) = (has(Judged::Failed), has(Judged::Passed));
            let fault = match (failed, passed) {
                (None, Some(at)) if !entry.is_flaky && has(Judged::OtherReason).is_none() => {
                    (!is_part).then(|| (at, self.unexpected_pass(entry)))
                }
                (Some(at), _) | (_, Some(at)) if is_expired => Some((at, self.expired(entry))),
                _ => None,
            };
            if let Some((at, fault)) = fault {
                judged[at].1.standing = Standing::Deviates;
                self.add(judged[at].1, entry, &fault);
                stale.push(fault);
            }
            for (kind, result) in judged {
                match kind {
                    Judged::Failed if !is_expired => {
                        result.standing = Standing::Conforms;
                        result.expected = Some(self.expectation(entry));
                    }
                    Judged::OtherReason => others.push((entry, result.name.clone())),
                    _ => {}
                }
            }
        }
        for (entry, name) in others {
            let results = results.scenarios.iter_mut();
            for result in results.filter(|result| result.name == name && result.expected.is_none())
            {
                if entry.judged(result) == Some(Judged::OtherReason) {
                    let fault = self.other_reason(entry);
                    self.add(result, entry, &fault);
                    stale.push(fault);
                }
            }
        }
        stale
    }

    fn unexpected_pass(&self, entry: &KnownFailure) -> Diagnostic {
        let title = "unexpected pass: this failure did not occur";
        self.stale("baseline/unexpected-pass", title.to_owned(), entry)
            .help(self.lines("delete", entry))
    }

    fn expired(&self, entry: &KnownFailure) -> Diagnostic {
        let last = entry.expires.map(|last| last.to_string());
        let title = format!("this entry expired on {}", last.unwrap_or_default());
        let help = format!("{}, or write a later date", self.lines("delete", entry));
        self.stale("baseline/expired", title, entry).help(help)
    }

    fn other_reason(&self, entry: &KnownFailure) -> Diagnostic {
        let title = "the scenario fails for another reason than this entry expects";
        self.stale("baseline/other-reason", title.to_owned(), entry)
    }

    fn stale(&self, code: &'static str, title: String, entry: &KnownFailure) -> Diagnostic {
        let span = self.source.first_line(entry.span);
        Diagnostic::error(code, title).at(&self.source, span, "")
    }

    /// Names the lines of an entry.
    fn lines(&self, verb: &str, entry: &KnownFailure) -> String {
        let place = Place::of(&self.source, entry.span);
        let file = &place.file;
        match (place.line, place.end_line) {
            (one, last) if one == last => format!("{verb} line {one} of {file}"),
            (first, last) => format!("{verb} lines {first} to {last} of {file}"),
        }
    }

    fn expectation(&self, entry: &KnownFailure) -> Expectation {
        Expectation {
            place: Place::of(&self.source, entry.span),
            reason: entry.reason.clone(),
            link: entry.link.clone(),
        }
    }

    /// Adds the finding about an entry, unless the result has it already.
    fn add(&self, result: &mut ScenarioResult, entry: &KnownFailure, fault: &Diagnostic) {
        let finding = FindingResult {
            verdict: result.verdict,
            title: fault.title().to_owned(),
            place: Some(Place::of(&self.source, entry.span)),
            event: self.lines("the entry:", entry),
            kind: format!("{:016x}", fnv1a(&format!("{fault}"))),
            text: fault.draw(Paint::Plain),
            ..FindingResult::default()
        };
        if !result.findings.contains(&finding) {
            result.findings.push(finding);
        }
    }
}
