//! Turns of Ur by its rules, and what each turn shows.

use std::borrow::Borrow;
use std::fmt::Debug;

use super::position::{END, TOKENS, UrPosition};
use super::{UrRules, UrVariant, board, facts, narration};
use crate::rules::{
    Attempt, Fact, GameResult, Grounds, Move, Picture, Refusal, Remnant, Roll, Rules, Seat, Setup,
};

impl<V: Borrow<UrVariant> + Copy + Debug + Send + Sync + 'static> Rules for UrRules<V> {
    type Position = UrPosition;

    fn start(&self, _setup: Setup) -> UrPosition {
        match self.options().second_starts {
            true => UrPosition::START.with_mover(Seat::Second),
            false => UrPosition::START,
        }
    }

    fn start_with(&self, setup: Setup, left: Remnant, end: &UrPosition) -> Option<UrPosition> {
        let start = self.start(setup);
        Some(match left {
            Remnant::Board => end.with_mover(start.mover()),
            Remnant::Turn => start.with_mover(end.mover()),
            Remnant::Position => *end,
        })
    }

    fn kinds_of_roll(&self) -> &'static [Roll] {
        const KINDS: &[Roll] = &[
            Roll(0b0000),
            Roll(0b0001),
            Roll(0b0011),
            Roll(0b0111),
            Roll(0b1111),
        ];
        KINDS
    }

    #[inline]
    fn to_move(&self, position: &UrPosition) -> Seat {
        position.mover()
    }

    #[inline]
    fn result(&self, position: &UrPosition) -> Option<GameResult> {
        let has_won = |seat: Seat| match usize::from(self.options().tokens_to_win) {
            TOKENS => position.all_out(seat),
            tokens => position.out(seat) >= tokens,
        };
        if has_won(Seat::First) {
            Some(GameResult::Won(Seat::First))
        } else if has_won(Seat::Second) {
            Some(GameResult::Won(Seat::Second))
        } else {
            None
        }
    }

    #[inline]
    fn can_move(&self, position: &UrPosition, roll: Roll) -> bool {
        let steps = self.steps(roll);
        if steps == 0 {
            return false;
        }
        if self.options().moves_when_blocked {
            return true;
        }
        if usize::from(self.options().tokens) < TOKENS || self.options().barred != 0 {
            // The mask knows the tokens that do not count as well.
            return !self.legal_moves(position, roll).is_empty();
        }
        let own = position.occupied(position.mover());
        let mut reach = own << steps;
        let end = 1_u32 << self.options().end;
        if self.options().overshoot && reach >= end << 1 {
            reach |= end;
        }
        let blocked = if self.options().stacking {
            0
        } else {
            own & 0x7FFE
        };
        let guarded = position.occupied(position.mover().other()) & self.guarded();
        // Neither the start nor what is beyond the end.
        let track = (end << 1) - 2;
        reach & track & !blocked & !guarded != 0
    }

    fn legal_moves(&self, position: &UrPosition, roll: Roll) -> Vec<Move> {
        let is_legal = |&mv: &Move| self.destination(position, roll, mv).is_ok();
        (0..TOKENS as u32).map(Move).filter(is_legal).collect()
    }

    // Inlined, the new position goes straight into the table instead of through memory.
    #[inline(always)]
    fn moved(
        &self,
        position: &UrPosition,
        roll: Roll,
        mv: Move,
    ) -> Result<UrPosition, &'static Refusal> {
        let (from, to) = self.destination(position, roll, mv)?;
        let mover = position.mover();
        let mut next = *position;
        next.put(mover, mv.0 as usize, from, to);
        if self.options().stacking {
            next.recount(mover);
        }
        let mut again = self.is_rosette(to) || self.options().again_after_exit && to == END;
        if self.captures(position, to) {
            let victim = position
                .token_on(mover.other(), to)
                .expect("the mask says that a token stands there");
            next.put(mover.other(), victim, to, self.options().captured_to);
            if self.options().stacking {
                next.recount(mover.other());
            }
            if self.options().captor_stays {
                next.put(mover, mv.0 as usize, to, from);
            }
            again |= self.options().again_after_capture;
        }
        if !again {
            next = next.with_mover(mover.other());
        }
        Ok(next)
    }

    #[inline]
    fn skipped(&self, position: &UrPosition, _roll: Roll) -> UrPosition {
        let next = if self.options().again_after_skip {
            position.mover()
        } else {
            position.mover().other()
        };
        position.with_mover(next)
    }

    fn canonical(&self, position: &UrPosition) -> UrPosition {
        position.sorted()
    }

    fn grounds(&self, before: &UrPosition, roll: Roll, mv: Option<Move>) -> Grounds {
        facts::grounds(self.by_value(), before, roll, mv)
    }

    fn facts(&self, before: &UrPosition, roll: Roll, attempt: Attempt, see: &mut dyn FnMut(Fact)) {
        facts::facts(self.by_value(), before, roll, attempt, see);
    }

    fn describe_move(&self, before: &UrPosition, roll: Roll, mv: Move) -> String {
        narration::describe_move(self.by_value(), before, roll, mv)
    }

    fn describe_skip(&self, before: &UrPosition, roll: Roll) -> String {
        narration::describe_skip(self.by_value(), before, roll)
    }

    fn picture(&self, position: &UrPosition) -> Picture {
        board::picture(position)
    }
}

#[cfg(test)]
#[path = "turns_tests.rs"]
mod tests;
