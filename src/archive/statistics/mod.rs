//! Statistics of an archive: counted game by game, in memory that grows with the number of players alone.

mod count;
mod csv;
mod player;
mod quantiles;
mod report;
mod row;
mod summary;

pub use count::Statistics;
pub use csv::{GAME_COLUMNS, PAIR_COLUMNS, PLAYER_COLUMNS};
pub use report::{
    AnswerTimes, GameStatistics, LengthStatistics, PairStatistics, PlayerStatistics, SlowestAnswer,
    StatisticsReport,
};
pub use row::GameRow;

#[cfg(test)]
mod tests;
