use super::super::ConnectError;
use super::message::{MAGIC, VERSION};

/// Why nothing came of what was asked of a server. Everything that the server said is escaped already.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Nobody listened there.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// Somebody listens there who does not speak WebSocket.
    #[error("{server} does not speak WebSocket: {reason}")]
    NoWebSocket {
        /// Where.
        server: String,
        /// What went wrong.
        reason: String,
    },
    /// Another protocol, or another version of this one.
    #[error("{server} speaks `{magic}` version {version}, not `{MAGIC}` version {VERSION}")]
    Version {
        /// Where.
        server: String,
        /// What it calls its protocol.
        magic: String,
        /// Its version.
        version: u64,
    },
    /// No reply in time.
    #[error("{server} did not answer {request} in time")]
    Silent {
        /// Where.
        server: String,
        /// What was asked.
        request: &'static str,
    },
    /// The end instead of a reply.
    #[error("{server} closed the connection instead of answering {request}: {reason}")]
    Closed {
        /// Where.
        server: String,
        /// What was asked.
        request: &'static str,
        /// How it ended.
        reason: String,
    },
    /// Something that is no reply to what was asked.
    #[error("{server} answered {request} with {came}")]
    Other {
        /// Where.
        server: String,
        /// What was asked.
        request: &'static str,
        /// What came.
        came: String,
    },
    /// The server will not do it, in its own words.
    #[error("{server} refused {request}: {reason}")]
    Refused {
        /// Where.
        server: String,
        /// What was asked.
        request: &'static str,
        /// Its words.
        reason: String,
    },
}

impl Failure {
    /// Whether it is about what was asked for, a match that is not there or a wrong password, say, and not about the server.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(self, Failure::Refused { .. })
    }
}
