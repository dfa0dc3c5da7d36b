//! A referee under test: urtext plays both players and watches every lane.

mod acting;
mod closed;
mod expired;
mod received;

use super::finding_context::misfit;
use super::game_facts::Settling;
use super::lane::LaneState;
use super::slack::{SETTLE, patience};
use super::speechless::never_spoke;
use super::state::State;
use super::wait::{Pending, Wait};
use super::{diagnosis, late_spectator, sending, timeout};
use crate::event::{Event, What};
use crate::finding::Finding;
use crate::protocol::{Answered, RefereeLine};
use crate::scenario::{Deed, Wrong};
use crate::transcript::Direction;

pub(super) fn take(state: &mut State, event: &Event) {
    if matches!(state.waits.pending, Some(Pending::Silent { .. })) {
        // What comes now is only looked at when its time is over.
        return match state.expired() {
            _ if event.what == What::Interrupted => state.finish(),
            Some(wait) => expired::wait(state, wait),
            None => {}
        };
    }
    // Under load what comes after the timeout can be read before the alarm; its own time tells.
    if tells_a_loss(state, &event.what)
        && state.waits.pending.is_none()
        && timeout::may_be_over(&state.seen)
        || state.expired() == Some(Wait::Timeout)
    {
        expired::wait(state, Wait::Timeout);
    }
    match &event.what {
        What::Line {
            lane,
            direction: Direction::Received,
            line,
        } => {
            if let Err(finding) = received::line(state, *lane, line) {
                return state.fail(*finding);
            }
        }
        What::Line { lane, line, .. } => {
            if let Err(finding) = sent(state, *lane, &line.text) {
                return state.fail(*finding);
            }
        }
        What::Closed {
            lane,
            direction: Direction::Received,
            close,
        } => closed::lane(state, *lane, *close),
        What::Closed {
            lane,
            direction: Direction::Sent,
            ..
        } => acting::left(state, *lane),
        What::Exited { .. } if !state.seen.heard.anything && !state.seen.model.is_greeted() => {
            let finding = never_spoke(&state.seen);
            return state.fail(finding);
        }
        What::Opened { lane } if !state.seen.plan.opens_at_start(*lane) => {
            state.outgoing.is_opening = false;
            // A connection is there before the referee has taken it: what follows at once could go on without whoever has joined.
            state.outgoing.is_unsettled = true;
            state.progress();
        }
        What::Interrupted => return state.finish(),
        _ => {}
    }
    if matches!(state.waits.pending, Some(Pending::Ended { .. }))
        && closed::was_right_to_close(state)
    {
        state.waits.pending = None;
        state.progress();
    }
    if let Some(wait) = state.expired() {
        expired::wait(state, wait);
    }
    for (requirement, seen) in state.seen.model.take_decisions() {
        state.choice(requirement, seen);
    }
    if !state.results.is_finished {
        advance(state);
    }
}

/// Returns true if this event can be the sign of a loss.
fn tells_a_loss(state: &State, what: &What) -> bool {
    match what {
        What::Line {
            direction: Direction::Received,
            line,
            ..
        } => {
            let text = line.text.strip_suffix(b"\r").unwrap_or(&line.text);
            state.seen.plan.dialect.hear(text) == RefereeLine::Loss
        }
        What::Closed {
            lane,
            direction: Direction::Received,
            ..
        } => !state.seen.lanes[*lane].has_left && diagnosis::is_loss_silent(&state.seen),
        _ => false,
    }
}

/// Takes that a line of a player was written.
///
/// # Errors
/// A finding where the line does not do what the scenario means.
fn sent(state: &mut State, lane: usize, text: &[u8]) -> Result<(), Box<Finding>> {
    state.outgoing.in_flight = state.outgoing.in_flight.saturating_sub(1);
    state.progress();
    let seen = &mut state.seen;
    let on_turn = seen.model.awaits_move_of();
    let answered = seen.model.sent(lane, text);
    if let (Some(seat), Answered::Moved(_)) = (on_turn, answered) {
        timeout::moved(seen, seat);
    }
    if answered == Answered::OffTurn {
        acting::sent_off_turn(state, lane, text);
    } else {
        let decides = !matches!(answered, Answered::Ignored(_));
        let pace = seen.settings.pace;
        seen.kind.clock.own_delay.sent(seen.now, pace, decides);
    }
    let action = state.seen.turn().map(|turn| turn.deed);
    if let Some(action) = &action {
        Wrong::check_line(action, answered).map_err(|wrong| misfit(&state.seen, wrong))?;
    }
    state.seen.progress.awaits_step |= match answered {
        Answered::Moved(_) | Answered::Open(_) => true,
        Answered::Ignored(_) => matches!(action, Some(Deed::Ignored(_))),
        Answered::OffTurn | Answered::Lost(_) => false,
    };
    Ok(())
}

fn advance(state: &mut State) {
    if state.waits.pending.is_some()
        || !sending::pump(state)
        || state.outgoing.is_opening
        || state.outgoing.in_flight > 0
    {
        return;
    }
    let budgets = state.seen.settings.budgets;
    if !state.seen.model.is_greeted() {
        let budget = patience(&state.seen, budgets.handshake);
        return state.wait(Wait::Handshake, state.seen.now + budget);
    }
    let answer = (budgets.answer + state.seen.settings.pace + state.seen.clock.early_by)
        .max(state.seen.clock.timeout.patience);
    let answer = state.seen.now + answer;
    if !state.seen.model.is_caught_up() {
        return state.wait(Wait::Answer, answer);
    }
    if state.seen.model.is_over() {
        let is_done = |lane: &LaneState| lane.ended.is_some() || lane.has_left || !lane.is_open;
        if state.seen.lanes.iter().all(is_done) {
            late_spectator::judge(state);
            return state.finish();
        }
        if timeout::awaits_forfeit(&state.seen) && !timeout::has_any_ended(&state.seen) {
            return await_forfeit(state);
        }
        return state.wait(
            Wait::Close,
            state.seen.now + timeout::closing_budget(&state.seen),
        );
    }
    // Where a roll begins the turn, it has taken the step.
    let is_rolled = state
        .seen
        .model
        .table()
        .is_some_and(|table| table.roll().is_some());
    if let (true, Some(seat)) = (
        state.seen.progress.awaits_step && !is_rolled,
        state.seen.model.awaits_move_of(),
    ) && let Err(finding) = state.begin_turn(seat, None, false)
    {
        return state.fail(*finding);
    }
    let is_undecided = state
        .seen
        .model
        .undecided()
        .is_some_and(|open| open.may_be_ignored);
    // An open line may be the last of the scenario, and its player still on turn.
    let is_past =
        state.seen.course.step.is_none() || is_undecided && state.seen.progress.awaits_step;
    let has_ended = is_past
        && state.seen.course.next_step >= state.seen.plan.steps.len()
        && state.seen.course.next_step > 0;
    if has_ended {
        // The roll after the last step has reached every lane: nothing of the scenario is missing any more.
        if (is_undecided || state.seen.plan.late_spectators().next().is_some())
            && state.seen.progress.settling != Settling::Over
        {
            return state.wait(Wait::Quiet, state.seen.now + SETTLE);
        }
        late_spectator::judge(state);
        return state.finish();
    }
    match state.seen.model.awaits_move_of() {
        Some(seat) => {
            if acting::act(state, seat) {
                advance(state);
            }
        }
        // Where it may have been ignored, silence is an answer.
        None if is_undecided && state.seen.model.missing(0).is_none() => {
            state.wait(Wait::Quiet, state.seen.now + budgets.close);
        }
        None if timeout::awaits_forfeit(&state.seen) => await_forfeit(state),
        None => state.wait(Wait::Answer, answer),
    }
}

/// Waits for the lanes to end of a game whose player on turn has gone away: it may lose at once, or when its time is over.
fn await_forfeit(state: &mut State) {
    if matches!(state.waits.current, Some((Wait::Forfeit, _))) {
        return;
    }
    timeout::ends_late(&mut state.seen);
    state.wait(
        Wait::Forfeit,
        state.seen.now + timeout::closing_budget(&state.seen),
    );
}
