//! A game as records tell it, before it is judged.

use std::time::Duration;

use crate::diagnostic::{Diagnostics, Source};
use crate::pack::{self, FileFormat, NotatedGame, Notation};
use crate::protocol::{Cause, Dialect, GameEvent};
use crate::rules::Setup;

/// A game as a file tells it, and what all its turns have in common.
pub(super) struct UnjudgedGame {
    pub(super) format: FileFormat,
    pub(super) dialect: &'static dyn Dialect,
    pub(super) setup: Setup,
    pub(super) game: NotatedGame,
    /// Events after the last whole turn.
    pub(super) tail: Vec<GameEvent>,
    /// Time that the player took for each turn.
    pub(super) took: Vec<Option<Duration>>,
}

impl UnjudgedGame {
    /// Reads a game in a notation.
    pub(super) fn read(
        notation: &dyn Notation,
        source: &Source,
    ) -> Result<UnjudgedGame, Diagnostics> {
        let game = notation.read(source)?;
        let lost = game.lost.map(|by| GameEvent::Lost {
            by,
            cause: Cause::Resigned,
        });
        Ok(UnjudgedGame {
            format: FileFormat::of_notation(notation),
            dialect: pack::dialect(notation.game().name()).expect("every game has a dialect"),
            setup: Setup::default(),
            game,
            tail: lost.into_iter().collect(),
            took: Vec::new(),
        })
    }
}
