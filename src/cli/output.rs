//! Lines for the user: results on standard output, what is wrong on standard error.

use std::io::Write;

use clap::error::ErrorKind;

use super::Status;
use crate::diagnostic::{Diagnostic, Diagnostics, Paint, visible};
use crate::pack::FileFormat;

/// Prints a line of results at once. A closed pipe is no error.
pub(super) fn print_line(line: &str) {
    let mut output = std::io::stdout().lock();
    drop(writeln!(output, "{line}").and_then(|()| output.flush()));
}

/// Prints lines of results. A closed pipe is no error.
pub(super) fn print(text: &str) {
    drop(writeln!(anstream::stdout().lock(), "{text}"));
}

/// Says what is wrong with files.
pub(super) fn say(faults: &Diagnostics) {
    if !faults.is_empty() {
        anstream::eprintln!("{}\n", faults.draw(Paint::Coloured));
    }
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

/// Says what an interrupt has left out.
pub(super) fn interrupted(left_out: &str) -> Status {
    let title = format!("interrupted: {left_out}");
    say(&Diagnostic::remark("run/interrupted", title).into());
    Status::Interrupted
}

/// Says what is wrong with the arguments, where only all of them together tell.
pub(super) fn usage(message: &str) -> Status {
    drop(wrong_arguments(message).print());
    Status::Usage
}

/// The error of the parser of the arguments.
pub(super) fn wrong_arguments(message: &str) -> clap::Error {
    // The parser itself needs every command, and every command says what is wrong.
    let any = clap::Command::new("any");
    clap::Command::new("urtext")
        .arg(clap::Arg::new("any").long("any"))
        .subcommand_required(true)
        .subcommand(any)
        .error(ErrorKind::ValueValidation, message)
}
