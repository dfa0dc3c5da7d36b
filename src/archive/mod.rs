//! Finished games in any format: read as one type, written in other formats, compared, counted.

mod difference;
mod files;
pub mod statistics;
mod finished_game;

pub use difference::{GameDifference, first_difference};
pub use files::{ArchiveFiles, each_game};
pub use finished_game::{FinishedGame, WrittenGame};
