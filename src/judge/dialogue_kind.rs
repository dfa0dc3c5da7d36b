//! A dialogue, as a kind of what is judged.

use std::sync::Arc;

use super::kind::Kind;
use super::observed::Observed;
use super::state::State;
use crate::finding::{Finding, Verdict};
use crate::scenario::Dialogue;
use crate::transcript::LaneLabel;

/// State of the judge of a dialogue, apart from the progress in its steps.
pub(super) type Talk = State<Arc<Dialogue>>;

impl Kind for Arc<Dialogue> {
    fn label(&self, _lane: usize, number: u32) -> LaneLabel {
        LaneLabel::Unseated(number)
    }

    fn lane_name(seen: &Observed<Self>, lane: usize) -> String {
        seen.participants[lane].clone()
    }

    /// No step names a requirement: the failure is about the one that the scenario exists for.
    fn blame(seen: &Observed<Self>, finding: &mut Finding) {
        if finding.verdict == Verdict::Fail {
            finding.requirement = seen.checks.first().copied();
        }
    }
}
