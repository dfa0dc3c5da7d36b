//! Turns of Onitama by its rules, and what each turn shows.

use super::cell::bits;
use super::notation::CardMove;
use super::position::OnitamaPosition;
use super::setup::Deal;
use super::variant::Starter;
use super::{OnitamaRules, board, facts, narration};
use crate::rules::{
    Attempt, Fact, GameResult, Grounds, Move, Picture, Refusal, Remnant, Roll, Rules, Seat, Setup,
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
        // Room for all of them in most positions.
        let mut moves = Vec::with_capacity(24);
        for (card, from, cells) in self.ways(position) {
            moves.extend(bits(cells).map(|to| CardMove { card, from, to }.packed()));
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

    fn grounds(&self, before: &OnitamaPosition, _roll: Roll, mv: Option<Move>) -> Grounds {
        let feats = mv.map(|mv| facts::feats(before, self.step(before, mv)));
        let last = feats.and_then(|feats| feats.into_iter().rfind(|feat| feat.is_shown));
        Grounds {
            mv: last.map(|feat| feat.requirement),
            turn: Some("oni/turn/alternates"),
        }
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
