//! The messages of the server beside the bytes of games: JSON text, one message a frame, named by their one key, and stored matches.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::diagnostic::visible;

/// Maximum length of a server's text in messages, in bytes.
const SHOWN: usize = 200;

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

/// Escapes and shortens a server's text for display.
pub(super) fn shown<B: AsRef<[u8]> + ?Sized>(text: &B) -> String {
    visible::plain(text).at_most(SHOWN).to_string()
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

/// The number of the one message that comes in a binary encoding of its own: little-endian, lengths and counts of 8 bytes, alternatives of
/// 4.
const STORED: u32 = 20;

/// A server's refusals, by number.
const REFUSALS: [&str; 3] = [
    "there is no stored match of that id",
    "the match cannot be read from where it is stored",
    "that is no id",
];

/// Reads a stored match as the server sends it: the bytes that spectators of the match received, as far as they were stored, or the refusal.
///
/// # Errors
/// Describes the error in the bytes.
pub(super) fn history(bytes: &[u8]) -> Result<Result<Vec<u8>, String>, &'static str> {
    let mut input = Input(bytes);
    if input.alternative()? != STORED {
        return Err("it is another message");
    }
    let read = match input.alternative()? {
        0 => Ok(input.history()?.to_vec()),
        1 => {
            let refusal = usize::try_from(input.alternative()?).unwrap_or(usize::MAX);
            let reason = REFUSALS.get(refusal);
            Err(reason
                .ok_or("the reason for the refusal is not known")?
                .to_string())
        }
        _ => return Err("it is neither a match nor a refusal"),
    };
    match input.0 {
        [] => Ok(read),
        _ => Err("there are more bytes than the match has"),
    }
}

/// The bytes that are left.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// The history of a match, after its id, its game, its arguments, its players and the number of the server's bots.
    fn history(&mut self) -> Result<&'a [u8], &'static str> {
        self.text()?;
        self.text()?;
        for _ in 0..self.count()? {
            self.text()?;
            self.text()?;
        }
        for _ in 0..self.count()? {
            self.text()?;
        }
        self.alternative()?;
        self.text()
    }

    fn alternative(&mut self) -> Result<u32, &'static str> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes(
            bytes.try_into().expect("these are four bytes"),
        ))
    }

    /// Reads a count of elements of at least one byte each; a count larger than the remaining bytes is an
    /// error.
    fn count(&mut self) -> Result<usize, &'static str> {
        let bytes = self.take(8)?;
        let count = u64::from_le_bytes(bytes.try_into().expect("these are eight bytes"));
        usize::try_from(count)
            .ok()
            .filter(|&count| count <= self.0.len())
            .ok_or("it is cut off")
    }

    fn text(&mut self) -> Result<&'a [u8], &'static str> {
        let length = self.count()?;
        self.take(length)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], &'static str> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or("it is cut off")?;
        self.0 = rest;
        Ok(taken)
    }
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

    fn text(text: &str) -> Vec<u8> {
        [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat()
    }

    fn stored() -> Vec<u8> {
        let mut bytes = [20u32.to_le_bytes(), 0u32.to_le_bytes()].concat();
        bytes.extend([text("abc"), text("ur")].concat());
        bytes.extend([&1u64.to_le_bytes()[..], &text("pace"), &text("0ns")].concat());
        bytes.extend([&2u64.to_le_bytes()[..], &text("Ann"), &text("Bob")].concat());
        bytes.extend(1u32.to_le_bytes());
        bytes.extend(text("Ann\nBob\n"));
        bytes
    }

    #[test]
    fn reads_the_history_of_a_match_and_nothing_cut_off() {
        assert_eq!(history(&stored()), Ok(Ok(b"Ann\nBob\n".to_vec())));
        for length in 0..stored().len() {
            assert!(history(&stored()[..length]).is_err(), "{length}");
        }
        assert!(history(&[stored(), vec![0]].concat()).is_err());
    }

    #[test]
    fn a_count_larger_than_the_message_takes_no_memory() {
        let mut bytes = [20u32.to_le_bytes(), 0u32.to_le_bytes()].concat();
        bytes.extend(u64::MAX.to_le_bytes());
        assert_eq!(history(&bytes), Err("it is cut off"));
    }

    #[test]
    fn tells_why_there_is_no_match() {
        let refusal = |number: u32| [20u32, 1, number].map(u32::to_le_bytes).concat();
        let none = "there is no stored match of that id";
        assert_eq!(history(&refusal(0)), Ok(Err(none.to_owned())));
        assert_eq!(history(&refusal(2)), Ok(Err("that is no id".to_owned())));
        assert!(history(&refusal(3)).is_err());
    }
}
