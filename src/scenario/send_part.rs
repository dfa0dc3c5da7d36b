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
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SendPart {
    /// These bytes, in one write. No newline is added.
    Bytes(Vec<u8>),
    /// Nothing for so long.
    Pause(Duration),
    /// The sender goes away; always the last piece.
    Leave(Leaving),
}

impl SendPart {
    /// The lines that pieces make, an over-long one cut, and what is left of a line without its newline.
    #[must_use]
    pub fn lines(parts: &[SendPart]) -> (Vec<Vec<u8>>, Vec<u8>) {
        let mut framer = Framer::default();
        let mut lines = Vec::new();
        for part in parts {
            if let SendPart::Bytes(bytes) = part {
                framer.push(bytes, |line| lines.push(line.text));
            }
        }
        let rest = framer.pending().to_vec();
        (lines, rest)
    }

    /// Returns the kind of disconnect after the pieces, if there is one.
    #[must_use]
    pub fn leaving(parts: &[SendPart]) -> Option<Leaving> {
        parts.iter().find_map(|part| {
            if let SendPart::Leave(how) = part {
                Some(*how)
            } else {
                None
            }
        })
    }
}
