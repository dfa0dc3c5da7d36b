//! Listeners of a built-in referee.

use std::io;

use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};

use super::{Lane, Participants};
use crate::rules::PerSeat;
use crate::transport::{Process, StartError};

/// Endpoints of a referee's games: players connect, or are bots that the referee starts; spectators connect.
#[derive(Debug)]
pub struct Lobby {
    players: Players<TcpListener>,
    spectators: Option<TcpListener>,
    closing: LobbyClose,
}

/// Endpoint of the players.
#[derive(Debug, Clone)]
pub enum Players<D> {
    /// They connect.
    Connect(D),
    /// They are started: the command of each, by seat.
    Start(PerSeat<Vec<String>>),
}

/// Kind of close of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LobbyClose {
    /// It ends once everything has been delivered.
    Orderly,
    /// It is reset, and what has not been delivered is lost; for a referee that is to be at fault.
    Reset,
}

/// Errors while accepting connections.
#[derive(Debug, Error)]
pub enum LobbyError {
    /// Another program listens there.
    #[error(
        "{address} is in use by another program: choose another port with {option}, or 0 for any free one"
    )]
    InUse {
        /// Host and port.
        address: String,
        /// The option that sets them.
        option: &'static str,
    },
    /// The address is not one of this machine, or not ours to use.
    #[error("cannot listen on {address}: {source}; check {option}")]
    Refused {
        /// Host and port.
        address: String,
        /// The option that sets them.
        option: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// A connection could not be taken.
    #[error("cannot take a connection: {0}")]
    Accept(#[from] io::Error),
    /// A bot could not be started.
    #[error("{0}; check the command after --bot")]
    Start(#[from] StartError),
}

impl Lobby {
    /// Listens on these addresses, HOST:PORT with 0 for any free port; spectators can only come where there is an address for them.
    ///
    /// # Errors
    /// Fails if an address cannot be listened on.
    pub async fn open(
        players: Players<String>,
        spectators: Option<String>,
        closing: LobbyClose,
    ) -> Result<Lobby, LobbyError> {
        let players = match players {
            Players::Connect(address) => Players::Connect(listen(address, "--listen").await?),
            Players::Start(commands) => Players::Start(commands),
        };
        let spectators = match spectators {
            Some(address) => Some(listen(address, "--listen-spectators").await?),
            None => None,
        };
        Ok(Lobby {
            players,
            spectators,
            closing,
        })
    }

    /// Returns the addresses to connect to: `players=127.0.0.1:4000 spectators=127.0.0.1:4001`, as far as
    /// they exist.
    #[must_use]
    pub fn addresses(&self) -> String {
        let players = if let Players::Connect(door) = &self.players {
            Some(door)
        } else {
            None
        };
        let named = [
            ("players", players),
            ("spectators", self.spectators.as_ref()),
        ];
        let shown = named
            .into_iter()
            .filter_map(|(name, door)| Some(format!("{name}={}", door?.local_addr().ok()?)));
        shown.collect::<Vec<_>>().join(" ")
    }

    /// Waits until both players and so many spectators are there, each in the order of arrival; bots are
    /// started last. Later participants wait for the next game.
    ///
    /// # Errors
    /// Fails if the system cannot accept a connection, or a bot cannot be started.
    pub async fn gather(&self, spectators: usize) -> Result<Participants, LobbyError> {
        let (mut seated, mut watching, mut bots) = (Vec::new(), Vec::new(), Vec::new());
        let door = if let Players::Connect(door) = &self.players {
            Some(door)
        } else {
            None
        };
        let connecting = if door.is_some() { 2 } else { 0 };
        while seated.len() < connecting || watching.len() < spectators {
            tokio::select! {
                stream = accept(door), if seated.len() < connecting => seated.push(self.lane(stream?)?),
                stream = accept(self.spectators.as_ref()), if watching.len() < spectators => {
                    watching.push(self.lane(stream?)?);
                }
            }
        }
        if let Players::Start(commands) = &self.players {
            for command in &commands.0 {
                let mut bot = Process::start(command)?;
                seated.push(Lane::pipes(&mut bot).expect("nobody else takes its streams"));
                bots.push(bot);
            }
        }
        let players = seated.try_into().expect("there are two players");
        Ok(Participants {
            players: PerSeat(players),
            spectators: watching,
            bots,
        })
    }

    fn lane(&self, stream: TcpStream) -> io::Result<Lane> {
        if self.closing == LobbyClose::Reset {
            stream.set_zero_linger()?;
        }
        Ok(Lane::tcp(stream))
    }
}

async fn listen(address: String, option: &'static str) -> Result<TcpListener, LobbyError> {
    let listener = TcpListener::bind(&address).await;
    listener.map_err(|source| match source.kind() {
        io::ErrorKind::AddrInUse => LobbyError::InUse { address, option },
        _ => LobbyError::Refused {
            address,
            option,
            source,
        },
    })
}

async fn accept(door: Option<&TcpListener>) -> io::Result<TcpStream> {
    let Some(door) = door else {
        return std::future::pending().await;
    };
    loop {
        match door.accept().await {
            Ok((stream, _)) => return Ok(stream),
            // Who has gone again before being let in was never there.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(error) => return Err(error),
        }
    }
}
