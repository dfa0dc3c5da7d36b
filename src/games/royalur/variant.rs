//! Variants of the rules as a value: the rules themselves, and deliberate deviations from them.

use super::position::{END, START, TOKENS, UrCell};
use crate::rules::VariantRow;

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

/// Every deliberate variant; `find` makes them.
pub const VARIANTS: &[VariantRow] = &[
    VariantRow::new(
        "no-extra-turn-4",
        "the fourth cell gave no extra turn",
        "ur/extra-turn/cell-4",
    ),
    VariantRow::new(
        "no-extra-turn-8",
        "the eighth cell gave no extra turn",
        "ur/extra-turn/cell-8",
    ),
    VariantRow::new(
        "no-extra-turn-14",
        "the fourteenth cell gave no extra turn",
        "ur/extra-turn/cell-14",
    ),
    VariantRow::new(
        "extra-turn-after-capture",
        "a capture gave an extra turn",
        "ur/extra-turn/not-after-capture",
    ),
    VariantRow::new(
        "extra-turn-after-exit",
        "leaving the track gave an extra turn",
        "ur/extra-turn/not-after-exit",
    ),
    VariantRow::new(
        "cell-8-capturable",
        "a token on the eighth cell could be captured",
        "ur/capture/safe-rosette",
    ),
    VariantRow::new(
        "no-capture-5",
        "the fifth cell was not shared",
        "ur/capture/first-shared-cell",
    ),
    VariantRow::new(
        "no-capture-12",
        "the twelfth cell was not shared",
        "ur/capture/last-shared-cell",
    ),
    VariantRow::new(
        "capture-4",
        "the fourth cell was shared",
        "ur/capture/only-shared",
    ),
    VariantRow::new(
        "capture-13",
        "the thirteenth cell was shared",
        "ur/capture/only-shared",
    ),
    VariantRow::new(
        "no-capture",
        "nothing could be captured",
        "ur/capture/shared-lane",
    ),
    VariantRow::new(
        "stacking",
        "a token could move onto an own token",
        "ur/retire/own-token",
    ),
    VariantRow::new(
        "overshoot",
        "a token could leave the track by more than the exact number",
        "ur/retire/overshoot",
    ),
    VariantRow::new(
        "tails",
        "tails were counted instead of heads",
        "ur/roll/heads",
    ),
    VariantRow::new(
        "four-heads-move-five",
        "four heads moved a token five cells",
        "ur/move/forward-by-roll",
    ),
    VariantRow::new(
        "six-wins",
        "six tokens out won the game",
        "ur/win/seven-out",
    ),
    VariantRow::new("six-tokens", "a player had six tokens", "ur/tokens/seven"),
    VariantRow::new(
        "thirteen-cells",
        "a track had thirteen cells",
        "ur/track/fourteen-cells",
    ),
    VariantRow::new(
        "extra-turn-10",
        "the tenth cell gave an extra turn",
        "ur/extra-turn/only-there",
    ),
    VariantRow::new(
        "captured-is-out",
        "a captured token was out of the game",
        "ur/capture/sent-back-to-start",
    ),
    VariantRow::new(
        "captor-stays",
        "the captor stayed where it was",
        "ur/capture/cell-taken",
    ),
    VariantRow::new(
        "skip-keeps-turn",
        "who cannot move kept the turn",
        "ur/skip/roll-follows-for-other",
    ),
];

/// The variant of that name.
pub(super) fn find(name: &str) -> Option<UrVariant> {
    let mut variant = UrVariant::STANDARD;
    match name {
        "no-extra-turn-4" => variant.rosettes &= !(1 << 4),
        "no-extra-turn-8" => variant.rosettes &= !(1 << 8),
        "no-extra-turn-14" => variant.rosettes &= !(1 << 14),
        "extra-turn-after-capture" => variant.again_after_capture = true,
        "extra-turn-after-exit" => variant.again_after_exit = true,
        "cell-8-capturable" => variant.safe = 0,
        "no-capture-5" => variant.shared &= !(1 << 5),
        "no-capture-12" => variant.shared &= !(1 << 12),
        "capture-4" => variant.shared |= 1 << 4,
        "capture-13" => variant.shared |= 1 << 13,
        "no-capture" => variant.shared = 0,
        "stacking" => variant.stacking = true,
        "overshoot" => variant.overshoot = true,
        "tails" => variant.steps = by_heads([4, 3, 2, 1, 0]),
        "four-heads-move-five" => variant.steps = by_heads([0, 1, 2, 3, 5]),
        "six-wins" => variant.tokens_to_win = 6,
        "six-tokens" => {
            variant.tokens = 6;
            variant.tokens_to_win = 6;
        }
        "thirteen-cells" => variant.end = END - 1,
        "extra-turn-10" => variant.rosettes |= 1 << 10,
        "captured-is-out" => variant.captured_to = END,
        "captor-stays" => variant.captor_stays = true,
        "skip-keeps-turn" => variant.again_after_skip = true,
        _ => return None,
    }
    Some(variant)
}
