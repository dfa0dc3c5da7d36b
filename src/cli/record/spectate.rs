//! `urtext record` as a spectator of a referee.

use std::io::ErrorKind;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::time::Instant;

use super::session::{Session, say};
use crate::cli::Status;
use crate::cli::interrupt::Interrupt;
use crate::cli::server::{match_at, report_failure};
use crate::config::CocoUrl;
use crate::event::empty_frames_remark;
use crate::protocol::LaneKind;
use crate::transcript::{Close, Direction};
use crate::transport::coco::{Client, Notices};
use crate::transport::{ConnectError, Patience, Wire, connect};

/// Longest time that connecting may take, with retries.
const PATIENCE: Duration = Duration::from_secs(10);

/// Records as a spectator of a referee.
///
/// # Errors
/// The exit status, after printing why nothing is recorded.
pub(super) async fn watch(
    session: &Session,
    interrupt: &Interrupt,
    address: &str,
) -> Result<Status, Status> {
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
            read = wire.reader.read(&mut buffer) => read,
            () = interrupt.come() => break None,
        };
        match read {
            Ok(0) => break Some(Close::End),
            Ok(count) => recorder.bytes(lane, Direction::Received, &buffer[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => break Some(Close::by(&error)),
        }
    };
    match close {
        Some(close) => recorder.closed(lane, Direction::Received, close),
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
    if !CocoUrl::is_meant(address) {
        let wire = connect(address, Patience::Retry, deadline).await;
        return wire.map_err(|error| {
            say(&error.to_string());
            match error {
                ConnectError::Address { .. } => Status::Usage,
                _ => Status::Broken,
            }
        });
    }
    let (server, id) = match_at(address)?;
    let wire = async {
        let client = Client::connect(&server, Patience::Once, deadline).await?;
        client.spectate(&id, notices.clone()).await
    };
    wire.await
        .map_err(|failure| report_failure(address, &failure))
}
