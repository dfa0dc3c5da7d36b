//! Pieces that a participant sends, and kinds of disconnect.

use std::time::Duration;

use memchr::memmem;

use crate::protocol::Framer;
use crate::yaml::Words;

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
}

impl Words for Leaving {
    const WORDS: &'static [(&'static str, Leaving)] = &[
        ("hang up", Leaving::HangUp),
        ("half-close", Leaving::HalfClose),
        ("reset", Leaving::Reset),
    ];
}

/// Writes by which a bot receives the lines of urtext as the referee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Writes {
    /// Each line as soon as it is due, and whole.
    #[default]
    Whole,
    /// Each line in two writes, with a pause within the line.
    Split,
    /// All lines up to the bot's next turn in one write.
    Joined,
}

impl Writes {
    /// The pause within a line.
    const PAUSE: Duration = Duration::from_millis(40);

    /// The pieces by which whole lines are written.
    #[must_use]
    pub fn parts(self, lines: Vec<u8>) -> Vec<SendPart> {
        if self != Writes::Split {
            return vec![SendPart::Bytes(lines)];
        }
        let mut parts = Vec::new();
        let mut piece = Vec::new();
        for line in lines.split_inclusive(|&byte| byte == b'\n') {
            let (begin, rest) = line.split_at(line.len() / 2);
            piece.extend(begin);
            parts.push(SendPart::Bytes(std::mem::take(&mut piece)));
            parts.push(SendPart::Pause(Writes::PAUSE));
            piece.extend(rest);
        }
        parts.push(SendPart::Bytes(piece));
        parts
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
    /// Stands for the line of a move that is chosen as the game goes.
    const MOVE: &[u8] = b"{move}";

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

    /// The pieces with this line in the place of each `{move}`.
    #[must_use]
    pub fn with_move(parts: &[SendPart], line: &[u8]) -> Vec<SendPart> {
        let filled = |part: &SendPart| match part {
            SendPart::Bytes(bytes) => {
                let (mut filled, mut from) = (Vec::new(), 0);
                for at in memmem::find_iter(bytes, SendPart::MOVE) {
                    filled.extend_from_slice(&bytes[from..at]);
                    filled.extend_from_slice(line);
                    from = at + SendPart::MOVE.len();
                }
                filled.extend_from_slice(&bytes[from..]);
                SendPart::Bytes(filled)
            }
            other => other.clone(),
        };
        parts.iter().map(filled).collect()
    }

    /// The pieces with `{move}` instead of this text, which is part of the line of this number. If pieces cut the text, `{move}` is in the
    /// first of them. `None` if the line does not have the text.
    #[must_use]
    pub fn with_place(parts: &[SendPart], number: usize, text: &[u8]) -> Option<Vec<SendPart>> {
        let bytes = |part: &SendPart| match part {
            SendPart::Bytes(bytes) => bytes.clone(),
            SendPart::Pause(_) | SendPart::Leave(_) => Vec::new(),
        };
        let all: Vec<u8> = parts.iter().flat_map(bytes).collect();
        let mut begins = all.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::len);
        let line: usize = begins.by_ref().take(number).sum();
        let begin = line + memmem::find(&all[line..], text)?;
        let (end, mut at) = (begin + text.len(), 0);
        let mut placed = Vec::new();
        for part in parts {
            let SendPart::Bytes(bytes) = part else {
                placed.push(part.clone());
                continue;
            };
            let within = |place: usize| place.clamp(at, at + bytes.len()) - at;
            let mut piece = bytes[..within(begin)].to_vec();
            if (at..at + bytes.len()).contains(&begin) {
                piece.extend_from_slice(SendPart::MOVE);
            }
            piece.extend_from_slice(&bytes[within(end)..]);
            at += bytes.len();
            placed.push(SendPart::Bytes(piece));
        }
        Some(placed)
    }

    /// Returns true if `{move}` is in the piece.
    #[must_use]
    pub fn has_move(&self) -> bool {
        matches!(self, SendPart::Bytes(bytes) if memmem::find(bytes, SendPart::MOVE).is_some())
    }

    /// Returns true if a newline is in the piece.
    #[must_use]
    pub fn ends_a_line(&self) -> bool {
        matches!(self, SendPart::Bytes(bytes) if bytes.contains(&b'\n'))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_lines_arrive_whole_and_every_write_but_the_last_ends_within_a_line() {
        let lines = b"PlayerA\n0\n0 0 1 1\n".to_vec();
        let parts = Writes::Split.parts(lines.clone());
        let is_pause = |part: &&SendPart| matches!(part, SendPart::Pause(_));
        let pieces: Vec<&[u8]> = parts
            .iter()
            .filter_map(|part| match part {
                SendPart::Bytes(bytes) => Some(bytes.as_slice()),
                _ => None,
            })
            .collect();
        assert_eq!(pieces.concat(), lines);
        assert_eq!(pieces, [&b"Play"[..], b"erA\n0", b"\n0 0 ", b"1 1\n"]);
        assert_eq!(parts.iter().filter(is_pause).count(), 3);
    }
}
