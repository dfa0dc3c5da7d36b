//! Pieces that a participant sends, and kinds of disconnect.

use std::time::Duration;

use crate::protocol::Framer;

/// Kind of disconnect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Leaving {
    /// By closing the connection in both directions.
    HangUp,
    /// By closing its own direction, while it goes on reading.
    HalfClose,
    /// By a reset of the connection.
    Reset,
}

impl Leaving {
    /// All ways.
    pub const ALL: [Leaving; 3] = [Leaving::HangUp, Leaving::HalfClose, Leaving::Reset];

    /// The words for it in a scenario.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Leaving::HangUp => "hang up",
            Leaving::HalfClose => "half-close",
            Leaving::Reset => "reset",
        }
    }
}

/// A piece of what is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// These bytes, in one write. No newline is added.
    Bytes(Vec<u8>),
    /// Nothing for so long.
    Pause(Duration),
    /// The sender goes away; always the last piece.
    Leave(Leaving),
}

impl Piece {
    /// The lines that pieces make, an over-long one cut, and what is left of a line without its newline.
    #[must_use]
    pub fn lines(pieces: &[Piece]) -> (Vec<Vec<u8>>, Vec<u8>) {
        let mut framer = Framer::default();
        let mut lines = Vec::new();
        for piece in pieces {
            if let Piece::Bytes(bytes) = piece {
                framer.push(bytes, |line| lines.push(line.text));
            }
        }
        let rest = framer.pending().to_vec();
        (lines, rest)
    }

    /// Returns the kind of disconnect after the pieces, if there is one.
    #[must_use]
    pub fn leaving(pieces: &[Piece]) -> Option<Leaving> {
        pieces.iter().find_map(|piece| {
            if let Piece::Leave(how) = piece {
                Some(*how)
            } else {
                None
            }
        })
    }
}
