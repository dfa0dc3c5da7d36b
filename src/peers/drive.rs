//! Machines over real streams: sockets and pipes of a runtime, or blocking ones.

use std::future::poll_fn;
use std::io::{self, ErrorKind, Read, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, sleep_until};

use super::machine::{CHUNK, Machine};
use crate::transport::Wire;

/// Has a machine talk over lanes, in the order of its own, until it is over.
///
/// A lane is read only while the machine asks for a line: what comes before waits in the buffers of the platform, which bound it.
pub(super) async fn drive<T>(mut machine: Machine<'_, T>, lanes: &mut [Wire]) -> T {
    let start = Instant::now();
    let mut timer = std::pin::pin!(sleep_until(start));
    poll_fn(|context| {
        loop {
            if let Some(result) = machine.advance(start.elapsed()) {
                return Poll::Ready(result);
            }
            let mut has_passed = false;
            for (number, lane) in lanes.iter_mut().enumerate() {
                has_passed |= pass(lane, number, &mut machine, context);
            }
            if has_passed {
                continue;
            }
            let Some(alarm) = machine.alarm() else {
                return Poll::Pending;
            };
            if start.elapsed() >= alarm {
                if let Some(result) = machine.ring(start.elapsed()) {
                    return Poll::Ready(result);
                }
                continue;
            }
            timer.as_mut().reset(start + alarm);
            ready!(timer.as_mut().poll(context));
        }
    })
    .await
}

/// Writes and reads what can be now; `true` where the machine can go on by it.
fn pass<T>(
    lane: &mut Wire,
    number: usize,
    machine: &mut Machine<'_, T>,
    context: &mut Context<'_>,
) -> bool {
    let mut has_passed = false;
    let is_refused = machine.write(number, |outgoing| {
        while !outgoing.is_empty() {
            match Pin::new(&mut *lane).poll_write(context, outgoing) {
                Poll::Ready(Ok(count @ 1..)) => drop(outgoing.drain(..count)),
                Poll::Ready(_) => return true,
                Poll::Pending => break,
            }
            has_passed = true;
        }
        false
    });
    if is_refused {
        machine.refuse(number);
        has_passed = true;
    }
    if machine.has_ended(number) {
        let _ = Pin::new(&mut *lane).poll_shutdown(context);
    }
    if !machine.reads(number) {
        return has_passed;
    }
    let mut chunk = [0; CHUNK];
    let mut read = ReadBuf::new(&mut chunk);
    match Pin::new(lane).poll_read(context, &mut read) {
        Poll::Pending => return has_passed,
        Poll::Ready(Ok(())) if !read.filled().is_empty() => machine.feed(number, read.filled()),
        Poll::Ready(_) => machine.end_input(number),
    }
    true
}

/// Has a machine with one lane talk over blocking streams until it is over. A peer that has dropped the connection is as good as the end
/// of the input.
///
/// # Errors
/// Fails if a stream cannot be read or written.
pub(super) fn drive_blocking<T>(
    mut machine: Machine<'_, T>,
    mut input: impl Read,
    mut output: impl Write,
) -> io::Result<T> {
    let start = std::time::Instant::now();
    let mut chunk = [0; CHUNK];
    let mut result = machine.advance(start.elapsed());
    loop {
        let outgoing = machine.write(0, std::mem::take);
        let has_written = !outgoing.is_empty();
        if has_written {
            match output.write_all(&outgoing).and_then(|()| output.flush()) {
                Err(error) if is_dropped(&error) => {
                    machine.refuse(0);
                }
                written => written?,
            }
        }
        if let Some(result) = result {
            return Ok(result);
        }
        result = if has_written {
            machine.advance(start.elapsed())
        } else if machine.reads(0) {
            match input.read(&mut chunk) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if is_dropped(&error) => machine.end_input(0),
                Ok(0) => machine.end_input(0),
                read => machine.feed(0, &chunk[..read?]),
            }
            machine.advance(start.elapsed())
        } else if let Some(alarm) = machine.alarm() {
            std::thread::sleep(alarm.saturating_sub(start.elapsed()));
            machine.ring(alarm.max(start.elapsed()))
        } else {
            std::thread::park();
            None
        };
    }
}

/// Returns true if the other side has dropped the connection.
fn is_dropped(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted
    )
}
