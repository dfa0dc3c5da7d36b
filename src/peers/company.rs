use tokio::task::JoinSet;

use super::Lane;
use crate::protocol::Party;
use crate::rules::{PerSeat, Seat};

/// Everybody at one game: a lane for each seat and for each spectator.
#[derive(Debug)]
pub struct Company {
    /// The players, by seat.
    pub players: PerSeat<Lane>,
    /// The spectators, in the order of arrival.
    pub spectators: Vec<Lane>,
}

impl Company {
    /// Every lane with whose it is: players by seat, then spectators.
    pub fn lanes(&mut self) -> impl Iterator<Item = (Party, &mut Lane)> {
        let players = Seat::BOTH.map(Party::Player).into_iter().zip(&mut self.players.0);
        players.chain(self.spectators.iter_mut().map(|lane| (Party::Spectator, lane)))
    }

    /// Closes every lane in good order, all at the same time.
    pub async fn close(self) {
        let mut closing: JoinSet<()> =
            self.players.0.into_iter().chain(self.spectators).map(Lane::close).collect();
        while closing.join_next().await.is_some() {}
    }
}
