//! Conditions of a game of built-in peers.

use std::time::Duration;

use crate::rules::{PerSeat, Roll, Setup};

/// Conditions of the games of a built-in peer.
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
    /// Setup of every game; drawn for each where there is none.
    pub setup: Option<Setup>,
    /// Decides everything else.
    pub seed: u64,
}
