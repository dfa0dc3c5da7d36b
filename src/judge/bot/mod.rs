//! A bot under test: urtext plays the referee and the opponent.

mod answer;
mod opponent;
pub(super) mod silence;
mod wrong_line;

use std::time::Duration;

use super::action::Command;
use super::finding_context;
use super::game_facts::Settling;
use super::settings::Settings;
use super::slack::patience;
use super::state::State;
use super::wait::{Pending, Wait};
use crate::event::{Event, What};
use crate::finding::FindingKind;
use crate::protocol::{GameEvent, Line};
use crate::requirement::Role;
use crate::rules::Roll;
use crate::scenario::{SendPart, StepKind, Writes};
use crate::transcript::{Close, Direction, Entry};

/// Pause in sending that shows the bot's interpretation of a line. Longer than the time between two samples
/// of its processes.
const PAUSE: Duration = Duration::from_millis(250);

/// The one lane of the game.
const LANE: usize = 0;

pub(super) fn take(state: &mut State, event: &Event) {
    match &event.what {
        // What comes after the answer is overdue is judged with it.
        What::Line {
            direction: Direction::Sent,
            ..
        } if state.waits.pending.is_some() => {}
        What::Line {
            direction: Direction::Sent,
            line,
            ..
        } if answer::is_in_vain(state, line) => {}
        What::Line {
            direction: Direction::Sent,
            line,
            ..
        } => {
            let late = lateness(state);
            state.progress();
            match late {
                Some(late) => {
                    let finding = silence::late(&state.seen, line, late);
                    state.fail(finding);
                }
                None => answer::answer(state, line),
            }
        }
        What::Line {
            direction: Direction::Received,
            ..
        } => {
            state.seen.bot.unwritten = state.seen.bot.unwritten.saturating_sub(1);
        }
        What::Closed {
            direction: Direction::Sent,
            close,
            ..
        } => closed(state, *close),
        What::Exited { .. } => {
            state.seen.bot.has_ended_in_time =
                state.seen.model.is_over() || state.seen.bot.has_hung_up
        }
        What::Interrupted => return state.finish(),
        _ => {}
    }
    if let Some(wait) = state.expired().filter(|_| !state.results.is_finished) {
        expired(state, wait);
    }
    if !state.results.is_finished && state.seen.lanes[LANE].is_open {
        advance(state);
    }
}

fn closed(state: &mut State, close: Close) {
    let is_told_all = state.seen.bot.unwritten == 0;
    if (state.seen.bot.has_hung_up && is_told_all && state.waits.pending.is_none())
        || state.seen.model.is_over()
    {
        if close == Close::Reset {
            let requirement = state.seen.plan.dialect.id(Role::Close);
            state.choice(
                requirement,
                "the bot reset its connection at the end".to_owned(),
            );
        }
        return;
    }
    if state.waits.pending.is_none() {
        state.await_aftermath(Pending::Ended { lane: LANE, close });
    }
}

fn expired(state: &mut State, wait: Wait) {
    state.waits.current = None;
    let dialect = state.seen.plan.dialect;
    match wait {
        Wait::Answer => state.wait(Wait::Late, state.seen.now + state.seen.patience()),
        // A pause within a line.
        Wait::Pause if !state.outgoing.outbox.is_empty() => {}
        Wait::Pause => match pause_ends(state).filter(|ends| *ends > state.seen.now) {
            Some(ends) => state.wait(Wait::Pause, ends),
            None => state.seen.progress.settling = Settling::Over,
        },
        Wait::Late if state.seen.processes.is_computing() => still_computing(state),
        Wait::Late | Wait::Handshake | Wait::Timeout | Wait::Quiet => {
            // What it has written and not ended, or not flushed, comes when it sees the end of its input.
            let sent = |entry: &&Entry| entry.direction == Direction::Sent;
            let heard = state.seen.lanes[LANE].entries.iter().filter(sent).count();
            let (has_exited, evidence) = (
                state.seen.exited.is_some(),
                finding_context::asleep(&state.seen),
            );
            state.results.commands.push(Command::Close { lane: LANE });
            state.await_aftermath(Pending::Unanswered {
                heard,
                has_exited,
                evidence,
            });
        }
        Wait::Close | Wait::Forfeit => {
            let is_lost = matches!(
                state.seen.model.history().last(),
                Some(GameEvent::Lost { .. })
            );
            let requirement = if is_lost {
                dialect.id(Role::BotEndsAfterLoss)
            } else {
                dialect.id(Role::BotEndsAfterGame)
            };
            let finding = silence::stays(&state.seen, requirement, FindingKind::StaysAfterGame);
            state.fail(finding);
        }
        Wait::Exit => {
            if let (Some((status, is_success)), None) =
                (state.seen.exited.clone(), state.seen.lanes[LANE].ended)
            {
                let requirement = dialect.id(Role::BotExitStatus);
                if !is_success {
                    state.choice(requirement, format!("the bot ended with {status}"));
                }
                let seen = silence::left_behind(&state.seen);
                state.choice(requirement, seen);
            }
            state.finish();
        }
        Wait::CloseAfterUs => {
            let finding = silence::stays(
                &state.seen,
                dialect.id(Role::BotEndsOnClosedInput),
                FindingKind::StaysWithoutInput,
            );
            state.fail(finding);
        }
        Wait::AfterClose => state.fail_pending(),
    }
}

/// The time in which the bot has to answer, where it is known: that of the scenario or of the subject, or that of the game.
fn time_to_answer(state: &State) -> Option<Duration> {
    state
        .seen
        .settings
        .timeout
        .or(state.seen.plan.dialect.game().default_timeout())
}

/// Returns the lateness of an answer that arrives now; `None` if it is in time, or its deadline is unknown.
fn lateness(state: &State) -> Option<Duration> {
    if !matches!(state.waits.current, Some((Wait::Answer | Wait::Late, _))) {
        return None;
    }
    let over = time_is_over(state, time_to_answer(state)?);
    let late = state.seen.now.checked_sub(over);
    late.filter(|late| !late.is_zero())
}

/// Returns when the time for an answer is over, of which `allowed` is given by the game: a first answer can take longer.
fn time_is_over(state: &State, allowed: Duration) -> Duration {
    let budget = state.waits.due.map_or(Duration::ZERO, |(_, until)| until);
    budget.max(state.seen.clock.rolled_at + allowed)
}

/// The bot computes although its answer is overdue: it is waited for as long as the game gives it.
fn still_computing(state: &mut State) {
    let allowed = time_to_answer(state).unwrap_or(state.seen.settings.budgets.forfeit);
    let over = time_is_over(state, allowed);
    if state.seen.now >= over {
        let allowed = over - state.seen.clock.rolled_at;
        let finding = silence::computes(&state.seen, allowed, time_to_answer(state).is_some());
        return state.fail(finding);
    }
    state.wait(Wait::Late, over.min(state.seen.now + state.seen.patience()));
}

fn advance(state: &mut State) {
    loop {
        if state.results.is_finished || state.waits.pending.is_some() {
            return;
        }
        take_due(state);
        if !holds_back(state) && !state.send_waiting() {
            return;
        }
        if state.seen.model.is_over() {
            let ending = state.seen.model.history().last();
            let is_dropped =
                ending.is_some_and(|ending| state.seen.plan.dialect.closes_after(ending).is_some());
            if is_dropped && !state.seen.bot.has_hung_up {
                state.seen.bot.has_hung_up = true;
                state.results.commands.push(Command::Close { lane: LANE });
            }
            return wait_for_the_end(state, Wait::Close);
        }
        if pauses(state) && state.seen.progress.settling != Settling::Over {
            if state.seen.progress.settling == Settling::NotYet {
                state.seen.progress.settling = Settling::Since(state.seen.now);
            }
            return state.wait(Wait::Pause, state.seen.now + PAUSE);
        }
        let on_turn = state
            .seen
            .model
            .awaits_move_of()
            .filter(|_| !needs_beginning(state) || begin(state));
        if state.results.is_finished {
            return;
        }
        if let Some(seat) = on_turn {
            if seat == state.seen.plan.bot_seat {
                let Settings {
                    timeout, budgets, ..
                } = state.seen.settings;
                let budget = budgets.answer.max(timeout.unwrap_or_default());
                let budget = patience(&state.seen, budget);
                return state.wait(Wait::Answer, state.seen.now + budget);
            }
            opponent::play(state, seat);
        } else if !begin(state) {
            if !state.seen.bot.has_hung_up {
                state.seen.bot.has_hung_up = true;
                state.results.commands.push(Command::Close { lane: LANE });
            }
            return wait_for_the_end(state, Wait::CloseAfterUs);
        }
    }
}

/// Takes the lines that the bot is owed by now.
fn take_due(state: &mut State) {
    let mut lines = Vec::new();
    while let Some(told) = state.seen.model.take_due(LANE) {
        state.seen.bot.unwritten += 1;
        lines.extend(Line::new(told.line).to_wire());
    }
    if lines.is_empty() {
        return;
    }
    state.progress();
    let outbox = &mut state.outgoing.outbox;
    match (state.seen.plan.writes, outbox.back_mut()) {
        (Writes::Joined, Some((_, SendPart::Bytes(before)))) => before.extend(lines),
        (writes, _) => outbox.extend(writes.parts(lines).into_iter().map(|part| (LANE, part))),
    }
}

/// Returns true if further lines are due before the bot has to do anything, and the scenario has all of them written at once.
fn holds_back(state: &State) -> bool {
    let seen = &state.seen;
    seen.plan.writes == Writes::Joined
        && !seen.model.is_over()
        && !pauses(state)
        && seen.model.awaits_move_of() != Some(seen.plan.bot_seat)
        && seen.course.next_step < seen.plan.steps.len()
}

/// Returns true if urtext pauses before the next line, so that the bot shows its interpretation of the last
/// one: its own move that was returned, the first player, or its skipped turn. A line that answers a skipped
/// turn is else taken for its next answer.
fn pauses(state: &State) -> bool {
    let checks = &state.seen.plan.checks;
    let dialect = state.seen.plan.dialect;
    let bot = state.seen.plan.bot_seat;
    let is_others_turn = state.seen.model.awaits_move_of() == Some(bot.other());
    match state.seen.model.history().last() {
        Some(&GameEvent::Moved { by, .. }) if by == bot => {
            is_others_turn
                && dialect
                    .find_id(Role::BotConfirmation)
                    .is_some_and(|id| checks.contains(&id))
        }
        Some(&GameEvent::Rolled {
            by, skipped: true, ..
        }) if by == bot => checks.contains(&dialect.id(Role::BotSilentWhenSkipped)),
        None => {
            is_others_turn
                && dialect.game().kinds_of_roll().is_empty()
                && checks.contains(&dialect.id(Role::FirstTurn))
        }
        Some(_) => false,
    }
}

/// Returns the end of the pause; lag that took time from the bot extends the pause, up to the answer budget.
fn pause_ends(state: &State) -> Option<Duration> {
    let Settling::Since(from) = state.seen.progress.settling else {
        return None;
    };
    Some(
        from + PAUSE
            + state
                .seen
                .lags
                .lost_since(from)
                .min(state.seen.settings.budgets.answer),
    )
}

fn wait_for_the_end(state: &mut State, wait: Wait) {
    if state.seen.lanes[LANE].ended.is_none() && !state.seen.bot.has_ended_in_time {
        return state.wait(
            wait,
            state.seen.now + patience(&state.seen, state.seen.settings.budgets.close),
        );
    }
    // What it has started can hold its lane open, and the lane can end a moment after the process.
    let exited = state
        .seen
        .exited
        .clone()
        .filter(|_| state.seen.lanes[LANE].ended.is_some());
    match exited {
        Some((_, true)) => state.finish(),
        Some((status, false)) => {
            let requirement = state.seen.plan.dialect.id(Role::BotExitStatus);
            state.choice(requirement, format!("the bot ended with {status}"));
            state.finish();
        }
        // Its stream can end a moment before the process does.
        None => state.wait(Wait::Exit, state.seen.now + Duration::from_millis(200)),
    }
}

/// Returns true if a turn without a roll is due to begin.
fn needs_beginning(state: &State) -> bool {
    state.seen.progress.awaits_step
        && state
            .seen
            .model
            .table()
            .is_some_and(|table| table.roll().is_none())
}

/// Begins the next turn, by a roll where there are rolls; `false` where the scenario has no more turns.
fn begin(state: &mut State) -> bool {
    let forced = match state
        .seen
        .plan
        .steps
        .get(state.seen.course.next_step)
        .map(|step| &step.kind)
    {
        None => return false,
        Some(StepKind::Turn(turn)) => turn.roll,
        Some(StepKind::PlayToTheEnd | StepKind::PlayUntil(_) | StepKind::Improvise(_)) => None,
    };
    if let Some(seat) = state.seen.model.awaits_move_of() {
        state.seen.clock.rolled_at = state.seen.now;
        if let Err(finding) = state.begin_turn(seat, None, false) {
            state.fail(*finding);
        }
        return true;
    }
    let roll: Roll = match forced {
        Some(roll) => roll,
        None => state.free_roll(),
    };
    let happening = state.seen.model.roll(roll);
    let skipped = matches!(happening, GameEvent::Rolled { skipped: true, .. });
    state.seen.clock.rolled_at = state.seen.now;
    if let Err(finding) = state.begin_turn(happening.by(), Some(roll), skipped) {
        state.fail(*finding);
    }
    true
}
