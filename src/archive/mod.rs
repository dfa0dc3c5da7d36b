//! Finished games in any format: read as one type, written in other formats and as rows of a table, compared.

mod difference;
mod explanation;
mod files;
mod finished_game;
mod rows;
mod verification;

pub use difference::{GameDifference, first_difference};
pub use explanation::{ArchiveReadings, ExplainedFailure, ExplainedGames, explained_alone};
pub use files::{ArchiveFiles, each_game, each_game_of_lanes};
pub use finished_game::{FinishedGame, WrittenGame};
pub use rows::{GameRow, GameTable};
pub use verification::{Verification, Verified, verify_together};
