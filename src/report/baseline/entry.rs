//! One entry of a baseline.

use chrono::NaiveDate;
use serde_json::{Value, json};
use wildmatch::WildMatch;

use super::super::scenario::ScenarioResult;
use crate::diagnostic::{Faults, visible};
use crate::finding::Verdict;
use crate::yaml::{Kind, Node, keys};

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
    /// A failure that is expected.
    #[derive(Debug, Default)]
    pub(super) struct KnownFailure in "a known failure" {
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
    pub(super) fn is_whole(&self) -> bool {
        self.scenario.is_some() && self.reason.is_some()
    }

    /// Returns true if it is about the scenario of this name.
    pub(super) fn is_about(&self, scenario: &str) -> bool {
        self.scenario.as_deref() == Some(scenario)
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
