//! Progress through the files of an archive: a bar on a terminal, nothing elsewhere.

use std::io::{IsTerminal, stderr};
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};

use crate::archive;

/// Returns a bar over the bytes of these files, with rate and time left.
pub(super) fn bar(files: &[PathBuf]) -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(archive::size(files));
    let form = "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
    bar.set_style(ProgressStyle::with_template(form).expect("the template is valid"));
    bar
}
