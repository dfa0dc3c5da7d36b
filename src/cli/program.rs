//! The name of this program, for commands that a user copies.

use std::path::Path;
use std::sync::OnceLock;

static NAME: OnceLock<String> = OnceLock::new();

/// Learns the name from the path by which the program was started.
pub(super) fn started_as(path: &Path) {
    if let Some(name) = path.file_name() {
        NAME.get_or_init(|| super::subject::quote(&name.to_string_lossy()));
    }
}

/// Returns the name, as a word of a command line.
pub(super) fn name() -> &'static str {
    NAME.get().map_or("urtext", String::as_str)
}
