//! Lines for the user: results on standard output, what is wrong on standard error.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::builder::{PathBufValueParser, TypedValueParser};

use super::Status;
use crate::diagnostic::{Diagnostic, Diagnostics, Paint, visible};
use crate::pack::FileFormat;
use crate::platform::write_output;

/// The error of standard output, such as a closed pipe. Nothing is printed after it.
static FAILURE: OnceLock<io::Error> = OnceLock::new();

/// Prints lines of results at once.
pub(super) fn print(text: &str) {
    print_text(&format!("{text}\n"));
}

/// Prints a text of results at once, which ends its last line itself.
pub(super) fn print_text(text: &str) {
    write(|| {
        let mut output = anstream::stdout().lock();
        output.write_all(text.as_bytes())?;
        output.flush()
    });
}

/// Prints bytes of results at once, as they are.
pub(super) fn print_bytes(bytes: &[u8]) {
    write(|| {
        let mut output = io::stdout().lock();
        output.write_all(bytes)?;
        output.flush()
    });
}

fn write(write: impl FnOnce() -> io::Result<()>) {
    if !is_gone()
        && let Err(error) = write()
    {
        let _ = FAILURE.set(error);
    }
}

/// Returns true if standard output takes nothing any more.
pub(super) fn is_gone() -> bool {
    FAILURE.get().is_some()
}

/// The error of standard output that is no closed pipe.
fn failure() -> Option<&'static io::Error> {
    let failure = FAILURE.get();
    failure.filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
}

/// Returns true if results could not be printed, and somebody was still there to read them.
pub(super) fn has_failed() -> bool {
    failure().is_some()
}

/// The exit status of a command with this status, after its results were printed. Says why if they could not be.
pub(super) fn printed(status: Status) -> Status {
    match failure() {
        Some(error) => {
            let title = format!("standard output cannot be written: {error}");
            status.max(broken(&title))
        }
        None => status,
    }
}

/// Prints what the parser of the arguments says: help and version are results, wrong usage is not.
pub(super) fn parser(said: &clap::Error) -> Status {
    if said.use_stderr() {
        drop(said.print());
        return Status::Usage;
    }
    print_text(&said.render().ansi().to_string());
    Status::Conforms
}

/// Says what is wrong with files.
pub(super) fn say(faults: &Diagnostics) {
    if !faults.is_empty() {
        let _ = writeln!(anstream::stderr(), "{}\n", faults.draw(Paint::Coloured));
    }
}

/// Says what is wrong with files.
///
/// # Errors
/// The exit status, if there is an error among the faults.
pub(super) fn checked(faults: &Diagnostics) -> Result<(), Status> {
    say(faults);
    match faults.has_errors() {
        true => Err(Status::Usage),
        false => Ok(()),
    }
}

/// A result, or the exit status after saying why there is none.
pub(super) fn readable<T>(read: Result<T, impl Into<Diagnostics>>) -> Result<T, Status> {
    read.map_err(|faults| {
        say(&faults.into());
        Status::Usage
    })
}

/// Says in which format a file was read.
pub(super) fn say_format(file: &str, format: FileFormat) {
    anstream::eprintln!("{}: read as {}", visible::plain(file), format.name);
}

/// Says what keeps the run from going on.
pub(super) fn broken(message: &str) -> Status {
    let _ = writeln!(
        anstream::stderr(),
        "{}",
        Diagnostic::error("run/broken", message).draw(Paint::Coloured)
    );
    Status::Broken
}

/// Writes an output; a file appears complete or not at all.
///
/// # Errors
/// The exit status, after printing the reason.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Status> {
    write_output(path, bytes).or_unwritable(path)
}

/// The parser of an output that is never `-`, standard output.
pub(super) fn on_disk() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.as_os_str() == "-" {
        true => Err("name a file or folder on disk, such as `games`"),
        false => Ok(path),
    })
}

/// Turns an error of the system into the exit status, after printing it.
pub(super) trait OrBroken<T> {
    /// `what`: what could not be done.
    fn or_broken(self, what: &str) -> Result<T, Status>;

    /// An output at this path could not be written.
    fn or_unwritable(self, path: &Path) -> Result<T, Status>;
}

impl<T, E: Display> OrBroken<T> for Result<T, E> {
    fn or_broken(self, what: &str) -> Result<T, Status> {
        self.map_err(|error| broken(&format!("{what}: {error}")))
    }

    fn or_unwritable(self, path: &Path) -> Result<T, Status> {
        self.or_broken(&format!("{} cannot be written", visible::path(path)))
    }
}

/// Says what an interrupt has left out.
pub(super) fn interrupted(left_out: &str) -> Status {
    let title = format!("interrupted: {left_out}");
    say(&Diagnostic::remark("run/interrupted", title).into());
    Status::Interrupted
}

/// Says what is wrong with the arguments, where only all of them together tell.
pub(super) fn usage(message: &str) -> Status {
    say(&Diagnostic::error("usage", message).into());
    Status::Usage
}
