//! Reasons of failures, to recognise failures that are alike.

use crate::event::Outcome;
use crate::finding::{Finding, FindingKind, Verdict};

/// The requirement under which a game failed, or may have by load, and the kind of the finding.
pub(super) type Reason = (Option<&'static str>, FindingKind);

pub(super) fn reason(outcome: &Outcome) -> Option<Reason> {
    let is_meant = |finding: &&Finding| finding.verdict == Verdict::Fail || is_doubtful(finding);
    let failed = outcome.findings.iter().find(is_meant)?;
    Some(reason_of(failed))
}

pub(super) fn reason_of(finding: &Finding) -> Reason {
    (finding.requirement, finding.kind.clone())
}

/// Returns true if a second game can end otherwise: a line did not arrive in time, or urtext itself was late.
pub(super) fn is_doubtful(finding: &Finding) -> bool {
    finding.by_silence
        && matches!(
            finding.verdict,
            Verdict::Fail | Verdict::Error | Verdict::Inconclusive
        )
}
