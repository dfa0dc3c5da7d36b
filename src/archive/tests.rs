//! Finished games for tests.

use super::{FinishedGame, ReadOptions};
use crate::pack::Protocol;
use crate::protocol::Dialect;
use crate::transcript::LoggedGame;
use crate::transcript::bare::{self, BareGame};

/// The game that these streams tell in a dialect.
pub(crate) fn of_streams(dialect: &'static dyn Dialect, streams: &[&str]) -> FinishedGame {
    let lane = |stream: &&str| bare::lane("game.txt", &BareGame::new(*stream, true), dialect);
    let lanes = streams.iter().map(lane).collect();
    let logged = LoggedGame::new(Protocol::Game(dialect), lanes);
    let options = ReadOptions::default();
    options.judged("game.txt".into(), 1, logged).unwrap()
}
