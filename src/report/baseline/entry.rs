//! One entry of a baseline.

use chrono::NaiveDate;
use wildmatch::WildMatch;

use super::super::scenario::ScenarioResult;
use crate::diagnostic::{Faults, Span, visible};
use crate::finding::Verdict;
use crate::yaml::{MapReader, Node};

/// A failure that is expected.
#[derive(Debug)]
pub(super) struct KnownFailure {
    pub(super) scenario: String,
    subject: Option<String>,
    pub(super) reason: String,
    pub(super) link: Option<String>,
    pub(super) expires: Option<NaiveDate>,
    pub(super) is_flaky: bool,
    pub(super) span: Span,
}

/// The meaning of one result for an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judged {
    /// The failure occurred.
    Failed,
    /// The failure did not occur.
    Passed,
    /// The scenario failed, and for another reason.
    OtherReason,
}

impl KnownFailure {
    pub(super) fn read(node: &Node, faults: &Faults<'_>) -> Option<KnownFailure> {
        let mut keys = MapReader::new(node, "a known failure", faults)?;
        let (scenario, reason) = (keys.required("scenario"), keys.required("reason"));
        let (subject, link) = (keys.optional("subject"), keys.optional("link"));
        let (expires, flaky) = (keys.optional("expires"), keys.optional("flaky"));
        keys.finish();
        let line = |node: Option<&Node>| Some(node?.as_line(faults)?.to_owned());
        let (scenario, reason) = (line(scenario), line(reason));
        Some(KnownFailure {
            subject: line(subject),
            link: line(link),
            expires: expires.and_then(|node| date(node, faults)),
            is_flaky: flaky.and_then(|node| node.as_bool(faults)).unwrap_or(false),
            span: node.span,
            scenario: scenario?,
            reason: reason?,
        })
    }

    /// Returns true if both are about the same failure.
    pub(super) fn is_same(&self, other: &KnownFailure) -> bool {
        (&self.scenario, &self.subject, &self.reason)
            == (&other.scenario, &other.subject, &other.reason)
    }

    /// Returns the meaning of a result for the entry; `None` if the entry is not about it, or it has no verdict on the subject.
    pub(super) fn judged(&self, result: &ScenarioResult) -> Option<Judged> {
        let subject = result.subject.as_ref().map(|subject| &subject.name);
        let is_its = self.subject.as_ref().is_none_or(|own| Some(own) == subject);
        if !is_its || self.scenario != result.name {
            return None;
        }
        match result.verdict {
            Verdict::Pass | Verdict::Lenient => return Some(Judged::Passed),
            Verdict::Fail => {}
            Verdict::Flaky if self.is_flaky => {}
            _ => return None,
        }
        let pattern = WildMatch::new(&self.reason);
        let is_expected = result.reason().is_some_and(|finding| {
            let mut titles = finding.observed.iter().chain([&finding.title]);
            finding.requirement.as_ref() == Some(&self.reason)
                || titles.any(|title| pattern.matches(title))
        });
        Some(match is_expected {
            true => Judged::Failed,
            false => Judged::OtherReason,
        })
    }
}

fn date(node: &Node, faults: &Faults<'_>) -> Option<NaiveDate> {
    let text = node.as_line(faults)?;
    let is_whole = text.len() == "2027-03-31".len();
    let date = text.parse().ok().filter(|_| is_whole);
    if date.is_none() {
        faults.refuse(
            "baseline/date",
            format!("`{}` is not a date", visible::plain(text).at_most(40)),
            node.span,
            "a day is due here",
            "write the year, the month and the day, such as `2027-03-31`",
        );
    }
    date
}
