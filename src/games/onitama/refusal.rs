//! Reasons for which moves are refused.

use crate::rules::Refusal;

/// It names no card or no cell of this game.
pub(super) static NO_SUCH_STEP: Refusal = Refusal {
    code: "no-such-step",
    requirement: "oni/input/off-board",
    reason: "there is no such card or no such cell",
};
/// The card is in no hand and not in the middle.
pub(super) static CARD_NOT_DEALT: Refusal = Refusal {
    code: "card-not-dealt",
    requirement: "oni/invalid/card-not-dealt",
    reason: "the card is not in this game",
};
/// The card lies in the middle.
pub(super) static MIDDLE_CARD: Refusal = Refusal {
    code: "middle-card",
    requirement: "oni/invalid/middle-card",
    reason: "the card lies in the middle",
};
/// The opponent holds the card.
pub(super) static OPPONENTS_CARD: Refusal = Refusal {
    code: "opponents-card",
    requirement: "oni/invalid/opponents-card",
    reason: "the card is the opponent's",
};
/// Nothing stands on the origin.
pub(super) static EMPTY_ORIGIN: Refusal = Refusal {
    code: "empty-origin",
    requirement: "oni/invalid/empty-origin",
    reason: "no piece stands on the origin",
};
/// The opponent's piece stands on the origin.
pub(super) static OPPONENTS_PIECE: Refusal = Refusal {
    code: "opponents-piece",
    requirement: "oni/invalid/opponents-piece",
    reason: "the piece on the origin is the opponent's",
};
/// The card does not lead from the origin to the destination.
pub(super) static NOT_A_STEP: Refusal = Refusal {
    code: "not-a-step",
    requirement: "oni/invalid/not-a-step",
    reason: "the card does not lead from the origin to the destination",
};
/// An own piece stands on the destination.
pub(super) static OWN_PIECE: Refusal = Refusal {
    code: "own-piece",
    requirement: "oni/invalid/own-piece",
    reason: "an own piece stands on the destination",
};

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
