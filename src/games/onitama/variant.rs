//! Variants of the rules as a value: the rules themselves, and deliberate deviations from them.

use super::card::{Card, Offset};
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
