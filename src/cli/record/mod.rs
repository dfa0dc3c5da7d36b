//! `urtext record`: writes down games that others play.

mod proxy;
mod session;
mod wrap;

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgGroup, Args};
use tokio::io::AsyncReadExt;
use tokio::time::Instant;

use super::Status;
use super::interrupt::{Interrupt, interruptible};
use super::output::on_disk;
use super::server::{is_on_server, list_matches, server_at, spectate};
use super::subject::address_or_url;
use crate::config::address;
use crate::event::empty_frames_remark;
use crate::pack::{self, Protocol};
use crate::protocol::LaneKind;
use crate::transcript::{Close, Direction};
use crate::transport::coco::Notices;
use crate::transport::{FailureKind, Passing, Patience, Wire, connect};
use session::{Session, say, unrecorded};

/// Arguments of `urtext record`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("played").args(["listen", "spectate", "command"]).required(true))]
pub(super) struct RecordArgs {
    /// The recording; if FILE exists, FILE-2, FILE-3 and so on are written
    #[arg(long, short, value_name = "FILE", default_value = "game.jsonl", value_parser = on_disk())]
    output: PathBuf,

    /// The game that is played
    #[arg(long, value_name = "GAME", default_value = pack::usual().game.name())]
    game: Protocol,

    /// Listen here for players, and connect each to the referee; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT", value_parser = address, requires = "connect")]
    listen: Option<String>,

    /// Address of the referee, for players
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
  urtext record -- python3 mybot.py       in place of `python3 mybot.py`, where a referee starts it
  urtext record --listen 127.0.0.1:4000 --connect 127.0.0.1:5000
  urtext record --spectate 127.0.0.1:5001

urtext passes every byte on unchanged and at once. `urtext verify` judges \
the recording, `urtext replay` steps through it, and `urtext run RECORDING` plays it again with another subject.";

impl RecordArgs {
    /// Records until the game is over, or the user ends it.
    pub(super) fn run(self) -> Result<Status, Status> {
        if let Some(address) = &self.spectate
            && let Some(server) = server_at(address)
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
            Some(address) => watch(&session, interrupt, &address).await,
            None => wrap::run(&session, &self.command).await,
        }
    }
}

/// Longest time that connecting may take, with retries.
const PATIENCE: Duration = Duration::from_secs(10);

/// Records as a spectator of a referee.
///
/// # Errors
/// The exit status, after printing why nothing is recorded.
async fn watch(session: &Session, interrupt: &Interrupt, address: &str) -> Result<Status, Status> {
    let notices = Notices::default();
    let mut wire = tokio::select! {
        entered = enter(address, &notices) => entered?,
        () = interrupt.come() => return Ok(Status::Interrupted),
    };
    let recorder = session.begin(&[LaneKind::Spectator])?;
    let lane = recorder.open(LaneKind::Spectator);
    let mut buffer = vec![0; 64 * 1024];
    let close = loop {
        let read = tokio::select! {
            read = wire.read(&mut buffer) => read,
            () = interrupt.come() => break None,
        };
        match read {
            Ok(0) => break Some(Close::End),
            Ok(count) => recorder.take(lane, Direction::Received, Passing::Bytes(&buffer[..count])),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => break Some(Close::by(&error)),
        }
    };
    match close {
        Some(close) => recorder.take(lane, Direction::Received, Passing::Closed(close)),
        None => recorder.interrupt(),
    }
    let mut status = session.finish(&recorder);
    let (remark, breaches) = (empty_frames_remark(notices.empty_frames()), notices.take());
    remark.iter().chain(&breaches).for_each(|text| say(text));
    if !breaches.is_empty() {
        status = status.max(Status::Broken);
    }
    Ok(close.map_or(Status::Interrupted, |_| status))
}

/// The lane of a spectator at this address, `HOST:PORT` or `coco://HOST:PORT/ID`.
///
/// # Errors
/// The exit status, after printing why there is none.
async fn enter(address: &str, notices: &Notices) -> Result<Wire, Status> {
    let deadline = Instant::now() + PATIENCE;
    if is_on_server(Path::new(address)) {
        return spectate(address, notices, deadline).await;
    }
    let wire = connect(address, Patience::Retry, deadline).await;
    wire.map_err(|error| {
        say(&error.to_string());
        match error.kind {
            FailureKind::Address => Status::Usage,
            _ => Status::Broken,
        }
    })
}
