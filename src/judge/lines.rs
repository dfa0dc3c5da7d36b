//! A dialogue without rules: lines are sent and expected as the scenario has them.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use super::Action;
use super::state::{State, Wait};
use crate::diagnostic::{Span, visible};
use crate::event::{Event, Finding, Sight, Verdict, Want, What};
use crate::protocol::{Line, LineEnding};
use crate::scenario::{Dialogue, LineDeed, LineStep, Pattern, Piece, Side, Wanted};
use crate::transcript::Close;

/// How long a line that is one too many is listened for after the last step, where no end of a stream leaves no doubt.
const TRAILING: Duration = Duration::from_millis(50);

/// Where a dialogue has come to.
#[derive(Debug)]
pub(super) struct Progress {
    dialogue: Arc<Dialogue>,
    /// The lists of steps that are being gone through, the innermost last: path to the list, next step, rounds left.
    stack: Vec<Round>,
    lanes: Vec<Lane>,
    known: HashMap<String, Vec<u8>>,
    /// Lanes of the current expectation that have been served.
    served: Vec<usize>,
    /// Whether the current step's action has been asked for.
    is_under_way: bool,
    has_begun: bool,
}

#[derive(Debug)]
struct Round {
    /// Indexes of the repeats that lead to the list.
    path: Vec<usize>,
    next: usize,
    left: u64,
}

#[derive(Debug, Default)]
struct Lane {
    /// Lines that came and are not accounted for yet, with their numbers.
    came: VecDeque<(u64, Line)>,
    count: u64,
    optional: Vec<Pattern>,
    ended: Option<Close>,
    has_left: bool,
}

impl Lane {
    /// Takes an optional line for what it is, with those that were to come before it and did not; `false` for any other line.
    fn skips(&mut self, line: &Line, known: &HashMap<String, Vec<u8>>) -> bool {
        if line.ending != LineEnding::Newline {
            return false;
        }
        let skipped = self.optional.iter().position(|pattern| pattern.fits(&line.text, known).is_some());
        skipped.inspect(|&skipped| drop(self.optional.drain(..=skipped))).is_some()
    }

    /// The next line that came and is no optional one, with its number, where no line is due any more.
    fn next_surplus(&mut self, known: &HashMap<String, Vec<u8>>) -> Option<(u64, Line)> {
        while let Some((number, line)) = self.came.pop_front() {
            if !self.skips(&line, known) {
                return Some((number, line));
            }
        }
        None
    }
}

impl Progress {
    pub(super) fn new(dialogue: Arc<Dialogue>) -> Progress {
        let lanes = dialogue.participants.iter().map(|_| Lane::default()).collect();
        let stack = vec![Round { path: Vec::new(), next: 0, left: 1 }];
        Progress {
            dialogue,
            stack,
            lanes,
            known: HashMap::new(),
            served: Vec::new(),
            is_under_way: false,
            has_begun: false,
        }
    }

    /// The current step of the dialogue; goes round where a list is at its end. `None` after the last.
    fn current<'d>(&mut self, dialogue: &'d Dialogue) -> Option<&'d LineStep> {
        loop {
            let round = self.stack.last_mut()?;
            let mut steps = &dialogue.steps;
            for &index in &round.path {
                let LineDeed::Repeat { steps: inner, .. } = &steps[index].what else {
                    unreachable!("a path leads through repeats")
                };
                steps = inner;
            }
            let Some(step) = steps.get(round.next) else {
                round.left -= 1;
                round.next = 0;
                if round.left == 0 {
                    self.stack.pop();
                    if let Some(outer) = self.stack.last_mut() {
                        outer.next += 1;
                    }
                }
                continue;
            };
            let LineDeed::Repeat { times, steps } = &step.what else { return Some(step) };
            if *times == 0 || steps.is_empty() {
                round.next += 1;
                continue;
            }
            let mut path = round.path.clone();
            path.push(round.next);
            let left = *times;
            self.stack.push(Round { path, next: 0, left });
        }
    }

    fn step_done(&mut self) {
        self.served.clear();
        self.is_under_way = false;
        if let Some(round) = self.stack.last_mut() {
            round.next += 1;
        }
    }
}

pub(super) fn take(state: &mut State, event: &Event) {
    state.note(event);
    if state.is_finished {
        return;
    }
    let theirs = state.subject_direction();
    let mut progress = state.dialogue.take().expect("a dialogue has its progress");
    match &event.what {
        What::Opened { .. } => progress.has_begun = state.lanes.iter().all(|lane| lane.is_open),
        What::Line { lane, direction, line } if *direction == theirs => {
            let lane = &mut progress.lanes[*lane];
            lane.count += 1;
            lane.came.push_back((lane.count, line.clone()));
        }
        What::Closed { lane, direction, close } if *direction == theirs => {
            progress.lanes[*lane].ended = Some(*close);
        }
        What::Closed { lane, .. } if state.leaving.take().is_some() => {
            progress.lanes[*lane].has_left = true;
            progress.step_done();
        }
        What::Interrupted => state.finish(),
        _ => {}
    }
    state.refuse_flood();
    if progress.has_begun && !state.is_finished {
        advance(state, &mut progress);
    }
    state.dialogue = Some(progress);
}

fn advance(state: &mut State, progress: &mut Progress) {
    let dialogue = Arc::clone(&progress.dialogue);
    while !state.is_finished {
        let Some(step) = progress.current(&dialogue) else { return end(state, progress) };
        let is_done = match &step.what {
            LineDeed::Write { lane, pieces } => write(state, progress, *lane, pieces),
            LineDeed::Expect { lanes, want } => expect(state, progress, step, lanes, want),
            LineDeed::ExpectEnd { lanes, how } => expect_end(state, progress, step, lanes, *how),
            LineDeed::Quiet { lane, time } => quiet(state, progress, step, *lane, *time),
            LineDeed::Leave { lane, how } => {
                if !progress.is_under_way {
                    progress.is_under_way = true;
                    state.leaving = Some((*lane, *how));
                    state.actions.push(Action::Leave { lane: *lane, how: *how });
                }
                return;
            }
            LineDeed::Read { lane, pace } => {
                state.actions.push(Action::Read { lane: *lane, pace: *pace });
                true
            }
            LineDeed::Repeat { .. } => unreachable!("repeats are gone into"),
        };
        if !is_done {
            return;
        }
        state.waiting = None;
        progress.step_done();
    }
}

/// Writes pieces, with what is captured filled in; `false` while a pause is waited for.
fn write(state: &mut State, progress: &mut Progress, lane: usize, pieces: &[Piece]) -> bool {
    if !progress.is_under_way {
        progress.is_under_way = true;
        state.outbox.extend(pieces.iter().map(|piece| (lane, fill(piece, &progress.known))));
    }
    super::acting::pump(state)
}

fn fill(piece: &Piece, known: &HashMap<String, Vec<u8>>) -> Piece {
    let Piece::Bytes(bytes) = piece else { return piece.clone() };
    if known.is_empty() || !bytes.contains(&b'{') {
        return piece.clone();
    }
    let mut filled = Vec::with_capacity(bytes.len());
    let mut rest = bytes.as_slice();
    while let Some(at) = rest.iter().position(|&byte| byte == b'{') {
        filled.extend_from_slice(&rest[..at]);
        let name = rest[at + 1..].split(|&byte| byte == b'}').next().unwrap_or_default();
        match std::str::from_utf8(name).ok().and_then(|name| known.get(name)) {
            Some(text) => {
                filled.extend_from_slice(text);
                rest = &rest[at + 2 + name.len()..];
            }
            None => {
                filled.push(b'{');
                rest = &rest[at + 1..];
            }
        }
    }
    filled.extend_from_slice(rest);
    Piece::Bytes(filled)
}

fn expect(
    state: &mut State,
    progress: &mut Progress,
    step: &LineStep,
    lanes: &[usize],
    want: &Wanted,
) -> bool {
    if let Wanted::Optional(pattern) = want {
        // Whether it came shows when the next line of the lane does.
        for &lane in lanes {
            progress.lanes[lane].optional.push(pattern.clone());
        }
        return true;
    }
    let Wanted::AnyOf(patterns) = want else { unreachable!("the other kind was just seen to") };
    for &lane in lanes {
        while !progress.served.contains(&lane) {
            let Some((number, line)) = progress.lanes[lane].came.pop_front() else { break };
            let whole = line.ending == LineEnding::Newline;
            let fitting = patterns.iter().find_map(|pattern| pattern.fits(&line.text, &progress.known));
            if let Some(taken) = fitting.filter(|_| whole) {
                progress.known.extend(taken);
                progress.lanes[lane].optional.clear();
                progress.served.push(lane);
                continue;
            }
            if progress.lanes[lane].skips(&line, &progress.known) {
                continue;
            }
            let expected = wanted_words(patterns, &progress.known);
            let finding = differs(state, step.span, lane, number, expected, shown(&line));
            state.fail(finding);
            return false;
        }
    }
    let missing = lanes.iter().copied().find(|lane| !progress.served.contains(lane));
    let Some(lane) = missing else { return true };
    let expected = || wanted_words(patterns, &progress.known);
    let number = progress.lanes[lane].count + 1;
    if let Some(close) = progress.lanes[lane].ended {
        let received = Want::Words(close.words().to_owned());
        let finding = differs(state, step.span, lane, number, expected(), received);
        state.fail(finding);
    } else if state.expired() == Some(Wait::Answer) {
        let waited = state.settings.budgets.answer;
        let received = Want::Words(format!("nothing for {:.1} s", waited.as_secs_f64()));
        let mut finding = differs(state, step.span, lane, number, expected(), received);
        finding.by_silence = true;
        if !state.has_heard {
            finding = super::blame::never_spoke(state);
            finding.span = Some(step.span);
        }
        state.fail(finding);
    } else {
        state.wait(Wait::Answer, state.now + state.settings.budgets.answer);
    }
    false
}

fn expect_end(
    state: &mut State,
    progress: &mut Progress,
    step: &LineStep,
    lanes: &[usize],
    how: Option<Close>,
) -> bool {
    for &lane in lanes {
        let expected = || Want::Words("the end of the stream".to_owned());
        if let Some((number, line)) = progress.lanes[lane].next_surplus(&progress.known) {
            let finding = differs(state, step.span, lane, number, expected(), shown(&line));
            state.fail(finding);
            return false;
        }
        let number = progress.lanes[lane].count + 1;
        match progress.lanes[lane].ended {
            Some(close) if how.is_none_or(|how| how == close) => {}
            Some(close) => {
                let wanted = Want::Words(how.unwrap_or(Close::End).words().to_owned());
                let came = Want::Words(close.words().to_owned());
                let finding = differs(state, step.span, lane, number, wanted, came);
                state.fail(finding);
                return false;
            }
            None if state.expired() == Some(Wait::Close) => {
                let waited = state.settings.budgets.close;
                let came = Want::Words(format!("nothing for {:.1} s", waited.as_secs_f64()));
                let mut finding = differs(state, step.span, lane, number, expected(), came);
                finding.by_silence = true;
                state.fail(finding);
                return false;
            }
            None => {
                state.wait(Wait::Close, state.now + state.settings.budgets.close);
                return false;
            }
        }
    }
    true
}

fn quiet(state: &mut State, progress: &mut Progress, step: &LineStep, lane: usize, time: Duration) -> bool {
    if let Some((number, line)) = progress.lanes[lane].came.pop_front() {
        let expected = Want::Words(format!("nothing for {:.1} s", time.as_secs_f64()));
        let finding = differs(state, step.span, lane, number, expected, shown(&line));
        state.fail(finding);
        return false;
    }
    if state.expired() == Some(Wait::Quiet) {
        return true;
    }
    state.wait(Wait::Quiet, state.now + time);
    false
}

/// After the last step nothing may be left over, and the subject is hung up on.
fn end(state: &mut State, progress: &mut Progress) {
    for lane in 0..progress.lanes.len() {
        if let Some((number, line)) = progress.lanes[lane].next_surplus(&progress.known) {
            let nothing = Want::Words("nothing more".to_owned());
            let span = progress.dialogue.steps.last().map_or(Span::at(0), |step| step.span);
            let finding = differs(state, span, lane, number, nothing, shown(&line));
            return state.fail(finding);
        }
    }
    let is_over = |lane: &Lane| lane.ended.is_some() || lane.has_left;
    if state.scenario.side == Side::Referee && !progress.lanes.iter().all(is_over) {
        // What has been sent with the last line may not have been read with it.
        if state.expired() != Some(Wait::Quiet) {
            return state.wait(Wait::Quiet, state.now + TRAILING);
        }
    }
    if !state.has_hung_up && state.scenario.side == Side::Bot {
        // Whatever a bot has still to say it says when its input ends.
        state.has_hung_up = true;
        for lane in (0..progress.lanes.len()).filter(|&lane| !progress.lanes[lane].has_left) {
            state.actions.push(Action::Close { lane });
        }
    }
    if state.scenario.side == Side::Referee
        || progress.lanes.iter().all(is_over)
        || state.expired() == Some(Wait::CloseAfterUs)
    {
        return state.finish();
    }
    state.wait(Wait::CloseAfterUs, state.now + state.settings.budgets.close);
}

fn differs(
    state: &State,
    span: Span,
    lane: usize,
    line_number: u64,
    expected: Want,
    received: Want,
) -> Finding {
    let name = state.scenario.dialogue.as_ref().map_or("", |dialogue| dialogue.participants[lane].as_str());
    let verb = match (&received, state.scenario.side) {
        (Want::Line(_), Side::Referee) => format!("{name} received another line than the one that was due"),
        (Want::Line(_), Side::Bot) => format!("{name} sent another line than the one that was due"),
        (Want::Words(_), _) => format!("the line that was due on the lane of {name} did not come"),
    };
    let mut finding = Finding::new(Verdict::Fail, verb);
    finding.span = Some(span);
    finding.lanes = vec![Sight { lane: name.to_owned(), line_number, expected, received, agrees: false }];
    finding.tails = (0..state.lanes.len())
        .map(|lane| {
            let name = state.scenario.dialogue.as_ref().map_or("", |dialogue| &dialogue.participants[lane]);
            (name.to_owned(), super::scene::tail(state, lane))
        })
        .collect();
    finding
}

fn wanted_words(patterns: &[Pattern], known: &HashMap<String, Vec<u8>>) -> Want {
    match patterns {
        [pattern] => Want::Line(pattern.shown(known)),
        patterns => {
            let list: Vec<_> =
                patterns.iter().map(|pattern| visible::quoted(&pattern.shown(known)).to_string()).collect();
            Want::Words(format!("one of {}", list.join(", ")))
        }
    }
}

fn shown(line: &Line) -> Want {
    match line.ending {
        LineEnding::Newline => Want::Line(line.text.clone()),
        LineEnding::Missing => Want::Words(format!(
            "{} without a newline before the end",
            visible::quoted(&line.text).at_most(60)
        )),
        LineEnding::TooLong => {
            Want::Words(format!("{} … an over-long line", visible::quoted(&line.text).at_most(60)))
        }
    }
}
