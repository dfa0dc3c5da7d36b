//! The control messages: JSON text, one message a frame, named by their one key.

use std::collections::HashMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// Name of the protocol in the handshake.
pub(super) const MAGIC: &str = "coco";

/// The version of the protocol that is spoken here.
pub(super) const VERSION: u64 = 2;

/// A message from a participant.
#[derive(Debug, Serialize)]
pub(super) enum Request<'a> {
    Handshake {
        magic: &'a str,
        version: u64,
    },
    GameNew {
        name: &'a str,
        game: &'a str,
        params: Params,
        args: &'a HashMap<String, String>,
        password: Option<&'a str>,
        verification: Option<&'a str>,
    },
    LobbyList {},
    LobbyJoinMatch {
        id: &'a str,
        name: &'a str,
        password: Option<&'a str>,
    },
    SpectateJoin {
        id: &'a str,
    },
    HistoryMatchList,
    HistoryMatch {
        id: &'a str,
    },
}

/// Number of players and their timeouts in seconds; a missing value is the server's default.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Params {
    pub(super) players: Option<u64>,
    pub(super) bots: u64,
    pub(super) timeout: Option<f64>,
}

/// A message from the server.
#[derive(Debug, Deserialize)]
pub(super) enum Reply {
    Handshake { magic: String, version: u64 },
    GameList(IgnoredAny),
    GameDescription(IgnoredAny),
    GameNew { id: Result<String, String> },
    LobbyList { info: Vec<Match> },
    LobbySubscribed(IgnoredAny),
    LobbyJoinedMatch { info: Result<IgnoredAny, String> },
    LobbyNew(IgnoredAny),
    LobbyUpdate(IgnoredAny),
    LobbyDelete(IgnoredAny),
    LobbyUnsubscribed(IgnoredAny),
    LobbyLeavedMatch(IgnoredAny),
    MatchStarted(IgnoredAny),
    MatchEnded(IgnoredAny),
    SpectateJoined { info: Result<IgnoredAny, String> },
    SpectateStarted(IgnoredAny),
    SpectateSynced(IgnoredAny),
    SpectateEnded(IgnoredAny),
    SpectateLeaved(IgnoredAny),
    HistoryMatchList(Vec<String>),
}

/// A match in the lobby.
#[derive(Debug, Clone, Deserialize)]
pub struct Match {
    /// Its id, by which it is joined.
    pub id: String,
    /// Its title.
    pub name: String,
    /// The game.
    pub game: String,
    /// Number of players, including the server's bots.
    pub players: u64,
    /// Number of the server's bots.
    pub bots: u64,
    /// The timeout for a move, in seconds.
    pub timeout: f64,
    /// True if the match has begun.
    pub running: bool,
    /// Time at which the match began or expires, in seconds since 1970.
    pub time: u64,
    /// The players who have come.
    pub connected: Vec<String>,
    /// Number of spectators.
    pub spectators: u64,
    /// True if a password is needed.
    pub password: bool,
}

impl Reply {
    /// The name of the message.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Reply::Handshake { .. } => "Handshake",
            Reply::GameList(_) => "GameList",
            Reply::GameDescription(_) => "GameDescription",
            Reply::GameNew { .. } => "GameNew",
            Reply::LobbyList { .. } => "LobbyList",
            Reply::LobbySubscribed(_) => "LobbySubscribed",
            Reply::LobbyJoinedMatch { .. } => "LobbyJoinedMatch",
            Reply::LobbyNew(_) => "LobbyNew",
            Reply::LobbyUpdate(_) => "LobbyUpdate",
            Reply::LobbyDelete(_) => "LobbyDelete",
            Reply::LobbyUnsubscribed(_) => "LobbyUnsubscribed",
            Reply::LobbyLeavedMatch(_) => "LobbyLeavedMatch",
            Reply::MatchStarted(_) => "MatchStarted",
            Reply::MatchEnded(_) => "MatchEnded",
            Reply::SpectateJoined { .. } => "SpectateJoined",
            Reply::SpectateStarted(_) => "SpectateStarted",
            Reply::SpectateSynced(_) => "SpectateSynced",
            Reply::SpectateEnded(_) => "SpectateEnded",
            Reply::SpectateLeaved(_) => "SpectateLeaved",
            Reply::HistoryMatchList(_) => "HistoryMatchList",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(request: &Request<'_>) -> String {
        serde_json::to_string(request).unwrap()
    }

    #[test]
    fn requests_are_objects_with_one_key_and_the_list_of_histories_is_a_word() {
        assert_eq!(
            said(&Request::Handshake {
                magic: MAGIC,
                version: VERSION
            }),
            r#"{"Handshake":{"magic":"coco","version":2}}"#
        );
        let (args, params) = (
            HashMap::new(),
            Params {
                players: Some(2),
                bots: 0,
                timeout: Some(0.5),
            },
        );
        let new = Request::GameNew {
            name: "t",
            game: "g",
            params,
            args: &args,
            password: None,
            verification: None,
        };
        assert_eq!(
            said(&new),
            r#"{"GameNew":{"name":"t","game":"g","params":{"players":2,"bots":0,"timeout":0.5},"args":{},"password":null,"verification":null}}"#
        );
        assert_eq!(said(&Request::LobbyList {}), r#"{"LobbyList":{}}"#);
        assert_eq!(said(&Request::HistoryMatchList), r#""HistoryMatchList""#);
    }

    #[test]
    fn replies_may_hold_more_than_is_asked_for() {
        let read = |text: &str| serde_json::from_str::<Reply>(text);
        let reply = read(r#"{"LobbyJoinedMatch":{"info":{"Ok":{"id":"x","players":2}}}}"#).unwrap();
        assert!(matches!(reply, Reply::LobbyJoinedMatch { info: Ok(_) }));
        let reply = read(r#"{"GameNew":{"id":{"Err":"no"}}}"#).unwrap();
        assert!(matches!(reply, Reply::GameNew { id: Err(reason) } if reason == "no"));
        assert_eq!(read(r#"{"MatchEnded":{}}"#).unwrap().name(), "MatchEnded");
        assert!(read(r#"{"Sabotage":{}}"#).is_err() && read("0 0 1 1").is_err());
    }
}
