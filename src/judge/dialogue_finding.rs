//! Findings about a dialogue without rules.

use std::collections::HashMap;
use std::sync::Arc;

use super::finding_context;
use super::observed::Observed;
use super::progress::Progress;
use crate::diagnostic::{Span, visible};
use crate::finding::{Finding, FindingKind, LaneText, LaneView, Verdict};
use crate::protocol::{Line, LineEnding};
use crate::scenario::{Dialogue, LinePattern, PatternPart, Side};
use crate::transcript::Close;

/// Maximum number of alternative lines that a finding shows.
const MOST_SHOWN: usize = 8;

pub(super) fn differs(
    seen: &Observed<Arc<Dialogue>>,
    span: Span,
    lane: usize,
    line_number: u64,
    expected: LaneText,
    received: LaneText,
) -> Finding {
    let name = &seen.participants[lane];
    let got = if seen.side == Side::Referee {
        "received"
    } else {
        "sent"
    };
    let kind = match &received {
        LaneText::Line(_) => FindingKind::DialogueOther {
            lane: name.clone(),
            verb: got,
        },
        LaneText::Words(_) | LaneText::Timed(..) | LaneText::Nothing => {
            FindingKind::DialogueMissing(name.clone())
        }
    };
    let mut finding = Finding::new(Verdict::Fail, kind);
    finding.span = Some(span);
    finding.lanes = vec![LaneView {
        lane: name.clone(),
        line_number,
        expected,
        received,
        agrees: false,
    }];
    finding.tails = (0..seen.lanes.len())
        .map(|lane| {
            let name = seen.participants[lane].clone();
            (name, finding_context::tail(seen, lane))
        })
        .collect();
    finding
}

/// The finding of a lane that does not end as it has to; `how`: the close that was due, `action`: what its participant did instead.
pub(super) fn unended(
    seen: &Observed<Arc<Dialogue>>,
    span: Span,
    (lane, number): (usize, u64),
    how: Option<Close>,
    received: LaneText,
    action: &'static str,
) -> Finding {
    let due = LaneText::Words(how.unwrap_or(Close::End).words().to_owned());
    let mut finding = differs(seen, span, lane, number, due, received);
    let lane = seen.participants[lane].clone();
    finding.set_kind(FindingKind::DialogueEnd { lane, action });
    finding
}

/// Describes the origins of the captured values in these patterns.
pub(super) fn captures(progress: &Progress, patterns: &[LinePattern]) -> Vec<String> {
    let parts = patterns.iter().flat_map(|pattern| &pattern.parts);
    let mut names: Vec<&String> = parts
        .filter_map(|part| match part {
            PatternPart::Place(name) => Some(name),
            PatternPart::Text(_) => None,
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    let participants = &progress.dialogue.participants;
    let is_repeated = |name: &str| {
        let is_place =
            |part: &&PatternPart| matches!(part, PatternPart::Place(other) if other == name);
        patterns
            .iter()
            .any(|pattern| pattern.parts.iter().filter(is_place).count() > 1)
    };
    let told = |name: &String| {
        let Some((lane, number)) = progress.captured_at.get(name) else {
            return is_repeated(name).then(|| {
                format!("{{{name}}} has to be the same text at each of its places in the line")
            });
        };
        let value = visible::quoted(progress.known.get(name)?).at_most(60);
        Some(format!(
            "{{{name}}} is {value}, captured from line {number} of {}",
            participants[*lane]
        ))
    };
    names
        .into_iter()
        .take(MOST_SHOWN)
        .filter_map(told)
        .collect()
}

pub(super) fn wanted_words(patterns: &[LinePattern], known: &HashMap<String, Vec<u8>>) -> LaneText {
    match patterns {
        [pattern] => LaneText::Line(pattern.shown(known)),
        patterns => {
            let shown = |pattern: &LinePattern| {
                visible::quoted(&pattern.shown(known))
                    .at_most(120)
                    .to_string()
            };
            let list: Vec<_> = patterns.iter().take(MOST_SHOWN).map(shown).collect();
            let more = match patterns.len().saturating_sub(MOST_SHOWN) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            LaneText::Words(format!("one of {}{more}", list.join(", ")))
        }
    }
}

pub(super) fn shown(line: &Line) -> LaneText {
    match line.ending {
        LineEnding::Newline => LaneText::Line(line.text.clone()),
        LineEnding::Missing => LaneText::Words(format!(
            "{} without a newline before the end",
            visible::quoted(&line.text).at_most(60)
        )),
        LineEnding::TooLong => LaneText::Words(format!(
            "{} … an over-long line",
            visible::quoted(&line.text).at_most(60)
        )),
    }
}
