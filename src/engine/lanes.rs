//! All lanes of one game, polled together by the one task that plays it.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::event::{Processes, What};
use crate::protocol::{Framer, LineEnding};
use crate::scenario::Leaving;
use crate::transcript::{Close, Direction};
use crate::transport::{FarEnd, Wire};

/// Number of bytes of one read.
const CHUNK: usize = 16 * 1024;

/// Number of successful reads after a write before urtext asks the system which lane is readable.
const HITS: u8 = 8;

/// Share of writes, one in `SELDOM`, that are followed by a read at once although such reads keep failing;
/// also the number of failures until then.
const SELDOM: u8 = 16;

/// One participant's connection with its framing.
#[derive(Debug)]
struct Lane {
    wire: Wire,
    /// The direction in which urtext writes.
    ours: Direction,
    reads: Framer,
    writes: Framer,
    /// Bytes to write; `written` counts those already written.
    outgoing: Vec<u8>,
    written: usize,
    is_reading: bool,
    throttle: Option<Throttle>,
    is_writing: bool,
    has_sent: bool,
    /// By a reset or a loss writing has failed, and reading may then not be told of it.
    failed: Option<Close>,
    wants_close: Option<Leaving>,
}

/// A participant that reads slowly, or not at all.
#[derive(Debug)]
struct Throttle {
    bytes_a_second: u64,
    next: Pin<Box<tokio::time::Sleep>>,
}

impl Throttle {
    fn new(bytes_a_second: u64) -> Throttle {
        Throttle {
            bytes_a_second,
            next: Box::pin(tokio::time::sleep(Duration::ZERO)),
        }
    }

    /// Returns the number of bytes that may be read now.
    fn poll_room(&mut self, context: &mut Context<'_>) -> Poll<usize> {
        if self.bytes_a_second == 0 {
            // A new pace is set by the task that polls, which then polls again.
            return Poll::Pending;
        }
        std::task::ready!(self.next.as_mut().poll(context));
        // A tenth of a second's worth at once keeps the reading even.
        Poll::Ready(
            usize::try_from(self.bytes_a_second / 10)
                .unwrap_or(usize::MAX)
                .max(1),
        )
    }

    fn took(&mut self, bytes: usize) {
        let time = Duration::from_secs_f64(bytes as f64 / self.bytes_a_second as f64);
        self.next.as_mut().reset(tokio::time::Instant::now() + time);
    }
}

/// The lanes of a game, in the order of their numbers.
#[derive(Debug)]
pub(super) struct Lanes {
    /// `None`: not opened yet, or left.
    lanes: Vec<Option<Lane>>,
    ready: VecDeque<What>,
    buffer: Box<[u8]>,
    /// Number of further reads that may be tried before the system is asked.
    hits: u8,
    /// Success of such reads: rises to [`SELDOM`] while they succeed, and falls to zero while they fail.
    luck: u8,
    /// Writes since it went badly.
    writes: u8,
}

impl Lanes {
    pub(super) fn new() -> Lanes {
        Lanes {
            lanes: Vec::new(),
            ready: VecDeque::new(),
            buffer: vec![0; CHUNK].into(),
            hits: 0,
            luck: SELDOM,
            writes: 0,
        }
    }

    /// Opens a lane; `ours` is the direction in which urtext writes.
    pub(super) fn open(&mut self, lane: usize, wire: Wire, ours: Direction) {
        if self.lanes.len() <= lane {
            self.lanes.resize_with(lane + 1, || None);
        }
        self.lanes[lane] = Some(Lane {
            wire,
            ours,
            reads: Framer::default(),
            writes: Framer::default(),
            outgoing: Vec::new(),
            written: 0,
            is_reading: true,
            throttle: None,
            is_writing: true,
            has_sent: false,
            failed: None,
            wants_close: None,
        });
        self.ready.push_back(What::Opened { lane });
    }

    /// Drops a lane as if it had not been opened.
    pub(super) fn forget(&mut self, lane: usize) {
        self.lanes[lane] = None;
    }

    /// Takes bytes to be written to a lane as soon as the other side reads.
    pub(super) fn send(&mut self, lane: usize, bytes: &[u8]) {
        if let Some(Some(lane)) = self.lanes.get_mut(lane)
            && lane.is_writing
        {
            lane.outgoing.extend_from_slice(bytes);
            lane.has_sent = true;
        }
    }

    /// The subject's ends of the lanes that are open in both directions, by their numbers. `None` where a lane has something left to be
    /// written, or it cannot be seen what has come of what was.
    pub(super) fn far_ends(&self) -> Option<Vec<(usize, FarEnd)>> {
        let lanes = self
            .lanes
            .iter()
            .enumerate()
            .filter_map(|(number, lane)| Some((number, lane.as_ref()?)));
        let far_end = |(number, lane): (usize, &Lane)| match lane.wire.far_end() {
            _ if !lane.outgoing.is_empty() => Some(None),
            Some(end) => Some(Some((number, end))),
            None => lane.has_sent.then_some(None),
        };
        lanes
            .filter(|(_, lane)| lane.is_reading && lane.is_writing)
            .filter_map(far_end)
            .collect()
    }

    /// Reads at most so many bytes a second from now on; `None`: as many as come.
    pub(super) fn read_at(&mut self, lane: usize, bytes_a_second: Option<u64>) {
        if let Some(Some(lane)) = self.lanes.get_mut(lane) {
            lane.throttle = bytes_a_second.map(Throttle::new);
        }
    }

    /// Leaves a lane once everything is written.
    pub(super) fn leave(&mut self, lane: usize, how: Leaving) {
        if let Some(Some(lane)) = self.lanes.get_mut(lane) {
            lane.wants_close = Some(how);
        }
    }

    /// Has this alarm told next, after what has come of lines whose newlines have not, which lanes are read no more, and how the subject's
    /// processes are.
    pub(super) fn alarm(&mut self, processes: Option<Processes>, alarm: What) {
        for (number, slot) in self.lanes.iter_mut().enumerate() {
            let Some(lane) = slot
                .as_mut()
                .filter(|lane| lane.is_writing && lane.wire.reader_closed())
            else {
                continue;
            };
            self.ready.push_back(lane.stop_writing(number));
        }
        let lanes = self
            .lanes
            .iter()
            .enumerate()
            .filter_map(|(lane, slot)| Some((lane, slot.as_ref()?)));
        let begun = lanes.filter(|(_, state)| !state.reads.pending().is_empty());
        self.ready
            .extend(begun.map(|(lane, state)| What::Unfinished {
                lane,
                direction: state.theirs(),
                text: state.reads.pending().to_vec(),
            }));
        self.ready.extend(processes.map(What::Processes));
        self.ready.push_back(alarm);
    }

    /// Ends our direction of every lane, and waits until the other side has ended its own. Discards all
    /// further input.
    pub(super) async fn part(&mut self) {
        std::future::poll_fn(|context| {
            let mut is_open = false;
            for lane in self.lanes.iter_mut().flatten() {
                is_open |= lane.poll_part(context, &mut self.buffer).is_pending();
            }
            if is_open {
                Poll::Pending
            } else {
                Poll::Ready(())
            }
        })
        .await;
    }

    /// Returns the number of lanes that the other side has not closed.
    pub(super) fn open_count(&self) -> usize {
        self.lanes
            .iter()
            .flatten()
            .filter(|lane| lane.is_reading)
            .count()
    }

    /// The next thing that happens on a lane.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<What> {
        if let Some(what) = self.ready.pop_front() {
            return Poll::Ready(what);
        }
        for (number, slot) in self.lanes.iter_mut().enumerate() {
            let Some(lane) = slot else { continue };
            lane.poll_write(number, context, &mut self.ready);
            if lane.has_left(number, context, &mut self.ready) {
                let lane = slot.take().expect("it was there just now");
                if lane.wants_close == Some(Leaving::Reset) {
                    lane.wire.reset();
                }
            }
        }
        // What was written is told before anything that can have come of it.
        if !self.ready.is_empty() {
            self.writes = self.writes % SELDOM + 1;
            self.hits = if self.luck > 0 || self.writes == SELDOM {
                HITS
            } else {
                0
            };
        } else if !self.read_at_once() {
            for (number, slot) in self.lanes.iter_mut().enumerate() {
                let Some(lane) = slot else { continue };
                lane.poll_read(number, context, &mut self.buffer, &mut self.ready);
            }
        }
        match self.ready.pop_front() {
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
            for (number, slot) in self.lanes.iter_mut().enumerate() {
                let is_read = |lane: &&mut Lane| lane.is_reading && lane.throttle.is_none();
                let Some(lane) = slot.as_mut().filter(is_read) else {
                    continue;
                };
                let Some(read) = lane.wire.reader.read_at_once(&mut self.buffer) else {
                    continue;
                };
                self.hits = self.hits.saturating_sub(1);
                let direction = lane.theirs();
                let count = match read {
                    Ok(count) => count,
                    Err(error) => {
                        lane.stop_reading(number, Close::by(&error), &mut self.ready);
                        continue;
                    }
                };
                let tell = |line| {
                    self.ready.push_back(What::Line {
                        lane: number,
                        direction,
                        line,
                    })
                };
                lane.reads.push(&self.buffer[..count], tell);
            }
            if !self.ready.is_empty() {
                self.luck = (self.luck + 1).min(SELDOM);
                return true;
            }
            if self.hits == before {
                self.luck = self.luck.saturating_sub(1);
                self.hits = 0;
            }
        }
        false
    }
}

impl Lane {
    fn poll_part(&mut self, context: &mut Context<'_>, buffer: &mut [u8]) -> Poll<()> {
        if self.is_writing
            && Pin::new(&mut self.wire.writer)
                .poll_shutdown(context)
                .is_ready()
        {
            self.is_writing = false;
        }
        while self.is_reading {
            let mut read = ReadBuf::new(buffer);
            let result =
                std::task::ready!(Pin::new(&mut self.wire.reader).poll_read(context, &mut read));
            self.is_reading = result.is_ok() && !read.filled().is_empty();
        }
        Poll::Ready(())
    }

    fn theirs(&self) -> Direction {
        match self.ours {
            Direction::Sent => Direction::Received,
            Direction::Received => Direction::Sent,
        }
    }

    fn poll_write(&mut self, lane: usize, context: &mut Context<'_>, ready: &mut VecDeque<What>) {
        let direction = self.ours;
        while self.is_writing && self.written < self.outgoing.len() {
            let rest = &self.outgoing[self.written..];
            match Pin::new(&mut self.wire.writer).poll_write(context, rest) {
                Poll::Pending => return,
                Poll::Ready(Ok(count @ 1..)) => {
                    let tell = |what| ready.push_back(what);
                    What::of_write(lane, direction, &mut self.writes, &rest[..count], tell);
                    self.written += count;
                }
                Poll::Ready(written) => {
                    // Whatever else is wrong with the lane shows on its other direction; these are told to one of them only.
                    let failed = written
                        .err()
                        .filter(|error| error.kind() != io::ErrorKind::BrokenPipe);
                    let failed = failed.map(|error| Close::by(&error));
                    self.failed = self
                        .failed
                        .or(failed.filter(|close| *close != Close::Broken));
                    ready.push_back(self.stop_writing(lane));
                }
            }
        }
        self.outgoing.clear();
        self.written = 0;
    }

    /// Stops writing to a lane that nobody reads any more.
    fn stop_writing(&mut self, lane: usize) -> What {
        self.is_writing = false;
        self.outgoing.clear();
        self.written = 0;
        What::Closed {
            lane,
            direction: self.ours,
            close: Close::Reset,
        }
    }

    /// Carries out a wish to leave once everything is written; `true` where nothing of the lane is left.
    fn has_left(
        &mut self,
        lane: usize,
        context: &mut Context<'_>,
        ready: &mut VecDeque<What>,
    ) -> bool {
        let Some(how) = self.wants_close.filter(|_| self.outgoing.is_empty()) else {
            return false;
        };
        let direction = self.ours;
        match how {
            Leaving::Reset => {
                ready.push_back(What::Closed {
                    lane,
                    direction,
                    close: Close::Reset,
                });
                true
            }
            Leaving::HangUp | Leaving::HalfClose if !self.is_writing => how == Leaving::HangUp,
            Leaving::HangUp | Leaving::HalfClose => {
                if Pin::new(&mut self.wire.writer)
                    .poll_shutdown(context)
                    .is_pending()
                {
                    return false;
                }
                self.is_writing = false;
                ready.push_back(What::Closed {
                    lane,
                    direction,
                    close: Close::End,
                });
                how == Leaving::HangUp
            }
        }
    }

    fn poll_read(
        &mut self,
        lane: usize,
        context: &mut Context<'_>,
        buffer: &mut [u8],
        ready: &mut VecDeque<What>,
    ) {
        let direction = self.theirs();
        // What is read at once is bounded, and what it completes is handed out before more is read.
        if !self.is_reading {
            return;
        }
        let room = match &mut self.throttle {
            None => buffer.len(),
            Some(throttle) => match throttle.poll_room(context) {
                Poll::Ready(room) => room.min(buffer.len()),
                Poll::Pending => return,
            },
        };
        let mut read = ReadBuf::new(&mut buffer[..room]);
        let close = match Pin::new(&mut self.wire.reader).poll_read(context, &mut read) {
            Poll::Pending => return,
            Poll::Ready(Ok(())) if !read.filled().is_empty() => {
                if let Some(throttle) = &mut self.throttle {
                    throttle.took(read.filled().len());
                }
                self.reads.push(read.filled(), |line| {
                    ready.push_back(What::Line {
                        lane,
                        direction,
                        line,
                    })
                });
                if ready.is_empty() {
                    // Half a line: there may be more, and nobody else will wake this task for it.
                    context.waker().wake_by_ref();
                }
                return;
            }
            Poll::Ready(Ok(())) => Close::End,
            Poll::Ready(Err(error)) => Close::by(&error),
        };
        let close = self.failed.unwrap_or(close);
        self.stop_reading(lane, close, ready);
    }

    /// Nothing comes on this lane any more.
    fn stop_reading(&mut self, lane: usize, close: Close, ready: &mut VecDeque<What>) {
        let direction = self.theirs();
        self.is_reading = false;
        if let Some(line) = self.reads.finish() {
            debug_assert_eq!(line.ending, LineEnding::Missing);
            ready.push_back(What::rest(lane, direction, line, close));
        }
        ready.push_back(What::Closed {
            lane,
            direction,
            close,
        });
    }
}
