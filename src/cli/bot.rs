//! `urtext bot`: the built-in bot of every game.

mod matched;

use std::env;
use std::fs::File;
use std::io;
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use clap::{ArgMatches, Args, Command, Error, FromArgMatches, ValueEnum};

use super::Status;
use super::referee::{fault_option, game_of, given_if};
use crate::peers::{self, Bot, BotError, Peers, Policy};
use crate::scenario::Side;
use crate::transport::open_pipes;

/// Arguments of `urtext bot`, with a subcommand for each game.
#[derive(Debug)]
pub(super) struct BotArgs {
    peers: Peers,
    address: Option<AddressOptions>,
    manner: Manner,
    server: ServerOptions,
    fault: Option<String>,
}

#[derive(Debug, Args)]
struct AddressOptions {
    /// Host of the referee
    #[arg(
        value_name = "HOST",
        required_unless_present_any = ["stdio", "at"],
        requires = "port",
        conflicts_with = "at"
    )]
    host: Option<String>,
    /// Its port for players
    #[arg(value_name = "PORT")]
    port: Option<u16>,
    /// Talks over standard input and output instead
    #[arg(long, conflicts_with_all = ["host", "at"])]
    stdio: bool,
}

#[derive(Debug, Args)]
struct ServerOptions {
    /// Plays a match on a Code Colosseum server instead: coco://HOST:PORT/ID, or coco://HOST:PORT/ for a new one
    ///
    /// A new match is told by its address on standard output. The address can say more: ?password=WORD, and for a new match title,
    /// timeout, pace, game (what the game is called there) and bots=1 for the server's own bot as the opponent.
    #[arg(long, value_name = "URL")]
    at: Option<String>,
    /// The name to play under there
    #[arg(long, value_name = "NAME", requires = "at", default_value = "urtext")]
    name: String,
}

/// Options of every bot: its policy and its delay.
#[derive(Debug, Args)]
struct Manner {
    /// How it chooses among its legal moves
    #[arg(long, value_enum, default_value_t = PolicyName::Random)]
    policy: PolicyName,
    /// Decides what it chooses at random [default: another one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How long it thinks before each move, such as `200ms`
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = humantime::parse_duration)]
    delay: Duration,
}

impl Manner {
    fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(super::seed::random_seed)
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum PolicyName {
    /// The first in the game's own order: in Ur, the token with the lowest number
    First,
    /// The last: in Ur, the token with the highest number
    Last,
    /// Any
    Random,
}

impl From<PolicyName> for Policy {
    fn from(name: PolicyName) -> Policy {
        match name {
            PolicyName::First => Policy::First,
            PolicyName::Last => Policy::Last,
            PolicyName::Random => Policy::Random,
        }
    }
}

/// The command of a game's bot.
fn command(peers: Peers) -> Command {
    let game = peers.game();
    let (title, connects) = (game.title(), peers.bot_connects());
    let way = if connects {
        "over TCP, or over standard input and output"
    } else {
        "over standard input and output, or the pipes of COCO_PIPEIN and COCO_PIPEOUT"
    };
    let mut command = Command::new(game.name());
    if connects {
        command = AddressOptions::augment_args(command);
    }
    ServerOptions::augment_args(Manner::augment_args(command))
        .about(format!(
            "{title}: plays one game {way}, in the seat that the referee gives it"
        ))
        .visible_aliases(game.aliases().iter().copied())
        .arg(fault_option(&peers.bot_faults()))
}

impl Args for BotArgs {
    fn augment_args(command: Command) -> Command {
        command
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommands(peers::all().map(self::command))
    }

    fn augment_args_for_update(command: Command) -> Command {
        BotArgs::augment_args(command)
    }
}

impl FromArgMatches for BotArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<BotArgs, Error> {
        let (peers, matches) = game_of(matches)?;
        Ok(BotArgs {
            peers,
            address: given_if(peers.bot_connects(), matches)?,
            manner: Manner::from_arg_matches(matches)?,
            server: ServerOptions::from_arg_matches(matches)?,
            fault: matches.get_one::<String>("fault").cloned(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = BotArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl BotArgs {
    /// Plays one game as the bot.
    pub(super) fn run(self) -> Status {
        let manner = &self.manner;
        let policy = manner.policy.into();
        let mut bot = Bot::new(self.peers.dialect, policy, manner.seed(), manner.delay);
        if let Some(name) = &self.fault {
            let fault = self.peers.fault(Side::Bot, name);
            bot = bot.with_fault(fault.expect("the parser admits only faults that there are"));
        }
        if let ServerOptions {
            at: Some(url),
            name,
        } = &self.server
        {
            return matched::play(url, name, self.peers.game().name(), bot);
        }
        let played = match self.address {
            Some(AddressOptions {
                host: Some(host),
                port: Some(port),
                ..
            }) => match connect(&host, port) {
                Ok((input, output)) => bot.play(input, output),
                Err(error) => {
                    anstream::eprintln!(
                        "urtext bot: cannot connect to {host}:{port}: {error}; is the referee running?"
                    );
                    return Status::Broken;
                }
            },
            Some(AddressOptions { stdio: true, .. }) => {
                bot.play(io::stdin().lock(), io::stdout().lock())
            }
            _ => match pipes() {
                Some(Ok((input, output))) => bot.play(input, output),
                Some(Err(error)) => {
                    let [input, output] = PIPES;
                    anstream::eprintln!(
                        "urtext bot: cannot open the pipes of {input} and {output}: {error}"
                    );
                    return Status::Broken;
                }
                None => bot.play(io::stdin().lock(), io::stdout().lock()),
            },
        };
        ended(played)
    }
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
