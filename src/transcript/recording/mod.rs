//! Recordings: one line of JSON for each event, with times and exact bytes.

#![doc = include_str!("../recording.md")]

mod header;
mod reader;
mod record;
mod schema;
mod version_2;
mod writer;

pub use header::{Header, Included, RecordedScenario, STEERING};
pub use reader::Reader;
pub use record::Record;
pub use schema::schema;
pub use writer::Writer;

/// The version of the format that is written.
pub const VERSION: u64 = 3;

/// The oldest version that is read.
const OLDEST: u64 = 2;

/// Returns true if these first bytes look like a recording, valid or not.
#[must_use]
pub fn is_recording(start: &[u8]) -> bool {
    let line = start
        .split(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    line.trim_ascii_start().starts_with(b"{")
        && line.windows(8).any(|window| window == b"\"urtext\"")
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
