//! What a running server has played before a game.

use std::sync::{Arc, Mutex, MutexGuard};

use crate::protocol::GameEvent;
use crate::rules::{Move, Seat, Setup};

/// Number of games of a server that are kept.
const MOST: usize = 1_000;

/// A game that is over.
#[derive(Debug, Clone)]
pub struct PastGame {
    /// The setup before its first turn.
    pub setup: Setup,
    /// Its events, as far as the server has certainly seen them.
    pub history: Vec<GameEvent>,
    /// The move after them, which the server may have taken, and its player.
    pub attempt: Option<(Seat, Move)>,
    /// True if it was right by the rules.
    pub has_passed: bool,
}

/// The games that a server has played one after the other, in their order. Its clones grow together.
#[derive(Debug, Clone, Default)]
pub struct PastGames(Arc<Mutex<Vec<PastGame>>>);

impl PastGames {
    /// Adds a game, and returns those before it. Only the first thousand are kept, and of later ones nothing is said.
    #[must_use]
    pub fn add(&self, game: PastGame) -> Option<EarlierGames> {
        let mut games = self.games();
        let count = games.len();
        if count == MOST {
            return None;
        }
        games.push(game);
        let all = self.clone();
        (count > 0).then_some(EarlierGames { all, count })
    }

    fn games(&self) -> MutexGuard<'_, Vec<PastGame>> {
        self.0
            .lock()
            .expect("nothing panics while it holds the lock")
    }
}

/// The games of a server before one game.
#[derive(Debug, Clone)]
pub struct EarlierGames {
    all: PastGames,
    count: usize,
}

impl EarlierGames {
    /// Their number, which is at least one.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Shows all games of the server.
    pub fn of_server<R>(&self, see: impl FnOnce(&[PastGame]) -> R) -> R {
        see(&self.all.games())
    }
}

/// Says which games of a server failed, each with its number, where the first one passed and all later ones failed: `game 1 passed, games 2 to 5
/// failed`.
#[must_use]
pub fn failed_later(mut games: Vec<(usize, bool)>) -> Option<String> {
    games.sort_unstable();
    let [(first, false), later @ ..] = &games[..] else {
        return None;
    };
    let (from, to) = (later.first()?.0, later.last()?.0);
    let later = match later.len() {
        _ if !later.iter().all(|(_, has_failed)| *has_failed) => return None,
        1 => format!("game {from} failed"),
        count if to - from + 1 == count => format!("games {from} to {to} failed"),
        count => format!("{count} later games failed"),
    };
    Some(format!("game {first} passed, {later}"))
}

#[cfg(test)]
mod tests {
    use super::failed_later;
    use crate::case_files::assert_lines;

    #[test]
    fn a_server_whose_first_game_alone_passes_keeps_something_of_it() {
        assert_lines("games-of-a-server", |games| {
            let judged = games.bytes().zip(1..).filter(|(game, _)| *game != b'_');
            format!(
                "{:?}",
                failed_later(
                    judged
                        .map(|(game, number)| (number, game == b'x'))
                        .collect()
                )
            )
        });
    }
}
