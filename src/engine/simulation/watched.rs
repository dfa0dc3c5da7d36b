//! Games that built-in peers play among themselves, without a judge.

use std::time::Duration;

use super::end::Side;
use super::links::Links;
use super::network::Network;
use super::participant::{Participant, step};
use super::peer::Peer;
use super::tap::Tap;
use crate::event::Event;
use crate::peers::{Farewell, Machine};

/// A game that built-in peers have played among themselves.
#[derive(Debug)]
pub struct Watched {
    /// Lines on every lane, as its player or spectator sent and received them.
    pub events: Vec<Event>,
    /// Exits of the players and spectators, by lane; `None` if a peer did not end within the game's budget.
    pub farewells: Vec<Option<Farewell>>,
    /// Exit of the referee.
    pub referee: Option<Farewell>,
}

/// Plays a game of built-in peers among themselves in memory, on a virtual clock, until all of them have ended or `budget` is over. The
/// players' and spectators' machines have one lane each; in their order they are the lanes of the referee.
#[must_use]
pub fn watch<'a>(
    referee: Machine<'a, Farewell>,
    others: Vec<Machine<'a, Farewell>>,
    seed: u64,
    network: Network,
    budget: Duration,
) -> Watched {
    let count = others.len();
    let mut links = Links::new(seed, network, false, Some(Tap::default()));
    (0..count).for_each(|lane| links.open(lane, [lane, count]));
    let others = others.into_iter().enumerate();
    let mut peers: Vec<_> = others
        .map(|(lane, machine)| Peer::new(lane, Side::Near, machine, vec![lane]))
        .collect();
    peers.push(Peer::new(count, Side::Far, referee, (0..count).collect()));
    let mut participants: Vec<_> = peers
        .iter_mut()
        .map(|peer| peer as &mut dyn Participant)
        .collect();
    while links.now <= budget && step(&mut participants, &mut links) {}
    let referee = peers.pop().and_then(|peer| peer.farewell);
    let farewells = peers.into_iter().map(|peer| peer.farewell).collect();
    Watched {
        events: links.into_events(),
        farewells,
        referee,
    }
}
