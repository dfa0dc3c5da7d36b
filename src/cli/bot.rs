//! `urtext bot`: the built-in bot, and the options that all games share.

mod matched;
mod onitama;

use std::io;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Subcommand, ValueEnum};

use super::Status;
use crate::peers::royalur::{Bot, BotFault};
use crate::peers::{BotError, FaultRow, Policy};

/// Arguments of `urtext bot`.
#[derive(Debug, Args)]
pub(super) struct BotArgs {
    #[command(subcommand)]
    game: BotGame,
}

#[derive(Debug, Subcommand)]
enum BotGame {
    /// Plays the Royal Game of Ur over standard input and output; its seat is the one that the referee tells it
    #[command(visible_aliases = ["ur", "chess"])]
    Royalur(RoyalUrArgs),
    /// Plays Onitama over TCP, or over standard input and output
    Onitama(onitama::OnitamaArgs),
}

#[derive(Debug, Args)]
struct RoyalUrArgs {
    #[command(flatten)]
    manner: Manner,
    /// Plays a match on a Code Colosseum server instead: coco://HOST:PORT/ID, or coco://HOST:PORT/ for a new one
    ///
    /// A new match is told by its address on standard output. The address can say more: ?password=WORD, and for a new match title,
    /// timeout, pace, game (what the game is called there) and bots=1 for the server's own bot as the opponent.
    #[arg(long, value_name = "URL")]
    at: Option<String>,
    /// The name to play under there
    #[arg(long, value_name = "NAME", requires = "at", default_value = "urtext")]
    name: String,
    /// Something to do wrong, to show that a test notices
    #[arg(long, value_name = "NAME", value_parser = faults(BotFault::ROWS))]
    fault: Option<String>,
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

fn faults(rows: &[FaultRow]) -> PossibleValuesParser {
    rows.iter()
        .map(|row| PossibleValue::new(row.name).help(row.summary))
        .collect::<Vec<_>>()
        .into()
}

impl BotArgs {
    /// Plays one game as the bot.
    pub(super) fn run(self) -> Status {
        match self.game {
            BotGame::Royalur(args) => args.run(),
            BotGame::Onitama(args) => args.run(),
        }
    }
}

impl RoyalUrArgs {
    fn run(self) -> Status {
        let args = self;
        let mut bot = Bot::new(
            args.manner.policy.into(),
            args.manner.seed(),
            args.manner.delay,
        );
        if let Some(fault) = &args.fault {
            bot = bot
                .with_fault(fault)
                .expect("the parser admits only faults that there are");
        }
        if let Some(address) = &args.at {
            return matched::play(address, &args.name, bot);
        }
        ended(bot.play(io::stdin().lock(), io::stdout().lock()))
    }
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
