//! Errors of requests to a Code Colosseum server.

use std::fmt::{self, Display, Formatter};

use super::super::ConnectError;
use super::message::{MAGIC, VERSION};

/// Errors of requests to a server. Everything that the server said is escaped already.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Nobody listened there.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// Somebody listens there who does not speak WebSocket.
    #[error("{server} does not speak WebSocket: {reason}")]
    NoWebSocket {
        /// Address of the server.
        server: String,
        /// Reason of the failure.
        reason: String,
    },
    /// Another protocol.
    #[error("{server} speaks the protocol `{magic}`, not `{MAGIC}`")]
    Protocol {
        /// Address of the server.
        server: String,
        /// Name that the server gives its protocol.
        magic: String,
    },
    /// Another version of the protocol.
    #[error(
        "{server} speaks version {version} of the protocol `{MAGIC}`, and urtext version {VERSION}"
    )]
    Version {
        /// Address of the server.
        server: String,
        /// Its version.
        version: u64,
    },
    /// No reply in time.
    #[error("{server} gave no answer in time to {request}")]
    Silent {
        /// Address of the server.
        server: String,
        /// The failed request.
        request: Request,
    },
    /// The end instead of a reply.
    #[error("{server} closed the connection instead of answering {request}: {reason}")]
    Closed {
        /// Address of the server.
        server: String,
        /// The failed request.
        request: Request,
        /// Reason of the disconnect.
        reason: String,
    },
    /// An unexpected reply.
    #[error("{server} answered {request} with {came}")]
    Other {
        /// Address of the server.
        server: String,
        /// The failed request.
        request: Request,
        /// The unexpected answer.
        came: String,
    },
    /// The server will not do it, in its own words.
    #[error("{server} refused {request:#}: {reason}")]
    Refused {
        /// Address of the server.
        server: String,
        /// The failed request.
        request: Request,
        /// Its words.
        reason: String,
    },
}

/// A request to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// To speak WebSocket.
    Opening,
    /// The version of its protocol.
    Handshake,
    /// To create a match.
    NewMatch,
    /// The matches in the lobby.
    Lobby,
    /// To let a player in.
    Player,
    /// To let a spectator in.
    Spectator,
    /// The ids of the stored matches.
    StoredIds,
    /// A stored match.
    StoredMatch,
}

impl Display for Request {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // What is refused is what was wanted, what is answered is the request for it.
        let wanted = match self {
            Request::Opening => return f.write_str("the opening of a WebSocket"),
            Request::Handshake => return f.write_str("the handshake"),
            Request::NewMatch => "a new match",
            Request::Lobby => "the list of matches",
            Request::Player => "to let a player in",
            Request::Spectator => "to let a spectator in",
            Request::StoredIds => "the list of stored matches",
            Request::StoredMatch => "a stored match",
        };
        match self {
            _ if f.alternate() => f.write_str(wanted),
            Request::Player | Request::Spectator => write!(f, "the request {wanted}"),
            _ => write!(f, "the request for {wanted}"),
        }
    }
}

impl Failure {
    /// Returns advice for the user.
    #[must_use]
    pub fn next_step(&self) -> &'static str {
        match self {
            Failure::Connect(_) => "check that the server runs, and where it listens",
            Failure::NoWebSocket { .. } | Failure::Protocol { .. } | Failure::Other { .. } => {
                "check that what listens there is a server of matches, without TLS"
            }
            Failure::Version { .. } => {
                "take a server and a urtext of the same version of the protocol"
            }
            Failure::Silent { .. } | Failure::Closed { .. } => {
                "check that what listens there is a server of matches, and that it is not overloaded"
            }
            Failure::Refused {
                request: Request::NewMatch,
                ..
            } => {
                "compare what the address says (the name, the password, the times) with what the server allows; `?game=NAME` is what a game is called there"
            }
            Failure::Refused {
                request: Request::Player,
                ..
            } => {
                "`urtext record` with the address of a server lists the matches that wait; `?password=WORD` in the address says a password, and a server allows not every name"
            }
            Failure::Refused { .. } => {
                "`urtext record --spectate coco://HOST:PORT/` lists the matches that are there, and with an id records one that is played; `urtext replay` and `urtext verify` read one that is stored"
            }
        }
    }

    /// Returns true if the server refused the request, for example for an unknown match or a wrong password.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(self, Failure::Refused { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_answered_and_what_was_wanted_is_refused() {
        let (server, request) = ("h:1".to_owned(), Request::Player);
        let refused = Failure::Refused {
            server: server.clone(),
            request,
            reason: "no".to_owned(),
        };
        assert_eq!(refused.to_string(), "h:1 refused to let a player in: no");
        let silent = Failure::Silent { server, request };
        assert_eq!(
            silent.to_string(),
            "h:1 gave no answer in time to the request to let a player in"
        );
        let stored = Failure::Silent {
            server: "h:1".to_owned(),
            request: Request::StoredMatch,
        };
        assert_eq!(
            stored.to_string(),
            "h:1 gave no answer in time to the request for a stored match"
        );
    }
}
