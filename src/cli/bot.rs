//! `urtext bot`: the built-in bot of every game.

use std::env;
use std::fs::File;
use std::io;
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use clap::Args;

use super::Status;
use super::output::usage;
use super::referee::{fault, games, peers_of};
use crate::peers::{Bot, BotError, Policy};
use crate::scenario::Side;
use crate::transport::open_pipes;

/// Arguments of `urtext bot`.
#[derive(Debug, Args)]
pub(super) struct BotArgs {
    /// The game
    #[arg(value_name = "GAME", value_parser = games())]
    game: String,

    /// Host of the referee, for a bot that connects; without it, standard input and output are used
    #[arg(value_name = "HOST", requires = "port")]
    host: Option<String>,

    /// Its port for players
    #[arg(value_name = "PORT")]
    port: Option<u16>,

    /// How it chooses among its legal moves
    #[arg(long, value_enum, default_value_t = Policy::Random)]
    policy: Policy,

    /// Decides what it chooses at random [default: another one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Wait before each move, such as `200ms`
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = humantime::parse_duration)]
    delay: Duration,

    /// A deviation, to show that a test notices it; `list` prints those of the game
    #[arg(long, value_name = "NAME")]
    fault: Option<String>,
}

impl BotArgs {
    /// Plays one game as the bot.
    pub(super) fn run(self) -> Status {
        let peers = peers_of(&self.game);
        let (connects, game) = (peers.bot_connects(), peers.game().name());
        let fault = match fault(peers, Side::Bot, self.fault.as_deref()) {
            Ok(fault) => fault,
            Err(status) => return status,
        };
        let seed = self.seed.unwrap_or_else(super::seed::random_seed);
        let mut bot = Bot::new(peers.dialect, self.policy, seed, self.delay);
        if let Some(fault) = fault {
            bot = bot.with_fault(fault);
        }
        let (host, port) = match (self.host, self.port) {
            (Some(_), _) if !connects => {
                return usage(&format!(
                    "a bot of {game} does not connect: it uses standard input and output"
                ));
            }
            (Some(host), Some(port)) => (host, port),
            _ => return play_on_streams(bot, connects),
        };
        match connect(&host, port) {
            Ok((input, output)) => ended(bot.play(input, output)),
            Err(error) => {
                anstream::eprintln!(
                    "urtext bot: cannot connect to {host}:{port}: {error}; is the referee running?"
                );
                Status::Broken
            }
        }
    }
}

/// Plays over the pipes of the environment, unless the bot is one that connects, or over standard input and output.
fn play_on_streams(mut bot: Bot, connects: bool) -> Status {
    ended(match (!connects).then(pipes).flatten() {
        Some(Ok((input, output))) => bot.play(input, output),
        Some(Err(error)) => {
            let [input, output] = PIPES;
            anstream::eprintln!(
                "urtext bot: cannot open the pipes of {input} and {output}: {error}"
            );
            return Status::Broken;
        }
        None => bot.play(io::stdin().lock(), io::stdout().lock()),
    })
}

/// Variables with the named pipes that `coco connect -c pipe` offers: the one to read, the one to write.
const PIPES: [&str; 2] = ["COCO_PIPEIN", "COCO_PIPEOUT"];

/// Both named pipes of the environment, where it has them.
fn pipes() -> Option<io::Result<(File, File)>> {
    let [input, output] = PIPES.map(env::var_os);
    let (input, output) = (input?, output?);
    Some(open_pipes(Path::new(&input), Path::new(&output)))
}

/// Both directions of a connection.
fn connect(host: &str, port: u16) -> io::Result<(TcpStream, TcpStream)> {
    let stream = TcpStream::connect((host, port))?;
    // Without it a short line waits for the acknowledgement of the one before; where it is refused, games are only slower.
    drop(stream.set_nodelay(true));
    Ok((stream.try_clone()?, stream))
}

/// Says what kept the bot from playing on, if anything did: its streams, or a line of the referee that was not due.
fn ended(played: Result<(), BotError>) -> Status {
    let Err(error) = played else {
        return Status::Conforms;
    };
    anstream::eprintln!("urtext bot: {error}");
    if matches!(error, BotError::Talk(_)) {
        Status::Broken
    } else {
        Status::Deviates
    }
}
