//! A bot under test: urtext plays the referee and the opponent.

mod answer;
pub(super) mod finding;

use std::time::Duration;

use super::settings::Settings;
use super::state::{Settling, State};
use super::wait::{Pending, Wait};
use super::watch::Played;
use crate::event::{Event, What};
use crate::protocol::{GameEvent, Line};
use crate::requirement::Role;
use crate::scenario::{SendPart, StepKind, Writes};
use crate::transcript::{Close, Direction};

/// Pause in sending that shows the bot's interpretation of a line. Longer than the time between two samples
/// of its processes.
const PAUSE: Duration = Duration::from_millis(250);

/// The one lane of the game.
const LANE: usize = 0;

/// Takes an event.
///
/// # Errors
/// A finding that ends the game.
pub(super) fn take(state: &mut State, event: &Event) -> Played {
    match &event.what {
        What::Line {
            direction: Direction::Sent,
            line,
            ..
        }
            // What comes after the answer is overdue is judged with it.
            if state.pending.is_none() && !answer::is_in_vain(state, line) => {
                let late = lateness(state);
                state.progress();
                if let Some(late) = late {
                    return Err(finding::late(state, line, late).into());
                }
                answer::answer(state, line)?;
            }
        What::Line {
            direction: Direction::Received,
            ..
        } => {
            state.in_flight = state.in_flight.saturating_sub(1);
        }
        What::Closed {
            direction: Direction::Sent,
            close,
            ..
        } => closed(state, *close),
        What::Exited { .. } => state.has_ended_in_time = state.model.is_over() || state.has_hung_up,
        _ => {}
    }
    if let Some(wait) = state.expired() {
        expired(state, wait)?;
    }
    match state.lanes[LANE].is_open {
        true => advance(state),
        false => Ok(()),
    }
}

fn closed(state: &mut State, close: Close) {
    let is_told_all = state.in_flight == 0;
    if (state.has_hung_up && is_told_all && state.pending.is_none()) || state.model.is_over() {
        if close == Close::Reset {
            let requirement = state.id(Role::Close);
            state.choice(
                requirement,
                "the bot reset its connection at the end".to_owned(),
            );
        }
        return;
    }
    if state.pending.is_none() {
        state.await_aftermath(Pending::Ended { lane: LANE });
    }
}

fn expired(state: &mut State, wait: Wait) -> Played {
    state.waiting = None;
    match wait {
        Wait::Answer => state.wait_longer(),
        // A pause within a line.
        Wait::Pause if !state.outbox.is_empty() => {}
        Wait::Pause => match pause_ends(state).filter(|ends| *ends > state.now) {
            Some(ends) => state.wait_until(Wait::Pause, ends),
            None => state.progress.settling = Settling::Over,
        },
        Wait::Late if state.is_computing => still_computing(state)?,
        Wait::Late | Wait::Handshake | Wait::Timeout | Wait::Quiet => {
            state.await_last_words(None);
        }
        Wait::Close | Wait::Forfeit => {
            let (role, after) = match state.model.history().last() {
                _ if !state.model.is_over() => (Role::BotEndsOnClosedInput, "its input was closed"),
                Some(GameEvent::Lost { .. }) => (Role::BotEndsAfterLoss, "the game ended"),
                _ => (Role::BotEndsAfterGame, "the game ended"),
            };
            return Err(finding::stays(state, state.id(role), after).into());
        }
        Wait::Exit => {
            if state.exited.is_some() && state.lanes[LANE].ended.is_none() {
                let requirement = state.id(Role::BotExitStatus);
                let seen = finding::left_behind(state);
                state.choice(requirement, seen);
            }
            finish(state);
        }
        Wait::AfterClose => state.fail_pending(),
    }
    Ok(())
}

/// Ends the game, and records the status with which the bot failed.
fn finish(state: &mut State) {
    if let Some((status, false)) = &state.exited {
        let seen = format!("the bot ended with {status}");
        let requirement = state.id(Role::BotExitStatus);
        state.choice(requirement, seen);
    }
    state.finish();
}

/// The time in which the bot has to answer, where it is known: that of the scenario or of the subject, or that of the game.
fn time_to_answer(state: &State) -> Option<Duration> {
    state
        .settings
        .timeout
        .or(state.plan.dialect.game().data().default_timeout)
}

/// Returns the lateness of an answer that arrives now; `None` if it is in time, or its deadline is unknown.
fn lateness(state: &State) -> Option<Duration> {
    if !matches!(state.waiting, Some((Wait::Answer | Wait::Late, _))) {
        return None;
    }
    let over = time_is_over(state, time_to_answer(state)?);
    let late = state.now.checked_sub(over);
    late.filter(|late| !late.is_zero())
}

/// Returns when the time for an answer is over, of which `allowed` is given by the game: a first answer can take longer.
fn time_is_over(state: &State, allowed: Duration) -> Duration {
    let budget = state.due.map_or(Duration::ZERO, |(_, until)| until);
    budget.max(state.clock.rolled_at + allowed)
}

/// The bot computes although its answer is overdue: it is waited for as long as the game gives it.
fn still_computing(state: &mut State) -> Played {
    let allowed = time_to_answer(state).unwrap_or(state.settings.budgets.forfeit);
    let over = time_is_over(state, allowed);
    if state.now >= over {
        let allowed = over - state.clock.rolled_at;
        let is_known = time_to_answer(state).is_some();
        return Err(finding::computes(state, allowed, is_known).into());
    }
    let until = over.min(state.now + state.late_patience());
    state.wait_until(Wait::Late, until);
    Ok(())
}

/// Goes on as far as it can without an event.
fn advance(state: &mut State) -> Played {
    while !state.is_finished && state.pending.is_none() {
        take_due(state);
        if !holds_back(state) && !state.send_waiting() {
            break;
        }
        if state.model.is_over() {
            let ending = state.model.history().last();
            let is_dropped =
                ending.is_some_and(|ending| state.plan.dialect.closes_after(ending).is_some());
            if is_dropped {
                state.hang_up();
            }
            wait_for_the_end(state);
            break;
        }
        if pauses(state) && state.progress.settling != Settling::Over {
            if state.progress.settling == Settling::NotYet {
                state.progress.settling = Settling::Since(state.now);
            }
            state.wait(Wait::Pause, PAUSE);
            break;
        }
        let on_turn = state.model.awaits_move_of();
        let has_begun = on_turn.is_some() && !needs_beginning(state);
        if !has_begun && !begin(state)? {
            state.hang_up();
            wait_for_the_end(state);
            break;
        }
        match on_turn {
            Some(seat) if seat == state.plan.bot_seat => {
                let Settings {
                    timeout, budgets, ..
                } = state.settings;
                let budget = budgets.answer.max(timeout.unwrap_or_default());
                state.wait_patiently(Wait::Answer, budget);
                break;
            }
            Some(seat) => answer::play_opponent(state, seat)?,
            None => {}
        }
    }
    Ok(())
}

/// Takes the lines that the bot is owed by now.
fn take_due(state: &mut State) {
    let mut lines = Vec::new();
    while let Some(told) = state.model.take_due(LANE) {
        state.in_flight += 1;
        lines.extend(Line::new(told.line).to_wire());
    }
    if lines.is_empty() {
        return;
    }
    state.progress();
    let outbox = &mut state.watch.outbox;
    match (state.plan.keys.writes, outbox.back_mut()) {
        (Writes::Joined, Some((_, SendPart::Bytes(before)))) => before.extend(lines),
        (writes, _) => outbox.extend(writes.parts(lines).into_iter().map(|part| (LANE, part))),
    }
}

/// Returns true if further lines are due before the bot has to do anything, and the scenario has all of them written at once.
fn holds_back(state: &State) -> bool {
    let seen = state;
    seen.plan.keys.writes == Writes::Joined
        && !seen.model.is_over()
        && !pauses(state)
        && seen.model.awaits_move_of() != Some(seen.plan.bot_seat)
        && seen.course.next_step().is_some()
}

/// Returns true if urtext pauses before the next line, so that the bot shows its interpretation of the last
/// one: its own move that was returned, the first player, or its skipped turn. A line that answers a skipped
/// turn is else taken for its next answer.
fn pauses(state: &State) -> bool {
    let dialect = state.plan.dialect;
    let bot = state.plan.bot_seat;
    let is_others_turn = state.model.awaits_move_of() == Some(bot.other());
    match state.model.history().last() {
        Some(&GameEvent::Moved { by, .. }) if by == bot => {
            is_others_turn
                && state
                    .find_id(Role::BotConfirmation)
                    .is_some_and(|id| state.checks(id))
        }
        Some(&GameEvent::Rolled {
            by, skipped: true, ..
        }) if by == bot => state.checks(state.id(Role::BotSilentWhenSkipped)),
        None => {
            is_others_turn
                && dialect.game().kinds_of_roll().is_empty()
                && state.checks(state.id(Role::FirstTurn))
        }
        Some(_) => false,
    }
}

/// Returns the end of the pause; lag that took time from the bot extends the pause, up to the answer budget.
fn pause_ends(state: &State) -> Option<Duration> {
    let Settling::Since(from) = state.progress.settling else {
        return None;
    };
    Some(
        from + PAUSE
            + state
                .lags
                .lost_since(from)
                .min(state.settings.budgets.answer),
    )
}

fn wait_for_the_end(state: &mut State) {
    if state.lanes[LANE].ended.is_none() && !state.has_ended_in_time {
        let budget = state.settings.budgets.close;
        return state.wait_patiently(Wait::Close, budget);
    }
    // What it has started can hold its lane open, and the lane can end a moment after the process.
    match state.exited.is_some() && state.lanes[LANE].ended.is_some() {
        true => finish(state),
        // Its stream can end a moment before the process does.
        false => state.wait(Wait::Exit, Duration::from_millis(200)),
    }
}

/// Returns true if a turn without a roll is due to begin.
fn needs_beginning(state: &State) -> bool {
    state.progress.awaits_step
        && state
            .model
            .table()
            .is_some_and(|table| table.roll().is_none())
}

/// Begins the next turn, by a roll where there are rolls; `false` where the scenario has no more turns.
fn begin(state: &mut State) -> Played<bool> {
    let forced = match state.course.next_step() {
        None => return Ok(false),
        Some(StepKind::Turn(turn)) => turn.roll,
        Some(_) => None,
    };
    state.clock.rolled_at = state.now;
    if let Some(seat) = state.model.awaits_move_of() {
        state.begin_turn(seat, None, false)?;
        return Ok(true);
    }
    let roll = match forced {
        Some(roll) => roll,
        None => state.course.free_roll(&state.model),
    };
    let happening = state.model.roll(roll);
    let skipped = matches!(happening, GameEvent::Rolled { skipped: true, .. });
    state.begin_turn(happening.by(), Some(roll), skipped)?;
    Ok(true)
}
