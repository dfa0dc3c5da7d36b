//! Recordings: one line of JSON for each event, with times and exact bytes.

#![doc = include_str!("../recording.md")]

mod header;
mod reader;
mod record;
mod version_2;
mod writer;

pub use header::{Header, Included, RecordedScenario, STEERING};
pub use reader::Reader;
pub use record::Record;
pub use writer::Writer;

use header::FirstLine;
use record::Timed;
use schemars::JsonSchema;
use serde_json::Value;

use crate::transcript::What;

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

/// A line of a recording.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum AnyLine<'a> {
    Header(FirstLine<'a>),
    Event(Timed<What>),
    Record(Record),
}

/// Returns the JSON Schema of a line of a recording.
#[must_use]
pub fn schema() -> Value {
    schemars::schema_for!(AnyLine<'_>).to_value()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
