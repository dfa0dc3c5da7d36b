//! A dialogue without rules: lines are sent and expected as the scenario has them.

use std::sync::Arc;
use std::time::Duration;

use super::action::Command;
use super::dialogue_finding::{captures, differs, shown, unended, wanted_words};
use super::dialogue_kind::Talk;
use super::finding_context;
use super::progress::{AT_ONCE, COMPARED, Lane, Progress, fill};
use super::slack::patience;
use super::speechless::never_spoke;
use super::wait::Wait;
use crate::diagnostic::Span;
use crate::event::{Event, What};
use crate::finding::{Finding, FindingKind, LaneText, Verdict};
use crate::protocol::LineEnding;
use crate::scenario::{LineDeed, LineStep, MOST_SENT, SendPart, Side, Wanted};
use crate::transcript::Close;

/// Wait for a surplus line after the last step, if no close rules one out.
const TRAILING: Duration = Duration::from_millis(50);

pub(super) fn take(state: &mut Talk, progress: &mut Progress, event: &Event) {
    let theirs = state.seen.subject_direction();
    match &event.what {
        What::Opened { .. } => {
            progress.has_begun = state.seen.lanes.iter().all(|lane| lane.is_open)
        }
        What::Line {
            lane,
            direction,
            line,
        } if *direction == theirs => {
            let lane = &mut progress.lanes[*lane];
            lane.count += 1;
            lane.came.push_back((lane.count, line.clone()));
        }
        What::Closed {
            lane,
            direction,
            close,
        } if *direction == theirs => {
            progress.lanes[*lane].ended = Some(*close);
        }
        What::Closed { lane, .. }
            if state
                .outgoing
                .leaving
                .is_some_and(|(leaving, _)| leaving == *lane) =>
        {
            state.outgoing.leaving = None;
            progress.lanes[*lane].has_left = true;
            progress.step_done();
        }
        What::Interrupted => state.finish(),
        _ => {}
    }
    state.refuse_flood();
    if progress.has_begun && !state.results.is_finished {
        if progress.room == 0 {
            // To go on at once, the judge has given up the time that it was to be woken at.
            state
                .results
                .commands
                .extend(state.waits.current.map(|(_, until)| Command::WakeAt(until)));
        }
        progress.room = AT_ONCE;
        advance(state, progress);
        if progress.room == 0 && !state.results.is_finished {
            state.results.commands.push(Command::WakeAt(state.seen.now));
        }
    }
}

fn advance(state: &mut Talk, progress: &mut Progress) {
    let dialogue = Arc::clone(&progress.dialogue);
    while !state.results.is_finished && progress.room > 0 {
        let Some(step) = progress.current(&dialogue) else {
            return end(state, progress);
        };
        progress.room -= 1;
        let is_done = match &step.what {
            LineDeed::Write { lane, parts } => write(state, progress, step, *lane, parts),
            LineDeed::Expect { lanes, want } => expect(state, progress, step, lanes, want),
            LineDeed::ExpectEnd { lanes, how } => expect_end(state, progress, step, lanes, *how),
            LineDeed::Quiet { lane, time } => quiet(state, progress, step, *lane, *time),
            LineDeed::Leave { lane, how } => {
                // The end of a direction is reported once.
                let is_told =
                    !progress.lanes[*lane].has_left && !state.seen.lanes[*lane].reader_closed;
                if !progress.is_under_way {
                    progress.is_under_way = true;
                    state.outgoing.leaving = is_told.then_some((*lane, *how));
                    state.results.commands.push(Command::Leave {
                        lane: *lane,
                        how: *how,
                    });
                }
                !is_told
            }
            LineDeed::Read { lane, pace } => {
                state.results.commands.push(Command::Read {
                    lane: *lane,
                    pace: *pace,
                });
                true
            }
            LineDeed::Repeat { .. } => unreachable!("repeats are gone into"),
        };
        if !is_done {
            return;
        }
        state.waits.current = None;
        progress.step_done();
    }
}

/// Writes pieces, with what is captured filled in; `false` while a pause is waited for.
fn write(
    state: &mut Talk,
    progress: &mut Progress,
    step: &LineStep,
    lane: usize,
    parts: &[SendPart],
) -> bool {
    if !progress.is_under_way {
        progress.is_under_way = true;
        for piece in parts {
            let filled = match piece {
                SendPart::Bytes(bytes) => fill(bytes, &progress.known, MOST_SENT - progress.sent),
                other => {
                    state.outgoing.outbox.push_back((lane, other.clone()));
                    continue;
                }
            };
            let Some(bytes) = filled else {
                let title = format!(
                    "with what was captured, the scenario sends more than {MOST_SENT} bytes, the most that is sent"
                );
                let mut finding = Finding::new(Verdict::Error, title);
                finding.span = Some(step.span);
                state.fail(finding);
                return false;
            };
            progress.sent += bytes.len();
            progress.room = progress.room.saturating_sub(bytes.len() / 1024);
            state
                .outgoing
                .outbox
                .push_back((lane, SendPart::Bytes(bytes)));
        }
    }
    state.send_waiting()
}

fn expect(
    state: &mut Talk,
    progress: &mut Progress,
    step: &LineStep,
    lanes: &[usize],
    want: &Wanted,
) -> bool {
    if let Wanted::Optional(pattern) = want {
        // Whether it came shows when the next line of the lane does.
        for &lane in lanes {
            progress.lanes[lane].may_skip(pattern);
        }
        return true;
    }
    let Wanted::AnyOf(patterns) = want else {
        unreachable!("the other kind was just seen to")
    };
    for &lane in lanes {
        while !progress.served.contains(&lane) {
            if progress.room == 0 {
                return false;
            }
            let Some((number, line)) = progress.next_line(lane) else {
                break;
            };
            progress.room = progress.room.saturating_sub(patterns.len() / COMPARED);
            let whole = line.ending == LineEnding::Newline;
            let fitting = patterns
                .iter()
                .find_map(|pattern| pattern.fits(&line.text, &progress.known));
            if let Some(taken) = fitting.filter(|_| whole) {
                progress
                    .captured_at
                    .extend(taken.keys().map(|name| (name.clone(), (lane, number))));
                progress.known.extend(taken);
                progress.lanes[lane].optional.clear();
                progress.served.push(lane);
                continue;
            }
            if progress.lanes[lane].skips(&line, &progress.known) {
                continue;
            }
            let expected = wanted_words(patterns, &progress.known);
            let mut finding = differs(&state.seen, step.span, lane, number, expected, shown(&line));
            finding.notes = captures(progress, patterns);
            state.fail(finding);
            return false;
        }
    }
    let missing = lanes
        .iter()
        .copied()
        .find(|lane| !progress.served.contains(lane));
    let Some(lane) = missing else { return true };
    let expected = || wanted_words(patterns, &progress.known);
    let number = progress.lanes[lane].count + 1;
    if let Some(close) = progress.lanes[lane].ended {
        let received = LaneText::Words(close.words().to_owned());
        let finding = differs(&state.seen, step.span, lane, number, expected(), received);
        state.fail(finding);
    } else if state.expired() == Some(Wait::Answer) {
        let waited = patience(&state.seen, state.seen.settings.budgets.answer);
        let received = LaneText::Timed("nothing for".to_owned(), waited);
        let mut finding = differs(&state.seen, step.span, lane, number, expected(), received);
        finding.by_silence = true;
        if !state.seen.heard.anything {
            finding = never_spoke(&state.seen);
            finding.span = Some(step.span);
        }
        finding
            .notes
            .extend(finding_context::asleep(&state.seen).filter(|_| finding.by_silence));
        state.fail(finding);
    } else {
        let budget = patience(&state.seen, state.seen.settings.budgets.answer);
        state.wait(Wait::Answer, state.seen.now + budget);
    }
    false
}

fn expect_end(
    state: &mut Talk,
    progress: &mut Progress,
    step: &LineStep,
    lanes: &[usize],
    how: Option<Close>,
) -> bool {
    for &lane in lanes {
        if let Some((number, line)) = progress.next_surplus(lane) {
            let action = "has a line where its end is due";
            let finding = unended(
                &state.seen,
                step.span,
                (lane, number),
                how,
                shown(&line),
                action,
            );
            state.fail(finding);
            return false;
        }
        if progress.room == 0 {
            return false;
        }
        let number = progress.lanes[lane].count + 1;
        match progress.lanes[lane].ended {
            Some(close) if how.is_none_or(|how| how == close) => {
                progress.lanes[lane].is_end_seen = true
            }
            Some(close) => {
                let came = LaneText::Words(close.words().to_owned());
                let finding = unended(
                    &state.seen,
                    step.span,
                    (lane, number),
                    how,
                    came,
                    "ended otherwise than is due",
                );
                state.fail(finding);
                return false;
            }
            None if state.expired() == Some(Wait::Close) => {
                let waited = state.seen.settings.budgets.close;
                let came = LaneText::Timed("nothing for".to_owned(), waited);
                let mut finding = unended(
                    &state.seen,
                    step.span,
                    (lane, number),
                    how,
                    came,
                    "did not end, and its end is due",
                );
                finding.by_silence = true;
                state.fail(finding);
                return false;
            }
            None => {
                state.wait(
                    Wait::Close,
                    state.seen.now + state.seen.settings.budgets.close,
                );
                return false;
            }
        }
    }
    true
}

fn quiet(
    state: &mut Talk,
    progress: &mut Progress,
    step: &LineStep,
    lane: usize,
    time: Duration,
) -> bool {
    let nothing = || LaneText::Timed("nothing for".to_owned(), time);
    while let Some((number, line)) = progress.next_line(lane) {
        if progress.lanes[lane].skips(&line, &progress.known) {
            // After a line that may come, nothing has come for no time yet.
            state.waits.current = None;
        } else {
            let finding = differs(
                &state.seen,
                step.span,
                lane,
                number,
                nothing(),
                shown(&line),
            );
            state.fail(finding);
            return false;
        }
        if progress.room == 0 {
            return false;
        }
    }
    let Lane {
        ended,
        is_end_seen,
        count,
        ..
    } = progress.lanes[lane];
    if let Some(close) = ended.filter(|_| !is_end_seen) {
        let came = LaneText::Words(close.words().to_owned());
        let mut finding = differs(&state.seen, step.span, lane, count + 1, nothing(), came);
        let lane = finding.lanes[0].lane.clone();
        finding.set_kind(FindingKind::DialogueEndedInSilence(lane));
        state.fail(finding);
        return false;
    }
    if state.expired() == Some(Wait::Quiet) {
        return true;
    }
    state.wait(Wait::Quiet, state.seen.now + time);
    false
}

/// After the last step nothing may be left over, and the subject is hung up on.
fn end(state: &mut Talk, progress: &mut Progress) {
    for lane in 0..progress.lanes.len() {
        if let Some((number, line)) = progress.next_surplus(lane) {
            let nothing = LaneText::Words("nothing more".to_owned());
            let span = progress
                .dialogue
                .steps
                .last()
                .map_or(Span::at(0), |step| step.span);
            let finding = differs(&state.seen, span, lane, number, nothing, shown(&line));
            return state.fail(finding);
        }
        if progress.room == 0 {
            return;
        }
    }
    let is_over = |lane: &Lane| lane.ended.is_some() || lane.has_left;
    if state.seen.side == Side::Referee && !progress.lanes.iter().all(is_over) {
        // What has been sent with the last line may not have been read with it.
        if state.expired() != Some(Wait::Quiet) {
            return state.wait(Wait::Quiet, state.seen.now + TRAILING);
        }
    }
    if !progress.has_hung_up && state.seen.side == Side::Bot {
        // Whatever a bot has still to say it says when its input ends.
        progress.has_hung_up = true;
        for lane in (0..progress.lanes.len()).filter(|&lane| !progress.lanes[lane].has_left) {
            state.results.commands.push(Command::Close { lane });
        }
    }
    if state.seen.side == Side::Referee
        || progress.lanes.iter().all(is_over)
        || state.expired() == Some(Wait::CloseAfterUs)
    {
        return state.finish();
    }
    state.wait(
        Wait::CloseAfterUs,
        state.seen.now + state.seen.settings.budgets.close,
    );
}
