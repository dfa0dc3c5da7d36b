use super::{Awaited, Ending};
use crate::protocol::{Cause, Dialect, Heard, Slot};
use crate::rules::{PerSeat, Phase, Seat, Setup, Table};

/// Goes through spectators' streams without allocating, and passes the games in which nothing is wrong.
#[derive(Debug)]
pub struct Screen {
    dialect: &'static dyn Dialect,
    /// `None` where the handshake tells more than names, which is for the slower way.
    table: Option<Box<dyn Table>>,
    names: PerSeat<usize>,
}

/// A game with nothing wrong in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clean<'a> {
    /// The players' names.
    pub names: PerSeat<&'a [u8]>,
    /// How many turns were begun.
    pub turns: usize,
    /// How it ended, or where it stops; never before the first turn.
    pub ending: Ending,
}

impl Screen {
    /// A screen for streams in this dialect.
    #[must_use]
    pub fn new(dialect: &'static dyn Dialect) -> Screen {
        let greeting = dialect.greeting(true);
        let place = |seat| greeting.iter().position(|greeting| greeting.slot == Slot::Name(seat));
        let (first, second) = (place(Seat::First), place(Seat::Second));
        let (names, table) = match (first, second) {
            (Some(first), Some(second)) if greeting.len() == 2 => {
                (PerSeat([first, second]), Some(dialect.game().table(Setup::default())))
            }
            _ => (PerSeat([0, 0]), None),
        };
        Screen { dialect, table, names }
    }

    /// Passes the stream of one game, or leaves it to be judged: something is wrong in it, or it is no spectator's.
    pub fn pass<'a>(&mut self, stream: &'a [u8]) -> Option<Clean<'a>> {
        let table = self.table.as_deref_mut()?;
        table.restart();
        let mut lines = Lines { rest: stream };
        let greeting = [lines.next()?, lines.next()?];
        let mut turns = 0;
        let mut lost = None;
        while let Some(line) = lines.next() {
            match (self.dialect.hear(line), table.phase()) {
                (Heard::Roll(roll), Phase::Roll) => {
                    turns += 1;
                    table.take_roll(roll);
                }
                (Heard::Move(mv), Phase::Move) => table.play(mv).ok()?,
                (Heard::Loss, Phase::Move) => {
                    lost = Some(table.to_move());
                    break;
                }
                _ => return None,
            }
        }
        if !lines.rest.is_empty() || turns == 0 {
            return None;
        }
        let ending = match (lost, table.phase()) {
            (Some(by), _) => Ending::Lost { by, cause: Cause::Unseen },
            (None, Phase::Over(seat)) => Ending::Won(seat),
            (None, Phase::Roll) => Ending::Incomplete(Awaited::Roll(table.to_move())),
            (None, Phase::Move) => Ending::Incomplete(Awaited::Move(table.to_move())),
        };
        Some(Clean { names: PerSeat(self.names.0.map(|place| greeting[place])), turns, ending })
    }
}

/// The lines that end with a newline; what is left over after the last of them stays.
struct Lines<'a> {
    rest: &'a [u8],
}

impl<'a> Lines<'a> {
    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let end = newline(self.rest)?;
        let line = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Some(line)
    }
}

/// Where the first newline is. The lines of a game are a few bytes, so the first eight are looked at in one go.
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

    proptest! {
        #[test]
        fn finds_the_first_newline_of_any_text(text in "[\u{0}-\u{c}\u{8a}a]{0,20}") {
            let text = text.as_bytes();
            prop_assert_eq!(super::newline(text), text.iter().position(|&byte| byte == b'\n'));
        }
    }
}
