//! Policies of the built-in bots.

use clap::ValueEnum;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use crate::rules::{Move, below};

/// A bot's choice among its legal moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Policy {
    /// The first in the game's own order, such as the token with the lowest number
    First,
    /// The last, such as the token with the highest number
    Last,
    /// Any
    Random,
}

impl Policy {
    /// One of the moves.
    ///
    /// # Panics
    /// Panics if there are no legal moves.
    #[must_use]
    pub fn pick(self, legal: &[Move], random: &mut ChaCha8Rng) -> Move {
        match self {
            Policy::First => legal[0],
            Policy::Last => legal[legal.len() - 1],
            Policy::Random => legal[below(random.next_u64(), legal.len())],
        }
    }
}
