//! Machines over real streams: sockets and pipes of a runtime, or blocking ones.

use std::future::poll_fn;
use std::io::{self, ErrorKind, Read, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, sleep_until};

use super::Lane;
use super::machine::{CHUNK, Machine};

/// Has a machine talk over lanes, in the order of its own, until it is over.
pub(super) async fn drive<T>(mut machine: Machine<'_, T>, mut lanes: Vec<&mut Lane>) -> T {
    let start = Instant::now();
    let mut timer = std::pin::pin!(sleep_until(start));
    poll_fn(|context| {
        loop {
            if let Some(result) = machine.advance(start.elapsed()) {
                return Poll::Ready(result);
            }
            let mut has_passed = false;
            for (number, lane) in lanes.iter_mut().enumerate() {
                has_passed |= lane.pass(number, &mut machine, context);
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
            std::task::ready!(timer.as_mut().poll(context));
        }
    })
    .await
}

impl Lane {
    /// Writes and reads what can be now; `true` where the machine can go on by it.
    fn pass<T>(
        &mut self,
        number: usize,
        machine: &mut Machine<'_, T>,
        context: &mut Context<'_>,
    ) -> bool {
        let mut has_passed = false;
        let written = machine.write(number, |outgoing| self.poll_write(outgoing, context));
        match written {
            Ok(count) => has_passed |= count > 0,
            Err(_) => {
                machine.refuse(number);
                has_passed = true;
            }
        }
        if machine.has_ended(number)
            && let Some(writer) = &mut self.writer
            && Pin::new(writer).poll_shutdown(context).is_ready()
        {
            self.writer = None;
        }
        if !machine.reads(number) {
            return has_passed;
        }
        let mut chunk = [0; CHUNK];
        let mut read = ReadBuf::new(&mut chunk);
        match Pin::new(&mut self.reader).poll_read(context, &mut read) {
            Poll::Pending => return has_passed,
            Poll::Ready(Ok(())) if !read.filled().is_empty() => machine.feed(number, read.filled()),
            Poll::Ready(_) => machine.end_input(number),
        }
        true
    }

    fn poll_write(
        &mut self,
        outgoing: &mut Vec<u8>,
        context: &mut Context<'_>,
    ) -> io::Result<usize> {
        let mut written = 0;
        while written < outgoing.len() {
            let writer = self.writer.as_mut().ok_or(ErrorKind::BrokenPipe)?;
            match Pin::new(writer).poll_write(context, &outgoing[written..]) {
                Poll::Ready(Ok(count @ 1..)) => written += count,
                Poll::Ready(Ok(0)) => return Err(ErrorKind::WriteZero.into()),
                Poll::Ready(Err(error)) => return Err(error),
                Poll::Pending => break,
            }
        }
        outgoing.drain(..written);
        if written > 0
            && let Some(writer) = &mut self.writer
        {
            // Our streams keep nothing back, so there is nothing to wait for.
            let _ = Pin::new(writer).poll_flush(context);
        }
        Ok(written)
    }
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
