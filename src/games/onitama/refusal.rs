//! Reasons for which moves are refused.

use crate::rules::Refusal;

/// It names no card or no cell of this game.
pub(super) static NO_SUCH_STEP: Refusal = Refusal::new(
    "no-such-step",
    "oni/input/off-board",
    "there is no such card or no such cell",
);
/// The card is in no hand and not in the middle.
pub(super) static CARD_NOT_DEALT: Refusal = Refusal::new(
    "card-not-dealt",
    "oni/invalid/card-not-dealt",
    "the card is not in this game",
);
/// The card lies in the middle.
pub(super) static MIDDLE_CARD: Refusal = Refusal::new(
    "middle-card",
    "oni/invalid/middle-card",
    "the card lies in the middle",
);
/// The opponent holds the card.
pub(super) static OPPONENTS_CARD: Refusal = Refusal::new(
    "opponents-card",
    "oni/invalid/opponents-card",
    "the card is the opponent's",
);
/// Nothing stands on the origin.
pub(super) static EMPTY_ORIGIN: Refusal = Refusal::new(
    "empty-origin",
    "oni/invalid/empty-origin",
    "no piece stands on the origin",
);
/// The opponent's piece stands on the origin.
pub(super) static OPPONENTS_PIECE: Refusal = Refusal::new(
    "opponents-piece",
    "oni/invalid/opponents-piece",
    "the piece on the origin is the opponent's",
);
/// The card does not lead from the origin to the destination.
pub(super) static NOT_A_STEP: Refusal = Refusal::new(
    "not-a-step",
    "oni/invalid/not-a-step",
    "the card does not lead from the origin to the destination",
);
/// An own piece stands on the destination.
pub(super) static OWN_PIECE: Refusal = Refusal::new(
    "own-piece",
    "oni/invalid/own-piece",
    "an own piece stands on the destination",
);

/// Every one that a move in the game's notation can meet.
pub(super) static ALL: &[&Refusal] = &[
    &CARD_NOT_DEALT,
    &MIDDLE_CARD,
    &OPPONENTS_CARD,
    &EMPTY_ORIGIN,
    &OPPONENTS_PIECE,
    &NOT_A_STEP,
    &OWN_PIECE,
];
