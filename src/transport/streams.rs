//! The standard streams of urtext itself, when they carry a game.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

/// An end of a stream of bytes of the system, such as one of a pipe.
pub type StreamEnd = OwnedFd;

/// Takes standard input and output out of this process: they end where what is returned is dropped.
///
/// # Errors
/// Fails if the system refuses.
pub fn take_streams() -> io::Result<(OwnedFd, OwnedFd)> {
    let input = io::stdin().as_fd().try_clone_to_owned()?;
    let output = io::stdout().as_fd().try_clone_to_owned()?;
    let nothing = nothing()?;
    nix::unistd::dup2_stdin(&nothing)?;
    nix::unistd::dup2_stdout(&nothing)?;
    Ok((input, output))
}

fn nothing() -> io::Result<File> {
    File::options().read(true).write(true).open("/dev/null")
}
