//! One folder per game, and the table of games.

pub mod lines;
pub mod onitama;
pub mod royalur;

use crate::rules::Game;

/// Name of the game where nobody says which.
pub const USUAL: &str = "royalur";

/// Every game there is.
pub const ALL: &[&dyn Game] = &[&royalur::RoyalUr, &onitama::Onitama, &lines::LinesGame];

/// The game of that name or alias.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Game> {
    ALL.iter()
        .copied()
        .find(|game| game.name() == name || game.aliases().contains(&name))
}
