//! Findings about a dialogue without rules.

use std::time::Duration;

use super::finding_context;
use super::observed::Observed;
use super::progress::Progress;
use crate::diagnostic::{Span, visible};
use crate::finding::{Finding, FindingKind, LaneText, LaneView, Verdict};
use crate::protocol::{Line, LineEnding};
use crate::scenario::{Captures, LinePattern, Place, Side, Wanted};
use crate::transcript::Close;

/// Maximum number of alternative lines that a finding shows.
const MOST_SHOWN: usize = 8;

impl Observed<Progress> {
    /// Name of the participant of a lane.
    pub(super) fn participant(&self, lane: usize) -> String {
        self.dialogue.participants[lane].clone()
    }

    /// The finding of a line, or of an end or a silence, that is not the one that was due.
    pub(super) fn differs(
        &self,
        span: Span,
        lane: usize,
        line_number: u64,
        expected: LaneText,
        received: LaneText,
    ) -> Finding {
        let name = self.participant(lane);
        let verb = match self.dialogue.side {
            Side::Referee => "received",
            Side::Bot => "sent",
        };
        let kind = match &received {
            LaneText::Line(_) => FindingKind::DialogueOther {
                lane: name.clone(),
                verb,
            },
            LaneText::Words(_) | LaneText::Timed(..) | LaneText::Nothing => {
                FindingKind::DialogueMissing(name.clone())
            }
        };
        let mut finding = Finding::new(Verdict::Fail, kind);
        finding.span = Some(span);
        finding.lanes = vec![LaneView {
            lane: name,
            line_number,
            expected,
            received,
            agrees: false,
        }];
        let lanes = 0..self.lanes.len();
        let tails = lanes.map(|lane| (self.participant(lane), finding_context::tail(self, lane)));
        finding.tails = tails.collect();
        finding
    }

    /// Returns the lines that a step still expects on a lane.
    pub(super) fn due(&self, lane: usize, want: &Wanted) -> LaneText {
        let taken = &self.queues[lane].taken;
        let left = want.lines.iter().enumerate();
        let left = left.filter(|(place, _)| !taken.contains(place));
        let left: Vec<_> = left.map(|(_, wanted)| wanted).collect();
        match left[..] {
            [line] => LaneText::Line(line.shown(&self.known)),
            _ => LaneText::Words(format!("one of {}", listed(left.into_iter(), &self.known))),
        }
    }

    /// Describes the origins of the captured values in these patterns.
    pub(super) fn captures(&self, patterns: &[LinePattern]) -> Vec<String> {
        let places = patterns.iter().flat_map(LinePattern::places);
        let mut names: Vec<&String> = places.map(|place| &place.name).collect();
        names.sort_unstable();
        names.dedup();
        let is_repeated = |name: &str| {
            let times =
                |line: &LinePattern| line.places().filter(|place| place.name == name).count();
            name != Place::UNNAMED && patterns.iter().any(|line| times(line) > 1)
        };
        let told = |name: &String| {
            let Some((lane, number)) = self.captured_at.get(name) else {
                return is_repeated(name).then(|| {
                    format!("{{{name}}} has to be the same text at each of its places in the line")
                });
            };
            let value = visible::quoted(self.known.get(name)?).at_most(60);
            let lane = self.participant(*lane);
            Some(format!(
                "{{{name}}} is {value}, captured from line {number} of {lane}"
            ))
        };
        let told = names.into_iter().take(MOST_SHOWN).filter_map(told);
        told.collect()
    }
}

/// Silence for this time.
pub(super) fn silence(time: Duration) -> LaneText {
    LaneText::Timed("nothing for".to_owned(), time)
}

/// The end of a lane.
pub(super) fn ended(close: Close) -> LaneText {
    LaneText::Words(close.words().to_owned())
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
