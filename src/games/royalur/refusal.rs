//! Reasons for which moves are refused.

use crate::rules::Refusal;

/// There is no token of that number.
pub(super) static NO_SUCH_TOKEN: Refusal = Refusal::new(
    "no-such-token",
    "ur/retire/number-out-of-range",
    "tokens are numbered from 0 to 6",
);
/// No coin shows a head.
pub(super) static ZERO: Refusal =
    Refusal::new("roll-0", "ur/skip/roll-0", "a roll of 0 moves nothing");
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

/// Every one that a move in the game's notation can meet.
pub(super) static ALL: &[&Refusal] = &[&HOME, &OVERSHOOT, &OWN_TOKEN, &OCCUPIED_ROSETTE];
