//! The rules of seed `000` on [`UrPosition`]s.

use std::borrow::Borrow;

use super::UrVariant;
use super::position::{END, UrCell, UrPosition};
use super::refusal::{HOME, NO_SUCH_TOKEN, OCCUPIED_ROSETTE, OVERSHOOT, OWN_TOKEN, ZERO};
use crate::rules::{Move, Refusal, Roll};

/// The rules of Ur, or a deliberate variant of them.
///
/// One source is compiled twice: for a variant that is a value, and for [`Standard`], whose options are constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UrRules<V = UrVariant> {
    variant: V,
}

/// [`UrVariant::STANDARD`] as a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standard;

impl Borrow<UrVariant> for Standard {
    #[inline]
    fn borrow(&self) -> &UrVariant {
        &UrVariant::STANDARD
    }
}

impl UrRules<Standard> {
    /// The rules of seed `000` with their options as constants: the fastest, for whoever plays many games.
    pub const COMPILED: UrRules<Standard> = UrRules { variant: Standard };
}

impl UrRules {
    /// The rules of seed `000`.
    pub const STANDARD: UrRules = UrRules::variant(UrVariant::STANDARD);

    /// These rules with deviations.
    #[must_use]
    pub const fn variant(variant: UrVariant) -> UrRules {
        UrRules { variant }
    }
}

impl<V: Borrow<UrVariant> + Copy> UrRules<V> {
    #[inline]
    pub(super) fn options(&self) -> &UrVariant {
        self.variant.borrow()
    }

    /// Returns equal rules with the variant as a value, for methods that are rarely called.
    pub(super) fn by_value(self) -> UrRules {
        UrRules::variant(*self.options())
    }

    /// Returns the number of cells that a token moves: the number of heads (seed `000`: "The `1`s represent a
    /// head").
    #[inline]
    #[must_use]
    pub fn steps(self, roll: Roll) -> UrCell {
        self.options().steps[usize::from(roll.0 & 0xF)]
    }

    /// Returns the destination of a token.
    #[inline]
    pub(super) fn destination(
        self,
        position: &UrPosition,
        roll: Roll,
        mv: Move,
    ) -> Result<(UrCell, UrCell), &'static Refusal> {
        let token = mv.0 as usize;
        if token >= usize::from(self.options().tokens) || self.options().barred >> token & 1 != 0 {
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
        if to >= self.options().end {
            if to > self.options().end && !self.options().overshoot {
                return Err(&OVERSHOOT);
            }
            to = END;
        }
        let there = 1_u32 << to;
        if position.occupied(position.mover()) & there != 0 && !self.options().stacking {
            return Err(&OWN_TOKEN);
        }
        if position.occupied(position.mover().other()) & self.guarded() & there != 0 {
            return Err(&OCCUPIED_ROSETTE);
        }
        Ok((from, to))
    }

    /// Cells that an opponent's token makes unreachable.
    #[inline]
    pub(super) fn guarded(self) -> u32 {
        u32::from(self.options().safe & self.options().shared)
    }

    /// Returns true if a token that reaches `to` captures one of the opponent's.
    #[inline]
    pub(super) fn captures(self, position: &UrPosition, to: UrCell) -> bool {
        position.occupied(position.mover().other()) & u32::from(self.options().shared) & 1 << to
            != 0
    }

    /// Returns true if the cell gives another turn.
    #[inline]
    pub(super) fn is_rosette(self, cell: UrCell) -> bool {
        self.options().rosettes & 1 << cell != 0
    }

    /// Returns the reason why a move is refused, if it is.
    pub(super) fn refused(
        self,
        position: &UrPosition,
        roll: Roll,
        mv: Move,
    ) -> Option<&'static Refusal> {
        self.destination(position, roll, mv).err()
    }

    /// Returns the origin and the destination of a legal move.
    pub(super) fn way(self, position: &UrPosition, roll: Roll, mv: Move) -> (UrCell, UrCell) {
        self.destination(position, roll, mv)
            .expect("only legal moves are described")
    }
}
