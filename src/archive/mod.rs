//! Finished games in any format: read as one type, written in other formats, compared, counted.

mod difference;
mod explanation;
mod files;
pub mod statistics;
mod finished_game;
mod verification;

pub use difference::{GameDifference, first_difference};
pub use explanation::{ArchiveReadings, ExplainedFailure, ExplainedGames, explained_alone};
pub use files::{ArchiveFiles, each_game, each_game_of_lanes};
pub use finished_game::{FinishedGame, WrittenGame};
pub use verification::{Verification, Verified, verify_together};
