//! Finished games of every format, judged. The only place that knows which formats a file may have: everything above it gets [`FinishedGame`]s.
//!
//! [`games`] reads all games of files and folders on several threads; [`game`] reads one by its number; [`game_so_far`] reads one that somebody
//! still writes.

mod explanation;
mod files;
mod finished_game;
mod in_order;
mod open_files;
mod read;
mod records;
mod written;

pub use explanation::{ArchiveReadings, ExplainedGames};
pub use files::{is_finished_game, size};
pub use finished_game::FinishedGame;
pub use read::{Judging, ReadAs, ReadOptions, game, game_so_far, games};
pub use written::{WrittenGame, no_such_turn, written_formats};

/// The game that these streams tell in a dialect, for tests.
#[cfg(test)]
pub(crate) fn of_streams(
    dialect: &'static dyn crate::protocol::Dialect,
    streams: &[&str],
) -> FinishedGame {
    use crate::transcript::bare::{self, BareGame};
    let lane = |stream: &&str| {
        let game = BareGame {
            first_line: 1,
            text: stream.as_bytes(),
            is_too_large: false,
        };
        bare::lane("game.txt", game, dialect, true)
    };
    let protocol = crate::pack::Protocol::Game(dialect);
    let lanes = streams.iter().map(lane).collect();
    let logged = crate::transcript::LoggedGame::new(protocol, lanes);
    let options = ReadOptions::default();
    options.judged("game.txt".into(), 1, logged).unwrap()
}
