//! Faults that the referee of any game can have.

use std::time::Duration;

use super::spoiler::{Edit, NewTime, On, Spoiler, To, clock, line};
use super::{FaultRow, row};
use crate::protocol::{Cause, Dialect, GameEvent, Party};
use crate::requirement::Role;
use crate::rules::Seat;

/// The name of a fault, its summary, the role of the requirement that it breaks, and what it does. Without a role, it breaks that of a loss by
/// timeout.
type Row = (&'static str, &'static str, Option<Role>, &'static [Spoiler]);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("no-timeout", "waits for a move for ever", None,
        &[clock(|_| None)]),
    ("early-timeout", "ends the game of a silent player at half of the timeout", Some(Role::TimeoutNotEarly),
        &[clock(|turn| Some(turn.timeout / 2))]),
    ("late-timeout", "ends the game of a silent player 1.5 s too late", Some(Role::TimeoutNotLate),
        &[clock(|turn| Some(turn.timeout + LATE))]),
    ("clock-from-greeting", "lets the time for every move run from the greeting on", Some(Role::OwnTurnTimed),
        &[clock(|turn| turn.less(turn.since_greeting))]),
    ("clock-runs-on", "does not stop a player's clock when it has moved", Some(Role::OwnTurnTimed),
        &[clock(|turn| turn.less(turn.since_first))]),
    ("clock-restarts-on-half-a-line", "gives new time when a part of a line comes", Some(Role::NoNewTime),
        &[Spoiler::NewTime(NewTime::Part)]),
    ("clock-restarts-off-turn", "gives new time when the opponent sends a line", Some(Role::NoNewTime),
        &[Spoiler::NewTime(NewTime::OffTurnLine)]),
    ("clock-restarts-on-hang-up", "gives new time when the opponent hangs up", Some(Role::NoNewTime),
        &[Spoiler::NewTime(NewTime::HangUp)]),
    ("first-turn-untimed", "waits for the first move for ever", None,
        &[clock(|turn| turn.unless(turn.number == 1))]),
    ("clock-of-first-runs-on", "does not stop the first player's clock when it has moved", Some(Role::OwnTurnTimed),
        &[clock(|turn| turn.less_own(turn.by == Seat::First))]),
    ("clock-of-second-runs-on", "does not stop the second player's clock when it has moved", Some(Role::OwnTurnTimed),
        &[clock(|turn| turn.less_own(turn.by == Seat::Second))]),
    ("first-player-untimed", "waits for a move of the first player for ever", None,
        &[clock(|turn| turn.unless(turn.by == Seat::First))]),
    ("second-player-untimed", "waits for a move of the second player for ever", None,
        &[clock(|turn| turn.unless(turn.by == Seat::Second))]),
    ("crlf-lines", "ends its lines with CR LF", Some(Role::CarriageReturn),
        &[line(On::Any, To::All, Edit::Ending("\r\n"))]),
    ("resets", "ends every connection by a reset", Some(Role::Close),
        &[Spoiler::Resets]),
];

/// What a loss comes too late.
const LATE: Duration = Duration::from_millis(1500);

/// The faults of these that break a requirement of this protocol.
pub fn usual_faults(dialect: &'static dyn Dialect) -> impl Iterator<Item = FaultRow> {
    let (by, cause) = (Seat::First, Cause::Timeout);
    let loss = GameEvent::Lost { by, cause };
    let told = dialect.tell(&loss, Party::Player(by.other()));
    let told = told.first().map(|line| line.requirement);
    let closes = || dialect.closes_after(&loss).map(|closing| closing.none);
    let of_timeout = told.or_else(closes);
    ROWS.iter()
        .filter_map(move |&(name, summary, role, spoilers)| {
            let breaks = role.map_or(of_timeout, |role| dialect.find_id(role))?;
            Some(row(name, summary, breaks, spoilers))
        })
}
