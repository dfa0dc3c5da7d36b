//! Source of the random setups of a built-in referee's games.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::rules::{Game, Setup};

/// Setups of one game after the other: the forced one in every game, or drawn by a seed.
#[derive(Debug, Clone)]
pub struct SetupSource {
    game: &'static dyn Game,
    forced: Option<Setup>,
    random: ChaCha8Rng,
}

impl SetupSource {
    /// A source of this setup, or of drawn ones.
    #[must_use]
    pub fn new(game: &'static dyn Game, forced: Option<Setup>, seed: u64) -> SetupSource {
        SetupSource {
            game,
            forced,
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// The setup of the next game.
    pub fn draw(&mut self) -> Setup {
        let drawn = self.game.draw_setup(self.random.next_u64());
        self.forced.unwrap_or(drawn)
    }
}
