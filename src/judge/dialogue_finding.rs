//! Findings about a dialogue without rules.

use std::sync::Arc;

use super::finding_context;
use super::observed::Observed;
use super::progress::Progress;
use crate::diagnostic::{Span, visible};
use crate::finding::{Finding, FindingKind, LaneText, LaneView, Verdict};
use crate::protocol::{Line, LineEnding};
use crate::scenario::{Captures, Dialogue, LinePattern, Place, Side, Wanted};
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
    let places = patterns.iter().flat_map(LinePattern::places);
    let mut names: Vec<&String> = places.map(|place| &place.name).collect();
    names.sort_unstable();
    names.dedup();
    let participants = &progress.dialogue.participants;
    let is_repeated = |name: &str| {
        let times = |line: &LinePattern| line.places().filter(|place| place.name == name).count();
        name != Place::UNNAMED && patterns.iter().any(|line| times(line) > 1)
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

pub(super) fn wanted_words(lines: &[&LinePattern], known: &Captures) -> LaneText {
    match lines {
        [line] => LaneText::Line(line.shown(known)),
        lines => LaneText::Words(format!("one of {}", listed(lines.iter().copied(), known))),
    }
}

/// Returns the expectation that none of these lines comes.
pub(super) fn forbidden(never: &Wanted, known: &Captures) -> LaneText {
    LaneText::Words(format!(
        "no line such as {}",
        listed(never.lines.iter(), known)
    ))
}

fn listed<'l>(lines: impl ExactSizeIterator<Item = &'l LinePattern>, known: &Captures) -> String {
    let more = match lines.len().saturating_sub(MOST_SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let shown = |line: &LinePattern| {
        let shown = line.shown(known);
        visible::quoted(&shown).at_most(120).to_string()
    };
    let list: Vec<_> = lines.take(MOST_SHOWN).map(shown).collect();
    list.join(", ") + &more
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
