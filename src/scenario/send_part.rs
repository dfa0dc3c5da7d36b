//! Pieces that a participant sends, and kinds of disconnect.

use std::time::Duration;

use memchr::memmem;

use crate::protocol::Framer;
use crate::yaml::Words;
use crate::yaml::braces::{self, Piece};

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
    /// Each line by itself, with a pause after it.
    Apart,
}

impl Writes {
    /// The pause within a line.
    const PAUSE: Duration = Duration::from_millis(40);
    /// The pause after a line that comes by itself.
    const APART: Duration = Duration::from_millis(200);

    /// The pieces by which whole lines are written.
    #[must_use]
    pub fn parts(self, lines: Vec<u8>) -> Vec<SendPart> {
        let each = lines.split_inclusive(|&byte| byte == b'\n');
        let mut parts = Vec::new();
        match self {
            Writes::Whole | Writes::Joined => return vec![SendPart::Bytes(lines)],
            Writes::Apart => {
                let line = |line: &[u8]| {
                    [
                        SendPart::Bytes(line.to_vec()),
                        SendPart::Pause(Writes::APART),
                    ]
                };
                return each.flat_map(line).collect();
            }
            Writes::Split => {}
        }
        let mut piece = Vec::new();
        for line in each {
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
    /// A text with names that are filled in as the game goes, in one write.
    Text(Vec<Piece<String>>),
    /// Nothing for so long.
    Pause(Duration),
    /// The sender goes away; always the last piece.
    Leave(Leaving),
}

impl SendPart {
    /// The name for the line of the move that is made.
    pub const MOVE: &str = "move";

    /// A line without its newline, in one write with it.
    #[must_use]
    pub fn line(line: &[u8]) -> SendPart {
        SendPart::Bytes([line, b"\n"].concat())
    }

    /// The piece of this text with names in braces. `name` is that of [`braces::read`].
    ///
    /// # Errors
    /// The first error of `name`.
    pub fn parse<E>(
        text: &str,
        name: impl FnMut(&str) -> Result<Option<String>, E>,
    ) -> Result<SendPart, E> {
        let pieces = braces::read(text, name)?;
        let has_names = pieces.iter().any(|piece| piece.name().is_some());
        let text = SendPart::Text(pieces);
        Ok(match has_names {
            true => text,
            false => text.filled(|_| &[]),
        })
    }

    /// The text that [`SendPart::parse`] reads as this piece; `None` where there is none.
    #[must_use]
    pub fn written(&self) -> Option<String> {
        match self {
            SendPart::Bytes(bytes) => Some(braces::escaped(std::str::from_utf8(bytes).ok()?)),
            SendPart::Text(pieces) => Some(pieces.iter().map(Piece::to_string).collect()),
            SendPart::Pause(_) | SendPart::Leave(_) => None,
        }
    }

    /// The bytes in it, without what names stand for.
    #[must_use]
    pub fn texts(&self) -> Vec<&[u8]> {
        match self {
            SendPart::Bytes(bytes) => vec![bytes],
            SendPart::Text(pieces) => {
                let texts = pieces.iter().filter_map(Piece::text);
                texts.map(str::as_bytes).collect()
            }
            SendPart::Pause(_) | SendPart::Leave(_) => Vec::new(),
        }
    }

    /// The names in it.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let pieces = match self {
            SendPart::Text(pieces) => pieces.as_slice(),
            _ => &[],
        };
        let names = pieces.iter().filter_map(Piece::name);
        names.map(String::as_str)
    }

    /// The piece with the value of each name in its place.
    #[must_use]
    pub fn filled<'v>(&self, value: impl Fn(&str) -> &'v [u8]) -> SendPart {
        let SendPart::Text(pieces) = self else {
            return self.clone();
        };
        let bytes = pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.as_bytes(),
            Piece::Name(name) => value(name),
        });
        SendPart::Bytes(bytes.collect::<Vec<_>>().concat())
    }

    /// The lines that pieces make, an over-long one cut, and what is left of a line without its newline.
    #[must_use]
    pub fn lines(parts: &[SendPart]) -> (Vec<Vec<u8>>, Vec<u8>) {
        SendPart::lines_after(&mut Framer::default(), parts)
    }

    /// The same, after what the framer holds of an unfinished line.
    pub(super) fn lines_after(framer: &mut Framer, parts: &[SendPart]) -> (Vec<Vec<u8>>, Vec<u8>) {
        let mut lines = Vec::new();
        for bytes in parts.iter().flat_map(SendPart::texts) {
            framer.push(bytes, |line| lines.push(line.text));
        }
        let rest = framer.pending().to_vec();
        (lines, rest)
    }

    /// The pieces with this line in the place of each `{move}`.
    #[must_use]
    pub fn with_move(parts: &[SendPart], line: &[u8]) -> Vec<SendPart> {
        parts.iter().map(|part| part.filled(|_| line)).collect()
    }

    /// The pieces with `{move}` instead of this text, which is part of the line of this number. If pieces cut the text, `{move}` is in the
    /// first of them. `None` if the line does not have the text, or the pieces are no texts.
    #[must_use]
    pub fn with_place(parts: &[SendPart], number: usize, text: &[u8]) -> Option<Vec<SendPart>> {
        let all = parts
            .iter()
            .flat_map(SendPart::texts)
            .collect::<Vec<_>>()
            .concat();
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
            let (before, after) = (&bytes[..within(begin)], &bytes[within(end)..]);
            let has_place = (at..at + bytes.len()).contains(&begin);
            at += bytes.len();
            if !has_place {
                placed.push(SendPart::Bytes([before, after].concat()));
                continue;
            }
            let mut pieces = vec![Piece::Name(SendPart::MOVE.to_owned())];
            if !before.is_empty() {
                pieces.insert(0, Piece::Text(String::from_utf8(before.to_vec()).ok()?));
            }
            if !after.is_empty() {
                pieces.push(Piece::Text(String::from_utf8(after.to_vec()).ok()?));
            }
            placed.push(SendPart::Text(pieces));
        }
        Some(placed)
    }

    /// Returns true for bytes and for a text with names.
    #[must_use]
    pub fn is_text(&self) -> bool {
        matches!(self, SendPart::Bytes(_) | SendPart::Text(_))
    }

    /// Returns true for a pause.
    #[must_use]
    pub fn is_pause(&self) -> bool {
        matches!(self, SendPart::Pause(_))
    }

    /// Returns true if a newline is in the piece.
    #[must_use]
    pub fn ends_a_line(&self) -> bool {
        self.texts().iter().any(|text| text.contains(&b'\n'))
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
