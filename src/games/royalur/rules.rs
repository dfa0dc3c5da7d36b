//! The rules of seed `000` on [`Position`]s.

use super::position::{Cell, END, Position, TOKENS};
use super::refusal::{HOME, NO_SUCH_TOKEN, OCCUPIED_ROSETTE, OVERSHOOT, OWN_TOKEN, ZERO};
use super::{Variant, board, coverage, exercise, narration};
use crate::rules::{Attempt, Exercise, GameResult, Move, Refusal, Roll, Rules, Seat, Setup, Trace};

/// The rules of Ur, or a deliberate variant of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UrRules {
    variant: Variant,
}

impl UrRules {
    /// The rules of seed `000`.
    pub const STANDARD: UrRules = UrRules::variant(Variant::STANDARD);

    /// These rules with deviations.
    #[must_use]
    pub const fn variant(variant: Variant) -> UrRules {
        UrRules { variant }
    }

    /// How far a token moves: the number of heads (seed `000`: "The `1`s represent a head").
    #[inline]
    #[must_use]
    pub fn steps(self, roll: Roll) -> Cell {
        self.variant.steps[usize::from(roll.0 & 0xF)]
    }

    /// Where a token gets to.
    #[inline]
    fn destination(
        self,
        position: &Position,
        roll: Roll,
        mv: Move,
    ) -> Result<(Cell, Cell), &'static Refusal> {
        let token = mv.0 as usize;
        if token >= usize::from(self.variant.tokens) {
            return Err(&NO_SUCH_TOKEN);
        }
        let steps = self.steps(roll);
        let from = position.cell(position.mover(), token);
        if steps == 0 {
            return Err(&ZERO);
        }
        if from == END {
            return Err(&HOME);
        }
        let mut to = from + steps;
        if to >= self.variant.end {
            if to > self.variant.end && !self.variant.overshoot {
                return Err(&OVERSHOOT);
            }
            to = END;
        }
        let there = 1_u32 << to;
        if position.occupied(position.mover()) & there != 0 && !self.variant.stacking {
            return Err(&OWN_TOKEN);
        }
        if position.occupied(position.mover().other()) & self.guarded() & there != 0 {
            return Err(&OCCUPIED_ROSETTE);
        }
        Ok((from, to))
    }

    /// Cells that an opponent's token makes unreachable.
    #[inline]
    fn guarded(self) -> u32 {
        u32::from(self.variant.safe & self.variant.shared)
    }

    /// Whether a token that gets to `to` sends one of the opponent's back.
    #[inline]
    pub(super) fn captures(self, position: &Position, to: Cell) -> bool {
        position.occupied(position.mover().other()) & u32::from(self.variant.shared) & 1 << to != 0
    }

    /// Whether the cell gives another turn.
    #[inline]
    pub(super) fn is_rosette(self, cell: Cell) -> bool {
        self.variant.rosettes & 1 << cell != 0
    }

    /// Why a move is refused, if it is.
    pub(super) fn refused(self, position: &Position, roll: Roll, mv: Move) -> Option<&'static Refusal> {
        self.destination(position, roll, mv).err()
    }

    /// From where to where a legal move goes.
    pub(super) fn way(self, position: &Position, roll: Roll, mv: Move) -> (Cell, Cell) {
        self.destination(position, roll, mv).expect("only legal moves are described")
    }
}

impl Rules for UrRules {
    type Position = Position;

    fn start(&self, _setup: Setup) -> Position {
        Position::START
    }

    fn has_rolls(&self) -> bool {
        true
    }

    fn kinds_of_roll(&self) -> &'static [Roll] {
        const KINDS: &[Roll] = &[Roll(0b0000), Roll(0b0001), Roll(0b0011), Roll(0b0111), Roll(0b1111)];
        KINDS
    }

    #[inline]
    fn to_move(&self, position: &Position) -> Seat {
        position.mover()
    }

    #[inline]
    fn result(&self, position: &Position) -> Option<GameResult> {
        let has_won = |seat: Seat| {
            position.all_out(seat)
                || self.variant.tokens_to_win < TOKENS as u8
                    && position.out(seat) >= usize::from(self.variant.tokens_to_win)
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
    fn can_move(&self, position: &Position, roll: Roll) -> bool {
        let steps = self.steps(roll);
        if steps == 0 {
            return false;
        }
        if usize::from(self.variant.tokens) < TOKENS {
            // The mask knows the tokens that do not count as well.
            return !self.legal_moves(position, roll).is_empty();
        }
        let own = position.occupied(position.mover());
        let mut reach = own << steps;
        let end = 1_u32 << self.variant.end;
        if self.variant.overshoot && reach >= end << 1 {
            reach |= end;
        }
        let blocked = if self.variant.stacking { 0 } else { own & 0x7FFE };
        let guarded = position.occupied(position.mover().other()) & self.guarded();
        // Neither the start nor what is beyond the end.
        let track = (end << 1) - 2;
        reach & track & !blocked & !guarded != 0
    }

    fn legal_moves(&self, position: &Position, roll: Roll) -> Vec<Move> {
        let is_legal = |&mv: &Move| self.destination(position, roll, mv).is_ok();
        (0..TOKENS as u32).map(Move).filter(is_legal).collect()
    }

    // Inlined, the new position goes straight into the table instead of through memory.
    #[inline(always)]
    fn moved(&self, position: &Position, roll: Roll, mv: Move) -> Result<Position, &'static Refusal> {
        let (from, to) = self.destination(position, roll, mv)?;
        let mover = position.mover();
        let mut next = *position;
        next.put(mover, mv.0 as usize, from, to);
        if self.variant.stacking {
            next.recount(mover);
        }
        let mut again = self.is_rosette(to) || self.variant.again_after_exit && to == END;
        if self.captures(position, to) {
            let victim =
                position.token_on(mover.other(), to).expect("the mask says that a token stands there");
            next.put(mover.other(), victim, to, self.variant.captured_to);
            if self.variant.stacking {
                next.recount(mover.other());
            }
            if self.variant.captor_stays {
                next.put(mover, mv.0 as usize, to, from);
            }
            again |= self.variant.again_after_capture;
        }
        if !again {
            next = next.with_mover(mover.other());
        }
        Ok(next)
    }

    #[inline]
    fn skipped(&self, position: &Position, _roll: Roll) -> Position {
        let next = if self.variant.again_after_skip { position.mover() } else { position.mover().other() };
        position.with_mover(next)
    }

    fn canonical(&self, position: &Position) -> Position {
        position.sorted()
    }

    fn turn_ground(&self, before: &Position, roll: Roll, mv: Option<Move>) -> &'static str {
        let Some(mv) = mv else {
            return if self.steps(roll) == 0 { "ur/skip/roll-0" } else { "ur/skip/blocked" };
        };
        match self.way(before, roll, mv).1 {
            4 => "ur/extra-turn/cell-4",
            8 => "ur/extra-turn/cell-8",
            14 => "ur/extra-turn/cell-14",
            END => "ur/extra-turn/not-after-exit",
            to if self.captures(before, to) => "ur/extra-turn/not-after-capture",
            _ => "ur/turn/alternates",
        }
    }

    fn move_ground(&self, before: &Position, roll: Roll, mv: Move) -> Option<&'static str> {
        let (_, to) = self.way(before, roll, mv);
        match to {
            END => Some("ur/exit/exact"),
            5 if self.captures(before, to) => Some("ur/capture/first-shared-cell"),
            12 if self.captures(before, to) => Some("ur/capture/last-shared-cell"),
            to if self.captures(before, to) => Some("ur/capture/shared-lane"),
            to if !self.captures(before, to) && before.token_on(before.mover().other(), to).is_some() => {
                Some("ur/capture/only-shared")
            }
            _ => None,
        }
    }

    fn is_of_kind(&self, before: &Position, roll: Roll, mv: Move, kind: &str) -> bool {
        let (_, to) = self.way(before, roll, mv);
        match kind {
            "capture" => self.captures(before, to),
            "exit" => to == END,
            "reach-rosette" => self.is_rosette(to),
            _ => false,
        }
    }

    fn covers(&self, before: &Position, roll: Roll, mv: Option<Move>, see: &mut dyn FnMut(usize)) {
        coverage::covers(*self, before, roll, mv, see);
    }

    fn exercises(&self, before: &Position, roll: Roll, attempt: Attempt, see: &mut dyn FnMut(Exercise)) {
        exercise::exercises(*self, before, roll, attempt, see);
    }

    fn completes(
        &self,
        before: &Position,
        roll: Roll,
        attempt: Attempt,
        by_subject: bool,
        trace: Trace,
    ) -> bool {
        exercise::completes(*self, before, roll, attempt, by_subject, trace)
    }

    fn describe_move(&self, before: &Position, roll: Roll, mv: Move) -> String {
        narration::describe_move(*self, before, roll, mv)
    }

    fn describe_skip(&self, before: &Position, roll: Roll) -> String {
        narration::describe_skip(*self, before, roll)
    }

    fn draw(&self, position: &Position) -> String {
        board::draw(position)
    }
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
