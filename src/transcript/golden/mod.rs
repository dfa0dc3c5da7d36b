//! Golden transcripts as text.

#![doc = include_str!("../golden.md")]

mod header;
mod reader;
mod writer;

pub use reader::read;
pub use writer::write;

use std::io;
use std::path::Path;

use crate::diagnostic;
use crate::platform::{folder_of, write_output};
use crate::transcript::Transcript;

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

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
