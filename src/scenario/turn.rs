//! A turn: its player, its roll, and what is done.

use std::hash::{Hash, Hasher};
use std::time::Duration;

use super::{Leaving, SendPart};
use crate::diagnostic::{Mark, Source, Span};
use crate::protocol::Framer;
use crate::rules::{Move, Roll, Seat};

/// One turn, of the player `S`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Turn<S = Seat> {
    /// The player of the turn.
    pub seat: S,
    /// The forced roll, in a game with rolls.
    pub roll: Option<Roll>,
    /// Events between the roll and the player's action, in order.
    pub meanwhile: Vec<Act>,
    /// The player's action.
    pub action: PlayerAction,
    /// The place of each part.
    pub at: TurnPlace,
}

/// The place of a turn in a file, part by part. Turns are equal wherever they are written.
#[derive(Debug, Clone)]
pub struct TurnPlace {
    /// The file.
    pub source: Source,
    /// From the player to the end of the action, on one line.
    pub whole: Span,
    /// The player.
    pub seat: Span,
    /// The roll, or the whole turn.
    pub roll: Span,
    /// The action, or the whole turn where it has none.
    pub action: Span,
    /// The word that marks the action as `illegal`, or the action.
    pub mark: Span,
    /// The name that the choice gets, or the action.
    pub name: Span,
    /// The name of the excluded choice, or the action.
    pub except: Span,
}

/// An action of a participant outside the game's turns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Act {
    /// Span of the act, in the file of its turn.
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

impl<S> Turn<S> {
    /// A turn in which nothing happens but the player's action.
    #[must_use]
    pub fn new(seat: S, roll: Option<Roll>, action: PlayerAction) -> Turn<S> {
        Turn {
            seat,
            roll,
            meanwhile: Vec::new(),
            action,
            at: TurnPlace::default(),
        }
    }

    /// The turn as one of this player.
    #[must_use]
    pub fn of<T>(self, seat: T) -> Turn<T> {
        let Turn {
            roll,
            meanwhile,
            action,
            at,
            ..
        } = self;
        Turn {
            seat,
            roll,
            meanwhile,
            action,
            at,
        }
    }
}

impl TurnPlace {
    /// One span for all parts.
    #[must_use]
    pub fn new(source: &Source, span: Span) -> TurnPlace {
        TurnPlace {
            source: source.clone(),
            whole: span,
            seat: span,
            roll: span,
            action: span,
            mark: span,
            name: span,
            except: span,
        }
    }

    /// The whole turn, to explain another place.
    pub(super) fn says(&self, words: impl Into<String>) -> Mark {
        Mark::new(&self.source, self.whole, words)
    }
}

impl Default for TurnPlace {
    /// No file.
    fn default() -> TurnPlace {
        TurnPlace::new(&Source::default(), Span::at(0))
    }
}

impl PartialEq for TurnPlace {
    fn eq(&self, _: &TurnPlace) -> bool {
        true
    }
}

impl Eq for TurnPlace {}

impl Hash for TurnPlace {
    fn hash<H: Hasher>(&self, _: &mut H) {}
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
