//! Positions of the tokens, as bit masks.

use std::fmt;

use crate::rules::Seat;

/// Tokens of a player (seed `000`: "Each player has 7 tokens").
pub const TOKENS: usize = 7;

/// A cell of a player's track: 0 is the start, 1 to 14 the cells, 15 the end.
pub type UrCell = u8;

/// The start of the track, where a token waits.
pub(super) const START: UrCell = 0;
/// The end of the track, where a token is out of the game.
pub(super) const END: UrCell = 15;

/// One bit in each token's nibble.
const EACH: u32 = 0x111_1111;
/// Every token at the end.
const ALL_OUT: u32 = 0xFFF_FFFF;

/// The bit that says that the second player is to move.
const SECOND: u64 = 1 << 32;

/// The bit from which on the score of the games before stands, four for each player; 0 but for a server that keeps it.
const SCORE: usize = 40;

/// Position: all tokens, and the player on turn.
///
/// Two whole words, so that a position is passed on in registers; parts of a word would be written and read back as one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct UrPosition {
    /// Per player, four bits for each token: its cell. The first player's are the lower half.
    cells: u64,
    /// Per player sixteen bits, one for each cell from 0 (the start) to 14 on which a token of his stands, the first player's
    /// lowest; and the bit that says whose turn it is.
    board: u64,
}

impl UrPosition {
    /// Before the first turn: every token at the start, the first player to move.
    pub const START: UrPosition = UrPosition {
        cells: 0,
        board: 1 << 16 | 1,
    };

    /// A position with these cells, for both players.
    ///
    /// # Panics
    /// Panics if a cell is beyond 15.
    #[must_use]
    pub fn new(cells: [[UrCell; TOKENS]; 2], mover: Seat) -> UrPosition {
        let mut position = UrPosition { cells: 0, board: 0 };
        for seat in Seat::BOTH {
            for (token, &cell) in cells[seat.index()].iter().enumerate() {
                assert!(cell <= END, "there is no cell {cell}");
                position.cells |= u64::from(cell) << (32 * seat.index() + 4 * token);
            }
            position.recount(seat);
        }
        position.with_mover(mover)
    }

    /// Returns the player on turn.
    #[must_use]
    #[inline]
    pub fn mover(&self) -> Seat {
        if self.board & SECOND == 0 {
            Seat::First
        } else {
            Seat::Second
        }
    }

    /// Returns the position with this player to move.
    #[must_use]
    #[inline]
    pub fn with_mover(self, mover: Seat) -> UrPosition {
        let bit = if mover == Seat::Second { SECOND } else { 0 };
        UrPosition {
            board: self.board & !SECOND | bit,
            ..self
        }
    }

    #[inline]
    fn cells_of(&self, seat: Seat) -> u32 {
        (self.cells >> (32 * seat.index())) as u32
    }

    /// The cell of a token; the number must be below seven.
    #[must_use]
    #[inline]
    pub fn cell(&self, seat: Seat, token: usize) -> UrCell {
        (self.cells_of(seat) >> (4 * token) & 0xF) as UrCell
    }

    /// The cells of a player's tokens, in the order of their numbers.
    pub fn cells(&self, seat: Seat) -> impl Iterator<Item = UrCell> + use<> {
        let cells = self.cells_of(seat);
        (0..TOKENS).map(move |token| (cells >> (4 * token) & 0xF) as UrCell)
    }

    /// A bit for each cell from 0 to 14 on which a token of the player stands.
    #[inline]
    pub(super) fn occupied(&self, seat: Seat) -> u32 {
        (self.board >> (16 * seat.index()) & 0xFFFF) as u32
    }

    #[inline]
    fn occupy(&mut self, seat: Seat, occupied: u32) {
        let shift = 16 * seat.index();
        self.board = self.board & !(0xFFFF << shift) | u64::from(occupied) << shift;
    }

    /// Returns the position with each player's tokens numbered by their progress.
    pub(super) fn sorted(&self) -> UrPosition {
        let cells = Seat::BOTH.map(|seat| {
            let mut cells = [0; TOKENS];
            cells
                .iter_mut()
                .zip(self.cells(seat))
                .for_each(|(place, cell)| *place = cell);
            cells.sort_unstable();
            cells
        });
        UrPosition::new(cells, self.mover())
    }

    /// The token of the player on a cell, the lowest where a variant of the rules has put two there.
    #[must_use]
    #[inline]
    pub fn token_on(&self, seat: Seat, cell: UrCell) -> Option<usize> {
        let found = zero_digits(self.cells_of(seat) ^ (u32::from(cell) * EACH));
        // Above the lowest zero digit the test may be wrong, so only that one is taken.
        (found != 0).then(|| found.trailing_zeros() as usize / 4)
    }

    /// Returns the number of the player's tokens that have left the track.
    #[must_use]
    pub fn out(&self, seat: Seat) -> usize {
        self.cells(seat).filter(|&cell| cell == END).count()
    }

    /// The number of the player's tokens that have left the track, and of those that did so in the games before.
    pub(super) fn score(&self, seat: Seat) -> usize {
        self.out(seat) + (self.board >> (SCORE + 4 * seat.index()) & 0xF) as usize
    }

    /// Returns true if the games before count.
    #[inline]
    pub(super) fn has_score(&self) -> bool {
        self.board >> SCORE != 0
    }

    /// The position with the score of another one from before.
    pub(super) fn with_score_of(mut self, end: &UrPosition) -> UrPosition {
        for seat in Seat::BOTH {
            let score = end.score(seat).min(TOKENS) as u64;
            self.board |= score << (SCORE + 4 * seat.index());
        }
        self
    }

    /// Returns true if all of the player's tokens have left the track.
    #[inline]
    pub(super) fn all_out(&self, seat: Seat) -> bool {
        self.cells_of(seat) == ALL_OUT
    }

    /// Moves a token between two cells.
    #[inline]
    pub(super) fn put(&mut self, seat: Seat, token: usize, from: UrCell, to: UrCell) {
        self.cells ^= u64::from(from ^ to) << (32 * seat.index() + 4 * token);
        // Bit 15 is the end of the track, where tokens do not stand in each other's way; at the start more than one waits.
        let occupied = (self.occupied(seat) & !(1 << from) | 1 << to) & 0x7FFE;
        self.occupy(
            seat,
            occupied | u32::from(zero_digits(self.cells_of(seat)) != 0),
        );
    }

    /// Counts the occupied cells anew, for variants of the rules under which two tokens may share a cell.
    pub(super) fn recount(&mut self, seat: Seat) {
        let occupied = self.cells(seat).fold(0_u32, |bits, cell| bits | 1 << cell);
        self.occupy(seat, occupied & 0x7FFF);
    }
}

/// The top bit of the lowest zero digit among the seven, and of none below it; 0 where no digit is zero.
#[inline]
fn zero_digits(cells: u32) -> u32 {
    // The well-known test: borrow reaches a digit's top bit from a zero in it.
    cells.wrapping_sub(EACH) & !cells & (EACH << 3)
}

impl fmt::Debug for UrPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |seat| self.cells(seat).collect::<Vec<_>>();
        write!(
            f,
            "Position({:?} {:?} {:?} to move)",
            list(Seat::First),
            list(Seat::Second),
            self.mover()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_with_tokens_changed_about_are_the_same_once_sorted() {
        let one = UrPosition::new(
            [[0, 4, 0, 15, 9, 0, 0], [0, 0, 0, 0, 0, 0, 2]],
            Seat::Second,
        );
        let other = UrPosition::new(
            [[15, 0, 9, 0, 0, 0, 4], [0, 2, 0, 0, 0, 0, 0]],
            Seat::Second,
        );
        assert_ne!(one, other);
        assert_eq!(one.sorted(), other.sorted());
        let further = UrPosition::new(
            [[15, 0, 9, 0, 0, 0, 5], [0, 2, 0, 0, 0, 0, 0]],
            Seat::Second,
        );
        assert_ne!(one.sorted(), further.sorted());
    }
}
