//! A stored match as the server sends it: a message in a binary encoding of its own, little-endian, lengths and counts of 8 bytes,
//! alternatives of 4.

use std::collections::BTreeMap;

/// The number of the one message that comes in this encoding.
const STORED: u32 = 20;

/// A match that is over, as the server has stored it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredMatch {
    /// Its id.
    pub id: String,
    /// The game, as the server calls it.
    pub game: String,
    /// Arguments of the game.
    pub arguments: BTreeMap<String, String>,
    /// The players that the server did not play itself.
    pub players: Vec<String>,
    /// Number of the server's bots.
    pub bots: u32,
    /// Bytes that spectators received, as far as they were stored: the last lines can be missing.
    pub history: Vec<u8>,
}

/// A server's refusals, by number.
const REFUSALS: [&str; 3] = [
    "there is no stored match of that id",
    "the match cannot be read from where it is stored",
    "that is no id",
];

impl StoredMatch {
    /// Reads a reply: a match, or why there is none.
    ///
    /// # Errors
    /// Describes the error in the bytes.
    pub(super) fn read(bytes: &[u8]) -> Result<Result<StoredMatch, &'static str>, &'static str> {
        let mut input = Input(bytes);
        if input.alternative()? != STORED {
            return Err("it is another message");
        }
        let read = match input.alternative()? {
            0 => Ok(input.stored()?),
            1 => {
                let refusal = usize::try_from(input.alternative()?).unwrap_or(usize::MAX);
                Err(*REFUSALS
                    .get(refusal)
                    .ok_or("the reason for the refusal is not known")?)
            }
            _ => return Err("it is neither a match nor a refusal"),
        };
        if input.0.is_empty() {
            Ok(read)
        } else {
            Err("there are more bytes than the match has")
        }
    }
}

/// The bytes that are left.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn stored(&mut self) -> Result<StoredMatch, &'static str> {
        let (id, game) = (self.text()?, self.text()?);
        let mut arguments = BTreeMap::new();
        for _ in 0..self.count()? {
            arguments.insert(self.text()?, self.text()?);
        }
        let mut players = Vec::new();
        for _ in 0..self.count()? {
            players.push(self.text()?);
        }
        let bots = self.alternative()?;
        let length = self.count()?;
        let history = self.take(length)?.to_vec();
        Ok(StoredMatch {
            id,
            game,
            arguments,
            players,
            bots,
            history,
        })
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

    fn text(&mut self) -> Result<String, &'static str> {
        let length = self.count()?;
        let bytes = self.take(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| "a text in it is no UTF-8")
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
    fn reads_a_match_and_nothing_cut_off() {
        let read = StoredMatch::read(&stored()).unwrap().unwrap();
        assert_eq!(
            (read.id.as_str(), read.game.as_str(), read.bots),
            ("abc", "ur", 1)
        );
        assert_eq!(
            (read.players, read.history),
            (vec!["Ann".to_owned(), "Bob".into()], b"Ann\nBob\n".to_vec())
        );
        assert_eq!(read.arguments["pace"], "0ns");
        for length in 0..stored().len() {
            assert!(StoredMatch::read(&stored()[..length]).is_err(), "{length}");
        }
        assert!(StoredMatch::read(&[stored(), vec![0]].concat()).is_err());
    }

    #[test]
    fn a_count_larger_than_the_message_takes_no_memory() {
        let mut bytes = [20u32.to_le_bytes(), 0u32.to_le_bytes()].concat();
        bytes.extend(u64::MAX.to_le_bytes());
        assert_eq!(StoredMatch::read(&bytes), Err("it is cut off"));
    }

    #[test]
    fn tells_why_there_is_no_match() {
        let refusal = |number: u32| [20u32, 1, number].map(u32::to_le_bytes).concat();
        assert_eq!(
            StoredMatch::read(&refusal(0)),
            Ok(Err("there is no stored match of that id"))
        );
        assert_eq!(StoredMatch::read(&refusal(2)), Ok(Err("that is no id")));
        assert!(StoredMatch::read(&refusal(3)).is_err());
    }
}
