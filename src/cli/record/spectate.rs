//! `urtext record` as a spectator of a referee.

use std::io::ErrorKind;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::time::Instant;

use super::super::Status;
use super::super::interrupt::Interrupt;
use super::super::server_matches::{self, Trouble, tell_notices};
use super::remark::{broken, say};
use super::session::Session;
use crate::config::CocoUrl;
use crate::protocol::LaneKind;
use crate::transcript::{Close, Direction};
use crate::transport::coco::{Client, Notices};
use crate::transport::{ConnectError, Patience, Wire, connect};

/// Longest time that connecting may take, with retries.
const PATIENCE: Duration = Duration::from_secs(10);

/// Records as a spectator of a referee.
pub(super) async fn watch(session: &Session, address: &str) -> Status {
    let interrupt = match Interrupt::listen() {
        Ok(interrupt) => interrupt,
        Err(error) => return broken("signals cannot be watched for", &error),
    };
    let notices = Notices::default();
    let entered = tokio::select! {
        entered = enter(address, &notices) => entered,
        () = interrupt.come() => return Status::Interrupted,
    };
    let mut wire = match entered {
        Ok(wire) => wire,
        Err(status) => return status,
    };
    let recording = match session.begin(&[LaneKind::Spectator]) {
        Ok(recording) => recording,
        Err(status) => return status,
    };
    let lane = recording.recorder.open(LaneKind::Spectator);
    let mut buffer = vec![0; 64 * 1024];
    let close = loop {
        let read = tokio::select! {
            read = wire.reader.read(&mut buffer) => read,
            () = interrupt.come() => break None,
        };
        match read {
            Ok(0) => break Some(Close::End),
            Ok(count) => recording
                .recorder
                .bytes(lane, Direction::Received, &buffer[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => break Some(Close::by(&error)),
        }
    };
    match close {
        Some(close) => recording.recorder.closed(lane, Direction::Received, close),
        None => recording.recorder.interrupt(),
    }
    let mut status = recording.finish();
    if !tell_notices("urtext record", &notices) {
        status = status.worse(Status::Broken);
    }
    if close.is_none() {
        Status::Interrupted
    } else {
        status
    }
}

/// The lane of a spectator at this address, `HOST:PORT` or `coco://HOST:PORT/ID`.
///
/// # Errors
/// The status to exit with, after saying why there is none.
async fn enter(address: &str, notices: &Notices) -> Result<Wire, Status> {
    let deadline = Instant::now() + PATIENCE;
    if !CocoUrl::is_meant(address) {
        return connect(address, Patience::Retry, deadline)
            .await
            .map_err(|error| {
                say(&error.to_string());
                if matches!(error, ConnectError::Address { .. }) {
                    Status::Usage
                } else {
                    Status::Broken
                }
            });
    }
    let (url, id) = server_matches::match_at(address)?;
    let spectating = async {
        let client = Client::connect(&url.server, Patience::Once, deadline).await?;
        client.spectate(&id, notices.clone()).await
    };
    spectating
        .await
        .map_err(|failure| Trouble::Server(failure).of(address))
}
