//! Positions as bit masks: the pieces, and the cards of both players.

use crate::rules::{PerSeat, Seat};

use super::card::{Card, Hand, OnitamaCell, temple};
use super::notation::Deal;

/// Cell of a Master that has been captured.
const GONE: OnitamaCell = 31;

/// Position: all pieces, the cards of both players, and the player on turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OnitamaPosition {
    /// Per player, a bit for each cell on which a piece of his stands.
    pub pieces: PerSeat<u32>,
    /// Per player, the cell of the Master.
    pub(super) masters: PerSeat<OnitamaCell>,
    /// Per player, his cards.
    pub hands: PerSeat<Hand>,
    /// The card in the middle; none only where a variant of the rules has emptied it.
    pub middle: Hand,
    /// The player on turn.
    pub mover: Seat,
}

impl OnitamaPosition {
    /// Before the first turn: each home row is four Students with the Master on column c.
    #[must_use]
    pub fn start(deal: Deal) -> OnitamaPosition {
        let [top1, top2, bottom1, bottom2, middle] = deal.cards;
        OnitamaPosition {
            pieces: PerSeat([0x1F, 0x1F << 20]),
            masters: PerSeat(Seat::BOTH.map(temple)),
            hands: PerSeat([Hand::of(&[top1, top2]), Hand::of(&[bottom1, bottom2])]),
            middle: Hand::of(&[middle]),
            mover: deal.starter,
        }
    }

    /// A position with these pieces: per player the Master's cell and the Students'.
    ///
    /// # Panics
    /// Panics if a cell is off the board.
    #[cfg(test)]
    #[must_use]
    pub fn new(pieces: [(OnitamaCell, &[OnitamaCell]); 2], deal: Deal) -> OnitamaPosition {
        let mut position = OnitamaPosition::start(deal);
        for (seat, (master, students)) in Seat::BOTH.into_iter().zip(pieces) {
            assert!(
                students
                    .iter()
                    .chain([&master])
                    .all(|&cell| usize::from(cell) < super::card::CELLS),
                "off the board"
            );
            position.pieces[seat] = students
                .iter()
                .fold(1 << master, |bits, &cell| bits | 1 << cell);
            position.masters[seat] = master;
        }
        position
    }

    /// Returns true if the player has a piece on the cell.
    #[must_use]
    pub fn has_piece(&self, seat: Seat, cell: OnitamaCell) -> bool {
        self.pieces[seat] >> cell & 1 != 0
    }

    /// The cell of the player's Master, unless it is captured.
    #[must_use]
    pub fn master(&self, seat: Seat) -> Option<OnitamaCell> {
        Some(self.masters[seat]).filter(|&cell| cell != GONE)
    }

    /// Moves a piece of the player between two cells; what stands there is taken off the board.
    pub(super) fn put(&mut self, seat: Seat, from: OnitamaCell, to: OnitamaCell) {
        for seat in Seat::BOTH {
            self.pieces[seat] &= !(1 << to);
            if self.masters[seat] == to {
                self.masters[seat] = GONE;
            }
        }
        self.pieces[seat] = self.pieces[seat] & !(1 << from) | 1 << to;
        if self.masters[seat] == from {
            self.masters[seat] = to;
        }
    }

    /// Leaves a piece of the player where it was before.
    pub(super) fn leave(&mut self, seat: Seat, before: &OnitamaPosition, cell: OnitamaCell) {
        self.pieces[seat] |= 1 << cell;
        self.masters[seat] = before.masters[seat];
    }

    /// Takes the used card out of the hand it is in and gives its place to `other`.
    pub(super) fn exchange(&mut self, used: Card, other: Hand) {
        let used = Hand::of(&[used]);
        for hand in &mut self.hands.0 {
            if hand.without(used) != *hand {
                *hand = hand.without(used).with(other);
            }
        }
    }
}
