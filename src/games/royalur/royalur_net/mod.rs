//! Ur as RoyalUr writes it down: JSON (version 2) and RGN, a text. `docs/reference/royalur-net.md` describes what is read and written.
//!
//! Both are notations of finished games. Light is the first player and Dark the second. Tokens have no numbers in them, and a roll is a
//! number of steps. Both readers give `NetRecord`s, which are played through the same rules as everything else.

mod json_notation;
mod json_reader;
mod json_writer;
mod record;
mod reduction;
mod rgn_notation;
mod rgn_reader;
mod rgn_writer;
mod settings;
mod tile;

pub use json_notation::RoyalUrJson;
pub use rgn_notation::Rgn;

use crate::diagnostic::Diagnostic;
use crate::rules::PerSeat;

/// The largest file that is read, in bytes.
const FILE_LIMIT: u64 = 4 << 20;

/// Keys of the players' names: tags of RGN, members of the metadata of the JSON. RoyalUr defines none.
const NAME_KEYS: [&str; 2] = ["Light", "Dark"];

/// The players' names as texts.
///
/// # Errors
/// Fails if a name is not UTF-8.
fn texts(names: &PerSeat<Option<Vec<u8>>>) -> Result<PerSeat<Option<String>>, Diagnostic> {
    let text = |name: &Option<Vec<u8>>| match name {
        Some(name) => String::from_utf8(name.clone()).map(Some),
        None => Ok(None),
    };
    let [first, second] = &names.0;
    match (text(first), text(second)) {
        (Ok(first), Ok(second)) => Ok(PerSeat([first, second])),
        _ => Err(Diagnostic::error(
            "convert/name",
            "a player's name is not UTF-8 text",
        )),
    }
}

#[cfg(test)]
mod tests;
