//! A place among the spectators of a referee, or of a match on a Code Colosseum server.

use std::time::Duration;

use tokio::time::Instant;

use super::Status;
use super::server_matches::{self, Trouble};
use crate::config::CocoUrl;
use crate::transport::coco::{Client, Notices};
use crate::transport::{ConnectError, Patience, Wire, connect};

/// Longest time that connecting may take, with retries.
const PATIENCE: Duration = Duration::from_secs(10);

/// The lane of a spectator at this address, `HOST:PORT` or `coco://HOST:PORT/ID`. `command`: who says what is wrong.
///
/// # Errors
/// The status to exit with, after saying why there is none.
pub(super) async fn enter(command: &str, address: &str, notices: &Notices) -> Result<Wire, Status> {
    let deadline = Instant::now() + PATIENCE;
    if !CocoUrl::is_meant(address) {
        return connect(address, Patience::Retry, deadline)
            .await
            .map_err(|error| {
                anstream::eprintln!("urtext {command}: {error}");
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
