//! `urtext record`: writes down games that others play.

mod matches;
mod proxy;
mod remark;
mod session;
mod spectate;
mod wrap;

use std::path::PathBuf;

use clap::Args;

use super::Status;
use super::subject::address_or_url;
use crate::config::{CocoUrl, address};
use crate::diagnostic::visible;
use crate::pack::{self, Protocol};
use remark::broken;
use session::Session;

/// Arguments of `urtext record`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct RecordArgs {
    /// The recording; what is there is kept, and FILE-2, FILE-3 and so on are written then
    #[arg(long, short, value_name = "FILE", default_value = "game.jsonl")]
    output: PathBuf,

    /// The game that is played
    #[arg(long, value_name = "GAME", default_value = pack::usual().game.name())]
    game: String,

    /// Waits here for players, and connects each of them to the referee; port 0 is any free one
    #[arg(long, value_name = "HOST:PORT", value_parser = address, requires = "connect")]
    listen: Option<String>,

    /// Where the players of the referee connect
    #[arg(long, value_name = "HOST:PORT", value_parser = address, requires = "listen")]
    connect: Option<String>,

    /// Waits here for spectators, and connects each of them to the referee
    #[arg(long, value_name = "HOST:PORT", value_parser = address, requires = "spectators_at")]
    listen_spectators: Option<String>,

    /// Where the spectators of the referee connect
    #[arg(long, value_name = "HOST:PORT", value_parser = address, requires = "listen_spectators")]
    spectators_at: Option<String>,

    /// Ends after so many games instead of waiting for more players
    #[arg(long, value_name = "N", requires = "listen", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,

    /// Connects as a spectator, and writes down what it is shown; coco://HOST:PORT/ID is a match on a Code Colosseum server, and
    /// coco://HOST:PORT/ lists the matches that wait, are played or are stored there
    #[arg(long, value_name = "HOST:PORT|URL", value_parser = address_or_url, conflicts_with_all = ["listen", "command"])]
    spectate: Option<String>,

    /// A bot: what it is sent and what it answers passes through unchanged, and its exit status is that of urtext
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "listen")]
    command: Vec<std::ffi::OsString>,
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
        let url: Option<CocoUrl> = self
            .spectate
            .as_ref()
            .and_then(|address| address.parse().ok());
        if let (
            Some(address),
            Some(CocoUrl {
                id: None, server, ..
            }),
        ) = (&self.spectate, &url)
        {
            return matches::list(server, address);
        }
        let Some(protocol) = Protocol::find(&self.game) else {
            let names: Vec<_> = Protocol::game_names().collect();
            let game = visible::quoted(&self.game);
            return super::output::usage(&format!(
                "there is no game {game}; games are: {}",
                names.join(", ")
            ));
        };
        let runtime = match tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
        {
            Ok(runtime) => runtime,
            Err(error) => return broken("the recording cannot begin", &error),
        };
        let _inside = runtime.enter();
        let session = Session {
            output: self.output,
            protocol,
        };
        match (
            self.listen.zip(self.connect),
            self.spectate,
            self.command.is_empty(),
        ) {
            (Some(players), None, true) => {
                let spectators = self.listen_spectators.zip(self.spectators_at);
                runtime.block_on(proxy::serve(session, players, spectators, self.games))
            }
            (None, Some(address), true) => runtime.block_on(spectate::watch(&session, &address)),
            (None, None, false) => wrap::run(&session, &runtime, &self.command),
            _ => super::output::usage(
                "say who plays: a bot after --, or --listen and --connect, or --spectate; see `urtext record --help`",
            ),
        }
    }
}
