//! What a participant of a game does: the one type for turns, for what happens meanwhile, and for turns that are made up for a position.

use std::time::Duration;

use super::{Leaving, SendPart};
use crate::protocol::Framer;
use crate::rules::Move;

/// What a participant does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Deed {
    /// Nothing: no move is possible.
    Skip,
    /// A legal move.
    Move(Choice),
    /// A move that the rules refuse, for the reason with this code where one is named. The position decides which.
    Refused(Option<&'static str>),
    /// A line that loses the game: an illegal move, or no move at all. Without its newline.
    Illegal(Vec<u8>),
    /// A line that is ignored, so that the player is still on turn. Without its newline.
    Ignored(Vec<u8>),
    /// Nothing until the timeout.
    Silent,
    /// These pieces, as they are; what they do follows from the lines that they make.
    Send(Vec<SendPart>),
    /// A legal move that is sent by these pieces, with its line in the place of `{move}`.
    SendMove(Choice, Vec<SendPart>),
    /// Goes away.
    Leave(Leaving),
    /// Joins only now: a late spectator.
    Join,
    /// Reads at most so many bytes a second from now on; `None`: everything again.
    Read(Option<u64>),
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
    /// Any of this kind.
    OfKind(&'static str),
}

impl Deed {
    /// Any legal move.
    pub const ANY: Deed = Deed::Move(Choice::ANY);

    /// This legal move.
    #[must_use]
    pub fn this(mv: Move) -> Deed {
        Deed::Move(Choice::This(mv))
    }

    /// The move, where it is one and known.
    #[must_use]
    pub fn mv(&self) -> Option<Move> {
        match self {
            Deed::Move(Choice::This(mv)) => Some(*mv),
            _ => None,
        }
    }

    /// The pieces that are sent.
    #[must_use]
    pub fn parts(&self) -> &[SendPart] {
        match self {
            Deed::Send(parts) | Deed::SendMove(_, parts) => parts,
            _ => &[],
        }
    }

    /// Returns the kind of disconnect, if the participant goes away.
    #[must_use]
    pub fn leaving(&self) -> Option<Leaving> {
        match self {
            Deed::Leave(how) => Some(*how),
            _ => SendPart::leaving(self.parts()),
        }
    }

    /// Returns true if a player who is on turn loses by it, whatever the position is.
    #[must_use]
    pub fn loses(&self) -> bool {
        match self {
            Deed::Refused(_) | Deed::Illegal(_) | Deed::Silent | Deed::Leave(_) => true,
            Deed::Skip
            | Deed::Move(_)
            | Deed::Ignored(_)
            | Deed::Send(_)
            | Deed::SendMove(..)
            | Deed::Join
            | Deed::Read(_) => false,
        }
    }

    /// Returns true for one line that is sent in pieces, with a pause before its newline.
    #[must_use]
    pub fn comes_in_pieces(&self) -> bool {
        let parts = self.parts();
        let (lines, rest) = SendPart::lines(parts);
        let begins = matches!(parts.first(), Some(SendPart::Bytes(_)));
        begins && lines.len() == 1 && rest.is_empty() && !self.delay().is_zero()
    }

    /// Returns the time from the roll to the end of the player's first line, by the pauses in the line.
    #[must_use]
    pub fn delay(&self) -> Duration {
        let mut framer = Framer::default();
        let (mut delay, mut is_whole) = (Duration::ZERO, false);
        for part in self.parts() {
            match part {
                SendPart::Bytes(bytes) => framer.push(bytes, |_| is_whole = true),
                SendPart::Pause(time) if !is_whole => delay += *time,
                SendPart::Pause(_) | SendPart::Leave(_) => {}
            }
        }
        delay
    }
}

impl Choice {
    /// Any.
    pub const ANY: Choice = Choice::Any {
        name: None,
        except: None,
    };
}
