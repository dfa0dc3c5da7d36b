//! One entry of a baseline.

use chrono::NaiveDate;
use serde_json::{Value, json};
use wildmatch::WildMatch;

use super::super::scenario::ScenarioResult;
use crate::diagnostic::{Faults, Span, visible};
use crate::finding::Verdict;
use crate::yaml::{At, Kind, Node, keys};

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

/// The comparison of a result with an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judged {
    /// The failure occurred.
    Failed,
    /// The failure did not occur.
    Passed,
    /// The scenario failed, and for another reason.
    OtherReason,
}

keys! {
    /// The keys of an entry.
    #[derive(Debug, Default)]
    pub(super) struct EntryKeys in "a known failure" {
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
    pub(super) fn of(entry: At<EntryKeys>) -> Option<KnownFailure> {
        let At { is: keys, span } = entry;
        Some(KnownFailure {
            scenario: keys.scenario?,
            subject: keys.subject,
            reason: keys.reason?,
            link: keys.link,
            expires: keys.expires,
            is_flaky: keys.is_flaky.unwrap_or_default(),
            span,
        })
    }

    /// Returns true if both are about the same failure.
    pub(super) fn is_same(&self, other: &KnownFailure) -> bool {
        (&self.scenario, &self.subject, &self.reason)
            == (&other.scenario, &other.subject, &other.reason)
    }

    /// Compares a result with the entry; `None` for a result of another scenario or subject, or without a verdict on the subject.
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

impl Kind for NaiveDate {
    fn read(node: &Node, faults: &Faults<'_>) -> Option<NaiveDate> {
        let text = node.as_line(faults)?;
        let is_whole = text.len() == "2027-03-31".len();
        let date = text.parse().ok().filter(|_| is_whole);
        if date.is_none() {
            let title = format!("`{}` is not a date", visible::plain(text).at_most(40));
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
