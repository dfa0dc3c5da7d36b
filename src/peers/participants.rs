//! Participants of one game of a built-in referee.

use std::time::Duration;

use tokio::time::timeout;

use super::drive::drive;
use super::{Desk, Lane, Machine};
use crate::protocol::Party;
use crate::rules::{PerSeat, Seat};
use crate::transport::{Ended, Process};

/// Longest time for a bot to end by itself after its lane is closed.
const GRACE: Duration = Duration::from_millis(500);

/// Participants of one game: a lane for each seat and for each spectator, and the bots that were started for
/// the game.
#[derive(Debug)]
pub struct Participants {
    /// The players, by seat.
    pub players: PerSeat<Lane>,
    /// The spectators, in the order of arrival.
    pub spectators: Vec<Lane>,
    /// By seat, or none. Dropping them ends them and all that they have started.
    pub bots: Vec<Process>,
}

/// Exit of a bot.
#[derive(Debug)]
pub struct Departure {
    /// Its status; `None` where it did not end by itself.
    pub ended: Option<Ended>,
    /// The end of what it said on standard error.
    pub said: Vec<u8>,
}

impl Participants {
    /// Has a referee conduct a game with them; the lanes of its desk are the players', by seat, then the spectators'. When it is over
    /// the bots are seen off, and what does not end by itself is ended.
    pub async fn conduct<'a, T, F>(mut self, play: impl FnOnce(Desk) -> F) -> (T, Vec<Departure>)
    where
        F: Future<Output = T> + Send + 'a,
    {
        let lanes: Vec<_> = self
            .players
            .0
            .iter_mut()
            .chain(&mut self.spectators)
            .collect();
        let end = drive(Machine::new(lanes.len(), play), lanes).await;
        drop((self.players, self.spectators));
        let mut departures = Vec::new();
        for mut bot in self.bots {
            let ended = timeout(GRACE, bot.ended()).await.ok();
            departures.push(Departure {
                ended,
                said: bot.end(Duration::ZERO).await.stderr,
            });
        }
        (end, departures)
    }
}

/// Every lane of a desk with whose it is: the players', then as many spectators'.
pub(super) fn parties(
    players: PerSeat<usize>,
    spectators: usize,
) -> impl Iterator<Item = (Party, usize)> {
    let seated = Seat::BOTH
        .into_iter()
        .map(move |seat| (Party::Player(seat), players[seat]));
    seated.chain((0..spectators).map(|number| (Party::Spectator, 2 + number)))
}
