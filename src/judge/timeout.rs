//! End of the time for a move, and losses by timeout that are too early, too late or still awaited.

use std::time::Duration;

use super::clock::{Clock, ClockDeed, Late};
use super::diagnosis;
use super::finding_context::lane_name;
use super::observed::Observed;
use super::slack::{Bound, Measured, clock_starts, not_before, tolerance};
use super::state::State;
use super::untimely;
use crate::finding::Finding;
use crate::protocol::{Cause, GameEvent};
use crate::requirement::Role;
use crate::rules::Seat;

/// Tolerance for a late loss by timeout, in addition to a quarter of the timeout and the measured lag.
const LATE: Duration = Duration::from_millis(500);

/// Least tolerance for a late loss by timeout: a clock that counts whole seconds takes up to one more.
const WHOLE_SECOND: Duration = Duration::from_millis(1250);

/// A turn whose time runs has been shown on every lane.
pub(super) fn turn_seen(seen: &mut Observed) {
    let turn = seen.model.history().len();
    if seen.clock.timeout.turn != Some(turn) {
        let mut used = std::mem::take(&mut seen.clock.timeout.used);
        if let Some((seat, from)) = seen.clock.timeout.moved {
            used[seat] += seen.clock.rolled_at.saturating_sub(from);
        }
        seen.clock.timeout = Clock {
            turn: Some(turn),
            seen: seen.now,
            used,
            ..Clock::default()
        };
    }
}

/// The participant of this lane does something.
pub(super) fn acted(seen: &mut Observed, lane: usize, deed: ClockDeed) {
    seen.clock.timeout.acted = Some((seen.now, lane, deed));
}

/// A deed in words.
fn described(seen: &Observed, lane: usize, deed: ClockDeed) -> String {
    let name = lane_name(seen, lane);
    match deed {
        ClockDeed::Line => format!("a line from {name}"),
        ClockDeed::PartOfLine => format!("part of a line from {name}"),
        ClockDeed::Departure => format!("the departure of {name}"),
        ClockDeed::Joining => "a new spectator".to_owned(),
    }
}

/// The player on turn has moved.
pub(super) fn moved(seen: &mut Observed, seat: Seat) {
    seen.clock.timeout.moved = Some((seat, seen.clock.from.unwrap_or_default()));
}

/// Returns the time that a player can have used before this turn, if the specification leaves open whether
/// that time counts.
fn used_before(seen: &Observed, seat: Seat) -> Duration {
    match seen.plan.dialect.find_id(Role::TimeInSum) {
        Some(_) => seen.clock.timeout.used[seat],
        None => Duration::ZERO,
    }
}

/// Returns true if the player on turn lets the timeout pass, and a loss now is not too early. If the time of
/// earlier turns may count, the loss may be earlier by that time.
pub(super) fn may_be_over(seen: &Observed) -> bool {
    let is_seen = seen.clock.timeout.turn == Some(seen.model.history().len());
    let (Some(timeout), Some(seat)) = (seen.settings.timeout, seen.model.awaits_move_of()) else {
        return false;
    };
    is_seen
        && seen
            .turn()
            .is_some_and(|turn| seen.plan.lets_time_pass(&turn.deed))
        && seen.now + used_before(seen, seat) >= not_before(seen, timeout)
}

/// The latest time at which a loss shows of a clock that was started at this time.
fn late_after(seen: &Observed, started: Duration) -> Option<Duration> {
    let timeout = seen.settings.timeout?;
    Some(started + timeout + (timeout / 4 + LATE).max(WHOLE_SECOND))
}

/// The time of the player on turn is over: a loss that shows earlier or later than it may is judged from now on.
pub(super) fn is_over(seen: &mut Observed, seat: Seat) {
    ends_late(seen);
    let surely = |timeout: Duration| {
        (clock_starts(seen) + timeout * 2 / 3).saturating_sub(used_before(seen, seat))
    };
    seen.clock.timeout.surely_after = seen.settings.timeout.map(surely);
}

/// The time of the player on turn is over, or it has gone away: a loss that shows later than it may is judged from now on.
pub(super) fn ends_late(seen: &mut Observed) {
    turn_seen_before_the_loss(seen);
    seen.clock.timeout.late_after = late_after(seen, seen.clock.timeout.seen);
    let last = seen
        .clock
        .timeout
        .acted
        .map(|(at, ..)| at)
        .unwrap_or_default()
        .max(seen.clock.timeout.seen);
    let shows_by = late_after(seen, last).unwrap_or_default() + seen.settings.lag;
    seen.clock.timeout.patience = shows_by.saturating_sub(seen.now);
}

/// Sets the start of a turn that was not seen: without a player on turn since the last line, the turn began
/// with that line.
fn turn_seen_before_the_loss(seen: &mut Observed) {
    let turn = seen.model.history().len();
    if !matches!(seen.clock.timeout.turn, Some(seen) if seen == turn || seen + 1 == turn) {
        seen.clock.timeout.seen = seen
            .lanes
            .iter()
            .map(|lane| lane.last_heard)
            .max()
            .unwrap_or_default();
        (seen.clock.timeout.turn, seen.clock.timeout.acted) = (Some(turn), None);
    }
}

/// Records whether the time of a player's earlier turns counts, where that is open and has shown.
pub(super) fn note_reading(state: &mut State, seat: Seat) {
    let Some(requirement) = state.seen.plan.dialect.find_id(Role::TimeInSum) else {
        return;
    };
    let Some(timeout) = state.seen.settings.timeout else {
        return;
    };
    let used = used_before(&state.seen, seat);
    if state.seen.now < not_before(&state.seen, timeout) {
        state.choice(
            requirement,
            "the time that the player took in its earlier turns counts".to_owned(),
        );
    } else if state.seen.plan.checks.contains(&requirement) && used > tolerance(timeout) {
        state.choice(requirement, "each turn has its whole time".to_owned());
    }
}

/// The first sign of the loss has come on a lane: returns the finding if it is too late, or if lag hides whether it came in time.
pub(super) fn first_sign(seen: &mut Observed, lane: usize) -> Option<Finding> {
    let clock = &mut seen.clock.timeout;
    let (late_after, surely_after) = (clock.late_after.take()?, clock.surely_after.take());
    let timeout = seen.settings.timeout?;
    let Clock {
        seen: shown, acted, ..
    } = seen.clock.timeout.clone();
    let own = seen.lags.own_since(shown);
    let read = Measured {
        time: seen.now,
        short: own,
        long: own + seen.lags.delayed_since(shown),
    };
    // Who reads late sees a loss in time that came too early.
    if let Some(surely_after) = surely_after
        && read.at_least(surely_after, Duration::ZERO) == Bound::Unsure
    {
        return Some(untimely::unsure_loss(seen, "early", read.long));
    }
    // Only what came so long after the turn's beginning can be told from a clock that is slow.
    let visible = late_after - shown - timeout;
    let margin = match acted {
        Some((at, ..)) if at > shown + visible => LATE.min(at - shown - visible) / 2,
        _ => LATE / 2,
    };
    let read = Measured {
        long: read.long + seen.settings.lag,
        ..read
    };
    match read.at_most(late_after, margin) {
        Bound::Kept => None,
        Bound::Unsure => Some(untimely::unsure_loss(seen, "late", read.long)),
        Bound::Broken => {
            let is_restart = |at: Duration| {
                at >= shown + visible && seen.now + tolerance(timeout) >= at + timeout
            };
            let restarted = acted
                .filter(|&(at, ..)| is_restart(at))
                .map(|(at, by, deed)| (at - shown, described(seen, by, deed)));
            let late = Late {
                waited: seen.now - shown,
                allowed: late_after - shown,
                restarted,
            };
            Some(untimely::late_loss(seen, lane, late))
        }
    }
}

/// Returns true if a player has disconnected on its turn and no line reports the loss: the player may lose at
/// once, or after the timeout.
pub(super) fn awaits_forfeit(seen: &Observed) -> bool {
    if !diagnosis::is_loss_silent(seen) {
        return false;
    }
    match seen.model.history().last() {
        Some(GameEvent::Lost {
            cause: Cause::HangUp,
            ..
        }) => true,
        _ if seen.model.is_over() => false,
        // A line that it has begun may count, and if not, it has gone away.
        _ => {
            seen.model.undecided().is_some_and(|open| open.may_lose)
                && seen
                    .model
                    .table()
                    .is_some_and(|table| seen.model.is_gone(table.to_move()))
        }
    }
}

/// Returns true if the referee has closed a lane.
pub(super) fn has_any_ended(seen: &Observed) -> bool {
    seen.lanes
        .iter()
        .any(|lane| lane.ended.is_some() && !lane.has_left)
}

/// Returns the budget for the lanes' close after the game; where a close is required, the same budget as for
/// a due line.
pub(super) fn closing_budget(seen: &Observed) -> Duration {
    let budgets = seen.settings.budgets;
    match seen.model.history().last() {
        Some(ending)
            if seen.model.is_over() && seen.plan.dialect.closes_after(ending).is_none() =>
        {
            budgets.close
        }
        None => budgets.close,
        _ if awaits_forfeit(seen) && !has_any_ended(seen) => match seen.settings.timeout {
            Some(timeout) => (budgets.answer + timeout).max(seen.clock.timeout.patience),
            None => budgets.forfeit,
        },
        _ => (budgets.answer + seen.clock.early_by).max(seen.clock.timeout.patience),
    }
}
