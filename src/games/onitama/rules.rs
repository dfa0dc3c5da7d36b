//! The rules of seed `004` on [`OnitamaPosition`]s.

use super::card::{Card, Hand, reach};
use super::notation::CardMove;
use super::position::{CELLS, OnitamaCell, OnitamaPosition, temple};
use super::refusal::{
    CARD_NOT_DEALT, EMPTY_ORIGIN, MIDDLE_CARD, NO_SUCH_STEP, NOT_A_STEP, OPPONENTS_CARD,
    OPPONENTS_PIECE, OWN_PIECE,
};
use super::setup::Deal;
use super::variant::{Across, Onto, Rotation};
use super::{OnitamaVariant, board, coverage, exercise, narration};
use crate::rules::{Attempt, Exercise, GameResult, Move, Refusal, Roll, Rules, Seat, Setup, Trace};

/// The rules of Onitama, or a deliberate variant of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnitamaRules {
    variant: OnitamaVariant,
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
    fn reach(self, seat: Seat, card: Card, from: OnitamaCell) -> u32 {
        let is_turned = self.variant.turned[seat];
        match self.variant.slip {
            Some(slip) if slip.is_of(card) => reach(slip.offsets, from, is_turned),
            _ => card.reach(from, is_turned),
        }
    }

    /// The cards that the player on turn can use.
    fn playable(self, position: &OnitamaPosition) -> Hand {
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
    fn barred(self, position: &OnitamaPosition) -> u32 {
        let mover = position.mover;
        match self.variant.onto {
            Onto::Opponents => position.pieces(mover),
            Onto::Nothing => position.pieces(mover) | position.pieces(mover.other()),
            Onto::Any => 0,
        }
    }

    fn checked(self, position: &OnitamaPosition, mv: Move) -> Result<CardMove, &'static Refusal> {
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

    /// Lists the destinations of the pieces of the player on turn, by card and origin.
    fn ways(self, position: &OnitamaPosition) -> impl Iterator<Item = (Card, OnitamaCell, u32)> {
        let position = *position;
        let (mover, barred) = (position.mover, self.barred(&position));
        let origins =
            move || (0..CELLS as OnitamaCell).filter(move |&cell| position.has_piece(mover, cell));
        self.playable(&position).cards().flat_map(move |card| {
            origins().map(move |from| (card, from, self.reach(mover, card, from) & !barred))
        })
    }

    fn rotate(self, next: &mut OnitamaPosition, used: Card, by: Seat) {
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
    fn is_across(self, position: &OnitamaPosition, seat: Seat) -> bool {
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

impl Rules for OnitamaRules {
    type Position = OnitamaPosition;

    fn start(&self, setup: Setup) -> OnitamaPosition {
        OnitamaPosition::start(Deal::of(setup))
    }

    fn has_rolls(&self) -> bool {
        false
    }

    fn kinds_of_roll(&self) -> &'static [Roll] {
        &[]
    }

    fn to_move(&self, position: &OnitamaPosition) -> Seat {
        position.mover
    }

    fn result(&self, position: &OnitamaPosition) -> Option<GameResult> {
        let has_won = |&seat: &Seat| {
            self.variant.capture_wins && position.master(seat.other()).is_none()
                || self.is_across(position, seat)
        };
        Seat::BOTH.into_iter().find(has_won).map(GameResult::Won)
    }

    fn can_move(&self, position: &OnitamaPosition, _roll: Roll) -> bool {
        self.ways(position).any(|(.., cells)| cells != 0)
    }

    /// By card, then origin, then destination.
    fn legal_moves(&self, position: &OnitamaPosition, _roll: Roll) -> Vec<Move> {
        let mut moves = Vec::new();
        for (card, from, mut cells) in self.ways(position) {
            while cells != 0 {
                let to = cells.trailing_zeros() as OnitamaCell;
                moves.push(CardMove { card, from, to }.packed());
                cells &= cells - 1;
            }
        }
        moves
    }

    fn moved(
        &self,
        position: &OnitamaPosition,
        _roll: Roll,
        mv: Move,
    ) -> Result<OnitamaPosition, &'static Refusal> {
        let CardMove { card, from, to } = self.checked(position, mv)?;
        let mover = position.mover;
        let captures = position.has_piece(mover.other(), to);
        let mut next = *position;
        next.put(mover, from, to);
        self.rotate(&mut next, card, mover);
        if !(captures && self.variant.again_after_capture) {
            next.mover = mover.other();
        }
        Ok(next)
    }

    /// No turn is skipped: who has no valid move stays on turn until the timeout.
    fn skipped(&self, position: &OnitamaPosition, _roll: Roll) -> OnitamaPosition {
        *position
    }

    fn turn_ground(
        &self,
        _before: &OnitamaPosition,
        _roll: Roll,
        _mv: Option<Move>,
    ) -> &'static str {
        "oni/turn/alternates"
    }

    fn move_ground(&self, before: &OnitamaPosition, _roll: Roll, mv: Move) -> Option<&'static str> {
        let CardMove { from, to, .. } = self.step(before, mv);
        let mover = before.mover;
        if before.master(mover.other()) == Some(to) {
            Some("oni/win/master-captured")
        } else if before.master(mover) == Some(from) && to == temple(mover.other()) {
            Some("oni/win/temple")
        } else if before.has_piece(mover.other(), to) {
            Some("oni/move/capture")
        } else {
            None
        }
    }

    fn is_of_kind(&self, before: &OnitamaPosition, _roll: Roll, mv: Move, kind: &str) -> bool {
        let CardMove { from, to, .. } = self.step(before, mv);
        let mover = before.mover;
        match kind {
            "capture" => before.has_piece(mover.other(), to),
            "take-master" => before.master(mover.other()) == Some(to),
            "reach-temple" => before.master(mover) == Some(from) && to == temple(mover.other()),
            _ => false,
        }
    }

    fn breaks_one_rule(&self, position: &OnitamaPosition, _roll: Roll, mv: Move) -> bool {
        let Some(CardMove { card, from, to }) = CardMove::of(mv) else {
            return false;
        };
        let mover = position.mover;
        let broken = [
            !self.playable(position).has(card),
            !position.has_piece(mover, from),
            self.reach(mover, card, from) >> to & 1 == 0,
            self.barred(position) >> to & 1 != 0,
        ];
        broken.into_iter().filter(|is_broken| *is_broken).count() == 1
    }

    fn covers(
        &self,
        before: &OnitamaPosition,
        _roll: Roll,
        mv: Option<Move>,
        see: &mut dyn FnMut(usize),
    ) {
        if let Some(mv) = mv {
            coverage::covers(before, self.step(before, mv), see);
        }
    }

    fn exercises(
        &self,
        before: &OnitamaPosition,
        _roll: Roll,
        attempt: Attempt,
        see: &mut dyn FnMut(Exercise),
    ) {
        exercise::exercises(*self, before, attempt, see);
    }

    fn completes(
        &self,
        before: &OnitamaPosition,
        _roll: Roll,
        attempt: Attempt,
        by_subject: bool,
        trace: Trace,
    ) -> bool {
        exercise::completes(before, attempt, by_subject, trace)
    }

    fn describe_move(&self, before: &OnitamaPosition, roll: Roll, mv: Move) -> String {
        narration::describe_move(*self, before, roll, mv)
    }

    fn describe_skip(&self, _before: &OnitamaPosition, _roll: Roll) -> String {
        "no turn is skipped: who has no valid move loses by the timeout".to_owned()
    }

    fn draw(&self, position: &OnitamaPosition) -> String {
        board::draw(position)
    }
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
