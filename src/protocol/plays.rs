//! The rolls and moves of one lane, by the form of its lines.

use super::{Dialect, PlayerLine, RefereeLine};
use crate::rules::RollOrMove;

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

    use crate::games::royalur::CodeColosseum;
    use crate::protocol::{Cause, Dialect, GameEvent, Party, Plays, RefereeLine};
    use crate::rules::Seat;

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
            for to in [Party::Spectator, Party::Player(by.other())] {
                let mut told = Vec::new();
                CodeColosseum.tell(&happening, to, &mut told);
                let told: Vec<_> = told.into_iter().map(|told| told.line).collect();
                prop_assert_eq!(told, [line.as_bytes()]);
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
