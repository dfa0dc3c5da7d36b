//! `urtext seat`: the command that a referee starts as its player; relays to the session that plays the seat.

use std::path::PathBuf;

use clap::Args;

use super::Status;
use crate::transport::{relay, take_streams};

/// Arguments of `urtext seat`.
#[derive(Debug, Args)]
pub(super) struct SeatArgs {
    /// The seat: first, second, or spectator1 and so on
    #[arg(value_name = "SEAT")]
    name: String,
    /// The socket of the session
    #[arg(long, value_name = "PATH", env = "URTEXT_SEAT_SOCKET")]
    socket: PathBuf,
    /// The token of the session
    #[arg(
        long,
        value_name = "TOKEN",
        env = "URTEXT_SEAT_TOKEN",
        hide_env_values = true
    )]
    token: String,
}

impl SeatArgs {
    /// Relays until the session closes the lane.
    pub(super) fn run(self) -> Result<Status, Status> {
        let relayed = match take_streams() {
            Ok((input, output)) => relay(&self.socket, &self.token, &self.name, input, output)
                .map_err(|error| error.to_string()),
            Err(error) => Err(format!("the standard streams cannot be relayed: {error}")),
        };
        relayed.map(|()| Status::Conforms).map_err(|error| {
            anstream::eprintln!("urtext seat: {error}");
            Status::Broken
        })
    }
}
