//! Interpretation of what arrives after an unexpected close, or after silence.

use super::observed::Observed;
use crate::diagnostic::visible::quoted;
use crate::finding::{Finding, FindingKind, Verdict};
use crate::protocol::{Expected, RefereeLine};
use crate::transcript::{Close, Entry};

/// Of lanes that ended together, the one whose line was due before those of the others.
pub(super) fn ended_first(seen: &Observed) -> Option<(usize, Close)> {
    let ended = seen
        .lanes
        .iter()
        .enumerate()
        .filter_map(|(lane, lane_state)| Some((lane, lane_state.ended?)));
    let owing = ended.filter_map(|(lane, close)| Some((lane, close, seen.model.missing(lane)?)));
    // Who has a line due is further behind than who only waits for the roll.
    let first = owing.min_by_key(|(.., missing)| !matches!(missing.expected, Expected::Line(_)));
    first.map(|(lane, close, _)| (lane, close))
}

/// The referee did not say what was due; what came when the lanes of the players were closed tells more.
pub(super) fn silent(seen: &Observed, silence: &Finding, heard: &[usize]) -> Finding {
    let mut finding = silence.clone();
    // Whether a carriage return belongs to the line end is open.
    let text = |entry: &Entry| {
        entry
            .line
            .text
            .strip_suffix(b"\r")
            .unwrap_or(&entry.line.text)
            .to_vec()
    };
    let said_after_all = |lane: usize| {
        let missing = seen.model.missing(lane)?;
        let entry = seen.lanes[lane].entries.get(heard[lane])?;
        // A loss is the answer to our going away, and was not held back.
        let is_due = match &missing.expected {
            Expected::Line(line) => *line == text(entry),
            _ => seen.plan.dialect.hear(&text(entry)) != RefereeLine::Loss,
        };
        is_due.then_some((missing, entry))
    };
    if let Some((missing, entry)) = (0..seen.lanes.len()).find_map(said_after_all) {
        if finding.verdict == Verdict::Error {
            finding.verdict = Verdict::Fail;
            finding.set_kind(FindingKind::SilentUntilLeft);
            finding.requirement = Some(missing.requirement);
        }
        let shown = quoted(&entry.line.text).at_most(60);
        let came = format!("{shown} came when the lanes of the players were closed");
        finding.notes.push(if seen.plan.dialect.hear(&text(entry)) == RefereeLine::Loss {
            format!("{came}: as the answer to that, or because the referee does not flush its output after each line")
        } else {
            format!("{came}: does it flush its output after each line?")
        });
    }
    finding
}
