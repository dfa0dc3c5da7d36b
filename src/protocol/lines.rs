//! Bytes to lines and nothing lost: a carriage return, a missing last newline, invalid UTF-8 and over-long lines are seen
//! and told apart, and memory stays bounded. The rolls and moves of one lane, by the form of its lines.

use memchr::memchr;

use super::{Dialect, PlayerLine, RefereeLine};
use crate::rules::RollOrMove;

/// The longest line that is kept whole, in bytes without its newline.
pub const LINE_LIMIT: usize = 64 * 1024;

/// Returns a text with one space between its words, and no blanks around them.
#[must_use]
pub fn single_spaced(text: &[u8]) -> Vec<u8> {
    let words = text.split(u8::is_ascii_whitespace);
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join(&b' ')
}

/// Ending of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineEnding {
    /// By a line feed.
    Newline,
    /// By the end of the stream: a last line without its newline.
    Missing,
    /// Not within the limit: what is kept is its beginning, the rest up to the next newline is dropped.
    TooLong,
}

/// A line as it came, without its newline; a carriage return before it is part of the text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Line {
    /// The bytes.
    pub text: Vec<u8>,
    /// Ending of the line.
    pub ending: LineEnding,
}

impl Line {
    /// A line that ended as it should.
    #[must_use]
    pub fn new(text: impl Into<Vec<u8>>) -> Line {
        Line {
            text: text.into(),
            ending: LineEnding::Newline,
        }
    }

    /// The bytes with which the line goes over the wire.
    #[must_use]
    pub fn to_wire(&self) -> Vec<u8> {
        let mut bytes = self.text.clone();
        if self.ending == LineEnding::Newline {
            bytes.push(b'\n');
        }
        bytes
    }
}

/// Cuts one direction of one lane into lines. Holds at most the limit in bytes, whatever comes.
#[derive(Debug, Clone)]
pub struct Framer {
    pending: Vec<u8>,
    limit: usize,
    /// True while the rest of an over-long line passes by.
    is_dropping: bool,
}

impl Default for Framer {
    fn default() -> Self {
        Framer::with_limit(LINE_LIMIT)
    }
}

impl Framer {
    /// A framer that keeps lines up to `limit` bytes whole.
    #[must_use]
    pub fn with_limit(limit: usize) -> Framer {
        Framer {
            pending: Vec::new(),
            limit,
            is_dropping: false,
        }
    }

    /// Takes bytes as they came and hands out the lines that they complete, an over-long one as soon as it is one.
    pub fn push(&mut self, mut bytes: &[u8], mut emit: impl FnMut(Line)) {
        while !bytes.is_empty() {
            let newline = memchr(b'\n', bytes);
            let (part, rest) = match newline {
                Some(at) => (&bytes[..at], &bytes[at + 1..]),
                None => (bytes, &bytes[bytes.len()..]),
            };
            if !self.is_dropping {
                let room = self.limit - self.pending.len();
                self.pending
                    .extend_from_slice(&part[..part.len().min(room)]);
                if part.len() > room {
                    self.is_dropping = true;
                    emit(Line {
                        text: std::mem::take(&mut self.pending),
                        ending: LineEnding::TooLong,
                    });
                }
            }
            if newline.is_some() && !std::mem::take(&mut self.is_dropping) {
                emit(Line {
                    text: std::mem::take(&mut self.pending),
                    ending: LineEnding::Newline,
                });
            }
            bytes = rest;
        }
    }

    /// Takes the end of the stream: what is left is a line without its newline.
    pub fn finish(&mut self) -> Option<Line> {
        self.is_dropping = false;
        let text = std::mem::take(&mut self.pending);
        (!text.is_empty()).then_some(Line {
            text,
            ending: LineEnding::Missing,
        })
    }

    /// Returns true if these bytes, pushed next, are one whole line and nothing else.
    #[must_use]
    pub fn is_one_line(&self, bytes: &[u8]) -> bool {
        let is_at_start = self.pending.is_empty() && !self.is_dropping;
        is_at_start && memchr(b'\n', bytes).is_some_and(|at| at + 1 == bytes.len())
    }

    /// The bytes that have come since the last newline.
    #[must_use]
    pub fn pending(&self) -> &[u8] {
        &self.pending
    }
}

/// The game as one lane shows it below its handshake, by the form of the lines alone.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plays {
    /// The rolls and moves, in order.
    pub all: Vec<RollOrMove>,
    /// The positions in `all` of the moves that the participant sent, in order.
    pub sent: Vec<usize>,
    /// True if the last line reports a player's loss.
    pub is_lost: bool,
}

impl Plays {
    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.all.clear();
        self.sent.clear();
        self.is_lost = false;
    }

    /// Adds the lines of a stream. `mark`: the byte before each line that the participant sent. Returns `false` where a line is no roll,
    /// move or loss, or lacks its newline.
    pub fn read(
        &mut self,
        dialect: &(impl Dialect + ?Sized),
        stream: &[u8],
        mark: Option<u8>,
    ) -> bool {
        let mut lines = WholeLines { rest: stream };
        for line in lines.by_ref() {
            let is_read = match line.split_first() {
                Some((&first, sent)) if Some(first) == mark => self.send(dialect, sent),
                _ => self.receive(dialect, line),
            };
            if !is_read {
                return false;
            }
        }
        lines.rest.is_empty()
    }

    /// Adds a line that the participant received. Returns `false` for a line that is no roll, move or loss, and for one after a loss.
    #[inline]
    fn receive(&mut self, dialect: &(impl Dialect + ?Sized), line: &[u8]) -> bool {
        if self.is_lost {
            return false;
        }
        match dialect.hear(line) {
            RefereeLine::Roll(roll) => self.all.push(RollOrMove::Roll(roll)),
            RefereeLine::Move(mv) => self.all.push(RollOrMove::Move(mv)),
            RefereeLine::Loss => self.is_lost = true,
            RefereeLine::Other => return false,
        }
        true
    }

    /// Adds a line that the participant sent. Returns `false` for a line that is not surely a move, and for one after a loss.
    #[inline]
    fn send(&mut self, dialect: &(impl Dialect + ?Sized), line: &[u8]) -> bool {
        let PlayerLine::Move(mv) = dialect.read_player_line(line) else {
            return false;
        };
        self.sent.push(self.all.len());
        self.all.push(RollOrMove::Move(mv));
        !self.is_lost
    }
}

/// The lines of a text that end with a newline.
#[derive(Debug, Clone)]
pub struct WholeLines<'a> {
    /// The text after the last line that was returned; at the end, a last line without its newline.
    pub rest: &'a [u8],
}

impl<'a> Iterator for WholeLines<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let end = newline(self.rest)?;
        let line = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Some(line)
    }
}

/// The position of the first newline. The lines of a game are short, so the first eight bytes are searched together.
#[inline]
fn newline(text: &[u8]) -> Option<usize> {
    const EACH: u64 = 0x0101_0101_0101_0101;
    if let Some(first) = text.first_chunk::<8>() {
        // The well-known test for a zero byte, here one that is a newline; the lowest it finds is right.
        let others = u64::from_le_bytes(*first) ^ (EACH * u64::from(b'\n'));
        let found = others.wrapping_sub(EACH) & !others & EACH << 7;
        if found != 0 {
            return Some(found.trailing_zeros() as usize / 8);
        }
    }
    text.iter().position(|&byte| byte == b'\n')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::games::royalur::CodeColosseum;
    use crate::protocol::{Cause, Dialect, GameEvent, Party, Plays, RefereeLine};
    use crate::rules::Seat;

    /// The lines of some chunks, with their endings.
    fn lines(chunks: &[&[u8]], limit: usize) -> Vec<Line> {
        let mut framer = Framer::with_limit(limit);
        let mut lines = Vec::new();
        for chunk in chunks {
            framer.push(chunk, |line| lines.push(line));
        }
        lines.extend(framer.finish());
        lines
    }

    fn ended(text: &str, ending: LineEnding) -> Line {
        let text = text.into();
        Line { text, ending }
    }

    #[test]
    fn tells_the_endings_apart() {
        let missing = ended("4", LineEnding::Missing);
        let seen = lines(&[b"3\r\n\n4"], 10);
        assert_eq!(seen, [Line::new("3\r"), Line::new(""), missing]);
    }

    #[test]
    fn hands_out_an_over_long_line_at_once_and_goes_on_after_it() {
        let mut framer = Framer::with_limit(4);
        let mut seen = Vec::new();
        framer.push(b"12345", |line| seen.push(line));
        assert_eq!(seen, [ended("1234", LineEnding::TooLong)]);
        framer.push(b"678\nab\n", |line| seen.push(line));
        assert_eq!(seen[1..], [Line::new("ab")]);
    }

    #[test]
    fn a_line_of_exactly_the_limit_is_whole() {
        assert_eq!(lines(&[b"12", b"34", b"\n"], 4), [Line::new("1234")]);
    }

    proptest! {
        #[test]
        fn loses_nothing_however_the_bytes_are_cut(
            bytes in prop::collection::vec(prop::sample::select(b"ab\r\n\xff\0".to_vec()), 0..200),
            cuts in prop::collection::vec(0..200_usize, 0..20),
        ) {
            let mut framer = Framer::default();
            let mut back = Vec::new();
            let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            for pair in cuts.windows(2) {
                framer.push(&bytes[pair[0]..pair[1]], |line| back.extend(line.to_wire()));
            }
            back.extend(framer.finish().iter().flat_map(Line::to_wire));
            prop_assert_eq!(back, bytes);
        }

        #[test]
        fn never_holds_more_than_the_limit(chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..50), 0..20)) {
            let mut framer = Framer::with_limit(16);
            for chunk in chunks {
                let mut longest = 0;
                framer.push(&chunk, |line| longest = longest.max(line.text.len()));
                prop_assert!(longest <= 16 && framer.pending().len() <= 16);
            }
        }
    }

    proptest! {
        /// The fast path of `verify` takes lines of one meaning for equal, because there is one line for each meaning.
        #[test]
        fn a_line_that_is_understood_is_the_one_that_is_told(line in "[0-7]( [01]){0,4}|RETIRE|[ -~]{0,7}") {
            let by = Seat::First;
            let happening = match CodeColosseum.hear(line.as_bytes()) {
                RefereeLine::Roll(roll) => GameEvent::Rolled { by, roll, skipped: false },
                RefereeLine::Move(mv) => GameEvent::Moved { by, mv, result: None },
                RefereeLine::Loss => GameEvent::Lost { by, cause: Cause::Unseen },
                RefereeLine::Other => return Ok(()),
            };
            let dialect: &dyn Dialect = &CodeColosseum;
            for to in [Party::Spectator, Party::Player(by.other())] {
                let told = dialect.tell(&happening, to).map(|told| told.line);
                prop_assert_eq!(told, Some(line.as_bytes().to_vec()));
            }
        }

        #[test]
        fn a_stream_is_read_at_once_as_it_is_read_by_its_lines(
            lines in prop::collection::vec("(>?[0-7]|[01]( [01]){3}\n?[0-6]|[01]( [01]){3})\n|RETIRE\n|[ -~]{0,9}\n?", 0..12),
            is_marked in any::<bool>(),
        ) {
            let (stream, mark) = (lines.concat(), is_marked.then_some(b'>'));
            let (mut at_once, mut by_lines) = (Plays::default(), Plays::default());
            let is_read = CodeColosseum.read_plays(stream.as_bytes(), mark, &mut at_once);
            prop_assert_eq!(is_read, by_lines.read(&CodeColosseum, stream.as_bytes(), mark));
            if is_read {
                prop_assert_eq!(at_once, by_lines);
            }
        }

        #[test]
        fn finds_the_first_newline_of_any_text(text in "[\u{0}-\u{c}\u{8a}a]{0,20}") {
            let text = text.as_bytes();
            prop_assert_eq!(super::newline(text), text.iter().position(|&byte| byte == b'\n'));
        }
    }
}
