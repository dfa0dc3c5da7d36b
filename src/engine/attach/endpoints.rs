//! Endpoints of one game's lanes, each of which may open at the start or later.

use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use super::breakdown::Breakdown;
use super::greet::Greeting;
use super::ports::Ports;
use crate::config::Arena;
use crate::transport::coco::{Client, Notices};
use crate::transport::{Deadline, Patience, Seats, Shared, Wire, connect};

/// A lane that is being opened; it borrows nothing, so that the game goes on meanwhile.
pub(in crate::engine) type Opening = Pin<Box<dyn Future<Output = Result<Wire, Breakdown>> + Send>>;

/// The ways to the lanes of one game: players first, then spectators, as lanes are numbered.
#[derive(Debug)]
pub(in crate::engine) struct Endpoints {
    endpoints: Vec<(Door, Greeting)>,
    /// Relays' socket, kept while a relay may still connect.
    pub(super) seats: Option<Seats>,
    pub(super) shared: Option<Arc<Mutex<Shared>>>,
    pub(super) _ports: Option<Ports>,
    /// Reaction to a refused connection.
    pub(super) patience: Patience,
    /// Remarks on the lanes, other than their bytes.
    pub(super) notices: Notices,
}

/// The way to one lane.
#[derive(Debug)]
pub(super) enum Door {
    /// A connection to this address.
    Connect(String),
    /// A match that was created, and who joins it.
    Match(Entry),
    /// The subject comes; whoever waits for it has begun to do so.
    Awaited(Awaiting),
    /// The relay of this name comes.
    Seat(String),
    /// The lane is a part of the shared streams.
    Shared,
    /// The lane is there.
    Ready(Wire),
    /// It was opened, or there is none.
    Closed,
}

/// A participant's request to join a match.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) server: String,
    pub(super) id: String,
    pub(super) who: Entrant,
}

/// The participant that joins a match.
#[derive(Debug)]
pub(super) enum Entrant {
    Player { name: String, arena: Arena },
    Spectator,
}

impl Entry {
    async fn join(
        self,
        patience: Patience,
        deadline: Deadline,
        notices: Notices,
    ) -> Result<Wire, Breakdown> {
        let client = Client::connect(&self.server, patience, deadline).await?;
        Ok(match self.who {
            Entrant::Player { name, arena } => {
                client
                    .join(&self.id, &name, arena.password.as_deref(), notices)
                    .await?
            }
            Entrant::Spectator => client.spectate(&self.id, notices).await?,
        })
    }
}

/// A task that waits for the subject, and ends with whoever wants to know.
#[derive(Debug)]
pub(super) struct Awaiting(pub(super) JoinHandle<Result<Wire, Breakdown>>);

impl Drop for Awaiting {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Endpoints {
    pub(super) fn new(endpoints: Vec<(Door, Greeting)>) -> Endpoints {
        Endpoints {
            endpoints,
            seats: None,
            shared: None,
            _ports: None,
            patience: Patience::Retry,
            notices: Notices::default(),
        }
    }

    /// Returns true if the subject starts its players, which are relays to urtext.
    pub(in crate::engine) fn has_seats(&self) -> bool {
        self.seats.is_some()
    }

    /// Returns true if urtext makes this connection, and so decides its time.
    pub(super) fn is_connection(&self, lane: usize) -> bool {
        matches!(
            self.endpoints.get(lane),
            Some((Door::Connect(_) | Door::Match(_), _))
        )
    }

    /// Returns true if the game begins when all players have connected through such endpoints, without a wait
    /// for spectators, which connect first.
    pub(super) fn begins_game(&self, lane: usize) -> bool {
        let door = self.endpoints.get(lane).map(|(door, _)| door);
        matches!(
            door,
            Some(Door::Match(Entry {
                who: Entrant::Player { .. },
                ..
            }))
        )
    }

    /// Takes the servers' violations that ended lanes since the last call, in words.
    pub(in crate::engine) fn notices(&self) -> Vec<String> {
        self.notices.take()
    }

    /// Returns the number of empty frames on the lane that received the most of them.
    pub(in crate::engine) fn empty_frames(&self) -> u64 {
        self.notices.empty_frames()
    }

    /// Opens a lane until the deadline, when and in which order the caller likes. A lane at which urtext connects can be opened again.
    pub(in crate::engine) fn open(
        &mut self,
        lane: usize,
        deadline: impl Into<Deadline>,
    ) -> Opening {
        let deadline = deadline.into();
        let (door, greeting) = match self.endpoints.get_mut(lane) {
            Some((Door::Connect(address), greeting)) => {
                (Door::Connect(address.clone()), greeting.clone())
            }
            Some((door, greeting)) => (
                std::mem::replace(door, Door::Closed),
                std::mem::take(greeting),
            ),
            None => (Door::Closed, Greeting::default()),
        };
        let patience = self.patience;
        let opening: Opening = match door {
            Door::Connect(address) => {
                let deadline = deadline.clone();
                Box::pin(async move { Ok(connect(&address, patience, deadline).await?) })
            }
            Door::Match(entry) => {
                let (notices, deadline) = (self.notices.clone(), deadline.clone());
                Box::pin(async move { entry.join(patience, deadline, notices).await })
            }
            Door::Awaited(mut awaiting) => Box::pin(async move {
                match (&mut awaiting.0).await {
                    Ok(result) => result,
                    Err(_) => Err(Breakdown::NoDoor(lane)),
                }
            }),
            Door::Seat(name) => match &mut self.seats {
                Some(seats) => {
                    let arrival = seats.lane(&name, deadline.clone());
                    Box::pin(async move { Ok(arrival.await?) })
                }
                None => Box::pin(ready(Err(Breakdown::NoDoor(lane)))),
            },
            Door::Shared => {
                let shared = self.shared.clone();
                Box::pin(async move {
                    let Some(shared) = shared else {
                        return Err(Breakdown::NoDoor(lane));
                    };
                    shared
                        .lock()
                        .await
                        .open(lane)
                        .await
                        .ok_or(Breakdown::NoDoor(lane))
                })
            }
            Door::Ready(wire) => Box::pin(ready(Ok(wire))),
            Door::Closed => Box::pin(ready(Err(Breakdown::NoDoor(lane)))),
        };
        Box::pin(async move { greeting.exchange(opening.await?, &deadline).await })
    }
}
