//! The places of all games of a large file, found beside what the user does.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::bare::{GamePlace, Games};
use crate::diagnostic;
use crate::protocol::Dialect;

/// The places of the games of a file of streams, in a thread of its own that ends with the value.
#[derive(Debug)]
pub struct GameIndex {
    path: PathBuf,
    dialect: &'static dyn Dialect,
    found: Arc<Found>,
}

/// Number of the games of a file, as far as they have been counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameCount {
    /// Number of games.
    pub games: u64,
    /// True if the whole file has been read.
    pub is_complete: bool,
}

#[derive(Debug, Default)]
struct Found {
    places: Mutex<Vec<GamePlace>>,
    is_complete: AtomicBool,
    is_wanted: AtomicBool,
}

impl GameIndex {
    /// Begins to look for the games of a file.
    ///
    /// # Errors
    /// Fails if the file cannot be opened, or no thread can be started.
    pub fn begin(path: &Path, dialect: &'static dyn Dialect) -> io::Result<GameIndex> {
        let found = Arc::new(Found::default());
        found.is_wanted.store(true, Ordering::Relaxed);
        let games = Games::new(dialect, Vec::new(), diagnostic::open(path)?);
        let shared = Arc::clone(&found);
        std::thread::Builder::new().spawn(move || shared.fill(games))?;
        Ok(GameIndex {
            path: path.to_owned(),
            dialect,
            found,
        })
    }

    /// Number of games that have been found.
    #[must_use]
    pub fn count(&self) -> GameCount {
        // Before the places: what is complete now has all of them.
        let is_complete = self.found.is_complete.load(Ordering::Acquire);
        GameCount {
            games: self.places(|places| places.len()) as u64,
            is_complete,
        }
    }

    /// The file from the game of this number on, from 1; `None` where it has not been found.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn games_from(&self, number: u64) -> io::Result<Option<Games<File>>> {
        let before = usize::try_from(number)
            .ok()
            .and_then(|at| at.checked_sub(1));
        let Some(place) = before.and_then(|at| self.places(|places| places.get(at).copied()))
        else {
            return Ok(None);
        };
        let mut file = diagnostic::open(&self.path)?;
        file.seek(SeekFrom::Start(place.offset))?;
        Ok(Some(Games::at(self.dialect, place, file)))
    }

    fn places<T>(&self, read: impl FnOnce(&[GamePlace]) -> T) -> T {
        read(
            &self
                .found
                .places
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }
}

impl Drop for GameIndex {
    fn drop(&mut self) {
        self.found.is_wanted.store(false, Ordering::Relaxed);
    }
}

impl Found {
    /// Looks for every game. A file that cannot be read to its end has those that were found before.
    fn fill(&self, mut games: Games<File>) {
        while self.is_wanted.load(Ordering::Relaxed)
            && let Ok(Some(place)) = games.next_place()
        {
            let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
            places.push(place);
            drop(places);
            if games.next_game().is_err() {
                break;
            }
        }
        self.is_complete.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack;

    const GAME: &str = "Ann\nBob\n0 1 1 0\n0\n";

    #[test]
    fn every_game_is_found_where_it_begins() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.txt");
        let text = format!("{GAME}\n{GAME}\n\n{GAME}");
        std::fs::write(&path, &text).unwrap();
        let dialect = pack::usual().dialects[0];
        let index = GameIndex::begin(&path, dialect).unwrap();
        while !index.count().is_complete {
            std::thread::yield_now();
        }
        assert_eq!(index.count().games, 3);
        let mut sequential = Games::new(dialect, Vec::new(), text.as_bytes());
        for number in 1..=3 {
            let mut games = index.games_from(number).unwrap().unwrap();
            let (found, known) = (games.next_game().unwrap(), sequential.next_game().unwrap());
            let line_and_text = |game: Option<crate::transcript::bare::BareGame<'_>>| {
                game.map(|game| (game.first_line, game.text.to_vec()))
            };
            assert_eq!(line_and_text(found), line_and_text(known), "game {number}");
        }
        assert!(index.games_from(4).unwrap().is_none());
        assert!(index.games_from(0).unwrap().is_none());
    }
}
