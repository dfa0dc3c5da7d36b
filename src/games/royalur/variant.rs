//! Variants of the rules as a value: the rules themselves, and deliberate deviations from them.

use super::position::{END, START, TOKENS, UrCell};

/// Settings of the rules. Sets of cells are bit masks, bit *n* for cell *n*.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UrVariant {
    /// Cells that give another turn.
    pub rosettes: u16,
    /// Cells on which an opponent's token cannot be captured.
    pub safe: u16,
    /// Cells on which the two players meet.
    pub shared: u16,
    /// True if a token may leave the track by more than the exact number.
    pub overshoot: bool,
    /// True if a token may move onto an own token.
    pub stacking: bool,
    /// True if a capture gives another turn.
    pub again_after_capture: bool,
    /// True if leaving the track gives another turn.
    pub again_after_exit: bool,
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
    /// The end as a cell of the track, one beyond the last.
    pub end: UrCell,
    /// True if a player who cannot move has to move all the same, unless the roll is 0.
    pub moves_when_blocked: bool,
    /// True if a player who cannot move keeps the turn.
    pub again_after_skip: bool,
    /// True if the second player has the first turn.
    pub second_starts: bool,
}

impl UrVariant {
    /// The rules of seed `000`.
    pub const STANDARD: UrVariant = UrVariant {
        rosettes: 1 << 4 | 1 << 8 | 1 << 14,
        safe: 1 << 8,
        shared: 0b0001_1111_1110_0000,
        overshoot: false,
        stacking: false,
        again_after_capture: false,
        again_after_exit: false,
        captor_stays: false,
        captured_to: START,
        steps: by_heads([0, 1, 2, 3, 4]),
        tokens: TOKENS as u8,
        barred: 0,
        tokens_to_win: TOKENS as u8,
        end: END,
        moves_when_blocked: false,
        again_after_skip: false,
        second_starts: false,
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
