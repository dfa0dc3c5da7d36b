//! Turns of Onitama by its rules, and what each turn shows.

use super::cell::OnitamaCell;
use super::notation::CardMove;
use super::position::OnitamaPosition;
use super::setup::Deal;
use super::variant::Starter;
use super::{OnitamaRules, board, facts, narration};
use crate::rules::{
    Attempt, Fact, GameResult, Move, Picture, Refusal, Remnant, Roll, Rules, Seat, Setup,
};

impl Rules for OnitamaRules {
    type Position = OnitamaPosition;

    fn start(&self, setup: Setup) -> OnitamaPosition {
        let deal = Deal::of(setup);
        let starter = match self.variant.starter {
            Starter::Named => deal.starter,
            Starter::Other => deal.starter.other(),
            Starter::Always(seat) => seat,
        };
        OnitamaPosition::start(Deal { starter, ..deal })
    }

    fn start_with(
        &self,
        setup: Setup,
        left: Remnant,
        end: &OnitamaPosition,
    ) -> Option<OnitamaPosition> {
        let start = self.start(setup);
        let [mut board, mut turn] = [*end, start];
        (board.hands, board.middle, board.mover) = (start.hands, start.middle, start.mover);
        turn.mover = end.mover;
        Some(match left {
            Remnant::Board => board,
            Remnant::Turn => turn,
            Remnant::Position => *end,
        })
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

    fn facts(
        &self,
        before: &OnitamaPosition,
        _roll: Roll,
        attempt: Attempt,
        see: &mut dyn FnMut(Fact),
    ) {
        facts::facts(*self, before, attempt, see);
    }

    fn describe_move(&self, before: &OnitamaPosition, roll: Roll, mv: Move) -> String {
        narration::describe_move(*self, before, roll, mv)
    }

    fn picture(&self, position: &OnitamaPosition) -> Picture {
        board::picture(position)
    }
}

#[cfg(test)]
#[path = "turns_tests.rs"]
mod tests;
