//! Golden transcripts as text.

#![doc = include_str!("../golden.md")]

mod reader;

pub use reader::read;

use std::io;
use std::path::Path;

use crate::diagnostic::{self, suggest};
use crate::pack::Protocol;
use crate::platform::{folder_of, write_output};
use crate::rules::Seat;
use crate::transcript::{Direction, LaneLabel, Transcript, escape};

/// The first line of a golden transcript, without the version.
const MAGIC: &str = "# urtext golden transcript ";

/// The version of the format that is written and read.
const VERSION: &str = "1";

/// The largest golden transcript that is read, in bytes.
pub const LARGEST: u64 = 16 * 1024 * 1024;

/// Returns true if these first bytes look like a golden transcript, valid or not.
#[must_use]
pub fn is_golden(start: &[u8]) -> bool {
    let start = start
        .strip_prefix(crate::diagnostic::BYTE_ORDER_MARK.as_bytes())
        .unwrap_or(start);
    start.starts_with(MAGIC.trim_end().as_bytes())
}

/// Writes a golden transcript whole or not at all, with the folders on the way; `false` where the file says the same already.
///
/// # Errors
/// Fails if the file or a folder cannot be written.
pub fn save(path: &Path, transcript: &Transcript) -> io::Result<bool> {
    let text = write(transcript);
    if diagnostic::holds(path, text.as_bytes()) {
        return Ok(false);
    }
    std::fs::create_dir_all(folder_of(path))?;
    write_output(path, text.as_bytes())?;
    Ok(true)
}

/// Writes a transcript as golden text; [`read`] gives back the same transcript.
///
/// # Panics
/// Panics if no dialect has the transcript's name.
#[must_use]
pub fn write(transcript: &Transcript) -> String {
    let protocol =
        Protocol::named(&transcript.dialect).expect("a transcript names a protocol that there is");
    let seat_names = protocol.seat_names();
    let mut out = format!("{MAGIC}{VERSION}\ndialect: {}\n", transcript.dialect);
    for lane in &transcript.lanes {
        out.push_str(&format!("\n[{}]\n", write_header(lane.label, seat_names)));
        for entry in &lane.entries {
            let at = out.len();
            escape::write_line(&mut out, &entry.line);
            let text = &out[at..];
            let is_bare = !text.is_empty() && !text.starts_with(['>', '<', '[', '#']);
            if entry.direction == Direction::Sent || !is_bare {
                out.insert(at, entry.direction.mark());
            }
            out.push('\n');
        }
    }
    out
}

/// Writes the words between the brackets of a block's header.
fn write_header(label: LaneLabel, seat_names: [&'static str; 2]) -> String {
    match label {
        LaneLabel::Player(seat) => seat_names[seat.index()].to_owned(),
        LaneLabel::Spectator(number) => format!("spectator {number}"),
        LaneLabel::Unseated(number) => format!("player {number}"),
    }
}

/// Reads the words between the brackets of a block's header.
///
/// # Errors
/// Advice on the text to write instead.
fn read_header(words: &str, seat_names: [&'static str; 2]) -> Result<LaneLabel, String> {
    if let Some(seat) = Seat::BOTH
        .into_iter()
        .find(|seat| seat_names[seat.index()] == words)
    {
        return Ok(LaneLabel::Player(seat));
    }
    let kind = words.split(' ').next().unwrap_or_default();
    let number = words
        .strip_prefix(kind)
        .and_then(|rest| rest.strip_prefix(' '))
        .and_then(number);
    match (kind, number) {
        ("spectator", Some(number)) => return Ok(LaneLabel::Spectator(number)),
        ("player", Some(number)) => return Ok(LaneLabel::Unseated(number)),
        _ => {}
    }
    let [first, second] = seat_names;
    let known = [first, second, "spectator", "player"];
    Err(match suggest(kind, known) {
        Some(word @ ("spectator" | "player")) => format!("write `[{word} N]` with a number from 1"),
        Some(word) => format!("write `[{word}]`"),
        None => format!("lanes are `[{first}]`, `[{second}]`, `[spectator N]` and `[player N]`"),
    })
}

fn number(digits: &str) -> Option<u32> {
    let is_canonical = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_canonical.then(|| digits.parse().ok())?
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
