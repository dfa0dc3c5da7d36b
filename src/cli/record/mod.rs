//! `urtext record`: writes down games that others play.

mod proxy;
mod session;
mod spectate;
mod wrap;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::Status;
use super::interrupt::{Interrupt, interruptible};
use super::server::list_matches;
use super::subject::address_or_url;
use crate::config::{CocoUrl, address};
use crate::pack::{self, Protocol};
use session::{Session, unrecorded};

/// Arguments of `urtext record`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("played").args(["listen", "spectate", "command"]).required(true))]
pub(super) struct RecordArgs {
    /// The recording; if FILE exists, FILE-2, FILE-3 and so on are written
    #[arg(long, short, value_name = "FILE", default_value = "game.jsonl")]
    output: PathBuf,

    /// The game that is played
    #[arg(long, value_name = "GAME", default_value = pack::usual().game.name(), value_parser = game)]
    game: Protocol,

    /// Listen here for players, and connect each to the referee; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT", value_parser = address, requires = "connect")]
    listen: Option<String>,

    /// Where the players of the referee connect
    #[arg(long, value_name = "HOST:PORT", value_parser = address, requires = "listen")]
    connect: Option<String>,

    /// End after N games
    #[arg(long, value_name = "N", requires = "listen", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,

    /// Connect as a spectator, and record what it receives; coco://HOST:PORT/ID is a match on a Code Colosseum server, and
    /// coco://HOST:PORT/ lists its matches
    #[arg(long, value_name = "HOST:PORT|URL", value_parser = address_or_url)]
    spectate: Option<String>,

    /// A bot to wrap: its input and output pass through unchanged, and urtext exits with its status
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  urtext record -- python3 mybot.py       wherever `python3 mybot.py` is started by a referee
  urtext record --listen 127.0.0.1:4000 --connect 127.0.0.1:5000
  urtext record --spectate 127.0.0.1:5001

urtext passes every byte on unchanged and at once. `urtext verify` judges \
the recording, `urtext replay` steps through it, and `urtext run RECORDING` plays it again with another subject.";

fn game(name: &str) -> Result<Protocol, String> {
    let names: Vec<_> = Protocol::game_names().collect();
    Protocol::find(name).ok_or_else(|| format!("games are: {}", names.join(", ")))
}

impl RecordArgs {
    /// Records until the game is over, or the user ends it.
    pub(super) fn run(self) -> Result<Status, Status> {
        if let Some(address) = &self.spectate
            && let Ok(CocoUrl {
                id: None, server, ..
            }) = address.parse()
        {
            return list_matches(&server, address);
        }
        let recorded = interruptible(async |interrupt| Ok(self.record(interrupt).await));
        recorded.map_err(unrecorded)?
    }

    async fn record(self, interrupt: &Interrupt) -> Result<Status, Status> {
        let session = Session {
            output: self.output,
            protocol: self.game,
        };
        if let Some((address, referee)) = self.listen.zip(self.connect) {
            return proxy::serve(session, interrupt, &address, referee, self.games).await;
        }
        match self.spectate {
            Some(address) => spectate::watch(&session, interrupt, &address).await,
            None => wrap::run(&session, &self.command).await,
        }
    }
}
