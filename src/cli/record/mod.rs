//! `urtext record`: writes down games that others play.

mod proxy;
mod session;
mod spectate;
mod wrap;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args};

use super::Status;
use super::server::list_matches;
use super::subject::address_or_url;
use crate::config::{CocoUrl, address};
use crate::pack::{self, Protocol};
use session::{Session, broken};

/// Arguments of `urtext record`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("played").args(["listen", "spectate", "command"]).required(true))]
pub(super) struct RecordArgs {
    /// The recording; existing files are kept, and FILE-2, FILE-3 and so on are written then
    #[arg(long, short, value_name = "FILE", default_value = "game.jsonl")]
    output: PathBuf,

    /// The game that is played
    #[arg(long, value_name = "GAME", default_value = pack::usual().game.name(), value_parser = PossibleValuesParser::new(Protocol::game_words()))]
    game: String,

    /// Waits here for players, and connects each of them to the referee; port 0 is any free one
    #[arg(long, value_name = "HOST:PORT", value_parser = address, requires = "connect")]
    listen: Option<String>,

    /// Where the players of the referee connect
    #[arg(long, value_name = "HOST:PORT", value_parser = address, requires = "listen")]
    connect: Option<String>,

    /// Waits here for spectators, and connects each of them to the referee
    #[arg(long, value_name = "HOST:PORT", value_parser = address, requires_all = ["spectators_at", "listen"])]
    listen_spectators: Option<String>,

    /// Where the spectators of the referee connect
    #[arg(long, value_name = "HOST:PORT", value_parser = address, requires = "listen_spectators")]
    spectators_at: Option<String>,

    /// Ends after so many games instead of waiting for more players
    #[arg(long, value_name = "N", requires = "listen", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,

    /// Connects as a spectator, and records what arrives; coco://HOST:PORT/ID is a match on a Code Colosseum server, and
    /// coco://HOST:PORT/ lists the matches that wait, are played or are stored there
    #[arg(long, value_name = "HOST:PORT|URL", value_parser = address_or_url)]
    spectate: Option<String>,

    /// A bot: its lines pass through unchanged in both directions, and its exit status is that of urtext
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  urtext record -- python3 mybot.py       wherever `python3 mybot.py` is started by a referee
  urtext record --listen 127.0.0.1:4000 --connect 127.0.0.1:5000
  urtext record --listen :4000 --connect :5000 --listen-spectators :4001 --spectators-at :5001
  urtext record --spectate 127.0.0.1:5001

Every byte is passed on unchanged and at once, and a line is in the file before it is passed on. `urtext verify` judges \
the recording, `urtext replay` steps through it, and `urtext run RECORDING` plays it again with another subject.";

impl RecordArgs {
    /// Records until the game is over, or the user ends it.
    pub(super) fn run(self) -> Status {
        if let Some(address) = &self.spectate
            && let Ok(CocoUrl {
                id: None, server, ..
            }) = address.parse()
        {
            return list_matches(&server, address);
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let recorded = runtime.and_then(|runtime| runtime.block_on(self.record()));
        recorded.unwrap_or_else(|error| broken("the game cannot be recorded", &error))
    }

    async fn record(self) -> io::Result<Status> {
        let session = Session {
            output: self.output,
            protocol: Protocol::find(&self.game).expect("the parser takes names of games"),
        };
        if let Some(players) = self.listen.zip(self.connect) {
            let spectators = self.listen_spectators.zip(self.spectators_at);
            return proxy::serve(session, players, spectators, self.games).await;
        }
        match self.spectate {
            Some(address) => spectate::watch(&session, &address).await,
            None => wrap::run(&session, &self.command).await,
        }
    }
}
