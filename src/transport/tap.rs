//! Passing bytes on between two ends as they come, unchanged, and telling of them before they go on.
//!
//! Each direction is passed on by a thread that waits for nothing but the next bytes, in memory that does not grow: who does not
//! read holds up the one who writes to it, as if the two were connected, and nobody else.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};

use nix::libc::linger;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{setsockopt, sockopt};

use crate::transcript::{Close, Direction};

/// The most bytes that are passed on at once.
const CHUNK: usize = 64 * 1024;

/// Time without input, in milliseconds, after which a pipe may be left.
const QUIET: u16 = 1000;

/// An event in one direction, just before it is passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passing<'b> {
    /// Bytes, as they came.
    Bytes(&'b [u8]),
    /// The end of the direction.
    Closed(Close),
}

/// State of a connection, shared by the threads of its two directions.
#[derive(Default)]
struct Fate {
    /// One side has reset it, and the other thread was woken to be told.
    is_reset: AtomicBool,
    /// One side takes nothing any more; a reset, by the time it shows.
    is_refused: AtomicBool,
}

/// Passes on what a participant and its referee say to each other over two connections, until both directions have ended. An
/// end goes on as an end, of that direction alone; a reset as a reset. `tell` hears of everything before it is passed on.
pub fn pass_connection(
    participant: &TcpStream,
    referee: &TcpStream,
    tell: impl Fn(Direction, Passing<'_>) + Sync,
) {
    for stream in [participant, referee] {
        // Lines are small and answered at once; a failure to set this costs only time.
        drop(stream.set_nodelay(true));
    }
    let fate = Fate::default();
    std::thread::scope(|scope| {
        let (fate, tell) = (&fate, &tell);
        scope.spawn(move || {
            pass(participant, referee, fate, |passing| {
                tell(Direction::Sent, passing)
            })
        });
        pass(referee, participant, fate, |passing| {
            tell(Direction::Received, passing)
        });
    });
    if fate.is_reset.into_inner() || fate.is_refused.into_inner() {
        for stream in [participant, referee] {
            // Where it is refused, the other side sees an orderly end; there is nothing else that could be done.
            let _ = setsockopt(
                stream,
                sockopt::Linger,
                &linger {
                    l_onoff: 1,
                    l_linger: 0,
                },
            );
        }
    }
}

/// One direction of a connection.
fn pass(mut from: &TcpStream, mut to: &TcpStream, fate: &Fate, tell: impl Fn(Passing<'_>)) {
    let mut buffer = vec![0; CHUNK];
    loop {
        match from.read(&mut buffer) {
            Ok(0) if fate.is_reset.load(Ordering::SeqCst) => return,
            // The system tells of a reset only once, and it was told to whoever wrote.
            Ok(0) if fate.is_refused.load(Ordering::SeqCst) => {
                return tell(Passing::Closed(Close::Reset));
            }
            Ok(0) => {
                tell(Passing::Closed(Close::End));
                // Who is gone already need not be told.
                drop(to.shutdown(Shutdown::Write));
                return;
            }
            Ok(count) => {
                tell(Passing::Bytes(&buffer[..count]));
                if to.write_all(&buffer[..count]).is_err() {
                    fate.is_refused.store(true, Ordering::SeqCst);
                    return;
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => {
                tell(Passing::Closed(Close::Reset));
                fate.is_reset.store(true, Ordering::SeqCst);
                // Wakes the other thread, and sends nothing.
                drop(to.shutdown(Shutdown::Read));
                return;
            }
        }
    }
}

/// Passes on what comes on one pipe to another until it ends, or until nobody can read it any more: that is told as a reset, and the end at
/// which it came is closed as well, whoever writes there. `leave`: once its other end is closed, this also ends as soon as nothing has come for a second.
pub fn pass_pipe(from: OwnedFd, to: OwnedFd, leave: Option<&OwnedFd>, tell: impl Fn(Passing<'_>)) {
    let (mut from, mut to) = (File::from(from), File::from(to));
    let mut buffer = vec![0; CHUNK];
    let mut leave = leave;
    let mut patience = PollTimeout::NONE;
    let close = loop {
        match wait(&from, &to, leave, patience) {
            Waited::Left => {
                leave = None;
                patience = PollTimeout::from(QUIET);
                continue;
            }
            Waited::Over => break Close::Reset,
            Waited::Silent => break Close::End,
            Waited::Come => {}
        }
        match from.read(&mut buffer) {
            Ok(0) => break Close::End,
            Ok(count) => {
                tell(Passing::Bytes(&buffer[..count]));
                if to.write_all(&buffer[..count]).is_err() {
                    break Close::Reset;
                }
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            Err(_) => break Close::Broken,
        }
    };
    tell(Passing::Closed(close));
}

/// Reason to stop waiting for a pipe.
enum Waited {
    /// There is something to read.
    Come,
    /// The other end of what says when to leave is closed.
    Left,
    /// Nobody could take anything.
    Over,
    /// Nothing has come for as long as was waited.
    Silent,
}

fn wait(from: &File, to: &File, leave: Option<&OwnedFd>, patience: PollTimeout) -> Waited {
    let gone = PollFlags::POLLERR | PollFlags::POLLHUP | PollFlags::POLLNVAL;
    loop {
        let mut polled = [
            PollFd::new(from.as_fd(), PollFlags::POLLIN),
            PollFd::new(to.as_fd(), PollFlags::empty()),
            PollFd::new(leave.map_or(to.as_fd(), AsFd::as_fd), PollFlags::empty()),
        ];
        match poll(&mut polled, patience) {
            Err(nix::errno::Errno::EINTR) => {}
            Ok(0) => return Waited::Silent,
            // What cannot be waited for is read all the same.
            Err(_) => return Waited::Come,
            Ok(_) => {
                let is_gone = |at: usize| {
                    polled[at]
                        .revents()
                        .is_some_and(|events| events.intersects(gone))
                };
                return match (is_gone(1), is_gone(2)) {
                    (true, _) => Waited::Over,
                    (false, true) => Waited::Left,
                    (false, false) => Waited::Come,
                };
            }
        }
    }
}

/// Ends a connection by a reset, as who finds nobody at a port is told.
pub fn refuse(stream: TcpStream) {
    let _ = setsockopt(
        &stream,
        sockopt::Linger,
        &linger {
            l_onoff: 1,
            l_linger: 0,
        },
    );
    drop(stream);
}

#[cfg(test)]
#[path = "tap_tests.rs"]
mod tests;
