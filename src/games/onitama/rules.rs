//! The rules of seed `004` on [`OnitamaPosition`]s.

use super::OnitamaVariant;
use super::card::{Card, Hand, Offset, reach};
use super::cell::{CELLS, OnitamaCell, bits, temple};
use super::notation::CardMove;
use super::position::OnitamaPosition;
use super::refusal::{
    CARD_NOT_DEALT, EMPTY_ORIGIN, MIDDLE_CARD, NO_SUCH_STEP, NOT_A_STEP, OPPONENTS_CARD,
    OPPONENTS_PIECE, OWN_PIECE,
};
use super::variant::{Across, Onto, Rotation};
use crate::rules::{Move, Refusal, Seat};

/// The rules of Onitama, or a deliberate variant of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnitamaRules {
    pub(super) variant: OnitamaVariant,
}

impl OnitamaRules {
    /// The rules of seed `004`.
    pub const STANDARD: OnitamaRules = OnitamaRules::variant(OnitamaVariant::STANDARD);

    /// These rules with deviations.
    #[must_use]
    pub const fn variant(variant: OnitamaVariant) -> OnitamaRules {
        OnitamaRules { variant }
    }

    /// The cells that a card leads to from a cell, a bit for each.
    pub(super) fn reach(self, seat: Seat, card: Card, from: OnitamaCell) -> u32 {
        let is_turned = self.variant.turned[seat];
        if self.variant.mirrored[seat] || self.variant.wraps {
            return self.misread_reach(seat, card, from);
        }
        match self.variant.slip {
            Some(slip) if slip.is_of(card) => reach(slip.offsets, from, is_turned),
            _ => card.reach(from, is_turned),
        }
    }

    /// The same where every card, or the edge of the board, is misread.
    fn misread_reach(self, seat: Seat, card: Card, from: OnitamaCell) -> u32 {
        let is_turned = self.variant.turned[seat];
        let steps = card.steps().iter().map(|&(forward, right)| {
            let right = if self.variant.mirrored[seat] {
                -right
            } else {
                right
            };
            (forward, right)
        });
        if !self.variant.wraps {
            return steps.fold(0, |cells, step| cells | reach(&[step], from, is_turned));
        }
        let way = if is_turned { 1 } else { -1 };
        let number = |(forward, right): Offset| {
            i32::from(from) + way * (i32::from(forward) * 5 - i32::from(right))
        };
        let on_board = steps
            .map(number)
            .filter(|cell| (0..CELLS as i32).contains(cell));
        on_board.fold(0, |cells, cell| cells | 1 << cell)
    }

    /// The cards that the player on turn can use.
    pub(super) fn playable(self, position: &OnitamaPosition) -> Hand {
        let mover = position.mover;
        let mut hand = position.hands[mover];
        if self.variant.plays_middle {
            hand = hand.with(position.middle);
        }
        if self.variant.plays_opponents {
            hand = hand.with(position.hands[mover.other()]);
        }
        hand
    }

    /// The cells on which a step cannot end.
    pub(super) fn barred(self, position: &OnitamaPosition) -> u32 {
        let mover = position.mover;
        match self.variant.onto {
            Onto::Opponents => position.pieces(mover),
            Onto::Nothing => position.pieces(mover) | position.pieces(mover.other()),
            Onto::Any => 0,
        }
    }

    pub(super) fn checked(
        self,
        position: &OnitamaPosition,
        mv: Move,
    ) -> Result<CardMove, &'static Refusal> {
        let step = CardMove::of(mv).ok_or(&NO_SUCH_STEP)?;
        let mover = position.mover;
        if !self.playable(position).has(step.card) {
            return Err(if position.middle.has(step.card) {
                &MIDDLE_CARD
            } else if position.hands[mover.other()].has(step.card) {
                &OPPONENTS_CARD
            } else {
                &CARD_NOT_DEALT
            });
        }
        if !position.has_piece(mover, step.from) {
            let is_opponents = position.has_piece(mover.other(), step.from);
            return Err(if is_opponents {
                &OPPONENTS_PIECE
            } else {
                &EMPTY_ORIGIN
            });
        }
        if self.reach(mover, step.card, step.from) >> step.to & 1 == 0 {
            return Err(&NOT_A_STEP);
        }
        if self.barred(position) >> step.to & 1 != 0 {
            // Only a variant of the rules bars a cell with an opponent's piece on it.
            return Err(&OWN_PIECE);
        }
        Ok(step)
    }

    /// Returns true if a refused move breaks more rules than one.
    pub(super) fn breaks_more(self, position: &OnitamaPosition, mv: Move) -> bool {
        let Some(CardMove { card, from, to }) = CardMove::of(mv) else {
            return true;
        };
        let mover = position.mover;
        let broken = [
            !self.playable(position).has(card),
            !position.has_piece(mover, from),
            self.reach(mover, card, from) >> to & 1 == 0,
            self.barred(position) >> to & 1 != 0,
        ];
        broken.into_iter().filter(|is_broken| *is_broken).count() != 1
    }

    /// Lists the destinations of the pieces of the player on turn, by card and origin.
    pub(super) fn ways(
        self,
        position: &OnitamaPosition,
    ) -> impl Iterator<Item = (Card, OnitamaCell, u32)> {
        let (mover, barred) = (position.mover, self.barred(position));
        let own = position.pieces(mover);
        self.playable(position).cards().flat_map(move |card| {
            bits(own).map(move |from| (card, from, self.reach(mover, card, from) & !barred))
        })
    }

    pub(super) fn rotate(self, next: &mut OnitamaPosition, used: Card, by: Seat) {
        let used_hand = Hand::of(&[used]);
        if next.middle.has(used) {
            return;
        }
        match self.variant.rotation {
            Rotation::Kept => {}
            Rotation::ThroughMiddle => {
                next.exchange(used, next.middle);
                next.middle = used_hand;
            }
            Rotation::ToOpponent => {
                next.exchange(used, next.middle);
                next.middle = Hand::default();
                next.hands[by.other()] = next.hands[by.other()].with(used_hand);
            }
        }
    }

    /// Returns true if this player has crossed the board, by the variant's rule.
    pub(super) fn is_across(self, position: &OnitamaPosition, seat: Seat) -> bool {
        let goal = temple(seat.other());
        let master = position.master(seat);
        match self.variant.across {
            Across::MasterOnTemple => master == Some(goal),
            Across::PieceOnTemple => position.has_piece(seat, goal),
            Across::MasterOnRow => master.is_some_and(|cell| cell / 5 == goal / 5),
            Across::Never => false,
        }
    }

    /// The step of a legal move.
    pub(super) fn step(self, position: &OnitamaPosition, mv: Move) -> CardMove {
        self.checked(position, mv)
            .expect("only legal moves are described")
    }
}
