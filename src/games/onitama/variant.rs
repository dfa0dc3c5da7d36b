//! Variants of the rules as a value: the rules themselves, and deliberate deviations from them.

use super::card::{Card, Offset};
use crate::rules::VariantRow;
use crate::rules::{PerSeat, Seat};

/// Settings of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OnitamaVariant {
    /// True for each player whose cards are turned by 180 degrees.
    pub turned: PerSeat<bool>,
    /// Condition for a win by crossing the board.
    pub across: Across,
    /// True if the capture of the Master ends the game.
    pub capture_wins: bool,
    /// Destination of a used card.
    pub rotation: Rotation,
    /// True if the middle card can be used as well; it then stays in the middle.
    pub plays_middle: bool,
    /// True if the opponent's cards can be used as well.
    pub plays_opponents: bool,
    /// Pieces allowed on the destination.
    pub onto: Onto,
    /// True if a capture gives another turn.
    pub again_after_capture: bool,
    /// A card with other steps than its own.
    pub slip: Option<Slip>,
    /// True for each player for whom left and right are exchanged on every card.
    pub mirrored: PerSeat<bool>,
    /// Player with the first turn.
    pub starter: Starter,
    /// True if a step beyond a side of the board comes in on the other side, a row further.
    pub wraps: bool,
}

/// Condition for a win by crossing the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Across {
    /// His Master stands on the opponent's temple.
    MasterOnTemple,
    /// A piece of his stands there.
    PieceOnTemple,
    /// His Master stands somewhere on the opponent's home row.
    MasterOnRow,
    /// Crossing the board does not win.
    Never,
}

/// Player with the first turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Starter {
    /// The one whom the judge has named.
    Named,
    /// The other one.
    Other,
    /// This one, whoever was named.
    Always(Seat),
}

/// Destination of a used card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rotation {
    /// To the middle; the card from there takes its place.
    ThroughMiddle,
    /// Nowhere.
    Kept,
    /// To the opponent at once; the card from the middle takes its place.
    ToOpponent,
}

/// Pieces allowed on the destination of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Onto {
    /// Nothing, or an opponent's piece.
    Opponents,
    /// Nothing.
    Nothing,
    /// Any piece, an own one too: it is captured.
    Any,
}

/// A card with other steps than its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slip {
    /// The card.
    pub card: &'static str,
    /// The steps it has: cells forward, cells to the right.
    pub offsets: &'static [Offset],
}

impl Slip {
    /// Returns true if the fault is about this card.
    pub(super) fn is_of(self, card: Card) -> bool {
        card.name() == self.card
    }
}

impl OnitamaVariant {
    /// The rules of seed `004`.
    pub const STANDARD: OnitamaVariant = OnitamaVariant {
        turned: PerSeat([true, false]),
        across: Across::MasterOnTemple,
        capture_wins: true,
        rotation: Rotation::ThroughMiddle,
        plays_middle: false,
        plays_opponents: false,
        onto: Onto::Opponents,
        again_after_capture: false,
        slip: None,
        mirrored: PerSeat([false, false]),
        starter: Starter::Named,
        wraps: false,
    };
}

/// Every deliberate variant; `find` makes them.
pub const VARIANTS: &[VariantRow] = &[
    VariantRow::new(
        "no-temple-win",
        "a Master on the opponent's temple had not won",
        "oni/win/temple",
    ),
    VariantRow::new(
        "temple-won-by-student",
        "a Student on the opponent's temple had won",
        "oni/win/master-only",
    ),
    VariantRow::new(
        "whole-row-wins",
        "a Master anywhere on the opponent's home row had won",
        "oni/win/only-the-temple",
    ),
    VariantRow::new(
        "no-master-capture-win",
        "the capture of a Master did not end the game",
        "oni/win/master-captured",
    ),
    VariantRow::new(
        "cards-not-turned-for-top",
        "the cards were not turned for Top",
        "oni/cards/turned-for-top",
    ),
    VariantRow::new(
        "cards-turned-for-bottom",
        "the cards were turned for Bottom",
        "oni/cards/turned-for-top",
    ),
    VariantRow::new(
        "card-not-rotated",
        "a used card stayed with its player",
        "oni/cards/rotate",
    ),
    VariantRow::new(
        "used-card-to-opponent",
        "a used card went to the opponent at once",
        "oni/cards/through-the-middle",
    ),
    VariantRow::new(
        "middle-card-playable",
        "the middle card could be used",
        "oni/invalid/middle-card",
    ),
    VariantRow::new(
        "opponents-card-playable",
        "the opponent's cards could be used",
        "oni/invalid/opponents-card",
    ),
    VariantRow::new(
        "captures-own-piece",
        "a piece could capture an own one",
        "oni/invalid/own-piece",
    ),
    VariantRow::new(
        "no-capture",
        "an opponent's piece could not be captured",
        "oni/move/capture",
    ),
    VariantRow::new(
        "again-after-capture",
        "a capture gave another turn",
        "oni/turn/alternates",
    ),
    VariantRow::new(
        "rabbit-hops-short",
        "Rabbit went one cell to the right instead of two",
        "oni/cards/steps",
    ),
    VariantRow::new(
        "frog-mirrored",
        "Frog were its mirror image",
        "oni/cards/steps",
    ),
    VariantRow::new(
        "tiger-short",
        "Tiger went one cell forward instead of two",
        "oni/cards/steps",
    ),
    VariantRow::new(
        "ox-cannot-retreat",
        "Ox could not go back",
        "oni/cards/steps",
    ),
];

/// The variant of that name.
pub(super) fn find(name: &str) -> Option<OnitamaVariant> {
    let mut variant = OnitamaVariant::STANDARD;
    let slip = |card, offsets| Some(Slip { card, offsets });
    match name {
        "no-temple-win" => variant.across = Across::Never,
        "temple-won-by-student" => variant.across = Across::PieceOnTemple,
        "whole-row-wins" => variant.across = Across::MasterOnRow,
        "no-master-capture-win" => variant.capture_wins = false,
        "cards-not-turned-for-top" => variant.turned = PerSeat([false, false]),
        "cards-turned-for-bottom" => variant.turned = PerSeat([true, true]),
        "card-not-rotated" => variant.rotation = Rotation::Kept,
        "used-card-to-opponent" => variant.rotation = Rotation::ToOpponent,
        "middle-card-playable" => variant.plays_middle = true,
        "opponents-card-playable" => variant.plays_opponents = true,
        "captures-own-piece" => variant.onto = Onto::Any,
        "no-capture" => variant.onto = Onto::Nothing,
        "again-after-capture" => variant.again_after_capture = true,
        "rabbit-hops-short" => variant.slip = slip("Rabbit", &[(1, 1), (0, 1), (-1, -1)]),
        "frog-mirrored" => variant.slip = slip("Frog", &[(1, 1), (0, 2), (-1, -1)]),
        "tiger-short" => variant.slip = slip("Tiger", &[(1, 0), (-1, 0)]),
        "ox-cannot-retreat" => variant.slip = slip("Ox", &[(1, 0), (0, 1)]),
        _ => return None,
    }
    Some(variant)
}
