//! What a running server has played before a game.

use std::collections::HashMap;
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

/// The games that a server has played one after the other, in their order.
type Games = Arc<Mutex<Vec<PastGame>>>;

/// The games of every server that runs already.
#[derive(Debug, Clone, Default)]
pub struct ServerGames(Arc<Mutex<HashMap<String, Option<Games>>>>);

impl ServerGames {
    /// Adds a game to those at this address, and returns those before it. `is_certain`: nothing else was played at the same time, and the
    /// server is still there; else nothing is said of later games either. Only the first thousand are kept.
    ///
    /// # Panics
    /// Never: nothing panics while it holds a lock.
    #[must_use]
    pub fn add(&self, server: &str, game: PastGame, is_certain: bool) -> Option<EarlierGames> {
        let mut servers = locked(&self.0);
        let games = servers
            .entry(server.to_owned())
            .or_insert_with(|| Some(Games::default()));
        games.take_if(|games| !is_certain || locked(games).len() == MOST);
        let games = games.as_ref()?;
        let mut all = locked(games);
        let count = all.len();
        all.push(game);
        let all = Arc::clone(games);
        (count > 0).then_some(EarlierGames { all, count })
    }
}

/// The games of a server before one game.
#[derive(Debug, Clone)]
pub struct EarlierGames {
    all: Games,
    count: usize,
}

impl EarlierGames {
    /// Their number, which is at least one.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Shows all games of the server.
    ///
    /// # Panics
    /// Never: see [`ServerGames::add`].
    pub fn of_server<R>(&self, see: impl FnOnce(&[PastGame]) -> R) -> R {
        see(&locked(&self.all))
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

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .expect("nothing panics while it holds the lock")
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
