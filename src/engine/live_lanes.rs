//! Live streams of one game's lanes, polled together by the one task that plays it.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use super::lanes::{Lanes, Refused, Wires};
use crate::event::What;
use crate::scenario::Side;
use crate::transcript::Close;
use crate::transport::Wire;

/// Number of bytes of one read.
const CHUNK: usize = 16 * 1024;

/// Number of successful reads after a write before urtext asks the system which lane is readable.
const HITS: u8 = 8;

/// One participant's stream.
#[derive(Debug)]
struct LiveWire {
    wire: Wire,
    throttle: Option<Throttle>,
    /// By a reset or a loss writing has failed, and reading may then not be told of it.
    failed: Option<Close>,
}

/// A participant that reads slowly, or not at all.
#[derive(Debug)]
struct Throttle {
    bytes_a_second: u64,
    next: Pin<Box<Sleep>>,
}

impl Throttle {
    fn new(bytes_a_second: u64) -> Throttle {
        Throttle {
            bytes_a_second,
            next: Box::pin(sleep(Duration::ZERO)),
        }
    }

    /// Returns the number of bytes that may be read now.
    fn poll_room(&mut self, context: &mut Context<'_>) -> Poll<usize> {
        if self.bytes_a_second == 0 {
            // A new pace is set by the task that polls, which then polls again.
            return Poll::Pending;
        }
        ready!(self.next.as_mut().poll(context));
        // A tenth of a second's worth at once keeps the reading even.
        Poll::Ready(
            usize::try_from(self.bytes_a_second / 10)
                .unwrap_or(usize::MAX)
                .max(1),
        )
    }

    fn took(&mut self, bytes: usize) {
        let time = Duration::from_secs_f64(bytes as f64 / self.bytes_a_second as f64);
        self.next.as_mut().reset(Instant::now() + time);
    }
}

/// The streams of a game, by the numbers of their lanes, and the lanes over them.
#[derive(Debug)]
pub(super) struct LiveLanes {
    pub(super) lanes: Lanes,
    wires: Vec<Option<LiveWire>>,
    buffer: Box<[u8]>,
    /// Number of further reads that may be tried before the system is asked.
    hits: u8,
}

impl LiveLanes {
    /// No lanes yet, for a game with a subject of that side.
    pub(super) fn new(side: Side) -> LiveLanes {
        LiveLanes {
            lanes: Lanes::new(side),
            wires: Vec::new(),
            buffer: vec![0; CHUNK].into(),
            hits: 0,
        }
    }

    pub(super) fn open(&mut self, lane: usize, wire: Wire) {
        self.put(lane, wire);
        self.lanes.ready.push_back(What::Opened { lane });
    }

    /// Opens a lane that the judge has seen open.
    pub(super) fn put(&mut self, lane: usize, wire: Wire) {
        if self.wires.len() <= lane {
            self.wires.resize_with(lane + 1, || None);
        }
        self.wires[lane] = Some(LiveWire {
            wire,
            throttle: None,
            failed: None,
        });
        self.lanes.open(lane);
    }

    /// Drops a lane as if it had not been opened.
    pub(super) fn forget(&mut self, lane: usize) {
        self.wires[lane] = None;
        self.lanes.forget(lane);
    }

    /// Reads at most so many bytes a second from now on; `None`: as many as come.
    pub(super) fn read_at(&mut self, lane: usize, bytes_a_second: Option<u64>) {
        if let Some(Some(wire)) = self.wires.get_mut(lane) {
            wire.throttle = bytes_a_second.map(Throttle::new);
        }
    }

    /// Has these events told next, after the lanes that are read no more, and the lines of which a part has come.
    pub(super) fn alarm(&mut self, events: impl IntoIterator<Item = What>) {
        let is_closed = |wire: &LiveWire| wire.wire.reader_closed();
        self.lanes
            .refuse(|lane| self.wires[lane].as_ref().is_some_and(is_closed));
        self.lanes.alarm(events);
    }

    /// Ends our direction of every lane, and waits until the other side has ended its own. Discards all
    /// further input.
    pub(super) async fn part(&mut self) {
        self.lanes.part();
        let wires = self.wires.iter_mut().flatten();
        wires.for_each(|wire| wire.throttle = None);
        while self.open_count() > 0 {
            poll_fn(|context| self.poll(context)).await;
        }
    }

    /// Returns the number of lanes that the other side has not closed.
    pub(super) fn open_count(&self) -> usize {
        let lanes = 0..self.wires.len();
        lanes.filter(|&lane| self.lanes.is_read(lane)).count()
    }

    /// The next thing that happens on a lane.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<What> {
        if let Some(what) = self.lanes.ready.pop_front() {
            return Poll::Ready(what);
        }
        let wires = &mut self.wires;
        // A line that was sent is reported before any line that can be an answer to it.
        if self.lanes.write(&mut Polled { wires, context }) {
            self.hits = HITS;
        } else if !self.read_at_once() {
            for lane in 0..self.wires.len() {
                self.poll_read(lane, context);
            }
        }
        match self.lanes.ready.pop_front() {
            Some(what) => Poll::Ready(what),
            None => Poll::Pending,
        }
    }

    /// Reads the answer to what has just been written, where it is there already: on the same processor the
    /// subject often runs before our write has returned, and then the round through the system's notice of it
    /// is saved. Returns true if there is an event to report.
    fn read_at_once(&mut self) -> bool {
        while self.hits > 0 {
            let before = self.hits;
            for (lane, wire) in self.wires.iter().enumerate() {
                let is_read = |wire: &&LiveWire| wire.throttle.is_none();
                let Some(wire) = wire.as_ref().filter(is_read) else {
                    continue;
                };
                if !self.lanes.is_read(lane) {
                    continue;
                }
                let Some(read) = wire.wire.read_at_once(&mut self.buffer) else {
                    continue;
                };
                self.hits = self.hits.saturating_sub(1);
                match read {
                    Ok(count) => self.lanes.receive(lane, &self.buffer[..count]),
                    Err(error) => self.lanes.receive_end(lane, Close::by(&error)),
                }
            }
            if !self.lanes.ready.is_empty() {
                return true;
            }
            if self.hits == before {
                self.hits = 0;
            }
        }
        false
    }

    fn poll_read(&mut self, lane: usize, context: &mut Context<'_>) {
        // What is read at once is bounded, and what it completes is handed out before more is read.
        let Some(wire) = self.wires[lane]
            .as_mut()
            .filter(|_| self.lanes.is_read(lane))
        else {
            return;
        };
        let room = match &mut wire.throttle {
            None => self.buffer.len(),
            Some(throttle) => match throttle.poll_room(context) {
                Poll::Ready(room) => room.min(self.buffer.len()),
                Poll::Pending => return,
            },
        };
        let mut read = ReadBuf::new(&mut self.buffer[..room]);
        let close = match Pin::new(&mut wire.wire).poll_read(context, &mut read) {
            Poll::Pending => return,
            Poll::Ready(Ok(())) if !read.filled().is_empty() => {
                if let Some(throttle) = &mut wire.throttle {
                    throttle.took(read.filled().len());
                }
                self.lanes.receive(lane, read.filled());
                if self.lanes.ready.is_empty() {
                    // Half a line: there may be more, and nobody else will wake this task for it.
                    context.waker().wake_by_ref();
                }
                return;
            }
            Poll::Ready(Ok(())) => Close::End,
            Poll::Ready(Err(error)) => Close::by(&error),
        };
        let close = wire.failed.unwrap_or(close);
        self.lanes.receive_end(lane, close);
    }
}

/// Streams that are being polled.
struct Polled<'p, 'c> {
    wires: &'p mut [Option<LiveWire>],
    context: &'p mut Context<'c>,
}

impl Wires for Polled<'_, '_> {
    fn write(&mut self, lane: usize, bytes: &[u8]) -> Poll<Result<usize, Refused>> {
        let wire = self.wires[lane].as_mut().expect("the lane is open");
        let written = ready!(Pin::new(&mut wire.wire).poll_write(self.context, bytes));
        if let Ok(count @ 1..) = written {
            return Poll::Ready(Ok(count));
        }
        // The system reports a reset or a loss to one direction only. Other errors also end the direction that is read.
        let failed = written
            .err()
            .filter(|error| error.kind() != io::ErrorKind::BrokenPipe);
        let failed = failed.map(|error| Close::by(&error));
        let failed = failed.filter(|close| *close != Close::Broken);
        wire.failed = wire.failed.or(failed);
        Poll::Ready(Err(Refused))
    }

    fn shut(&mut self, lane: usize, close: Close) -> Poll<()> {
        if close == Close::Reset {
            return Poll::Ready(());
        }
        let wire = self.wires[lane].as_mut().expect("the lane is open");
        Pin::new(&mut wire.wire)
            .poll_shutdown(self.context)
            .map(drop)
    }

    fn leave(&mut self, lane: usize, close: Close) {
        if let Some(wire) = self.wires[lane].take()
            && close == Close::Reset
        {
            wire.wire.reset();
        }
    }
}
