//! Inverse of the parser of golden transcripts.

use super::{MAGIC, VERSION, escape, header};
use crate::diagnostic::visible;
use crate::pack::Protocol;
use crate::transcript::{Direction, Transcript};

/// Writes a transcript as golden text; [`read`](super::read) gives back the same transcript.
///
/// # Panics
/// Panics if no dialect has the transcript's name.
#[must_use]
pub fn write(transcript: &Transcript) -> String {
    write_with(transcript, |_, _| None)
}

/// Writes a transcript with notes: `note` has one for an entry of a lane, both from 0. Notes are comments of their own line, and a note
/// that is equal to the one above it is left out.
///
/// # Panics
/// Panics if no dialect has the transcript's name.
#[must_use]
pub fn write_with(
    transcript: &Transcript,
    note: impl Fn(usize, usize) -> Option<String>,
) -> String {
    let protocol =
        Protocol::named(&transcript.dialect).expect("a transcript names a protocol that there is");
    let seat_names = protocol.seat_names();
    let mut out = format!("{MAGIC}{VERSION}\ndialect: {}\n", transcript.dialect);
    for (number, lane) in transcript.lanes.iter().enumerate() {
        out.push_str(&format!("\n[{}]\n", header::write(lane.label, seat_names)));
        let mut noted = None;
        for (place, entry) in lane.entries.iter().enumerate() {
            let told = note(number, place);
            if let Some(text) = told.as_ref().filter(|_| told != noted) {
                out.push_str(&format!("# {}\n", visible::plain(text)));
            }
            noted = told;
            let at = out.len();
            escape::write_line(&mut out, &entry.line);
            let text = &out[at..];
            let is_bare = !text.is_empty() && !text.starts_with(['>', '<', '[', '#']);
            match entry.direction {
                Direction::Sent => out.insert(at, '>'),
                Direction::Received if is_bare => {}
                Direction::Received => out.insert(at, '<'),
            }
            out.push('\n');
        }
    }
    out
}
