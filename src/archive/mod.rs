//! Finished games of every format, judged. The only place that knows which formats a file may have: everything above it gets [`FinishedGame`]s.
//!
//! [`games`] reads all games of files and folders on several threads; [`game`] reads one by its number; [`game_so_far`] reads one that somebody
//! still writes.

mod explanation;
mod files;
mod finished_game;
mod open;
mod read;
mod records;
mod stored;
mod written;

pub use explanation::{ArchiveMistakes, ExplainedGames};
pub use files::size;
pub use finished_game::{FinishedGame, RecordedGame};
pub use open::{head, is_finished_game};
pub use read::{Judging, ReadAs, ReadOptions, game, game_so_far, games};
pub use stored::Stored;
pub use written::{WrittenGame, no_such_turn, written_formats};

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::of_streams;
