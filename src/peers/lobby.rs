//! Listeners of a built-in referee, and those who come.

use std::io;

use crate::transport::{Launch, Listener, Process, Spawn, Supervisors, Wire};

/// Endpoints of a referee's games: players connect, or are bots that the referee starts; spectators connect.
#[derive(Debug)]
pub struct Lobby {
    players: Option<Listener>,
    spectators: Option<Listener>,
    bots: Vec<Launch>,
}

/// The participants of one game.
#[derive(Debug)]
pub struct Participants {
    /// The lanes of both players, by seat, then those of the spectators in the order of arrival.
    pub lanes: Vec<Wire>,
    /// By seat, or none. Dropping them ends them and all that they have started.
    pub bots: Vec<Process>,
}

impl Lobby {
    /// Listens on these addresses, HOST:PORT with 0 for any free port; spectators can only come where there is an address for them. Without
    /// an address for the players, `bots` are the commands that start them, by seat.
    ///
    /// # Errors
    /// Fails if an address cannot be listened on, or the path of this program is not known.
    pub async fn open(
        players: Option<String>,
        spectators: Option<String>,
        bots: Vec<Vec<String>>,
    ) -> io::Result<Lobby> {
        let supervisors = Supervisors::new(std::env::current_exe()?);
        let launch = |words| Launch {
            spawn: Spawn {
                words,
                ..Spawn::default()
            },
            has_input: true,
            supervisors: supervisors.clone(),
            echo: None,
        };
        Ok(Lobby {
            players: listen(players, "--listen").await?,
            spectators: listen(spectators, "--listen-spectators").await?,
            bots: bots.into_iter().map(launch).collect(),
        })
    }

    /// Returns the addresses to connect to: `players=127.0.0.1:4000 spectators=127.0.0.1:4001`, as far as
    /// they exist.
    #[must_use]
    pub fn addresses(&self) -> String {
        let named = [("players", &self.players), ("spectators", &self.spectators)];
        let shown = named.into_iter().filter_map(|(name, door)| {
            let address = door.as_ref()?.address();
            Some(format!("{name}={address}"))
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    /// Waits until both players and so many spectators are there, each in the order of arrival; bots are
    /// started last. Later participants wait for the next game.
    ///
    /// # Errors
    /// Fails if the system cannot accept a connection, or a bot cannot be started.
    pub async fn gather(&self, spectators: usize) -> io::Result<Participants> {
        let (mut lanes, mut watching, mut bots) = (Vec::new(), Vec::new(), Vec::new());
        let connecting = if self.players.is_some() { 2 } else { 0 };
        while lanes.len() < connecting || watching.len() < spectators {
            tokio::select! {
                lane = accept(&self.players), if lanes.len() < connecting => lanes.push(lane?),
                lane = accept(&self.spectators), if watching.len() < spectators => watching.push(lane?),
            }
        }
        for launch in &self.bots {
            let started = launch.start().await;
            let mut bot = started.map_err(|error| {
                io::Error::other(format!("{error}; check the command after --bot"))
            })?;
            let streams = bot.take_stdout().zip(bot.take_stdin());
            let (reader, writer) = streams.expect("nobody else takes its streams");
            lanes.push(Wire::Pipes(reader, Some(writer)));
            bots.push(bot);
        }
        lanes.append(&mut watching);
        Ok(Participants { lanes, bots })
    }
}

async fn listen(address: Option<String>, option: &'static str) -> io::Result<Option<Listener>> {
    let Some(address) = address else {
        return Ok(None);
    };
    let listener = Listener::open(&address).await;
    listener.map(Some).map_err(|error| {
        io::Error::other(match error.kind() {
            io::ErrorKind::AddrInUse => format!(
                "{address} is in use by another program: choose another port with {option}, or 0 for any free one"
            ),
            _ => format!("cannot listen on {address}: {error}; check {option}"),
        })
    })
}

async fn accept(door: &Option<Listener>) -> io::Result<Wire> {
    match door {
        Some(door) => {
            let lane = door.accept().await;
            lane.map_err(|error| io::Error::other(format!("cannot take a connection: {error}")))
        }
        None => std::future::pending().await,
    }
}
