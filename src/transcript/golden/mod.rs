//! Golden transcripts as text.

#![doc = include_str!("../golden.md")]

mod escape;
mod header;
mod reader;
mod writer;

pub use reader::read;
pub use writer::write;

/// The first line of a golden transcript, without the version.
const MAGIC: &str = "# urtext golden transcript ";

/// The version of the format that is written and read.
const VERSION: &str = "1";

/// Returns true if these first bytes look like a golden transcript, valid or not.
#[must_use]
pub fn is_golden(start: &[u8]) -> bool {
    let start = start
        .strip_prefix(crate::diagnostic::BYTE_ORDER_MARK.as_bytes())
        .unwrap_or(start);
    start.starts_with(MAGIC.trim_end().as_bytes())
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
