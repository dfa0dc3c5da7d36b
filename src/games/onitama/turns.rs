//! Turns of Onitama by its rules, and what each turn shows.

use super::cell::{OnitamaCell, temple};
use super::notation::CardMove;
use super::position::OnitamaPosition;
use super::setup::Deal;
use super::variant::Starter;
use super::{OnitamaRules, board, coverage, exercise, narration};
use crate::rules::{
    Attempt, Exercise, GameResult, Move, Picture, Refusal, Remnant, Roll, Rules, Seat, Setup, Trace,
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

    fn picture(&self, position: &OnitamaPosition) -> Picture {
        board::picture(position)
    }
}

#[cfg(test)]
#[path = "turns_tests.rs"]
mod tests;
