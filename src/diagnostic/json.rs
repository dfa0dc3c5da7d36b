//! Errors of the JSON library.

/// Describes a line that is not JSON, with the position of the error in bytes, from 1.
#[must_use]
pub fn json_fault(error: &serde_json::Error) -> (String, usize) {
    let text = error.to_string();
    // Each line is read by itself, so the library's own line number would mislead.
    let what = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(what, _)| what);
    (what.to_owned(), error.column().max(1))
}
