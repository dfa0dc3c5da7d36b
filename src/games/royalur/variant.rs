//! Variants of the rules as a value: the rules themselves, and deliberate deviations from them.

use crate::games::VariantRow;

/// What the rules leave to numbers and switches. Sets of cells are bit masks, bit *n* for cell *n*.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Cells that give another turn.
    pub rosettes: u16,
    /// Cells on which an opponent's token cannot be captured.
    pub safe: u16,
    /// Cells on which the two players meet.
    pub shared: u16,
    /// Whether a token may leave the track by more than the exact number.
    pub overshoot: bool,
    /// Whether a token may move onto an own token.
    pub stacking: bool,
    /// Whether a capture gives another turn.
    pub again_after_capture: bool,
    /// Whether leaving the track gives another turn.
    pub again_after_exit: bool,
    /// Whether tails count instead of heads.
    pub tails: bool,
    /// How many tokens have to be out to win.
    pub tokens_to_win: u8,
}

impl Variant {
    /// The rules of seed `000`.
    pub const STANDARD: Variant = Variant {
        rosettes: 1 << 4 | 1 << 8 | 1 << 14,
        safe: 1 << 8,
        shared: 0b0001_1111_1110_0000,
        overshoot: false,
        stacking: false,
        again_after_capture: false,
        again_after_exit: false,
        tails: false,
        tokens_to_win: 7,
    };
}

/// Every deliberate variant; `find` makes them.
pub const VARIANTS: &[VariantRow] = &[
    row("no-extra-turn-4", "the fourth cell gave no extra turn", "ur/extra-turn/cell-4"),
    row("no-extra-turn-8", "the eighth cell gave no extra turn", "ur/extra-turn/cell-8"),
    row("no-extra-turn-14", "the fourteenth cell gave no extra turn", "ur/extra-turn/cell-14"),
    row("extra-turn-after-capture", "a capture gave an extra turn", "ur/extra-turn/not-after-capture"),
    row("extra-turn-after-exit", "leaving the track gave an extra turn", "ur/extra-turn/not-after-exit"),
    row("cell-8-capturable", "a token on the eighth cell could be captured", "ur/capture/safe-rosette"),
    row("no-capture-5", "the fifth cell was not shared", "ur/capture/first-shared-cell"),
    row("no-capture-12", "the twelfth cell was not shared", "ur/capture/last-shared-cell"),
    row("capture-4", "the fourth cell was shared", "ur/capture/only-shared"),
    row("capture-13", "the thirteenth cell was shared", "ur/capture/only-shared"),
    row("no-capture", "nothing could be captured", "ur/capture/shared-lane"),
    row("stacking", "a token could move onto an own token", "ur/retire/own-token"),
    row("overshoot", "a token could leave the track by more than the exact number", "ur/retire/overshoot"),
    row("tails", "tails were counted instead of heads", "ur/roll/heads"),
    row("six-wins", "six tokens out won the game", "ur/win/seven-out"),
];

const fn row(name: &'static str, summary: &'static str, breaks: &'static str) -> VariantRow {
    VariantRow { name, summary, breaks }
}

/// The variant of that name.
pub(super) fn find(name: &str) -> Option<Variant> {
    let standard = Variant::STANDARD;
    Some(match name {
        "no-extra-turn-4" => Variant { rosettes: standard.rosettes & !(1 << 4), ..standard },
        "no-extra-turn-8" => Variant { rosettes: standard.rosettes & !(1 << 8), ..standard },
        "no-extra-turn-14" => Variant { rosettes: standard.rosettes & !(1 << 14), ..standard },
        "extra-turn-after-capture" => Variant { again_after_capture: true, ..standard },
        "extra-turn-after-exit" => Variant { again_after_exit: true, ..standard },
        "cell-8-capturable" => Variant { safe: 0, ..standard },
        "no-capture-5" => Variant { shared: standard.shared & !(1 << 5), ..standard },
        "no-capture-12" => Variant { shared: standard.shared & !(1 << 12), ..standard },
        "capture-4" => Variant { shared: standard.shared | 1 << 4, ..standard },
        "capture-13" => Variant { shared: standard.shared | 1 << 13, ..standard },
        "no-capture" => Variant { shared: 0, ..standard },
        "stacking" => Variant { stacking: true, ..standard },
        "overshoot" => Variant { overshoot: true, ..standard },
        "tails" => Variant { tails: true, ..standard },
        "six-wins" => Variant { tokens_to_win: 6, ..standard },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_its_variant_and_none_is_the_rules_themselves() {
        for row in VARIANTS {
            assert_ne!(find(row.name), None, "{}", row.name);
            assert_ne!(find(row.name), Some(Variant::STANDARD), "{}", row.name);
        }
    }
}
