//! Faults that the referee or the bot of any game can have.

use std::time::Duration;

use Breaks::{By, Greeting, NoMove};

use super::spoiler::{Edit, FramingFault, NewTime, On, Spoiler, To, When, clock, line};
use super::{FaultRow, row};
use crate::protocol::{Dialect, PlayerLine};
use crate::requirement::{Role, Side};
use crate::rules::Seat;

/// The name of a fault, its summary, the requirement that it breaks, and what it does.
type Row = (&'static str, &'static str, Breaks, &'static [Spoiler]);

/// How the requirement is found that a fault breaks.
#[derive(Debug, Clone, Copy)]
enum Breaks {
    /// The first of these roles that the game has; of several requirements with a role, the last.
    By(&'static [Role]),
    /// The first line of the greeting.
    Greeting,
    /// A line that is no move.
    NoMove,
}

#[rustfmt::skip]
const OF_REFEREES: &[Row] = &[
    ("silent-start", "accepts the players and sends nothing", Greeting,
        &[Spoiler::Silent]),
    ("dies-midgame", "exits before the third turn without a word", By(&[Role::MoveAccepted, Role::Roll]),
        &[Spoiler::Exits(When::From(3))]),
    ("dies-of-long-lines", "dies of a line of more than 256 bytes", NoMove,
        &[Spoiler::Framing(FramingFault::DiesOver(256))]),
    ("drops-last-line", "drops a move that comes with the end of its player's stream", By(&[Role::MoveToOpponent]),
        &[Spoiler::Framing(FramingFault::DropsLast)]),
    ("no-timeout", "waits for a move for ever", TIMEOUT,
        &[clock(|_| None)]),
    ("early-timeout", "ends the game of a silent player at half of the timeout", By(&[Role::TimeoutNotEarly]),
        &[clock(|turn| Some(turn.timeout / 2))]),
    ("late-timeout", "ends the game of a silent player 1.5 s too late", By(&[Role::TimeoutNotLate]),
        &[clock(|turn| Some(turn.timeout + LATE))]),
    ("clock-from-greeting", "lets the time for every move run from the greeting on", By(&[Role::OwnTurnTimed]),
        &[clock(|turn| turn.less(turn.since_greeting))]),
    ("clock-runs-on", "does not stop a player's clock when it has moved", By(&[Role::OwnTurnTimed]),
        &[clock(|turn| turn.less(turn.since_first))]),
    ("clock-restarts-on-half-a-line", "gives new time when a part of a line comes", By(&[Role::NoNewTime]),
        &[Spoiler::NewTime(NewTime::Part)]),
    ("clock-restarts-off-turn", "gives new time when the opponent sends a line", By(&[Role::NoNewTime]),
        &[Spoiler::NewTime(NewTime::OffTurnLine)]),
    ("clock-restarts-on-hang-up", "gives new time when the opponent hangs up", By(&[Role::NoNewTime]),
        &[Spoiler::NewTime(NewTime::HangUp)]),
    ("first-turn-untimed", "waits for the first move for ever", TIMEOUT,
        &[clock(|turn| turn.unless(turn.number == 1))]),
    ("clock-of-first-runs-on", "does not stop the first player's clock when it has moved", By(&[Role::OwnTurnTimed]),
        &[clock(|turn| turn.less_own(turn.by == Seat::First))]),
    ("clock-of-second-runs-on", "does not stop the second player's clock when it has moved", By(&[Role::OwnTurnTimed]),
        &[clock(|turn| turn.less_own(turn.by == Seat::Second))]),
    ("first-player-untimed", "waits for a move of the first player for ever", TIMEOUT,
        &[clock(|turn| turn.unless(turn.by == Seat::First))]),
    ("second-player-untimed", "waits for a move of the second player for ever", TIMEOUT,
        &[clock(|turn| turn.unless(turn.by == Seat::Second))]),
    ("clock-is-one-sum", "counts the time of a player's turns together", By(&[Role::TimeInSum, Role::OwnTurnTimed]),
        &[clock(|turn| turn.less(turn.used))]),
    ("clock-runs-on-over-captures", "does not restart a player's clock after a capture", By(&[Role::OwnTurnTimed]),
        &[clock(|turn| turn.less_own(turn.last_kinds.contains(&"capture")))]),
    ("untimed-after-captures", "waits for the move after a capture for ever", TIMEOUT,
        &[clock(|turn| turn.unless(turn.last_kinds.contains(&"capture")))]),
    ("crlf-lines", "ends its lines with CR LF", By(&[Role::CarriageReturn]),
        &[line(On::Any, To::All, Edit::Ending("\r\n"))]),
    ("resets", "ends every connection by a reset", By(&[Role::Close]),
        &[Spoiler::Resets]),
];

#[rustfmt::skip]
const OF_BOTS: &[Row] = &[
    ("takes-half-lines", "takes half a line for a line", By(&[Role::ShownByPieces]),
        &[Spoiler::Framing(FramingFault::RestIsLine)]),
    ("one-line-per-read", "drops what one read brings after its first line", By(&[Role::ShownByPieces]),
        &[Spoiler::Framing(FramingFault::FirstLineOnly)]),
    ("crlf", "ends its lines with CR LF", By(&[Role::BotFormat]),
        &[line(On::Any, To::All, Edit::Ending("\r\n"))]),
    ("no-newline", "sends its moves without a newline", By(&[Role::BotNewline]),
        &[line(On::Any, To::All, Edit::Ending(""))]),
];

/// A loss by timeout.
const TIMEOUT: Breaks = By(&[Role::LossByTimeout, Role::TimeoutShownByClose]);

/// What a loss comes too late.
const LATE: Duration = Duration::from_millis(1500);

/// The faults of these that break a requirement of this protocol.
pub fn usual_faults(dialect: &'static dyn Dialect, side: Side) -> impl Iterator<Item = FaultRow> {
    let rows = match side {
        Side::Referee => OF_REFEREES,
        Side::Bot => OF_BOTS,
    };
    rows.iter()
        .filter_map(move |&(name, summary, breaks, spoilers)| {
            Some(row(name, summary, breaks.of(dialect)?, spoilers))
        })
}

impl Breaks {
    /// The requirement, if the protocol has it.
    fn of(self, dialect: &dyn Dialect) -> Option<&'static str> {
        match self {
            By(roles) => {
                let mut ids = roles.iter().map(|role| dialect.ids(*role));
                ids.find_map(<[_]>::last).copied()
            }
            Greeting => Some(dialect.greeting(false).first()?.requirement),
            NoMove => match dialect.read_player_line(b"x") {
                PlayerLine::Invalid(id) | PlayerLine::Ignored(id) => Some(id),
                PlayerLine::Move(_) | PlayerLine::Open(_) => None,
            },
        }
    }
}
