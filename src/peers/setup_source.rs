//! Source of the random setups of a built-in referee's games.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::rules::{Game, Setup};

/// Setups of one game after the other: forced parts are equal in every game, the others are drawn by a seed.
#[derive(Debug, Clone)]
pub struct SetupSource {
    game: &'static dyn Game,
    forced: Vec<Option<String>>,
    random: ChaCha8Rng,
}

impl SetupSource {
    /// A source with the texts of the forced parts, by the game's setup keys.
    #[must_use]
    pub fn new(game: &'static dyn Game, forced: Vec<Option<String>>, seed: u64) -> SetupSource {
        SetupSource {
            game,
            forced,
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// A source that gives the same setup to every game.
    #[must_use]
    pub fn fixed(game: &'static dyn Game, setup: Setup) -> SetupSource {
        let values = game.setup_values(setup);
        let value = |key: &str| values.iter().find(|(place, _)| *place == key);
        let keys = game.setup_keys().iter();
        let forced = keys.map(|(key, _)| value(key).map(|(_, text)| text.clone()));
        SetupSource::new(game, forced.collect(), 0)
    }

    /// The texts of the forced parts, by the game's setup keys.
    #[must_use]
    pub fn forced(self) -> Vec<Option<String>> {
        self.forced
    }

    /// The setup of the next game.
    ///
    /// # Errors
    /// The number of the first forced part that is not what is due.
    pub fn draw(&mut self) -> Result<Setup, usize> {
        let drawn = self.game.draw_setup(self.random.next_u64());
        if self.forced.iter().all(Option::is_none) {
            return Ok(drawn);
        }
        let values = self.game.setup_values(drawn);
        let drawn = |key: &str| values.iter().find(|(place, _)| *place == key);
        let keys = self.game.setup_keys().iter().zip(&self.forced);
        let texts = keys.filter_map(|((key, _), forced)| {
            forced
                .as_deref()
                .or_else(|| drawn(key).map(|(_, text)| text.as_str()))
        });
        self.game.setup_of(&texts.collect::<Vec<_>>())
    }
}
