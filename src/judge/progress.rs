//! Progress of a dialogue: its steps, the lines received on its lanes, and findings about them.

use std::collections::{BTreeMap, VecDeque};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::finding_context::line_text;
use super::watch::Watch;
use crate::diagnostic::{Span, visible};
use crate::finding::{Finding, LaneText, LaneView, Verdict};
use crate::protocol::Line;
use crate::scenario::{Captures, Coming, Dialogue, LineAct, LinePattern, LineStep, Side, Wanted};
use crate::transcript::Close;

/// Limit on the work for one event: a step, a line, and each kilobyte sent or received count one. The rest follows at the
/// next event, which the judge requests at once. So budgets and signals take effect in between, whatever a
/// scenario repeats.
pub(super) const AT_ONCE: usize = 1000;

/// Number of comparisons with patterns that count as one unit of work.
pub(super) const COMPARED: usize = 16;

/// The most comparisons by which a line is given its place among those that come in any order.
const MOST_TRIED: usize = 100_000;

/// A dialogue that is judged.
#[derive(Debug, Clone)]
pub(super) struct Talk {
    pub(super) watch: Watch,
    pub(super) dialogue: Arc<Dialogue>,
    /// The lists of steps that are being gone through, the innermost last: each but the first is that of the repeat which the one before is at.
    pub(super) rounds: Vec<Round>,
    pub(super) queues: Vec<Queue>,
    pub(super) known: Captures,
    /// True if the current step's action has been requested.
    pub(super) is_under_way: bool,
    pub(super) has_begun: bool,
    /// Number of bytes that were handed out to be sent.
    pub(super) sent: usize,
    /// Work left for this event.
    pub(super) room: usize,
}

#[derive(Debug, Clone)]
pub(super) struct Round {
    pub(super) next: usize,
    pub(super) left: u64,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Queue {
    /// Number of the lane's lines, of both directions, that were looked at.
    seen: usize,
    /// Number of the subject's lines among them.
    pub(super) count: u64,
    /// Optional lines that may still come, in their order, each with how often in a row.
    pub(super) optional: VecDeque<(Arc<Wanted>, u64)>,
    /// Lines that may not come any more.
    pub(super) never: Vec<Arc<Wanted>>,
    /// Lines that have come for the current step, by their places in it.
    pub(super) taken: BTreeMap<usize, Taken>,
    /// Number of lines that passed by in the current step.
    pub(super) passed: u64,
    /// True if a step has expected the lane's close.
    pub(super) is_end_seen: bool,
}

/// A line that has come for a step.
#[derive(Debug, Clone)]
pub(super) struct Taken {
    line: Vec<u8>,
    /// True if other lines depend on its place, because of what it captured.
    is_fixed: bool,
}

impl Queue {
    /// Takes a line for one of those that are wanted. Lines that have come in any order make room for it, where they can stand for others. Returns
    /// what is captured; `None` for a line that is not wanted.
    pub(super) fn take(
        &mut self,
        want: &Wanted,
        line: &[u8],
        known: &Captures,
    ) -> Option<Captures> {
        let line = Taken {
            line: line.to_owned(),
            is_fixed: false,
        };
        // What captures nothing is as good for any other line.
        let passes = match want.how {
            Coming::InAnyOrder => &[false, true][..],
            _ => &[true],
        };
        let mut found = passes
            .iter()
            .filter_map(|may_capture| self.path(want, &line, known, *may_capture));
        let (mut path, captured) = found.next()?;
        let mut taken = line;
        let last = path.pop()?;
        for place in path {
            taken = std::mem::replace(self.taken.get_mut(&place)?, taken);
        }
        taken.is_fixed = !captured.is_empty();
        self.taken.insert(last, taken);
        Some(captured)
    }

    /// The places by which a line gets one: it takes the first, whose line takes the second, up to one that is free. With what the last captures.
    fn path(
        &self,
        want: &Wanted,
        line: &Taken,
        known: &Captures,
        may_capture: bool,
    ) -> Option<(Vec<usize>, Captures)> {
        let mut before = vec![None; want.lines.len()];
        let mut is_seen = vec![false; want.lines.len()];
        // Lines that need a place, each with the one that it leaves.
        let mut lines = VecDeque::from([(None, line)]);
        let mut left = MOST_TRIED;
        while let Some((leaves, line)) = lines.pop_front() {
            for (place, wanted) in want.lines.iter().enumerate() {
                if is_seen[place] {
                    continue;
                }
                left = left.checked_sub(1)?;
                let Some(captured) = wanted.fits(&line.line, known) else {
                    continue;
                };
                match self.taken.get(&place) {
                    None if captured.is_empty() || may_capture => {
                        let mut path = vec![place];
                        let mut next = leaves;
                        while let Some(place) = next {
                            path.push(place);
                            next = before[place];
                        }
                        path.reverse();
                        return Some((path, captured));
                    }
                    Some(taken) if captured.is_empty() && !taken.is_fixed => {
                        (is_seen[place], before[place]) = (true, leaves);
                        lines.push_back((Some(place), taken));
                    }
                    _ => {}
                }
            }
        }
        None
    }

    /// Takes an optional line for what it is, with those that were to come before it and did not; `false` for any other line.
    pub(super) fn skips(&mut self, line: &Line, known: &Captures) -> bool {
        let skipped = self
            .optional
            .iter()
            .position(|(optional, _)| optional.fits(line, known));
        let Some(skipped) = skipped else { return false };
        self.optional.drain(..skipped);
        if let Some((_, times)) = self.optional.front_mut() {
            *times -= 1;
            if *times == 0 {
                self.optional.pop_front();
            }
        }
        true
    }

    /// Notes that one of these lines may come next, or not.
    pub(super) fn may_skip(&mut self, optional: &Arc<Wanted>) {
        match self.optional.back_mut() {
            Some((last, times)) if Arc::ptr_eq(last, optional) => *times += 1,
            _ => self.optional.push_back((Arc::clone(optional), 1)),
        }
    }

    /// Notes that none of these lines may come from now on.
    pub(super) fn forbid(&mut self, never: &Arc<Wanted>) {
        if !self.never.iter().any(|known| Arc::ptr_eq(known, never)) {
            self.never.push(Arc::clone(never));
        }
    }

    /// True if what the current step wants has come.
    pub(super) fn is_served(&self, want: &Wanted) -> bool {
        let due = match want.how {
            Coming::InAnyOrder => want.lines.len(),
            _ => 1,
        };
        self.taken.len() >= due
    }
}

impl Deref for Talk {
    type Target = Watch;

    fn deref(&self) -> &Watch {
        &self.watch
    }
}

impl DerefMut for Talk {
    fn deref_mut(&mut self) -> &mut Watch {
        &mut self.watch
    }
}

impl Talk {
    /// The dialogue before anything has happened.
    pub(super) fn new(dialogue: Arc<Dialogue>, watch: Watch) -> Talk {
        let queues = dialogue.participants.iter();
        let queues = queues.map(|_| Queue::default()).collect();
        let rounds = vec![Round { next: 0, left: 1 }];
        Talk {
            watch,
            dialogue,
            rounds,
            queues,
            known: Captures::new(),
            is_under_way: false,
            has_begun: false,
            sent: 0,
            room: AT_ONCE,
        }
    }

    /// Takes an optional line of a lane for what it is; `false` for any other line.
    pub(super) fn skips(&mut self, lane: usize, line: &Line) -> bool {
        self.queues[lane].skips(line, &self.known)
    }

    /// The current step of the dialogue; goes round where a list is at its end. `None` after the last.
    pub(super) fn current<'d>(&mut self, dialogue: &'d Dialogue) -> Option<&'d LineStep> {
        loop {
            let (round, outer) = self.rounds.split_last_mut()?;
            let inner = |steps: &'d Vec<LineStep>, round: &Round| match &steps[round.next].what {
                LineAct::Repeat { steps, .. } => steps,
                _ => unreachable!("the step of an outer list is a repeat"),
            };
            let steps = outer.iter().fold(&dialogue.steps, inner);
            match steps.get(round.next) {
                Some(step) => match step.what {
                    LineAct::Repeat { times: left, .. } => {
                        self.rounds.push(Round { next: 0, left })
                    }
                    _ => return Some(step),
                },
                None if round.left > 1 => (round.next, round.left) = (0, round.left - 1),
                None => {
                    self.rounds.pop();
                    self.next_step();
                }
            }
        }
    }

    fn next_step(&mut self) {
        if let Some(round) = self.rounds.last_mut() {
            round.next += 1;
        }
    }

    pub(super) fn step_done(&mut self) {
        for lane in &mut self.queues {
            lane.taken.clear();
            lane.passed = 0;
        }
        self.is_under_way = false;
        self.next_step();
    }

    /// The next line that came on a lane and is no optional one, with its number, where no line is due there. `None` as well where there
    /// is no room to look at another.
    pub(super) fn next_surplus(&mut self, lane: usize) -> Option<(u64, Line)> {
        while self.room > 0 {
            let (number, line) = self.next_line(lane)?;
            if !self.skips(lane, &line) {
                return Some((number, line));
            }
        }
        None
    }

    /// The next line that came on a lane, with its number.
    pub(super) fn next_line(&mut self, lane: usize) -> Option<(u64, Line)> {
        let theirs = self.subject_direction();
        let entries = &self.watch.lanes[lane].entries;
        let queue = &mut self.queues[lane];
        let mut new = entries[queue.seen..].iter();
        let next = new.find(|entry| entry.direction == theirs);
        queue.seen = entries.len() - new.len();
        let line = next?.line.clone();
        queue.count += 1;
        let compared = (queue.optional.len() + queue.never.len()) / COMPARED;
        let work = 1 + compared + line.text.len() / 1024;
        self.room = self.room.saturating_sub(work);
        Some((queue.count, line))
    }
}

/// Maximum number of alternative lines that a finding shows.
const MOST_SHOWN: usize = 8;

impl Talk {
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
        let title = match &received {
            LaneText::Line(_) => format!("{name} {verb} another line than the one that was due"),
            LaneText::Words(_) | LaneText::Nothing => {
                format!("the line that was due on the lane of {name} did not come")
            }
        };
        let mut finding = Finding::new(Verdict::Fail, title);
        finding.span = Some(span);
        finding.lanes = vec![LaneView::new(name, line_number, expected, received)];
        let lanes = 0..self.lanes.len();
        let tails = lanes.map(|lane| (self.participant(lane), self.tail(lane)));
        finding.tails = tails.collect();
        finding
    }

    /// Returns the lines that a step still expects on a lane.
    pub(super) fn due(&self, lane: usize, want: &Wanted) -> LaneText {
        let taken = &self.queues[lane].taken;
        let left = want.lines.iter().enumerate();
        let left = left.filter(|(place, _)| !taken.contains_key(place));
        let left: Vec<_> = left.map(|(_, wanted)| wanted).collect();
        match left[..] {
            [line] => LaneText::Line(line.shown(&self.known)),
            _ => LaneText::Words(format!("one of {}", listed(left.into_iter(), &self.known))),
        }
    }
}

/// The end of a lane.
pub(super) fn ended(close: Close) -> LaneText {
    close.words().into()
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
    line_text(&line.text, line.ending)
}
