//! Reasons for which moves are refused.

use crate::rules::Refusal;

/// There is no token of that number.
pub(super) static NO_SUCH_TOKEN: Refusal = Refusal {
    code: "no-such-token",
    requirement: "ur/retire/number-out-of-range",
    reason: "tokens are numbered from 0 to 6",
};
/// No coin shows a head.
pub(super) static ZERO: Refusal = Refusal {
    code: "roll-0",
    requirement: "ur/skip/roll-0",
    reason: "a roll of 0 moves nothing",
};
/// The token has left the track.
pub(super) static HOME: Refusal = Refusal {
    code: "home",
    requirement: "ur/retire/exited-token",
    reason: "the token is out of the game already",
};
/// The token would go beyond the end.
pub(super) static OVERSHOOT: Refusal = Refusal {
    code: "overshoot",
    requirement: "ur/retire/overshoot",
    reason: "a token leaves the track only by the exact number of cells that remain",
};
/// An own token stands on the cell.
pub(super) static OWN_TOKEN: Refusal = Refusal {
    code: "own-token",
    requirement: "ur/retire/own-token",
    reason: "an own token stands there",
};
/// The opponent stands on the shared rosette.
pub(super) static OCCUPIED_ROSETTE: Refusal = Refusal {
    code: "occupied-rosette",
    requirement: "ur/retire/occupied-rosette",
    reason: "an opponent's token is safe on the rosette there",
};

/// Every one that a move in the game's notation can meet.
pub(super) static ALL: &[&Refusal] = &[&HOME, &OVERSHOOT, &OWN_TOKEN, &OCCUPIED_ROSETTE];
