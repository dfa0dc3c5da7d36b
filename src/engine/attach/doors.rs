use std::future::{Future, ready};
use std::pin::Pin;

use tokio::time::Instant;

use super::Breakdown;
use crate::transport::{Wire, connect};

/// A lane that is being opened; it borrows nothing, so that the game goes on meanwhile.
pub(in crate::engine) type Opening = Pin<Box<dyn Future<Output = Result<Wire, Breakdown>> + Send>>;

/// The ways to the lanes of one game: players first, then spectators, as lanes are numbered.
#[derive(Debug)]
pub(in crate::engine) enum Doors {
    /// Each lane is a connection.
    Tcp {
        /// Where players connect.
        players: String,
        /// Number of players.
        player_count: usize,
        /// Where spectators connect.
        spectators: Option<String>,
    },
    /// The one lane is there already; `None` once it has been taken.
    Ready(Option<Wire>),
}

impl Doors {
    /// Opens a lane until the deadline, when and in which order the caller likes. Each lane can be opened once.
    pub(in crate::engine) fn open(&mut self, lane: usize, deadline: Instant) -> Opening {
        let address = match self {
            Doors::Tcp { players, player_count, .. } if lane < *player_count => players.clone(),
            Doors::Tcp { spectators: Some(spectators), .. } => spectators.clone(),
            Doors::Ready(wire) => {
                return Box::pin(ready(wire.take().filter(|_| lane == 0).ok_or(Breakdown::NoDoor(lane))));
            }
            Doors::Tcp { spectators: None, .. } => return Box::pin(ready(Err(Breakdown::NoDoor(lane)))),
        };
        Box::pin(async move { Ok(connect(&address, deadline).await?) })
    }
}
