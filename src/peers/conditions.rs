//! Conditions of a game of built-in peers.

use std::time::Duration;

use crate::rules::{PerSeat, Roll, Setup};

/// Conditions of one game for a built-in peer in memory.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// The players' names.
    pub names: PerSeat<Vec<u8>>,
    /// The time for a move.
    pub timeout: Duration,
    /// The least time between two turns.
    pub pace: Duration,
    /// Number of spectators from the start.
    pub spectators: usize,
    /// The rolls that come first.
    pub rolls: Vec<Roll>,
    /// Random setup before the first turn.
    pub setup: Setup,
    /// Decides everything else.
    pub seed: u64,
}
