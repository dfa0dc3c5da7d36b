//! The relay in a seat: the side of `urtext seat`.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::diagnostic::visible;

/// The most bytes that the session's answer can have.
const LONGEST_ANSWER: usize = 256;

/// Errors of a relay.
#[derive(Debug, thiserror::Error)]
pub enum RelayError {
    /// There is no session, or not any more.
    #[error("no session of urtext is there: {0}")]
    NoSession(io::Error),
    /// The session does not take this seat.
    #[error("the session does not take this seat: {0}")]
    Refused(String),
    /// The standard streams cannot be used.
    #[error("the standard streams cannot be relayed: {0}")]
    Streams(io::Error),
}

/// Relays between a program's standard streams, its input and its output, and the session that waits at the socket, until the session has closed the
/// lane. Each direction ends where its source ends; nothing is lost on the way.
///
/// # Errors
/// Fails if the session does not exist or rejects this seat.
pub fn relay(
    socket: &Path,
    token: &str,
    name: &str,
    input: OwnedFd,
    output: OwnedFd,
) -> Result<(), RelayError> {
    let mut stream = UnixStream::connect(socket).map_err(RelayError::NoSession)?;
    stream
        .write_all(format!("seat {token} {name}\n").as_bytes())
        .map_err(RelayError::NoSession)?;
    let answer = answer(&mut stream).map_err(RelayError::NoSession)?;
    if answer != "ok" {
        return Err(RelayError::Refused(
            visible::plain(&answer).at_most(200).to_string(),
        ));
    }
    let ours = stream.try_clone().map_err(RelayError::Streams)?;
    // This thread lasts as long as the program that plays the seat: it ends with the process, whatever it still waits for.
    std::thread::spawn(move || {
        copy(&mut File::from(input), &mut &ours);
        drop(ours.shutdown(Shutdown::Write));
    });
    let mut output = File::from(output);
    if !copy(&mut &stream, &mut output) {
        // Nobody reads what the session writes, and it sees that.
        drop(stream.shutdown(Shutdown::Read));
    }
    drop(output);
    wait_for_the_end(&stream);
    Ok(())
}

fn answer(stream: &mut UnixStream) -> io::Result<String> {
    let (mut line, mut byte) = (Vec::new(), [0]);
    // Byte by byte: what follows the line belongs to the lane.
    while line.len() < LONGEST_ANSWER {
        stream.read_exact(&mut byte)?;
        match byte {
            [b'\n'] => return Ok(String::from_utf8_lossy(&line).into_owned()),
            [byte] => line.push(byte),
        }
    }
    Err(io::ErrorKind::InvalidData.into())
}

/// Copies to the end of the source; `false` where nobody takes it any more.
fn copy(source: &mut impl Read, target: &mut impl Write) -> bool {
    let mut buffer = [0; 16 * 1024];
    loop {
        let count = match source.read(&mut buffer) {
            Ok(0) => return true,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return true,
        };
        if target
            .write_all(&buffer[..count])
            .and_then(|()| target.flush())
            .is_err()
        {
            return false;
        }
    }
}

/// Waits until both directions of the connection have ended: the session has closed the lane, or both sides are done.
fn wait_for_the_end(stream: &UnixStream) {
    loop {
        let mut descriptors = [PollFd::new(stream.as_fd(), PollFlags::empty())];
        match poll(&mut descriptors, PollTimeout::NONE) {
            Err(nix::errno::Errno::EINTR) => {}
            _ => return,
        }
    }
}
