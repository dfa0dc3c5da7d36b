//! Remarks about the recording, apart from the game.

use std::io::Write;

use crate::cli::Status;

/// Says something beside the game: its streams belong to others.
pub(super) fn say(text: &str) {
    // Nobody may listen there any more, and the game goes on all the same.
    drop(writeln!(anstream::stderr().lock(), "urtext record: {text}"));
}

pub(super) fn broken(what: &str, error: &std::io::Error) -> Status {
    say(&format!("{what}: {error}"));
    Status::Broken
}
