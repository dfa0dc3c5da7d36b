//! The control messages: JSON text, one message a frame, named by their one key.

use serde::Deserialize;
use serde_json::{Map, Value};

/// Name of the protocol in the handshake.
pub(super) const MAGIC: &str = "coco";

/// The version of the protocol that is spoken here.
pub(super) const VERSION: u64 = 2;

/// Reads a message from the server: its name and its content. `None` for a text that is no message.
pub(super) fn read(text: &str) -> Option<(String, Value)> {
    let object: Map<String, Value> = serde_json::from_str(text).ok()?;
    let mut members = object.into_iter();
    members.next().filter(|_| members.next().is_none())
}

/// The server's handshake.
#[derive(Debug, Deserialize)]
pub(super) struct Handshake {
    pub(super) magic: String,
    pub(super) version: u64,
}

/// The content of any other reply: what was asked for, or for some requests the server's refusal in its own words.
#[derive(Debug, Deserialize)]
pub(super) struct Answer<T> {
    #[serde(alias = "id")]
    pub(super) info: T,
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
    /// The players who have come.
    pub connected: Vec<String>,
    /// Number of spectators.
    pub spectators: u64,
    /// True if a password is needed.
    pub password: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_an_object_with_one_key_and_may_hold_more_than_is_asked_for() {
        let (name, content) = read(r#"{"GameNew":{"id":{"Err":"no"},"more":1}}"#).unwrap();
        let answer: Answer<Result<String, String>> = serde_json::from_value(content).unwrap();
        assert_eq!((name.as_str(), answer.info), ("GameNew", Err("no".into())));
        for text in ["0 0 1 1", "{}", r#""MatchEnded""#, r#"{"a":1,"b":2}"#] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
