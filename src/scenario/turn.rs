//! A turn: its player, its roll, and what is done.

use std::time::Duration;

use super::{Leaving, SendPart};
use crate::diagnostic::Span;
use crate::protocol::Framer;
use crate::rules::{Move, Roll, Seat};

/// One turn.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The player of the turn.
    pub seat: Seat,
    /// The forced roll, in a game with rolls.
    pub roll: Option<Roll>,
    /// Events between the roll and the player's action, in order.
    pub meanwhile: Vec<Act>,
    /// The player's action.
    pub action: PlayerAction,
}

/// An action of a participant outside the game's turns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Act {
    /// Span of the act.
    pub span: Span,
    /// Participant of the act.
    pub who: Participant,
    /// Kind of the act.
    pub what: ActKind,
}

/// A participant of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Participant {
    /// The player of that seat.
    Player(Seat),
    /// A spectator, numbered from 1.
    Spectator(u32),
}

/// Action of a participant outside the game's turns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ActKind {
    /// Sends bytes although it is not on turn.
    Send(Vec<SendPart>),
    /// Goes away.
    Leave(Leaving),
    /// Joins only now: a late spectator.
    Join,
}

/// Action of a player in a turn.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PlayerAction {
    /// Nothing: no move is possible.
    Skip,
    /// A legal move.
    Move(Choice),
    /// A line that loses the game: an illegal move, or no move at all. Without its newline.
    Illegal(Vec<u8>),
    /// A line that is ignored, so that the player is still on turn. Without its newline.
    Ignored(Vec<u8>),
    /// Nothing until the timeout.
    Silent,
    /// These pieces, as they are; what they do follows from the lines that they make.
    Send(Vec<SendPart>),
    /// Goes away instead of moving.
    Leave(Leaving),
}

impl Act {
    /// A line that a player sends, without a place in a text. `line` is without its newline.
    #[must_use]
    pub fn says(by: Seat, line: &[u8]) -> Act {
        Act {
            span: Span::at(0),
            who: Participant::Player(by),
            what: ActKind::Send(vec![SendPart::Bytes([line, b"\n"].concat())]),
        }
    }
}

impl Turn {
    /// A turn in which nothing happens but the player's action.
    #[must_use]
    pub fn new(seat: Seat, roll: Option<Roll>, action: PlayerAction) -> Turn {
        Turn {
            seat,
            roll,
            meanwhile: Vec::new(),
            action,
        }
    }
}

impl PlayerAction {
    /// Any legal move.
    pub const ANY: PlayerAction = PlayerAction::Move(Choice::Any {
        name: None,
        except: None,
    });

    /// This legal move.
    #[must_use]
    pub fn this(mv: Move) -> PlayerAction {
        PlayerAction::Move(Choice::This(mv))
    }

    /// The move, where it is one and known.
    #[must_use]
    pub fn mv(&self) -> Option<Move> {
        match self {
            PlayerAction::Move(Choice::This(mv)) => Some(*mv),
            _ => None,
        }
    }

    /// Returns true for one line that is sent in pieces, with a pause before its newline.
    #[must_use]
    pub fn comes_in_pieces(&self) -> bool {
        let PlayerAction::Send(parts) = self else {
            return false;
        };
        let (lines, rest) = SendPart::lines(parts);
        let begins = matches!(parts.first(), Some(SendPart::Bytes(_)));
        begins && lines.len() == 1 && rest.is_empty() && !self.delay().is_zero()
    }

    /// Returns the time from the roll to the end of the player's first line, by the pauses in the line.
    #[must_use]
    pub fn delay(&self) -> Duration {
        let PlayerAction::Send(parts) = self else {
            return Duration::ZERO;
        };
        let mut framer = Framer::default();
        let (mut delay, mut is_whole) = (Duration::ZERO, false);
        for part in parts {
            match part {
                SendPart::Bytes(bytes) => framer.push(bytes, |_| is_whole = true),
                SendPart::Pause(time) if !is_whole => delay += *time,
                SendPart::Pause(_) | SendPart::Leave(_) => {}
            }
        }
        delay
    }
}

/// Choice of a legal move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Choice {
    /// This one.
    This(Move),
    /// Any, but not the one that was called `except` before; it can be called `name` from now on.
    Any {
        /// Name of the choice.
        name: Option<String>,
        /// The earlier choice that is excluded.
        except: Option<String>,
    },
}
