//! The time for a move: its end, and lines and losses that come too early or too late.

use std::time::Duration;

use super::clock::{Bound, Clock, Measured, tolerance};
use super::finding_context::{End, busy, doubt, lane_views, seconds, timing};
use super::state::State;
use crate::event::Lag;
use crate::finding::{Finding, LaneView, Verdict};
use crate::protocol::{Cause, Deviation, GameEvent};
use crate::requirement::Role;
use crate::rules::Seat;
use crate::scenario::{SendPart, Turn};

/// Tolerance for a late loss by timeout, in addition to a quarter of the timeout and the measured lag.
const LATE: Duration = Duration::from_millis(500);

/// Least tolerance for a late loss by timeout: a clock that counts whole seconds takes up to one more.
const WHOLE_SECOND: Duration = Duration::from_millis(1250);

/// A time that is shorter is not worth a remark.
const NOTABLE: Duration = Duration::from_millis(100);

/// A turn whose time runs has been shown on every lane.
pub(super) fn turn_seen(seen: &mut State) {
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

/// The participant of this lane does something that a referee may take for the end of a player's silence.
pub(super) fn acted(seen: &mut State, deed: &'static str, lane: usize) {
    seen.clock.timeout.acted = Some((seen.now, deed, lane));
}

/// The player on turn has moved.
pub(super) fn moved(seen: &mut State, seat: Seat) {
    seen.clock.timeout.moved = Some((seat, seen.clock.from.unwrap_or_default()));
}

/// Returns the time that a player can have used before this turn, if the specification leaves open whether
/// that time counts.
fn used_before(seen: &State, seat: Seat) -> Duration {
    match seen.find_id(Role::TimeInSum) {
        Some(_) => seen.clock.timeout.used[seat],
        None => Duration::ZERO,
    }
}

/// Returns true if the player on turn lets the timeout pass, and a loss now is not too early. If the time of
/// earlier turns may count, the loss may be earlier by that time.
pub(super) fn may_be_over(seen: &State) -> bool {
    let is_seen = seen.clock.timeout.turn == Some(seen.model.history().len());
    let (Some(timeout), Some(seat)) = (seen.settings.timeout, seen.model.awaits_move_of()) else {
        return false;
    };
    is_seen
        && seen.course.lets_time_pass()
        && seen.now + used_before(seen, seat) >= seen.clock.not_before(timeout)
}

/// The latest time at which a loss shows of a clock that was started at this time.
fn late_after(seen: &State, started: Duration) -> Option<Duration> {
    let timeout = seen.settings.timeout?;
    Some(started + timeout + (timeout / 4 + LATE).max(WHOLE_SECOND))
}

/// Records that turns take longer than the pace, where all of them do.
pub(super) fn note_pace(state: &mut State) {
    let (Some(requirement), Some(pace)) = (state.find_id(Role::Pace), state.plan.pace) else {
        return;
    };
    if let Some(time) = state.clock.shortest
        && time >= pace * 3 / 2 + NOTABLE
    {
        let observed = format!("at a pace of {}, each turn takes", seconds(pace));
        state.observe(requirement, observed, Some(time));
    }
}

/// The time of the player on turn is over, or it has gone away: a loss that shows later than it may is judged from now on.
pub(super) fn ends_late(seen: &mut State) {
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
fn turn_seen_before_the_loss(seen: &mut State) {
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
    let Some(requirement) = state.find_id(Role::TimeInSum) else {
        return;
    };
    let Some(timeout) = state.settings.timeout else {
        return;
    };
    let used = used_before(state, seat);
    if state.now < state.clock.not_before(timeout) {
        state.choice(
            requirement,
            "the time that the player took in its earlier turns counts".to_owned(),
        );
    } else if state.checks(requirement) && used > tolerance(timeout) {
        state.choice(requirement, "each turn has its whole time".to_owned());
    }
}

/// The first sign of the loss has come on a lane: returns the finding if it is too late, or if lag hides whether it came in time.
pub(super) fn first_sign(seen: &mut State, lane: usize) -> Option<Finding> {
    let late_after = seen.clock.timeout.late_after.take()?;
    let timeout = seen.settings.timeout?;
    let Clock {
        seen: shown, acted, ..
    } = seen.clock.timeout.clone();
    let Lag { own, subject } = seen.lags.since(shown);
    let read = Measured {
        time: seen.now,
        short: own,
        long: own + subject,
    };
    let lost = match seen.model.history().last() {
        Some(&GameEvent::Lost { by, cause }) => Some((by, cause)),
        _ => None,
    };
    // Who reads late sees a loss in time that came too early: after when it is surely not early by as much as scenarios test for, a third of
    // the timeout.
    if let Some((by, Cause::Timeout)) = lost {
        let surely_after = seen.clock.starts() + timeout * 2 / 3;
        let surely_after = surely_after.saturating_sub(used_before(seen, by));
        if read.at_least(surely_after, Duration::ZERO) == Bound::Unsure {
            let early = "the loss by timeout came too early";
            return Some(unsure(seen, Some(not_early(seen)), early, read.long));
        }
    }
    let surely = seen.now.saturating_sub(read.long);
    let (role, observed, due) = match (acted, lost) {
        (Some((left, ..)), Some((_, Cause::HangUp))) => (
            Role::GoneOffTurn,
            "a player who left on its turn lost after",
            left,
        ),
        _ => (
            Role::TimeoutNotLate,
            "the loss by timeout came late, by",
            shown + timeout,
        ),
    };
    let time = surely.saturating_sub(due);
    if time >= NOTABLE {
        let requirement = seen.id(role);
        seen.observe(requirement, observed.to_owned(), Some(time));
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
        Bound::Unsure => {
            let late = "the loss by timeout came too late";
            let requirement = seen.id(Role::TimeoutNotLate);
            Some(unsure(seen, Some(requirement), late, read.long))
        }
        Bound::Broken => {
            // A clock that a deed in the turn started anew is over that much later.
            let is_restart =
                |at| at >= shown + visible && seen.now + tolerance(timeout) >= at + timeout;
            let restarted = acted.filter(|&(at, ..)| is_restart(at));
            let restarted = restarted
                .map(|(at, deed, by)| (at - shown, format!("{deed} {}", seen.lane_name(by))));
            let (waited, allowed) = (seen.now - shown, late_after - shown);
            Some(late_loss(seen, lane, waited, allowed, restarted))
        }
    }
}

/// Returns true if a player has disconnected on its turn and no line reports the loss: the player may lose at
/// once, or after the timeout.
pub(super) fn awaits_forfeit(seen: &State) -> bool {
    if !seen.plan.dialect.is_loss_silent() {
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
pub(super) fn has_any_ended(seen: &State) -> bool {
    seen.lanes
        .iter()
        .any(|lane| lane.ended.is_some() && !lane.has_left)
}

/// Returns the budget for the lanes' close after the game; where a close is required, the same budget as for
/// a due line.
pub(super) fn closing_budget(seen: &State) -> Duration {
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

/// The loss by timeout was seen before the time was over.
pub(super) fn early_loss(seen: &State, deviation: &Deviation, end: End) -> Finding {
    let after = seen.now.saturating_sub(seen.clock.rolled_at);
    let title = format!(
        "the loss by timeout was seen after {}, too early",
        seconds(after)
    );
    let mut finding = timing(seen, Some(not_early(seen)), title);
    finding.lanes = lane_views(seen, deviation, end);
    if let Some(timeout) = seen.settings.timeout {
        let sure = seconds(seen.clock.not_before(timeout));
        let now = seconds(seen.now);
        finding.notes.push(format!(
            "the timeout is {}; {now} into the game, it cannot be over before {sure}",
            seconds(timeout)
        ));
        // The lanes of a game can have been open for that long when its time begins for urtext.
        let lag = seen.lag_since(Duration::ZERO);
        if seen.clock.from.is_none() && seen.now + lag >= seen.clock.not_before(timeout) {
            doubt(&mut finding, busy(lag));
        }
    }
    finding
}

/// Lag hides if `what` is so: the finding decides nothing, and the game is played again.
pub(super) fn unsure(
    seen: &State,
    requirement: Option<&'static str>,
    what: &str,
    lag: Duration,
) -> Finding {
    let title = format!("this machine was too busy to tell whether {what}");
    Finding {
        verdict: Verdict::Inconclusive,
        ..timing(seen, requirement, title).noted(busy(lag))
    }
}

/// Returns true if lanes close while a player lets the timeout pass, in a dialect where only the close shows
/// a loss.
pub(super) fn is_too_early(seen: &State, end: End) -> bool {
    matches!(end, End::Stream(_))
        && !seen.model.is_over()
        && seen.plan.dialect.is_loss_silent()
        && seen.course.lets_time_pass()
}

/// Id of the requirement that a loss breaks which comes before the timeout is over.
fn not_early(seen: &State) -> &'static str {
    let by_default = seen
        .find_id(Role::DefaultTimeout)
        .filter(|_| seen.plan.leaves("timeout"));
    let own_turn = Some(seen.id(Role::OwnTurnTimed)).filter(|id| seen.plan.checks.contains(id));
    by_default
        .or(own_turn)
        .unwrap_or(seen.id(Role::TimeoutNotEarly))
}

/// The first sign of a loss by silence came too late. `waited`: the shortest time that the referee can have waited; `restarted`: the time in
/// the turn of the deed that seems to have started its clock anew, and that deed.
fn late_loss(
    seen: &State,
    lane: usize,
    waited: Duration,
    allowed: Duration,
    restarted: Option<(Duration, String)>,
) -> Finding {
    let by_ignored_line = || {
        let id = seen.find_id(Role::NoNewTimeByIgnoredLine);
        id.filter(|_| has_sent_in_vain(seen))
    };
    let requirement = match &restarted {
        Some(_) => by_ignored_line().unwrap_or(seen.id(Role::NoNewTime)),
        None => seen.id(Role::TimeoutNotLate),
    };
    let after = seconds(waited);
    let title = format!("the loss by timeout was seen after {after}, too late");
    let mut finding = timing(seen, Some(requirement), title);
    if let Some((at, deed)) = restarted {
        let (title, at) = (&finding.title, seconds(at));
        finding.infer(format!(
            "{title}, as if {deed} after {at} had given new time"
        ));
    }
    finding.lanes = vec![LaneView::new(
        seen.lane_name(lane),
        seen.model.received(lane),
        format!("the loss by timeout within {}", seconds(allowed)),
        format!("its first sign after {}", seconds(waited)),
    )];
    if let Some(timeout) = seen.settings.timeout {
        finding.notes.push(format!(
            "the timeout is {}; a quarter of it and 0.5 s, at least 1.25 s, and the measured lag were allowed for",
            seconds(timeout)
        ));
    }
    finding
}

/// A line came that was due, and after its time.
pub(super) fn late(seen: &State, missing: &Deviation, late: Duration) -> Finding {
    let waited = seen.settings.budgets.answer + late;
    let (lane, due) = (seen.lane_name(missing.lane), missing.due_in_words());
    let title = format!("{lane} received {due} {} too late", seconds(late));
    let mut finding = timing(seen, Some(missing.requirement), title);
    finding.lanes = lane_views(seen, missing, End::Silence(waited));
    let budget = seconds(seen.settings.budgets.answer);
    finding.noted(format!(
        "lines may take {budget}; --budget answer=DURATION says so"
    ))
}

/// Returns true if the player on turn sent lines that are ignored, so that the timeout passes all the same.
fn has_sent_in_vain(seen: &State) -> bool {
    let sends = |turn: &Turn| !SendPart::lines(turn.deed.parts()).0.is_empty();
    seen.course.turn().is_some_and(sends)
}
