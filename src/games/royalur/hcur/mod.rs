//! Ur as hc-ur writes it down (seed `002`): a list of move records and a game state, both as JSON. `docs/finished-games.md` describes
//! what is read and written.
//!
//! It is a notation of finished games, no wire protocol: nobody sends these records line by line. Tokens have no numbers in
//! it, a move names the square on which a token stands. Records are played through the same [`UrRules`] as everything else.
//!
//! [`UrRules`]: super::UrRules

mod chain;
mod check;
mod json;
mod notation;
mod reader;
mod record;
mod reduction;
mod square;
mod state;
mod writer;

pub use chain::chain;
pub use notation::HcUr;
pub use reader::{is_records, read};
pub use record::{HcurAction, HcurPlaced, HcurRecord, Rolled};
pub(in crate::games::royalur) use reduction::step;
pub use reduction::{Reduction, reached, reduce};
pub use square::Square;
pub use state::{HcurSide, HcurState};
pub use writer::{authors, write};

use super::RoyalUr;
use crate::rules::Game;

/// The name of the notation.
const NAME: &str = "hc-ur";

/// The game that is written down.
fn game() -> &'static dyn Game {
    &RoyalUr
}

#[cfg(test)]
#[path = "hcur_tests.rs"]
pub(super) mod tests;
