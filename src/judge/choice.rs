//! Choices of urtext itself: moves of the participants that it plays, and rolls of the game that it referees.

use std::collections::HashMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::rules::{Game, Move, Roll, Setup, below};

/// Chooses by a seed, so that a run can be repeated as far as the subject allows.
#[derive(Debug, Clone)]
pub(super) struct Chooser {
    random: ChaCha8Rng,
    /// Moves of earlier choices, by name.
    pub(super) called: HashMap<String, Move>,
}

impl Chooser {
    pub(super) fn new(seed: u64) -> Chooser {
        Chooser {
            random: ChaCha8Rng::seed_from_u64(seed),
            called: HashMap::new(),
        }
    }

    /// One of the moves, each as likely as the others; `None` of none.
    pub(super) fn pick(&mut self, moves: &[Move]) -> Option<Move> {
        if moves.is_empty() {
            return None;
        }
        Some(moves[below(self.random.next_u64(), moves.len())])
    }

    /// The next of the numbers that decide.
    pub(super) fn random(&mut self) -> u64 {
        self.random.next_u64()
    }

    /// Draws the random setup; draws nothing for a game without one.
    pub(super) fn setup(&mut self, game: &dyn Game) -> Setup {
        if game.setup_syntax().is_some() {
            game.draw_setup(self.random.next_u64())
        } else {
            Setup::default()
        }
    }

    pub(super) fn roll(&mut self, game: &dyn Game) -> Roll {
        game.draw_roll(self.random.next_u64())
    }
}
