//! The rules of seed `000` on [`UrPosition`]s.

use std::borrow::Borrow;

use super::position::{END, START, TOKENS, UrCell, UrPosition};
use crate::rules::{Move, Refusal, Roll, Rules};

/// There is no token of that number.
static NO_SUCH_TOKEN: Refusal = Refusal::new(
    "no-such-token",
    "ur/retire/number-out-of-range",
    "tokens are numbered from 0 to 6",
);
/// No coin shows a head.
static ZERO: Refusal = Refusal::new("roll-0", "ur/skip/roll-0", "a roll of 0 moves nothing");
/// The token has left the track.
pub(super) static HOME: Refusal = Refusal::new(
    "home",
    "ur/retire/exited-token",
    "the token is out of the game already",
);
/// The token would go beyond the end.
pub(super) static OVERSHOOT: Refusal = Refusal::new(
    "overshoot",
    "ur/retire/overshoot",
    "a token leaves the track only by the exact number of cells that remain",
);
/// An own token stands on the cell.
pub(super) static OWN_TOKEN: Refusal = Refusal::new(
    "own-token",
    "ur/retire/own-token",
    "an own token stands there",
);
/// The opponent stands on the shared rosette.
pub(super) static OCCUPIED_ROSETTE: Refusal = Refusal::new(
    "occupied-rosette",
    "ur/retire/occupied-rosette",
    "an opponent's token is safe on the rosette there",
);

/// A roll for each number of heads.
pub(super) const KINDS_OF_ROLL: &[Roll] = &[
    Roll(0b0000),
    Roll(0b0001),
    Roll(0b0011),
    Roll(0b0111),
    Roll(0b1111),
];

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

    /// The position after a turn.
    ///
    /// # Panics
    /// Panics if its move is not legal.
    #[must_use]
    pub fn turned(self, position: &UrPosition, roll: Roll, mv: Option<Move>) -> UrPosition {
        match mv {
            Some(mv) => self.moved(position, roll, mv).expect("a turn is legal"),
            None => self.skipped(position, roll),
        }
    }

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

    /// Returns the token that a move names, counted from 0; beyond the last where there is none.
    #[inline]
    pub(super) fn token(self, mv: Move) -> usize {
        (mv.0 as usize).wrapping_sub(usize::from(self.options().first_token))
    }

    /// Returns the destination of a token.
    #[inline]
    pub(super) fn destination(
        self,
        position: &UrPosition,
        roll: Roll,
        mv: Move,
    ) -> Result<(UrCell, UrCell), &'static Refusal> {
        let token = self.token(mv);
        if token >= usize::from(self.options().tokens) || self.options().barred >> token & 1 != 0 {
            return Err(&NO_SUCH_TOKEN);
        }
        let steps = self.steps(roll);
        let from = position.cell(position.mover(), token);
        if steps == 0 {
            return match self.options().moves_by_0 {
                true => Ok((from, from)),
                false => Err(&ZERO),
            };
        }
        if from == END {
            return Err(&HOME);
        }
        let mut to = from + steps;
        if to >= self.options().end {
            if to > self.options().end && self.options().overshoot >> from & 1 == 0 {
                return Err(&OVERSHOOT);
            }
            to = END;
        }
        let there = 1_u32 << to;
        if position.occupied(position.mover()) & there != 0 && !self.options().stacking {
            return Err(&OWN_TOKEN);
        }
        if self.options().end_is_cell && to == END && position.out(position.mover()) > 0 {
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

    /// Returns true if two tokens of a player can share a cell.
    #[inline]
    pub(super) fn may_share(self) -> bool {
        let captured_to = self.options().captured_to;
        self.options().stacking || captured_to != START && captured_to != END
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

/// Settings of the rules. Sets of cells are bit masks, bit *n* for cell *n*.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UrVariant {
    /// Cells that give another turn.
    pub rosettes: u16,
    /// Cells on which an opponent's token cannot be captured.
    pub safe: u16,
    /// Cells on which the two players meet.
    pub shared: u16,
    /// Cells from which a token may leave the track by more than the exact number.
    pub overshoot: u16,
    /// True if a token may move onto an own token.
    pub stacking: bool,
    /// True if a capture gives another turn.
    pub again_after_capture: bool,
    /// True if leaving the track gives another turn.
    pub again_after_exit: bool,
    /// True if the cell that a token leaves gives another turn, and not the one that it lands on.
    pub again_by_origin: bool,
    /// True if a token also captures what it passes.
    pub captures_passed: bool,
    /// True if every token can be moved by a roll of 0, which leaves it where it is.
    pub moves_by_0: bool,
    /// True if the captor stays on its cell.
    pub captor_stays: bool,
    /// Destination of a captured token.
    pub captured_to: UrCell,
    /// Number of cells that a token moves, by the bits of a roll.
    pub steps: [UrCell; 16],
    /// Number of tokens of a player, at most seven.
    pub tokens: u8,
    /// Tokens that cannot move.
    pub barred: u8,
    /// Number of tokens that must leave the track to win.
    pub tokens_to_win: u8,
    /// True if the tokens of both players count together for that.
    pub wins_together: bool,
    /// The end as a cell of the track, one beyond the last.
    pub end: UrCell,
    /// True if a player who cannot move has to move all the same, unless the roll is 0.
    pub moves_when_blocked: bool,
    /// True if a player who cannot move keeps the turn.
    pub again_after_skip: bool,
    /// True if the second player has the first turn.
    pub second_starts: bool,
    /// Tokens that stay where they were when they are captured.
    pub uncaptured: u8,
    /// Tokens that stay where they were when they are moved.
    pub unmoved: u8,
    /// True if the end holds one token only.
    pub end_is_cell: bool,
    /// The number of the first token.
    pub first_token: u8,
}

impl UrVariant {
    /// The rules of seed `000`.
    pub const STANDARD: UrVariant = UrVariant {
        rosettes: 1 << 4 | 1 << 8 | 1 << 14,
        safe: 1 << 8,
        shared: 0b0001_1111_1110_0000,
        overshoot: 0,
        stacking: false,
        again_after_capture: false,
        again_after_exit: false,
        again_by_origin: false,
        captures_passed: false,
        moves_by_0: false,
        captor_stays: false,
        captured_to: START,
        steps: by_heads([0, 1, 2, 3, 4]),
        tokens: TOKENS as u8,
        barred: 0,
        tokens_to_win: TOKENS as u8,
        wins_together: false,
        end: END,
        moves_when_blocked: false,
        again_after_skip: false,
        second_starts: false,
        uncaptured: 0,
        unmoved: 0,
        end_is_cell: false,
        first_token: 0,
    };
}

/// Converts steps by the number of heads to steps by the bits of a roll.
pub(super) const fn by_heads(steps: [UrCell; 5]) -> [UrCell; 16] {
    let mut by_bits = [0; 16];
    let mut bits = 0;
    while bits < 16 {
        by_bits[bits] = steps[bits.count_ones() as usize];
        bits += 1;
    }
    by_bits
}
