//! Passing bytes on between two ends as they come, unchanged, and telling of them before they go on.
//!
//! Each direction is passed on by a thread that waits for nothing but the next bytes, in memory that does not grow: who does not
//! read holds up the one who writes to it, as if the two were connected, and nobody else.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use rustix::net::sockopt::set_socket_linger;

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
            end_by_reset(stream);
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
    let gone = PollFlags::POLLERR | PollFlags::POLLHUP | PollFlags::POLLNVAL;
    let close = loop {
        let mut polled = [
            PollFd::new(from.as_fd(), PollFlags::POLLIN),
            PollFd::new(to.as_fd(), PollFlags::empty()),
            PollFd::new(leave.map_or(to.as_fd(), AsFd::as_fd), PollFlags::empty()),
        ];
        let ready = poll(&mut polled, patience);
        let is_gone = |at: usize| polled[at].revents().is_some_and(|is| is.intersects(gone));
        match ready {
            Err(nix::errno::Errno::EINTR) => continue,
            // Nothing has come for a second.
            Ok(0) => break Close::End,
            Ok(_) if is_gone(1) => break Close::Reset,
            Ok(_) if is_gone(2) => {
                leave = None;
                patience = PollTimeout::from(QUIET);
                continue;
            }
            // What cannot be waited for is read all the same.
            _ => {}
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

/// Ends a connection by a reset, as who finds nobody at a port is told.
pub fn refuse(stream: TcpStream) {
    end_by_reset(&stream);
}

/// Has the end of a connection be a reset. Where that is refused, the other side sees an orderly end; there is nothing else that could be
/// done.
fn end_by_reset(stream: &TcpStream) {
    let _ = set_socket_linger(stream, Some(Duration::ZERO));
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::sync::Mutex;
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    /// Events in order.
    type OwedLine = Mutex<Vec<(Direction, Result<Vec<u8>, Close>)>>;

    fn connection() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (near, listener.accept().unwrap().0)
    }

    /// A participant and a referee, what passes between them, and when it is over.
    fn between() -> (TcpStream, TcpStream, std::sync::Arc<OwedLine>, Receiver<()>) {
        let ((participant, near), (far, referee)) = (connection(), connection());
        let told = std::sync::Arc::new(OwedLine::default());
        let (done, is_done) = channel();
        let kept = std::sync::Arc::clone(&told);
        std::thread::spawn(move || {
            pass_connection(&near, &far, |direction, passing| {
                let mut kept = kept.lock().unwrap();
                match passing {
                    Passing::Closed(close) => kept.push((direction, Err(close))),
                    Passing::Bytes(bytes) => match kept.last_mut() {
                        Some((last, Ok(before))) if *last == direction => before.extend(bytes),
                        _ => kept.push((direction, Ok(bytes.to_vec()))),
                    },
                }
            });
            drop((near, far));
            done.send(()).unwrap();
        });
        (participant, referee, told, is_done)
    }

    fn received(mut stream: &TcpStream, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        stream.read_exact(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn half_a_line_goes_on_at_once_and_is_told_before_it_does() {
        let (mut participant, mut referee, told, _) = between();
        referee.write_all(b"0 0").unwrap();
        // It has no newline, and is there all the same.
        assert_eq!(received(&participant, 3), b"0 0");
        assert_eq!(
            *told.lock().unwrap(),
            [(Direction::Received, Ok(b"0 0".to_vec()))]
        );
        participant.write_all(b"\xff\0").unwrap();
        assert_eq!(received(&referee, 2), b"\xff\0");
        assert_eq!(
            told.lock().unwrap()[1],
            (Direction::Sent, Ok(b"\xff\0".to_vec()))
        );
    }

    #[test]
    fn the_end_of_one_direction_leaves_the_other_open() {
        let (mut participant, mut referee, told, is_done) = between();
        participant.write_all(b"3\n").unwrap();
        participant.shutdown(Shutdown::Write).unwrap();
        let mut rest = Vec::new();
        referee.read_to_end(&mut rest).unwrap();
        assert_eq!(rest, b"3\n");
        referee.write_all(b"RETIRE\n").unwrap();
        assert_eq!(received(&participant, 7), b"RETIRE\n");
        drop(referee);
        assert_eq!(participant.read(&mut [0]).unwrap(), 0);
        is_done.recv().unwrap();
        let told = told.lock().unwrap();
        let ends = told.iter().filter(|(_, what)| what.is_err()).cloned();
        let end = |direction| (direction, Err(Close::End));
        assert!(ends.eq([end(Direction::Sent), end(Direction::Received)]));
    }

    #[test]
    fn a_reset_goes_on_as_a_reset_to_either_side() {
        for is_by_referee in [true, false] {
            let (participant, referee, told, is_done) = between();
            let (mut heard, resets, direction) = match is_by_referee {
                true => (participant, referee, Direction::Received),
                false => (referee, participant, Direction::Sent),
            };
            (&resets).write_all(b"0\n").unwrap();
            assert_eq!(received(&heard, 2), b"0\n");
            refuse(resets);
            let error = heard.read(&mut [0]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{direction:?}");
            is_done.recv().unwrap();
            assert_eq!(
                told.lock().unwrap().last(),
                Some(&(direction, Err(Close::Reset)))
            );
        }
    }

    #[test]
    fn who_sends_to_somebody_who_is_gone_is_told() {
        let (participant, mut referee, _, is_done) = between();
        drop(participant);
        let lost = loop {
            if let Err(error) = referee.write_all(b"0 0 1 1\n") {
                break error;
            }
        };
        let kinds = [ErrorKind::ConnectionReset, ErrorKind::BrokenPipe];
        assert!(kinds.contains(&lost.kind()), "{lost}");
        is_done.recv().unwrap();
    }

    #[test]
    fn more_than_all_buffers_hold_passes_in_both_directions_unchanged() {
        const BYTES: usize = 12 << 20;
        let (participant, referee, _, is_done) = between();
        let pattern = |seed: usize| {
            (0..BYTES)
                .map(|at| ((at * 31 + seed) >> 3) as u8)
                .collect::<Vec<_>>()
        };
        std::thread::scope(|scope| {
            for (seed, near, far) in [(1, &participant, &referee), (2, &referee, &participant)] {
                scope.spawn(move || {
                    let mut near = near;
                    near.write_all(&pattern(seed)).unwrap();
                    near.shutdown(Shutdown::Write).unwrap();
                });
                scope.spawn(move || {
                    let mut bytes = Vec::new();
                    let mut far = far;
                    far.read_to_end(&mut bytes).unwrap();
                    assert!(bytes == pattern(seed), "{} bytes came", bytes.len());
                });
            }
        });
        is_done.recv().unwrap();
    }

    #[test]
    fn a_pipe_that_nobody_reads_any_more_is_closed_before_anything_is_written() {
        let (from, ours) = nix::unistd::pipe().unwrap();
        let (theirs, to) = nix::unistd::pipe().unwrap();
        let (done, is_done) = channel();
        std::thread::spawn(move || {
            pass_pipe(from, to, None, |passing| {
                done.send(passing == Passing::Closed(Close::Reset)).unwrap()
            })
        });
        let mut ours = File::from(ours);
        ours.write_all(b"0\n").unwrap();
        assert_eq!(is_done.recv(), Ok(false));
        let mut theirs = File::from(theirs);
        let mut line = [0; 2];
        theirs.read_exact(&mut line).unwrap();
        assert_eq!(&line, b"0\n");
        drop(theirs);
        assert_eq!(is_done.recv(), Ok(true));
        assert_eq!(is_done.recv().ok(), None, "the thread has ended");
        assert_eq!(
            ours.write(b"1\n").unwrap_err().kind(),
            ErrorKind::BrokenPipe
        );
    }

    #[test]
    fn a_pipe_that_is_to_be_left_is_left_once_all_has_been_passed_on() {
        const BYTES: usize = 4000;
        let (from, mut ours) = std::io::pipe().unwrap();
        let (mut theirs, to) = std::io::pipe().unwrap();
        let (leave, stay) = std::io::pipe().unwrap();
        ours.write_all(&[b'x'; BYTES]).unwrap();
        drop(stay);
        pass_pipe(from.into(), to.into(), Some(&leave.into()), |_| ());
        let mut all = Vec::new();
        theirs.read_to_end(&mut all).unwrap();
        assert_eq!(all.len(), BYTES);
        // Whoever could still write has not closed it.
        assert_eq!(ours.write(b"x").unwrap_err().kind(), ErrorKind::BrokenPipe);
    }
}
