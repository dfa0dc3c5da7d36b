//! `urtext bot`: the built-in bot of every game. `urtext seat`: the command that a referee starts as its player; relays to the session that plays
//! the seat.

use std::env;
use std::io;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::Status;
use super::referee::PeerArgs;
use crate::config::duration;
use crate::peers::{Bot, Policy};
use crate::scenario::Side;
use crate::transport::{open_pipes, relay, take_streams};

/// Arguments of `urtext bot`.
#[derive(Debug, Args)]
pub(super) struct BotArgs {
    #[command(flatten)]
    peer: PeerArgs,

    /// Host of the referee; without it, standard input and output are used
    #[arg(value_name = "HOST", requires = "port")]
    host: Option<String>,

    /// Port for players
    #[arg(value_name = "PORT")]
    port: Option<u16>,

    /// Choice among the legal moves
    #[arg(long, value_enum, default_value_t = Policy::Random)]
    policy: Policy,

    /// Wait before each move, such as `200ms`
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = duration)]
    delay: Duration,
}

/// Variables with the named pipes that `coco connect -c pipe` offers: the one to read, the one to write.
const PIPES: [&str; 2] = ["COCO_PIPEIN", "COCO_PIPEOUT"];

impl BotArgs {
    /// Plays one game as the bot.
    pub(super) fn run(self) -> Result<Status, Status> {
        let fault = self.peer.fault(Side::Bot)?;
        let seed = self.peer.seed.unwrap_or_else(super::referee::random_seed);
        let bot = Bot::new(self.peer.peers.dialect, self.policy, seed, self.delay);
        let (status, error) = match self.play(bot.with_fault(fault)) {
            Ok(Ok(())) => return Ok(Status::Conforms),
            Ok(Err(error)) => (Status::Deviates, error),
            Err(error) => (
                Status::Broken,
                format!("cannot talk to the referee: {error}"),
            ),
        };
        anstream::eprintln!("urtext bot: {error}");
        Ok(status)
    }

    /// Plays over a connection, the pipes of the environment, or standard input and output.
    fn play(&self, mut bot: Bot) -> io::Result<Result<(), String>> {
        if let Some((host, port)) = self.host.as_deref().zip(self.port) {
            let stream = TcpStream::connect((host, port));
            let stream = stream.map_err(at(&format!("{host}:{port}")))?;
            // Without it a short line waits for the acknowledgement of the one before; where it is refused, games are only slower.
            drop(stream.set_nodelay(true));
            return bot.play(stream.try_clone()?, stream);
        }
        if let [Some(input), Some(output)] = PIPES.map(env::var_os) {
            let pipes = open_pipes(Path::new(&input), Path::new(&output));
            let (input, output) = pipes.map_err(at(&PIPES.join(" and ")))?;
            return bot.play(input, output);
        }
        bot.play(io::stdin().lock(), io::stdout().lock())
    }
}

/// Adds the place to an error.
fn at(place: &str) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{place}: {error}"))
}

/// Arguments of `urtext seat`.
#[derive(Debug, Args)]
pub(super) struct SeatArgs {
    /// The seat: first, second, or spectator1 and so on
    #[arg(value_name = "SEAT")]
    name: String,
    /// The folder of the session's sockets
    #[arg(long, value_name = "PATH", env = "URTEXT_SEATS")]
    sockets: PathBuf,
}

impl SeatArgs {
    /// Relays until the session closes the lane.
    pub(super) fn run(self) -> Result<Status, Status> {
        let relayed = take_streams()
            .and_then(|(input, output)| relay(&self.sockets, &self.name, input, output));
        relayed.map(|()| Status::Conforms).map_err(|error| {
            anstream::eprintln!("urtext seat: no session of urtext waits for this seat: {error}");
            Status::Broken
        })
    }
}
