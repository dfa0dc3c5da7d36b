//! Spoilers: what makes a built-in peer deviate, as data.

use std::time::Duration;

use crate::protocol::{Cause, GameEvent, Party, Slot};
use crate::rules::Seat;

/// One deviation of a built-in referee or bot. A fault is a list of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spoiler {
    /// Plays by this variant of the rules.
    Variant(&'static str),
    /// Prefers moves that are legal only by the variant.
    Errs,
    /// Plays by this variant of the rules where it would not have the first turn.
    Starts(&'static str),
    /// Changes the lines of an occasion.
    Line(On, To, Edit),
    /// Also sends the lines that the specification leaves open.
    OpenLines,
    /// Takes what a player sends for another kind of line.
    Reads(Sort, Reading),
    /// Ignores invalid moves, and lines that lose.
    IgnoresInvalid,
    /// Shows the others an invalid move.
    ShowsInvalid {
        /// True if a line with any number is a move to be shown.
        any_number: bool,
        /// True if a legal move is played instead, and the game goes on.
        goes_on: bool,
    },
    /// Treats lines off turn otherwise than the dialect.
    OffTurn(OffTurnLine),
    /// Ends the time for a move so long after the turn begins; `None`: never.
    Clock(Code<fn(&Begun<'_>) -> Option<Duration>>),
    /// Gives the player on turn new time for this reason.
    NewTime(NewTime),
    /// Does not keep the pace; if `true`, only the default pace.
    NoPace(bool),
    /// Takes a roll otherwise than the rules.
    Roll(RollFault),
    /// Cuts what it reads into lines wrongly.
    Framing(FramingFault),
    /// Goes on with a roll after such an end.
    RollAfter(On),
    /// Never sends a byte.
    Silent,
    /// Exits without a word: a referee before such a turn, a bot after such a turn of its own.
    Exits(When),
    /// After such an end, closes only these lanes, and keeps the others.
    ClosesOnly(On, To),
    /// Ends connections by a reset.
    Resets,
    /// Takes this seat, and not the one that it is given.
    TakesSeat(Seat),
    /// Gives up at a name with more than ASCII letters and digits.
    AsciiNames,
    /// Sends a move that the rules refuse for the reason with this code, if there is one.
    Refused(&'static str),
    /// Misreads the board, as the dialect describes it.
    Misreads,
    /// Does not answer in such turns.
    NoAnswer(When),
    /// Waits until its own line comes back.
    AwaitsEcho,
    /// Takes the confirmation of its move for a move of the opponent.
    NoConfirmation,
    /// Does not know the line that reports a loss.
    UnknownLoss(AtLoss),
    /// Reads on after the game until its input ends; if `true`, it then stays.
    Stays(bool),
}

/// Occasion on which a peer sends lines, or could.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// Any occasion.
    Any,
    /// The beginning, before any line.
    Start,
    /// This line of the greeting.
    Greeting(Slot),
    /// The end of the greeting.
    Greeted,
    /// A roll.
    Roll,
    /// A roll with which the player can move.
    RollToMove,
    /// A roll with which the player cannot move.
    SkippedRoll,
    /// A move.
    Move,
    /// A move that ends the game.
    LastMove,
    /// A loss before the end of the game.
    Loss,
    /// A loss by an invalid move or line.
    Invalid,
    /// A loss by the timeout.
    Timeout,
    /// A loss by a disconnect.
    HangUp,
    /// Any end of the game.
    End,
    /// Any end of the game, once everybody has been told of it.
    Ended,
    /// A line that is ignored.
    Ignored,
    /// A turn of the opponent, for a bot.
    OffTurn,
}

/// Turns in which a spoiler applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// From this turn on, counted from 1: a referee counts all turns, a bot its own ones in which it can move.
    From(u32),
    /// A turn after one of the same player.
    Extra,
}

/// A function as data, which equals no other one.
#[derive(Debug, Clone, Copy)]
pub struct Code<F>(pub F);

impl<F> PartialEq for Code<F> {
    fn eq(&self, _: &Code<F>) -> bool {
        false
    }
}

/// A turn as it begins, for the clock of a referee.
#[derive(Debug)]
pub struct Begun<'a> {
    /// Its number, from 1.
    pub number: u32,
    /// Its player.
    pub by: Seat,
    /// True if the turn before was the same player's.
    pub is_extra: bool,
    /// True if the turn before was skipped.
    pub is_after_skip: bool,
    /// The kinds of the last move.
    pub last_kinds: &'a [&'static str],
    /// The time for a move.
    pub timeout: Duration,
    /// The least time between two turns.
    pub pace: Duration,
    /// True if the timeout is the game's default.
    pub is_default: bool,
    /// Time since the greeting.
    pub since_greeting: Duration,
    /// Time since the player's first turn in which it could move; zero in that turn.
    pub since_first: Duration,
    /// Time since the player's first skipped turn; zero if there was none.
    pub since_skip: Duration,
    /// Time since the beginning of the player's last turn in which it could move; zero if there was none.
    pub since_own: Duration,
    /// Time that the player used in its earlier turns.
    pub used: Duration,
}

impl Begun<'_> {
    /// The rest of the time, where this much of it is over already.
    #[must_use]
    pub fn less(&self, used: Duration) -> Option<Duration> {
        Some(self.timeout.saturating_sub(used))
    }

    /// The time where it runs on from the player's turn before, if it does so.
    #[must_use]
    pub fn less_own(&self, runs_on: bool) -> Option<Duration> {
        self.less(if runs_on {
            self.since_own
        } else {
            Duration::ZERO
        })
    }

    /// The time, unless it has no end.
    #[must_use]
    pub fn unless(&self, is_untimed: bool) -> Option<Duration> {
        (!is_untimed).then_some(self.timeout)
    }
}

/// Lanes whose lines a spoiler changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    /// All lanes.
    All,
    /// No lane.
    Nobody,
    /// The players.
    Players,
    /// The player on turn: after a loss, the loser.
    Mover,
    /// The opponent of the player on turn.
    Opponent,
    /// This player.
    Seat(Seat),
    /// The spectators.
    Spectators,
}

/// Change of the lines of an occasion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Edit {
    /// Sends none of them.
    Drop,
    /// Sends each twice.
    Twice,
    /// Sends another line before them.
    Before(SpoiltText),
    /// Sends another line after them.
    After(SpoiltText),
    /// Sends another line instead of them.
    Instead(SpoiltText),
    /// Writes each otherwise.
    Write(Code<fn(&str) -> String>),
    /// Ends lines by these bytes.
    Ending(&'static str),
}

/// Line that a spoiler adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpoiltText {
    /// This line.
    Fixed(&'static str),
    /// Another line of the greeting.
    Greeting(Slot),
    /// The same line of the greeting as this player receives it.
    GreetingOf(Seat),
    /// The move.
    Move,
    /// The lines for another roll.
    OtherRoll,
    /// A line for each winner.
    Winner([&'static str; 2]),
}

/// Sort of a player's line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// An empty line.
    Empty,
    /// A line that is ignored.
    Ignored,
    /// A line that the specification leaves open.
    Open,
    /// A line that loses by this requirement.
    Breaking(&'static str),
}

/// Meaning that a line is given instead of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The move that it may be.
    Move,
    /// An invalid line, if it may be one.
    Invalid,
    /// A line to be ignored.
    Ignored,
    /// Its meaning without its first byte.
    WithoutFirstByte,
    /// Its meaning with single blanks between the words, and none around them.
    SingleBlanks,
}

/// Treatment of a line off turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OffTurnLine {
    /// It is kept for its sender's turn.
    Kept,
    /// Its sender loses by this requirement.
    Loses(&'static str),
}

/// Reason for which a faulty referee gives new time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewTime {
    /// A part of a line.
    Part,
    /// A line that is ignored.
    IgnoredLine,
    /// A line of the opponent.
    OffTurnLine,
    /// The disconnect of the opponent.
    HangUp,
    /// The disconnect of a spectator.
    Spectator,
}

/// Fault in taking a roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RollFault {
    /// Waits for a move though none is possible.
    AwaitsMove,
    /// Skips the turn of a player who has one move.
    SkipsSingleMove,
    /// Rolls again in an extra turn in which nothing can move.
    RerollsExtraTurn,
    /// Plays an extra turn with the roll before.
    KeepsRoll,
}

/// Fault in reading lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FramingFault {
    /// Takes the rest of a read for a line, although its newline has not come.
    RestIsLine,
    /// Drops what one read brings after its first line; a bot only after the greeting.
    FirstLineOnly,
    /// Reads a line of more bytes as several lines.
    CutsAt(usize),
    /// Gives up at a line of more bytes.
    DiesOver(usize),
    /// Drops a line that comes with the end of the stream.
    DropsLast,
}

/// Reaction of a bot to a line that it does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtLoss {
    /// Waits for more.
    Waits,
    /// Gives up.
    GivesUp,
}

impl On {
    /// Returns true if it is the occasion of this event.
    #[must_use]
    pub fn is_about(self, event: GameEvent) -> bool {
        match event {
            GameEvent::Rolled { skipped, .. } => match self {
                On::Any | On::Roll => true,
                On::RollToMove => !skipped,
                On::SkippedRoll => skipped,
                _ => false,
            },
            GameEvent::Moved { result, .. } => match self {
                On::Any | On::Move => true,
                On::LastMove | On::End => result.is_some(),
                _ => false,
            },
            GameEvent::Lost { cause, .. } => match self {
                On::Any | On::Loss | On::End => true,
                On::Invalid => matches!(cause, Cause::Invalid(_)),
                On::Timeout => cause == Cause::Timeout,
                On::HangUp => cause == Cause::HangUp,
                _ => false,
            },
        }
    }
}

impl To {
    /// Returns true if it means this party; `by`: the player on turn.
    #[must_use]
    pub fn means(self, party: Party, by: Option<Seat>) -> bool {
        match (self, party) {
            (To::All, _) | (To::Players, Party::Player(_)) | (To::Spectators, Party::Spectator) => {
                true
            }
            (To::Seat(meant), Party::Player(seat)) => meant == seat,
            (To::Mover, Party::Player(seat)) => by == Some(seat),
            (To::Opponent, Party::Player(seat)) => by == Some(seat.other()),
            _ => false,
        }
    }
}

/// Ends the time for a move so long after the turn begins; `None`: never.
#[must_use]
pub const fn clock(ends: fn(&Begun<'_>) -> Option<Duration>) -> Spoiler {
    Spoiler::Clock(Code(ends))
}

/// Writes each line otherwise.
#[must_use]
pub const fn write(rewrite: fn(&str) -> String) -> Edit {
    Edit::Write(Code(rewrite))
}

/// Changes the lines of an occasion.
#[must_use]
pub const fn line(on: On, to: To, edit: Edit) -> Spoiler {
    Spoiler::Line(on, to, edit)
}

/// The number that is one more.
#[must_use]
pub fn increased(line: &str) -> String {
    let number = line.parse::<u32>();
    number.map_or(line.to_owned(), |number| (number + 1).to_string())
}
