use std::io;
use std::net::SocketAddr;

use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};

use super::Lane;

/// The two ports of a referee: players come in by one, spectators by the other.
#[derive(Debug)]
pub struct Doors {
    players: Option<TcpListener>,
    spectators: Option<TcpListener>,
}

/// Why a referee cannot be reached.
#[derive(Debug, Error)]
pub enum DoorsError {
    /// Another program listens there.
    #[error(
        "{address} is in use by another program: choose another port with {option}, or 0 for any free one"
    )]
    InUse {
        /// Host and port.
        address: String,
        /// The option that sets the port.
        option: &'static str,
    },
    /// The address is not one of this machine, or not ours to use.
    #[error("cannot listen on {address}: {source}; check --host and {option}")]
    Refused {
        /// Host and port.
        address: String,
        /// The option that sets the port.
        option: &'static str,
        /// What the platform says.
        source: io::Error,
    },
    /// A connection could not be taken.
    #[error("cannot take a connection: {0}")]
    Accept(#[from] io::Error),
}

impl Doors {
    /// Listens on these ports, 0 for any free one; no door where there is no port.
    ///
    /// # Errors
    /// Where a port cannot be listened on.
    pub async fn open(
        host: &str,
        players: Option<u16>,
        spectators: Option<u16>,
    ) -> Result<Doors, DoorsError> {
        Ok(Doors {
            players: listen(host, players, "--port").await?,
            spectators: listen(host, spectators, "--spectator-port").await?,
        })
    }

    /// Where the doors are: `players=127.0.0.1:4000 spectators=127.0.0.1:4001`; empty without doors.
    #[must_use]
    pub fn addresses(&self) -> String {
        let named = [("players", &self.players), ("spectators", &self.spectators)];
        let shown = named.into_iter().filter_map(|(name, door)| {
            let address: SocketAddr = door.as_ref()?.local_addr().ok()?;
            Some(format!("{name}={address}"))
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    /// Waits until so many players and spectators have come in, each in the order of arrival. Who comes later waits for the
    /// next game.
    ///
    /// # Errors
    /// Where the platform cannot take a connection.
    pub async fn gather(
        &self,
        players: usize,
        spectators: usize,
    ) -> Result<(Vec<Lane>, Vec<Lane>), DoorsError> {
        let (mut seated, mut watching) = (Vec::new(), Vec::new());
        while seated.len() < players || watching.len() < spectators {
            tokio::select! {
                stream = accept(self.players.as_ref()), if seated.len() < players => seated.push(Lane::tcp(stream?)),
                stream = accept(self.spectators.as_ref()), if watching.len() < spectators => {
                    watching.push(Lane::tcp(stream?));
                }
            }
        }
        Ok((seated, watching))
    }
}

async fn listen(
    host: &str,
    port: Option<u16>,
    option: &'static str,
) -> Result<Option<TcpListener>, DoorsError> {
    let Some(port) = port else { return Ok(None) };
    match TcpListener::bind((host, port)).await {
        Ok(listener) => Ok(Some(listener)),
        Err(source) => {
            let address = format!("{host}:{port}");
            Err(match source.kind() {
                io::ErrorKind::AddrInUse => DoorsError::InUse { address, option },
                _ => DoorsError::Refused { address, option, source },
            })
        }
    }
}

async fn accept(door: Option<&TcpListener>) -> io::Result<TcpStream> {
    let Some(door) = door else { return std::future::pending().await };
    loop {
        match door.accept().await {
            Ok((stream, _)) => return Ok(stream),
            // Who has gone again before being let in was never there.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(error) => return Err(error),
        }
    }
}
