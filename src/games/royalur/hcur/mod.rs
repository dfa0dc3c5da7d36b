//! Ur as hc-ur writes it down (seed `002`): a list of move records and a game state, both as JSON. `docs/reference/hc-ur.md` describes
//! what is read and written.
//!
//! It is a notation of finished games, no wire protocol: nobody sends these records line by line. Tokens have no numbers in
//! it, a move names the square on which a token stands. Records are played through the same [`UrRules`] as everything else.
//!
//! [`UrRules`]: crate::games::royalur::UrRules

mod chain;
mod check;
mod json;
mod reader;
mod record;
mod reduction;
mod square;
mod state;
mod writer;

pub use chain::chain;
pub use check::{Breach, Weight};
pub use reader::{FILE_LIMIT, is_records, read};
pub use record::{HcurAction, HcurPlaced, HcurRecord, Rolled};
pub use reduction::{HcurTurn, Reduction, reduce};
pub use square::Square;
pub use state::{HcurSide, HcurState};
pub use writer::{Authors, NotWritable, write};

use crate::games::royalur::RoyalUr;
use crate::rules::Game;

/// The name of the notation, as `--dialect` and `--to` take it.
pub const NAME: &str = "hc-ur";

/// The game that is written down.
#[must_use]
pub fn game() -> &'static dyn Game {
    &RoyalUr
}

#[cfg(test)]
#[path = "hcur_tests.rs"]
mod tests;
