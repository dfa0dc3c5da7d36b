//! The numbers of the statistics, for tables and programs.

use std::collections::BTreeMap;

use serde::Serialize;

/// Statistics of an archive.
#[derive(Debug, Clone, Serialize)]
pub struct StatisticsReport {
    /// Version of the format.
    pub version: u32,
    /// One entry for each kind of game.
    pub games: Vec<GameStatistics>,
    /// Games with an error, which are not counted elsewhere.
    pub wrong: u64,
    /// Files and games that cannot be read.
    pub unreadable: u64,
}

/// Statistics of the games of one kind.
#[derive(Debug, Clone, Serialize)]
pub struct GameStatistics {
    /// Name of the game.
    pub game: String,
    /// Number of games.
    pub games: u64,
    /// Games that were not played to their end.
    pub incomplete: u64,
    /// Games without a winner.
    pub draws: u64,
    /// Wins by seat.
    pub wins: BTreeMap<String, u64>,
    /// Captures by seat.
    pub captures: BTreeMap<String, u64>,
    /// Losses before the end by the rules, by cause.
    pub losses: BTreeMap<String, u64>,
    /// Turns of the games that were played to their end.
    pub turns: LengthStatistics,
    /// The players, the one with the most games first.
    pub players: Vec<PlayerStatistics>,
    /// Pairs of players who met, each from both sides.
    pub pairs: Vec<PairStatistics>,
}

/// Quartiles and extremes of the lengths of games, in turns; up to one part in a hundred.
#[derive(Debug, Clone, Serialize)]
pub struct LengthStatistics {
    /// The shortest game.
    pub shortest: u64,
    /// A quarter of the games is not longer.
    pub quarter: u64,
    /// Half of the games is not longer.
    pub median: u64,
    /// Three quarters of the games are not longer.
    pub three_quarters: u64,
    /// The longest game.
    pub longest: u64,
}

/// Statistics of a player.
#[derive(Debug, Clone, Serialize)]
pub struct PlayerStatistics {
    /// Name of the game.
    pub game: String,
    /// Name, escaped for display.
    pub player: String,
    /// Games played to their end.
    pub games: u64,
    /// Wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses.
    pub losses: u64,
    /// Score from 0 to 1; a draw is half a point.
    pub score: f64,
    /// Lower end of the score's 95 % interval.
    pub low: f64,
    /// Upper end of the score's 95 % interval.
    pub high: f64,
    /// Captures.
    pub captures: u64,
    /// Answer times, if files have times.
    #[serde(flatten)]
    pub answers: Option<AnswerTimes>,
}

/// Times that a player took to answer; quantiles up to one part in a hundred.
#[derive(Debug, Clone, Serialize)]
pub struct AnswerTimes {
    /// Number of answers.
    pub answers: u64,
    /// Half of the answers took no longer, in milliseconds.
    pub median_ms: f64,
    /// 95 % of the answers took no longer, in milliseconds.
    pub p95_ms: f64,
    /// 99 % of the answers took no longer, in milliseconds.
    pub p99_ms: f64,
    /// The slowest answer.
    pub slowest: SlowestAnswer,
}

/// The slowest answer of a player.
#[derive(Debug, Clone, Serialize)]
pub struct SlowestAnswer {
    /// Its time in milliseconds.
    pub ms: f64,
    /// The file, escaped for display.
    pub file: String,
    /// Number of the game in the file, from 1.
    pub game: u64,
    /// Number of the turn, from 1.
    pub turn: usize,
    /// The move, as its protocol writes it.
    #[serde(rename = "move")]
    pub mv: String,
}

/// Result of the games between two players.
#[derive(Debug, Clone, Serialize)]
pub struct PairStatistics {
    /// Name of the game.
    pub game: String,
    /// The player whose wins are counted.
    pub player: String,
    /// The opponent.
    pub opponent: String,
    /// Games played to their end.
    pub games: u64,
    /// Wins of the player.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses of the player.
    pub losses: u64,
    /// Score from 0 to 1; a draw is half a point.
    pub score: f64,
    /// Lower end of the score's 95 % interval.
    pub low: f64,
    /// Upper end of the score's 95 % interval.
    pub high: f64,
}
