use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Lane;
use crate::protocol::Party;
use crate::rules::{PerSeat, Seat};
use crate::transport::{Ended, Process};

/// How long a bot may take to end by itself once its lane is closed.
const GRACE: Duration = Duration::from_millis(500);

/// Everybody at one game: a lane for each seat and for each spectator, and the bots that were started for it.
#[derive(Debug)]
pub struct Company {
    /// The players, by seat.
    pub players: PerSeat<Lane>,
    /// The spectators, in the order of arrival.
    pub spectators: Vec<Lane>,
    /// By seat, or none. Dropping them ends them and all that they have started.
    pub bots: Vec<Process>,
}

/// How a bot ended.
#[derive(Debug)]
pub struct Departure {
    /// Its status; `None` where it did not end by itself.
    pub ended: Option<Ended>,
    /// The end of what it said on standard error.
    pub said: Vec<u8>,
}

impl Company {
    /// Every lane with whose it is: players by seat, then spectators.
    pub fn lanes(&mut self) -> impl Iterator<Item = (Party, &mut Lane)> {
        let players = Seat::BOTH.map(Party::Player).into_iter().zip(&mut self.players.0);
        players.chain(self.spectators.iter_mut().map(|lane| (Party::Spectator, lane)))
    }

    /// Closes every lane in good order, all at the same time; then sees the bots off, and ends what does not end by itself.
    pub async fn close(self) -> Vec<Departure> {
        let lanes = self.players.0.into_iter().chain(self.spectators);
        let mut closing: JoinSet<()> = lanes.map(Lane::close).collect();
        while closing.join_next().await.is_some() {}
        let mut departures = Vec::new();
        for mut bot in self.bots {
            let ended = timeout(GRACE, bot.ended()).await.ok();
            departures.push(Departure { ended, said: bot.end(Duration::ZERO).await });
        }
        departures
    }
}
