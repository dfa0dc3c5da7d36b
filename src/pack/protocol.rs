//! The protocol of a subject, a scenario or a file: a game's, or none.

use super::{dialects, find, games};
use crate::protocol::Dialect;
use crate::rules::Game;

/// A protocol: a game's, or that of dialogues, which have none.
#[derive(Debug, Clone, Copy)]
pub enum Protocol {
    /// The wire protocol of a game.
    Game(&'static dyn Dialect),
    /// Lines without rules.
    Lines,
}

impl Protocol {
    /// Name in scenarios and files of lines without rules.
    pub const LINES: &str = "lines";

    /// Every protocol of the process, that of lines last.
    pub fn all() -> impl Iterator<Item = Protocol> + Clone {
        dialects().map(Protocol::Game).chain([Protocol::Lines])
    }

    /// Returns the protocol of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Protocol> {
        Protocol::all().find(|protocol| protocol.name() == name)
    }

    /// Returns the protocol of that name, or the usual one of the game with that name or alias.
    #[must_use]
    pub fn find(name: &str) -> Option<Protocol> {
        Protocol::named(name).or_else(|| Protocol::of_game(name))
    }

    /// Returns the usual protocol of the game with that name or alias, or that of lines.
    #[must_use]
    pub fn of_game(name: &str) -> Option<Protocol> {
        match name {
            Protocol::LINES => Some(Protocol::Lines),
            name => find(name)?.dialects.first().copied().map(Protocol::Game),
        }
    }

    /// The name of every game of the process, that of lines last.
    pub fn game_names() -> impl Iterator<Item = &'static str> + Clone {
        games().map(Game::name).chain([Protocol::LINES])
    }

    /// The names and aliases of every game of the process, the name of lines last.
    pub fn game_words() -> impl Iterator<Item = &'static str> + Clone {
        let words = |game: &'static dyn Game| {
            [game.name()]
                .into_iter()
                .chain(game.aliases().iter().copied())
        };
        games().flat_map(words).chain([Protocol::LINES])
    }

    /// The wire protocol; `None` for lines without rules.
    #[must_use]
    pub fn dialect(self) -> Option<&'static dyn Dialect> {
        match self {
            Protocol::Game(dialect) => Some(dialect),
            Protocol::Lines => None,
        }
    }

    /// The game; `None` for lines without rules.
    #[must_use]
    pub fn game(self) -> Option<&'static dyn Game> {
        self.dialect().map(Dialect::game)
    }

    /// Name of the wire protocol, as files with finished games have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.dialect().map_or(Protocol::LINES, Dialect::name)
    }

    /// Name of the game, as scenarios have it.
    #[must_use]
    pub fn game_name(self) -> &'static str {
        self.game().map_or(Protocol::LINES, Game::name)
    }

    /// Title of the game.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.game().map_or("a dialogue of lines", Game::title)
    }

    /// Names of the seats.
    #[must_use]
    pub fn seat_names(self) -> [&'static str; 2] {
        self.game().map_or(["first", "second"], Game::seat_names)
    }
}
