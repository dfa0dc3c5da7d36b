//! A dialogue without rules: lines are sent and expected as the scenario has them.

use std::sync::Arc;
use std::time::Duration;

use super::action::Command;
use super::dialogue_finding::{captures, differs, forbidden, shown, unended, wanted_words};
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
use crate::scenario::{Coming, Deed, LineAct, LineStep, MOST_SENT, SendPart, Side, Wanted};
use crate::transcript::Close;

/// Wait for a surplus line after the last step, if no close rules one out.
const TRAILING: Duration = Duration::from_millis(50);

/// The most lines that pass by before the one that a step waits for.
const MOST_PASSED: u64 = 10_000;

/// True if the step is done, false if it waits; otherwise the finding that ends the game.
type Played = Result<bool, Box<Finding>>;

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
        match play(state, progress, step) {
            Ok(true) => {
                state.waits.current = None;
                progress.step_done();
            }
            Ok(false) => return,
            Err(finding) => return state.fail(*finding),
        }
    }
}

/// Plays the current step as far as possible now.
fn play(state: &mut Talk, progress: &mut Progress, step: &LineStep) -> Played {
    match &step.what {
        LineAct::Does(deed) => does(state, progress, step, deed),
        LineAct::Lines(want) => expect(state, progress, step, want),
        LineAct::End(how) => expect_end(state, progress, step, *how),
        LineAct::Silence(time) => quiet(state, progress, step, *time),
        LineAct::Repeat { .. } => unreachable!("repeats are gone into"),
    }
}

/// Does what urtext's participant has to do.
fn does(state: &mut Talk, progress: &mut Progress, step: &LineStep, deed: &Deed) -> Played {
    let lane = step.lanes[0];
    match deed {
        Deed::Leave(how) => {
            // The end of a direction is reported once.
            let is_told = !progress.lanes[lane].has_left && !state.seen.lanes[lane].reader_closed;
            if !progress.is_under_way {
                progress.is_under_way = true;
                state.outgoing.leaving = is_told.then_some((lane, *how));
                let command = Command::Leave { lane, how: *how };
                state.results.commands.push(command);
            }
            Ok(!is_told)
        }
        Deed::Read(pace) => {
            let command = Command::Read { lane, pace: *pace };
            state.results.commands.push(command);
            Ok(true)
        }
        deed => write(state, progress, step, deed.parts()),
    }
}

/// Writes pieces, with what is captured filled in; a pause is waited for.
fn write(state: &mut Talk, progress: &mut Progress, step: &LineStep, parts: &[SendPart]) -> Played {
    let lane = step.lanes[0];
    if !progress.is_under_way {
        progress.is_under_way = true;
        for piece in parts {
            let SendPart::Bytes(bytes) = piece else {
                state.outgoing.outbox.push_back((lane, piece.clone()));
                continue;
            };
            let Some(bytes) = fill(bytes, &progress.known, MOST_SENT - progress.sent) else {
                let title = format!(
                    "with what was captured, the scenario sends more than {MOST_SENT} bytes, the most that is sent"
                );
                let mut finding = Finding::new(Verdict::Error, title);
                finding.span = Some(step.span);
                return Err(finding.into());
            };
            progress.sent += bytes.len();
            progress.room = progress.room.saturating_sub(bytes.len() / 1024);
            let piece = SendPart::Bytes(bytes);
            state.outgoing.outbox.push_back((lane, piece));
        }
    }
    Ok(state.send_waiting())
}

fn expect(
    state: &mut Talk,
    progress: &mut Progress,
    step: &LineStep,
    want: &Arc<Wanted>,
) -> Played {
    for &lane in &step.lanes {
        match want.how {
            // Whether it came shows when the next line of the lane does.
            Coming::Optional => progress.lanes[lane].may_skip(want),
            Coming::Never => progress.lanes[lane].forbid(want),
            Coming::AnyOf | Coming::InAnyOrder | Coming::Until => {
                take_lines(state, progress, step, lane, want)?;
            }
        }
    }
    let is_due = |lane: &usize| !progress.lanes[*lane].is_served(want);
    let missing = match want.how {
        Coming::Optional | Coming::Never => None,
        _ => step.lanes.iter().copied().find(is_due),
    };
    let Some(lane) = missing else { return Ok(true) };
    if progress.room == 0 {
        return Ok(false);
    }
    let differs = |received| {
        let number = progress.lanes[lane].count + 1;
        let due = due(progress, lane, want);
        differs(&state.seen, step.span, lane, number, due, received)
    };
    let budget = patience(&state.seen, state.seen.settings.budgets.answer);
    if let Some(close) = progress.lanes[lane].ended {
        return Err(differs(LaneText::Words(close.words().to_owned())).into());
    }
    if state.expired() != Some(Wait::Answer) {
        state.wait(Wait::Answer, state.seen.now + budget);
        return Ok(false);
    }
    let mut finding = differs(LaneText::Timed("nothing for".to_owned(), budget));
    finding.by_silence = true;
    if !state.seen.heard.anything {
        finding = never_spoke(&state.seen);
        finding.span = Some(step.span);
    }
    finding
        .notes
        .extend(finding_context::asleep(&state.seen).filter(|_| finding.by_silence));
    Err(finding.into())
}

/// Takes lines that came on a lane, until what is wanted there has come.
fn take_lines(
    state: &Talk,
    progress: &mut Progress,
    step: &LineStep,
    lane: usize,
    want: &Wanted,
) -> Result<(), Box<Finding>> {
    while progress.room > 0 && !progress.lanes[lane].is_served(want) {
        let Some((number, line)) = progress.next_line(lane) else {
            break;
        };
        progress.room = progress.room.saturating_sub(want.lines.len() / COMPARED);
        let Progress {
            lanes,
            known,
            captured_at,
            ..
        } = &mut *progress;
        let here = &mut lanes[lane];
        let never = here.never.iter().find(|never| never.fits(&line, known));
        if let Some(never) = never {
            let nothing = forbidden(never, known);
            let came = shown(&line);
            return Err(differs(&state.seen, step.span, lane, number, nothing, came).into());
        }
        let whole = line.ending == LineEnding::Newline;
        let left = want.lines.iter().enumerate();
        let mut left = left.filter(|(place, _)| whole && !here.taken.contains(place));
        let fitting =
            left.find_map(|(place, wanted)| Some((place, wanted.fits(&line.text, known)?)));
        if let Some((place, captured)) = fitting {
            here.taken.push(place);
            here.optional.clear();
            let names = captured.keys().cloned();
            let at = names.map(|name| (name, (lane, number)));
            captured_at.extend(at);
            known.extend(captured);
        } else if !here.skips(&line, known) {
            here.passed += 1;
            if want.how != Coming::Until || here.passed > MOST_PASSED {
                let due = due(progress, lane, want);
                let came = shown(&line);
                let mut finding = differs(&state.seen, step.span, lane, number, due, came);
                finding.notes = captures(progress, &want.lines);
                if want.how == Coming::Until {
                    finding.notes.push(format!(
                        "at most {MOST_PASSED} other lines are ignored before it, and this is one more"
                    ));
                }
                return Err(finding.into());
            }
        }
    }
    Ok(())
}

/// Returns the lines that the step still expects on a lane.
fn due(progress: &Progress, lane: usize, want: &Wanted) -> LaneText {
    let taken = &progress.lanes[lane].taken;
    let left = want.lines.iter().enumerate();
    let left = left.filter(|(place, _)| !taken.contains(place));
    let left: Vec<_> = left.map(|(_, wanted)| wanted).collect();
    wanted_words(&left, &progress.known)
}

fn expect_end(
    state: &mut Talk,
    progress: &mut Progress,
    step: &LineStep,
    how: Option<Close>,
) -> Played {
    for &lane in &step.lanes {
        let surplus = progress.next_surplus(lane);
        if surplus.is_none() && progress.room == 0 {
            return Ok(false);
        }
        let Lane { ended, count, .. } = progress.lanes[lane];
        let budget = state.seen.settings.budgets.close;
        let (received, action) = match (&surplus, ended) {
            (Some((_, line)), _) => (shown(line), "has a line where its end is due"),
            (None, Some(close)) if how.is_none_or(|how| how == close) => {
                progress.lanes[lane].is_end_seen = true;
                continue;
            }
            (None, Some(close)) => {
                let came = LaneText::Words(close.words().to_owned());
                (came, "ended otherwise than is due")
            }
            (None, None) if state.expired() == Some(Wait::Close) => {
                let came = LaneText::Timed("nothing for".to_owned(), budget);
                (came, "did not end, and its end is due")
            }
            (None, None) => {
                state.wait(Wait::Close, state.seen.now + budget);
                return Ok(false);
            }
        };
        let number = surplus.as_ref().map_or(count + 1, |(number, _)| *number);
        let seen = &state.seen;
        let mut finding = unended(seen, step.span, (lane, number), how, received, action);
        finding.by_silence = surplus.is_none() && ended.is_none();
        return Err(finding.into());
    }
    Ok(true)
}

fn quiet(state: &mut Talk, progress: &mut Progress, step: &LineStep, time: Duration) -> Played {
    let lane = step.lanes[0];
    let differs = |state: &Talk, number: u64, came: LaneText| {
        let nothing = LaneText::Timed("nothing for".to_owned(), time);
        differs(&state.seen, step.span, lane, number, nothing, came)
    };
    while let Some((number, line)) = progress.next_line(lane) {
        if !progress.lanes[lane].skips(&line, &progress.known) {
            return Err(differs(state, number, shown(&line)).into());
        }
        // After a line that may come, nothing has come for no time yet.
        state.waits.current = None;
        if progress.room == 0 {
            return Ok(false);
        }
    }
    let here = &progress.lanes[lane];
    if let Some(close) = here.ended.filter(|_| !here.is_end_seen) {
        let came = LaneText::Words(close.words().to_owned());
        let mut finding = differs(state, here.count + 1, came);
        let lane = finding.lanes[0].lane.clone();
        finding.set_kind(FindingKind::DialogueEndedInSilence(lane));
        return Err(finding.into());
    }
    if state.expired() == Some(Wait::Quiet) {
        return Ok(true);
    }
    state.wait(Wait::Quiet, state.seen.now + time);
    Ok(false)
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
