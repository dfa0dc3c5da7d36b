//! End of the time for a move, and losses by timeout that are too early, too late or still awaited.

use std::time::Duration;

use super::clock::{Clock, Late};
use super::diagnosis;
use super::excuse::doubt;
use super::slack::{early_slack, not_before};
use super::state::State;
use crate::event::{Finding, Verdict};
use crate::protocol::{Cause, GameEvent};
use crate::requirement::Role;
use crate::rules::Seat;

/// Tolerance for a late loss by timeout, in addition to a quarter of the timeout and the measured lag.
const LATE: Duration = Duration::from_millis(500);

/// A turn whose time runs has been shown on every lane.
pub(super) fn turn_seen(state: &mut State) {
    let turn = state.model.history().len();
    if state.clock.turn != Some(turn) {
        let mut used = std::mem::take(&mut state.clock.used);
        if let Some((seat, from)) = state.clock.moved {
            used[seat] += state.rolled_at.saturating_sub(from);
        }
        state.clock = Clock {
            turn: Some(turn),
            seen: state.now,
            used,
            ..Clock::default()
        };
    }
}

/// A participant does something.
pub(super) fn acted(state: &mut State) {
    state.clock.acted = Some(state.now);
}

/// The player on turn has moved.
pub(super) fn moved(state: &mut State, seat: Seat) {
    state.clock.moved = Some((seat, state.clock_from.unwrap_or_default()));
}

/// Returns the time that a player can have used before this turn, if the specification leaves open whether
/// that time counts.
fn used_before(state: &State, seat: Seat) -> Duration {
    match state.scenario.dialect.find_id(Role::TimeInSum) {
        Some(_) => state.clock.used[seat],
        None => Duration::ZERO,
    }
}

/// Returns true if the player on turn lets the timeout pass, and a loss now is not too early. If the time of
/// earlier turns may count, the loss may be earlier by that time.
pub(super) fn may_be_over(state: &State) -> bool {
    let is_seen = state.clock.turn == Some(state.model.history().len());
    let (Some(timeout), Some(seat)) = (state.settings.timeout, state.model.awaits_move_of()) else {
        return false;
    };
    is_seen
        && state.pending.is_none()
        && state
            .turn()
            .is_some_and(|turn| state.scenario.lets_time_pass(&turn.action))
        && state.now + used_before(state, seat) >= not_before(state, timeout)
}

/// The latest time at which a loss shows of a clock that was started at this time.
fn late_after(state: &State, started: Duration) -> Option<Duration> {
    let timeout = state.settings.timeout?;
    Some(started + timeout + timeout / 4 + LATE + state.settings.lag)
}

/// The time of the player on turn is over, or it has gone away: a loss that shows later than it may is judged from now on.
pub(super) fn is_over(state: &mut State) {
    turn_seen_before_the_loss(state);
    state.clock.late_after = late_after(state, state.clock.seen);
    let last = state.clock.acted.unwrap_or_default().max(state.clock.seen);
    let shows_by = late_after(state, last).unwrap_or_default();
    state.clock.patience = shows_by.saturating_sub(state.now);
}

/// Sets the start of a turn that was not seen: without a player on turn since the last line, the turn began
/// with that line.
fn turn_seen_before_the_loss(state: &mut State) {
    let turn = state.model.history().len();
    if !matches!(state.clock.turn, Some(seen) if seen == turn || seen + 1 == turn) {
        state.clock.seen = state
            .lanes
            .iter()
            .map(|lane| lane.last_heard)
            .max()
            .unwrap_or_default();
        (state.clock.turn, state.clock.acted) = (Some(turn), None);
    }
}

/// Records whether the time of a player's earlier turns counts, where that is open and has shown.
pub(super) fn note_reading(state: &mut State, seat: Seat) {
    let Some(requirement) = state.scenario.dialect.find_id(Role::TimeInSum) else {
        return;
    };
    let Some(timeout) = state.settings.timeout else {
        return;
    };
    let used = used_before(state, seat);
    if state.now < not_before(state, timeout) {
        state.choice(
            requirement,
            "the time that the player took in its earlier turns counts".to_owned(),
        );
    } else if state.scenario.checks.contains(&requirement)
        && used > early_slack(timeout, state.settings.lag)
    {
        state.choice(requirement, "each turn has its whole time".to_owned());
    }
}

/// The first sign of the loss has come: how it is too late, if it is.
pub(super) fn first_sign(state: &mut State) -> Option<Late> {
    let late_after = state
        .clock
        .late_after
        .take()
        .filter(|&late_after| state.now > late_after)?;
    let timeout = state.settings.timeout?;
    let Clock { seen, acted, .. } = state.clock;
    if state.now <= late_after + state.lags.lost_since(seen) {
        state.lags.has_excused = true;
        return None;
    }
    // Only what came so long after the turn's beginning can be told from a clock that is slow.
    let visible = late_after - seen - timeout;
    let is_restart = |at: &Duration| {
        *at >= seen + visible
            && state.now + early_slack(timeout, state.settings.lag) >= *at + timeout
    };
    let restarted = acted.filter(is_restart).map(|at| at - seen);
    Some(Late {
        waited: state.now - seen,
        allowed: late_after - seen,
        restarted,
    })
}

/// Returns true if a player has disconnected on its turn and no line reports the loss: the player may lose at
/// once, or after the timeout.
pub(super) fn awaits_forfeit(state: &State) -> bool {
    if !diagnosis::is_loss_silent(state) {
        return false;
    }
    match state.model.history().last() {
        Some(GameEvent::Lost {
            cause: Cause::HangUp,
            ..
        }) => true,
        _ if state.model.is_over() => false,
        // A line that it has begun may count, and if not, it has gone away.
        _ => {
            state.model.undecided().is_some_and(|open| open.may_lose)
                && state
                    .model
                    .table()
                    .is_some_and(|table| state.model.is_gone(table.to_move()))
        }
    }
}

/// The time is over before all was done that the scenario has the players do in this turn: urtext was late.
pub(super) fn cut_short(state: &mut State) -> Option<Finding> {
    let acts = state.turn().map_or(0, |turn| turn.meanwhile.len());
    if state.outbox.is_empty() && state.acts_done >= acts {
        return None;
    }
    let title = "the time for the move was over before all was done that this turn has";
    let mut finding = Finding::new(Verdict::Inconclusive, title);
    finding.span = state.span();
    doubt(state, &mut finding);
    Some(finding)
}

/// Returns true if the referee has closed a lane.
pub(super) fn has_any_ended(state: &State) -> bool {
    state
        .lanes
        .iter()
        .any(|lane| lane.ended.is_some() && !lane.has_left)
}

/// Returns the budget for the lanes' close after the game; where a close is required, the same budget as for
/// a due line.
pub(super) fn closing_budget(state: &State) -> Duration {
    let budgets = state.settings.budgets;
    match state.model.history().last() {
        Some(ending)
            if state.model.is_over() && state.scenario.dialect.closes_after(ending).is_none() =>
        {
            budgets.close
        }
        None => budgets.close,
        _ if awaits_forfeit(state) && !has_any_ended(state) => match state.settings.timeout {
            Some(timeout) => (budgets.answer + timeout).max(state.clock.patience),
            None => budgets.forfeit,
        },
        _ => (budgets.answer + state.early_by).max(state.clock.patience),
    }
}
