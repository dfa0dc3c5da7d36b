//! A referee under test: urtext plays both players and watches every lane.

mod acting;
mod ending;
mod received;

use super::breakdown::never_spoke;
use super::clock::SETTLE;
use super::state::{Settling, State};
use super::timeout;
use super::wait::{Pending, Wait};
use super::watch::{LaneState, Played};
use crate::event::{Event, What};
use crate::protocol::{Answered, RefereeLine};
use crate::scenario::{Deed, Wrong};
use crate::transcript::Direction;

/// Takes an event.
///
/// # Errors
/// A finding that ends the game.
pub(super) fn take(state: &mut State, event: &Event) -> Played {
    if matches!(state.pending, Some(Pending::Silent { .. })) {
        // What comes now is only looked at when its time is over.
        return state
            .expired()
            .map_or(Ok(()), |wait| ending::wait(state, wait));
    }
    // Under load what comes after the timeout can be read before the alarm; its own time tells. So can the end of the loser's lane.
    let is_open = matches!(state.pending, None | Some(Pending::Ended { .. }));
    if tells_a_loss(state, &event.what) && is_open && timeout::may_be_over(state)
        || state.expired() == Some(Wait::Timeout)
    {
        ending::wait(state, Wait::Timeout)?;
    }
    match &event.what {
        What::Line {
            lane,
            direction: Direction::Received,
            line,
        } => received::line(state, *lane, line)?,
        What::Line { lane, line, .. } => sent(state, *lane, &line.text)?,
        What::Closed {
            lane,
            direction: Direction::Received,
            close,
        } => ending::closed(state, *lane, *close)?,
        What::Closed {
            lane,
            direction: Direction::Sent,
            ..
        } => acting::left(state, *lane),
        What::Exited { .. } if !state.heard.anything && !state.model.is_greeted() => {
            return Err(never_spoke(state, true).into());
        }
        What::Opened { lane } if !state.plan.opens_at_start(*lane) => {
            state.is_opening = false;
            // A connection is there before the referee has taken it: what follows at once could go on without whoever has joined.
            state.is_unsettled = true;
            state.progress();
        }
        _ => {}
    }
    if matches!(state.pending, Some(Pending::Ended { .. })) && ending::was_right_to_close(state) {
        state.pending = None;
        state.progress();
    }
    if let Some(wait) = state.expired().filter(|_| !state.is_finished) {
        ending::wait(state, wait)?;
    }
    for (requirement, seen) in state.model.take_decisions() {
        state.choice(requirement, seen);
    }
    match state.is_finished {
        true => Ok(()),
        false => advance(state),
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
            state.plan.dialect.hear(text) == RefereeLine::Loss
        }
        What::Closed {
            lane,
            direction: Direction::Received,
            ..
        } => !state.lanes[*lane].has_left && state.plan.dialect.is_loss_silent(),
        _ => false,
    }
}

/// Takes that a line of a player was written.
///
/// # Errors
/// A finding where the line does not do what the scenario means.
fn sent(state: &mut State, lane: usize, text: &[u8]) -> Played {
    state.in_flight = state.in_flight.saturating_sub(1);
    state.progress();
    let on_turn = state.model.awaits_move_of();
    let answered = state.model.sent(lane, text);
    if let (Some(seat), Answered::Moved(_)) = (on_turn, answered) {
        timeout::moved(state, seat);
    }
    if answered == Answered::OffTurn {
        acting::sent_off_turn(state, lane, text);
    } else {
        let decides = !matches!(answered, Answered::Ignored(_));
        let (now, pace) = (state.now, state.settings.pace);
        state.clock.sent(now, pace, decides);
    }
    let action = state.course.turn().map(|turn| turn.deed.clone());
    if let Some(action) = &action {
        Wrong::check_line(action, answered).map_err(|wrong| state.misfit(wrong))?;
    }
    state.progress.awaits_step |= match answered {
        Answered::Moved(_) | Answered::Open(_) => true,
        Answered::Ignored(_) => {
            matches!(action.as_ref().map(Deed::of_line), Some(Deed::Ignored(_)))
        }
        Answered::OffTurn | Answered::Lost(_) => false,
    };
    Ok(())
}

/// Goes on as far as it can without an event.
fn advance(state: &mut State) -> Played {
    if state.pending.is_some() || !acting::pump(state) || state.is_opening || state.in_flight > 0 {
        return Ok(());
    }
    let budgets = state.settings.budgets;
    if !state.model.is_greeted() {
        state.wait_patiently(Wait::Handshake, budgets.handshake);
        return Ok(());
    }
    let answer = (budgets.answer + state.settings.pace + state.clock.early_by)
        .max(state.clock.timeout.patience);
    if !state.model.is_caught_up() {
        state.wait(Wait::Answer, answer);
        return Ok(());
    }
    if state.model.is_over() {
        let is_done = |lane: &LaneState| lane.ended.is_some() || lane.has_left || !lane.is_open;
        if state.lanes.iter().all(is_done) {
            ending::finish(state);
        } else if timeout::awaits_forfeit(state) && !timeout::has_any_ended(state) {
            await_forfeit(state);
        } else {
            let budget = timeout::closing_budget(state);
            state.wait(Wait::Close, budget);
        }
        return Ok(());
    }
    // Where a roll begins the turn, it has taken the step.
    let table = state.model.table();
    let is_rolled = table.is_some_and(|table| table.roll().is_some());
    let on_turn = state.model.awaits_move_of();
    if let (true, Some(seat)) = (state.progress.awaits_step && !is_rolled, on_turn) {
        state.begin_turn(seat, None, false)?;
    }
    let undecided = state.model.undecided();
    let is_undecided = undecided.is_some_and(|open| open.may_be_ignored);
    // An open line may be the last of the scenario, and its player still on turn.
    let is_past = state.course.is_between_steps() || is_undecided && state.progress.awaits_step;
    if is_past && state.course.next_step().is_none() && state.course.steps_begun() > 0 {
        // The roll after the last step has reached every lane: nothing of the scenario is missing any more.
        if (is_undecided || state.plan.late_spectators().next().is_some())
            && state.progress.settling != Settling::Over
        {
            state.wait(Wait::Quiet, SETTLE);
        } else {
            ending::finish(state);
        }
        return Ok(());
    }
    match state.model.awaits_move_of() {
        Some(seat) => {
            if acting::act(state, seat)? {
                return advance(state);
            }
        }
        // Where it may have been ignored, silence is an answer.
        None if is_undecided && !state.model.is_owed(0) => {
            state.wait(Wait::Quiet, budgets.close);
        }
        None if timeout::awaits_forfeit(state) => await_forfeit(state),
        None => state.wait(Wait::Answer, answer),
    }
    Ok(())
}

/// Waits for the lanes to end of a game whose player on turn has gone away: it may lose at once, or when its time is over.
fn await_forfeit(state: &mut State) {
    if !matches!(state.waiting, Some((Wait::Forfeit, _))) {
        timeout::ends_late(state);
        let budget = timeout::closing_budget(state);
        state.wait(Wait::Forfeit, budget);
    }
}
