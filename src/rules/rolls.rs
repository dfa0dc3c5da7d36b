//! Sources of rolls and of reproducible random numbers.

use std::collections::VecDeque;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::Roll;

/// Source of a game's rolls: a forced list first, then dice that a seed determines.
#[derive(Debug, Clone)]
pub struct RollSource {
    forced: VecDeque<Roll>,
    dice: ChaCha8Rng,
}

impl RollSource {
    /// Forced rolls, taken first and in order; when they have run out, dice from `seed`.
    #[must_use]
    pub fn new(forced: impl IntoIterator<Item = Roll>, seed: u64) -> Self {
        RollSource {
            forced: forced.into_iter().collect(),
            dice: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// The next roll; `draw` makes one from a uniformly random number where none is forced.
    pub fn next(&mut self, draw: impl FnOnce(u64) -> Roll) -> Roll {
        match self.forced.pop_front() {
            Some(roll) => roll,
            None => draw(self.dice.next_u64()),
        }
    }
}

/// A number in `0..bound` from a uniformly random one, so that a seed means the same for ever (bias below `bound / 2^64`).
///
/// # Panics
/// Panics if `bound` is zero.
#[must_use]
pub fn below(random: u64, bound: usize) -> usize {
    assert!(bound > 0, "nothing to choose from");
    ((u128::from(random) * bound as u128) >> 64) as usize
}
