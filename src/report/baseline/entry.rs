//! One entry of a baseline.

use chrono::NaiveDate;
use wildmatch::WildMatch;

use super::super::findings::FindingResult;
use super::super::scenario::ScenarioResult;
use crate::diagnostic::{Diagnostic, Faults, Span, did_you_mean, visible};
use crate::finding::Verdict;
use crate::pack;
use crate::scenario::Scenario;
use crate::scenario::parse::{MapReader, Node};

/// A failure that is expected.
#[derive(Debug)]
pub(super) struct KnownFailure {
    scope: Scope,
    subject: Option<String>,
    pub(super) reason: String,
    pub(super) link: Option<String>,
    pub(super) expires: Option<NaiveDate>,
    pub(super) is_flaky: bool,
    pub(super) span: Span,
}

/// The scenarios that an entry is about.
#[derive(Debug, PartialEq, Eq)]
enum Scope {
    /// The scenario of that name.
    Scenario(String),
    /// The scenarios in which that requirement is not met.
    Requirement(String),
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
        let scope = keys.one_of(&["scenario", "requirement"]);
        let reason = keys.required("reason");
        let (subject, link) = (keys.optional("subject"), keys.optional("link"));
        let (expires, flaky) = (keys.optional("expires"), keys.optional("flaky"));
        keys.finish();
        let line = |node: Option<&Node>| Some(filled(node?, faults)?.to_owned());
        let scope = scope.and_then(|(key, node)| scope_of(&key.text, node, faults));
        let (reason, subject, link) = (line(reason), line(subject), line(link));
        let expires = expires.and_then(|node| date(node, faults));
        let is_flaky = flaky.and_then(|node| node.as_bool(faults)).unwrap_or(false);
        Some(KnownFailure {
            scope: scope?,
            subject,
            reason: reason?,
            link,
            expires,
            is_flaky,
            span: node.span,
        })
    }

    /// Returns true if both are about the same failure.
    pub(super) fn is_same(&self, other: &KnownFailure) -> bool {
        (&self.scope, &self.subject, &self.reason) == (&other.scope, &other.subject, &other.reason)
    }

    /// Returns true if the entry is about this scenario or a requirement that it checks.
    pub(super) fn is_about(&self, scenario: &Scenario) -> bool {
        match &self.scope {
            Scope::Scenario(name) => *name == scenario.name,
            Scope::Requirement(id) => scenario.checks().contains(&id.as_str()),
        }
    }

    /// Returns the meaning of a result for the entry; `None` if the entry is not about it, or it has no verdict on the subject.
    pub(super) fn judged(&self, result: &ScenarioResult) -> Option<Judged> {
        let subject = result.subject.as_ref().map(|subject| &subject.name);
        if self
            .subject
            .as_ref()
            .is_some_and(|own| Some(own) != subject)
        {
            return None;
        }
        let has_failed = match result.verdict {
            Verdict::Fail => true,
            Verdict::Flaky if self.is_flaky => true,
            Verdict::Pass | Verdict::Lenient => false,
            _ => return None,
        };
        // What a requirement exists for comes first in its scenario. Others that check it may pass while it is not met.
        let is_own = match &self.scope {
            Scope::Scenario(name) => *name == result.name,
            Scope::Requirement(id) if has_failed => {
                result
                    .reason()
                    .and_then(|reason| reason.requirement.as_ref())
                    == Some(id)
            }
            Scope::Requirement(id) => {
                let first = result.checks.first();
                first.is_some_and(|check| check.requirement == *id)
            }
        };
        if !is_own {
            return None;
        }
        Some(match result.reason() {
            _ if !has_failed => Judged::Passed,
            Some(reason) if self.is_reason(reason) => Judged::Failed,
            _ => Judged::OtherReason,
        })
    }

    fn is_reason(&self, finding: &FindingResult) -> bool {
        let pattern = WildMatch::new(&self.reason);
        let mut titles = [Some(&finding.title), finding.observed.as_ref()]
            .into_iter()
            .flatten();
        finding.requirement.as_ref() == Some(&self.reason)
            || titles.any(|title| pattern.matches(title))
    }
}

fn scope_of(key: &str, node: &Node, faults: &Faults<'_>) -> Option<Scope> {
    let name = filled(node, faults)?;
    if key == "scenario" {
        return Some(Scope::Scenario(name.to_owned()));
    }
    // What went is not met nor broken by anything, so its entry can stay.
    if pack::requirement(name).is_none() && pack::gone_requirement(name).is_none() {
        let ids = pack::catalogues().flat_map(|catalogue| &catalogue.requirements);
        let help = did_you_mean(name, ids.map(|entry| entry.id.as_str()));
        faults.refuse(
            "baseline/requirement",
            format!(
                "there is no requirement `{}`",
                visible::plain(name).at_most(80)
            ),
            node.span,
            "not in a catalogue",
            help.unwrap_or_else(|| "`urtext requirements` lists the ids".to_owned()),
        );
        return None;
    }
    Some(Scope::Requirement(name.to_owned()))
}

/// Text on one line that is not empty.
fn filled<'n>(node: &'n Node, faults: &Faults<'_>) -> Option<&'n str> {
    let text = node.as_line(faults)?;
    if text.is_empty() {
        let source = faults.source();
        let fault = Diagnostic::error("baseline/empty", "a text is due here");
        let fault = fault.at(source, source.first_line(node.span), "this is empty");
        faults.push(fault.help("write the text, or delete the key"));
        return None;
    }
    Some(text)
}

fn date(node: &Node, faults: &Faults<'_>) -> Option<NaiveDate> {
    let text = node.as_line(faults)?;
    let date = text
        .parse()
        .ok()
        .filter(|_| text.len() == "2027-03-31".len());
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
