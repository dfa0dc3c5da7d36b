//! Inverse of the parser of golden transcripts.

use super::{MAGIC, VERSION, header};
use crate::pack::Protocol;
use crate::transcript::{Direction, Transcript, escape};

/// Writes a transcript as golden text; [`read`](super::read) gives back the same transcript.
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
        out.push_str(&format!("\n[{}]\n", header::write(lane.label, seat_names)));
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
