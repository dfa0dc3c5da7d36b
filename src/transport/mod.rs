//! Bytes and lifetimes of the ways to reach a subject; knows no game.

mod process;
mod tcp;

pub use process::{Ended, Process, StartError};
pub use tcp::{ConnectError, connect};

use tokio::io::{AsyncRead, AsyncWrite};

/// Both directions of one lane's bytes.
pub struct Wire {
    /// What the subject writes.
    pub reader: Box<dyn AsyncRead + Send + Unpin>,
    /// What the subject reads.
    pub writer: Box<dyn AsyncWrite + Send + Unpin>,
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wire")
    }
}
