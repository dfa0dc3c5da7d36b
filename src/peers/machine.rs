//! The frame of all built-in peers: a peer is an `async fn` without a runtime.

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::pack::spoiler::FramingFault;
use crate::protocol::{Framer, Line};

/// Longest time for a participant to read before its lane is given up.
const PATIENCE: Duration = Duration::from_secs(5);

/// Time for which a closed lane is still read, so that unread bytes do not turn the close into a reset.
const LINGER: Duration = Duration::from_secs(1);

/// The most bytes that are handed to a machine at once.
pub const CHUNK: usize = 4096;

/// A peer as a state machine: bytes and the time in, bytes and the next alarm out.
///
/// The peer is an `async fn` over a [`Desk`]. It waits for nothing but lines and times of its desk, so it needs no runtime: whoever
/// holds the machine polls it, over sockets and pipes or in a simulated game.
///
/// [`Machine::advance`] goes as far as it can. Then its output is taken, and it is fed what has come on the lanes that it reads
/// ([`Machine::reads`]). Only where nothing has come, and the time of [`Machine::alarm`] has, [`Machine::ring`] is called.
pub struct Machine<'a, T> {
    desk: Desk,
    play: Pin<Box<dyn Future<Output = T> + Send + 'a>>,
    is_over: bool,
}

/// Exit of a peer's program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Farewell {
    /// Its exit status.
    pub status: u8,
    /// Its standard error.
    pub said: String,
    /// True if the peer resets the lanes that it has not closed.
    pub resets: bool,
}

/// The lanes and the clock of a peer, as the peer sees them. Lanes are numbered from 0; times count from the machine's start.
#[derive(Clone)]
pub struct Desk(Arc<Mutex<State>>);

struct State {
    now: Duration,
    /// The next time at which something that is waited for is over.
    alarm: Option<Duration>,
    /// True if only the alarm has come; the first wait that the alarm ends resets the flag.
    is_ringing: bool,
    lanes: Vec<Lane>,
}

#[derive(Default)]
struct Lane {
    framer: Framer,
    misframes: Option<FramingFault>,
    lines: VecDeque<Line>,
    /// Number of lines that were handed to the peer.
    count: u64,
    has_ended: bool,
    is_read: bool,
    outgoing: Vec<u8>,
    /// True if the participant has stopped reading.
    is_refused: bool,
    /// True if the peer has closed its direction.
    is_ended: bool,
}

/// First event on some lanes.
#[derive(Debug)]
pub(super) enum Arrival {
    /// A line, on this lane.
    Line(usize, Line),
    /// A part of a line.
    Part,
    /// The end of this lane.
    End(usize),
    /// Nothing, until the deadline.
    Deadline,
}

impl<'a, T> Machine<'a, T> {
    /// A peer with this number of lanes.
    pub fn new<F: Future<Output = T> + Send + 'a>(
        lanes: usize,
        play: impl FnOnce(Desk) -> F,
    ) -> Self {
        let lanes = (0..lanes).map(|_| Lane::default()).collect();
        let state = State {
            now: Duration::ZERO,
            alarm: None,
            is_ringing: false,
            lanes,
        };
        let desk = Desk(Arc::new(Mutex::new(state)));
        Machine {
            play: Box::pin(play(desk.clone())),
            desk,
            is_over: false,
        }
    }

    /// Goes as far as it can at this time; the peer's result once it is over.
    pub fn advance(&mut self, now: Duration) -> Option<T> {
        if self.is_over {
            return None;
        }
        {
            let mut state = self.desk.lock();
            state.now = state.now.max(now);
            state.alarm = None;
            state.lanes.iter_mut().for_each(|lane| lane.is_read = false);
        }
        match self
            .play
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(result) => {
                self.is_over = true;
                Some(result)
            }
            Poll::Pending => None,
        }
    }

    /// Advances the peer at an alarm, without input.
    pub fn ring(&mut self, now: Duration) -> Option<T> {
        self.desk.lock().is_ringing = true;
        let result = self.advance(now);
        self.desk.lock().is_ringing = false;
        result
    }

    /// Returns the time of the next alarm.
    pub fn alarm(&self) -> Option<Duration> {
        self.desk.lock().alarm
    }

    /// Returns true if the peer reads this lane now. Input on other lanes stays in the platform's buffers.
    pub fn reads(&self, lane: usize) -> bool {
        let state = self.desk.lock();
        state.lanes[lane].is_read && !state.lanes[lane].has_ended
    }

    /// Takes bytes that came on a lane.
    pub fn feed(&mut self, lane: usize, bytes: &[u8]) {
        let mut state = self.desk.lock();
        state.lanes[lane].read(bytes);
    }

    /// Takes the end of a lane, a reset included. A last line without its newline is not one.
    pub fn end_input(&mut self, lane: usize) {
        self.desk.lock().lanes[lane].has_ended = true;
    }

    /// Hands out what is to be written to a lane; `write` says how many bytes were.
    pub fn write<R>(&mut self, lane: usize, write: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        write(&mut self.desk.lock().lanes[lane].outgoing)
    }

    /// Takes that nobody reads a lane any more; whether that is new.
    pub fn refuse(&mut self, lane: usize) -> bool {
        let mut state = self.desk.lock();
        state.lanes[lane].outgoing.clear();
        !std::mem::replace(&mut state.lanes[lane].is_refused, true)
    }

    /// Returns true if the peer has closed its direction of a lane, and all earlier bytes were written.
    pub fn has_ended(&self, lane: usize) -> bool {
        let state = self.desk.lock();
        state.lanes[lane].is_ended && state.lanes[lane].outgoing.is_empty()
    }
}

impl<T> fmt::Debug for Machine<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine")
            .field("is_over", &self.is_over)
            .finish_non_exhaustive()
    }
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("nobody panics while holding the desk")
    }

    /// The time since the machine's start.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.lock().now
    }

    /// The next line of a lane; `None` after its end.
    pub async fn next_line(&self, lane: usize) -> Option<Line> {
        self.first_line(&[lane], None)
            .await
            .and_then(|(_, line)| line)
    }

    /// The next line of the first of these lanes on which something has come, or its end; `None` at the deadline, where there is one.
    /// Loses nothing where it is cancelled.
    pub async fn first_line(
        &self,
        lanes: &[usize],
        deadline: Option<Duration>,
    ) -> Option<(usize, Option<Line>)> {
        poll_fn(|_| {
            let mut state = self.lock();
            for &number in lanes {
                let lane = &mut state.lanes[number];
                let line = lane.lines.pop_front();
                if line.is_some() || lane.has_ended {
                    lane.count += u64::from(line.is_some());
                    return Poll::Ready(Some((number, line)));
                }
            }
            lanes
                .iter()
                .for_each(|&lane| state.lanes[lane].is_read = true);
            if state.rings(deadline) {
                Poll::Ready(None)
            } else {
                Poll::Pending
            }
        })
        .await
    }

    /// Returns the next line, or reports that a part of a line has arrived.
    pub(super) async fn first_arrival(
        &self,
        lanes: &[usize],
        deadline: Option<Duration>,
    ) -> Arrival {
        let unfinished = || -> usize {
            let state = self.lock();
            lanes
                .iter()
                .map(|&lane| state.lanes[lane].framer.pending().len())
                .sum()
        };
        let before = unfinished();
        let mut line = std::pin::pin!(self.first_line(lanes, deadline));
        poll_fn(|context| match line.as_mut().poll(context) {
            Poll::Ready(Some((lane, Some(line)))) => Poll::Ready(Arrival::Line(lane, line)),
            Poll::Ready(Some((lane, None))) => Poll::Ready(Arrival::End(lane)),
            Poll::Ready(None) => Poll::Ready(Arrival::Deadline),
            Poll::Pending if unfinished() > before => Poll::Ready(Arrival::Part),
            Poll::Pending => Poll::Pending,
        })
        .await
    }

    /// Waits until this time.
    pub async fn sleep_until(&self, at: Duration) {
        self.first_line(&[], Some(at)).await;
    }

    /// Waits so long.
    pub async fn sleep(&self, time: Duration) {
        if !time.is_zero() {
            self.sleep_until(self.now() + time).await;
        }
    }

    /// Cuts what comes on a lane from now on into lines by this fault.
    pub(super) fn misframe(&self, lane: usize, fault: FramingFault) {
        let own = &mut self.lock().lanes[lane];
        own.misframes = Some(fault);
        if let FramingFault::CutsAt(_) = fault {
            own.framer = Framer::with_limit(usize::MAX);
        }
    }

    /// Returns true if a lane ends until this time without a further line.
    pub(super) async fn ends_by(&self, lane: usize, deadline: Duration) -> bool {
        poll_fn(|_| {
            let mut state = self.lock();
            let own = &mut state.lanes[lane];
            own.is_read = true;
            match own.lines.is_empty() {
                true if own.has_ended => Poll::Ready(true),
                true if !state.rings(Some(deadline)) => Poll::Pending,
                _ => Poll::Ready(false),
            }
        })
        .await
    }

    /// Returns the number of a lane's lines that were handed out.
    #[must_use]
    pub fn count(&self, lane: usize) -> u64 {
        self.lock().lanes[lane].count
    }

    /// Sends bytes in one go. After a disconnect or a write timeout, writes are dropped. Returns `false` for
    /// a dropped write.
    pub async fn send(&self, lane: usize, bytes: &[u8]) -> bool {
        let deadline = {
            let mut state = self.lock();
            let patience = state.now + PATIENCE;
            if state.lanes[lane].is_refused || state.lanes[lane].is_ended {
                return false;
            }
            state.lanes[lane].outgoing.extend_from_slice(bytes);
            patience
        };
        poll_fn(|_| {
            let mut state = self.lock();
            if state.lanes[lane].is_refused || state.lanes[lane].outgoing.is_empty() {
                return Poll::Ready(!state.lanes[lane].is_refused);
            }
            if !state.rings(Some(deadline)) {
                return Poll::Pending;
            }
            state.lanes[lane].is_refused = true;
            state.lanes[lane].outgoing.clear();
            Poll::Ready(false)
        })
        .await
    }

    /// Ends the stream to a participant, and goes on holding the lane.
    pub fn end(&self, lane: usize) {
        self.lock().lanes[lane].is_ended = true;
    }

    /// Ends the streams of all lanes, then reads out what comes on them until they end as well, for a bounded time.
    pub async fn close(&self) {
        let mut lanes: Vec<_> = (0..self.lock().lanes.len()).collect();
        lanes.iter().for_each(|&lane| self.end(lane));
        let deadline = self.now() + LINGER;
        while !lanes.is_empty() {
            match self.first_line(&lanes, Some(deadline)).await {
                Some((_, Some(_))) => {}
                Some((ended, None)) => lanes.retain(|&lane| lane != ended),
                None => return,
            }
        }
    }
}

impl Lane {
    fn read(&mut self, bytes: &[u8]) {
        let known = self.lines.len();
        self.framer.push(bytes, |line| self.lines.push_back(line));
        match self.misframes {
            Some(FramingFault::RestIsLine) => {
                let rest = self.framer.finish();
                self.lines.extend(rest.map(|rest| Line::new(rest.text)));
            }
            Some(FramingFault::FirstLineOnly) => {
                self.lines.truncate(known + 1);
                drop(self.framer.finish());
            }
            Some(FramingFault::CutsAt(length)) => {
                let fresh = self.lines.split_off(known);
                self.lines
                    .extend(fresh.iter().flat_map(|line| cut(line, length)));
            }
            Some(FramingFault::DiesOver(_) | FramingFault::DropsLast) | None => {}
        }
    }
}

/// The pieces of a line, each as a line.
fn cut(line: &Line, length: usize) -> Vec<Line> {
    if line.text.len() <= length {
        return vec![line.clone()];
    }
    line.text.chunks(length).map(Line::new).collect()
}

impl State {
    /// Returns true if a wait until this time is over; otherwise sets the alarm.
    fn rings(&mut self, deadline: Option<Duration>) -> bool {
        let Some(deadline) = deadline else {
            return false;
        };
        if deadline <= self.now && std::mem::take(&mut self.is_ringing) {
            return true;
        }
        self.alarm = Some(self.alarm.map_or(deadline, |alarm| alarm.min(deadline)));
        false
    }
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Advances a machine with one lane that takes nothing, from alarm to alarm; when it is over, and its result.
    fn until_over<T>(mut machine: Machine<'_, T>) -> (Duration, T) {
        let mut now = Duration::ZERO;
        let mut result = machine.advance(now);
        while result.is_none() {
            now = machine.alarm().expect("it waits for a time");
            result = machine.ring(now);
        }
        (now, result.expect("it is over"))
    }

    #[test]
    fn gives_up_once_on_a_participant_who_never_reads() {
        let machine = Machine::new(1, async |desk: Desk| {
            (desk.send(0, b"1\n").await, desk.send(0, b"2\n").await)
        });
        assert_eq!(until_over(machine), (PATIENCE, (false, false)));
    }

    #[test]
    fn closing_waits_for_the_other_side_but_not_for_ever() {
        let (now, ()) = until_over(Machine::new(2, |desk| async move { desk.close().await }));
        assert_eq!(now, LINGER);
    }

    #[test]
    fn closing_reads_out_what_is_left_and_is_over_when_everybody_has_left() {
        let mut machine = Machine::new(2, |desk| async move { desk.close().await });
        assert!(machine.advance(Duration::ZERO).is_none());
        machine.feed(0, b"late\n");
        machine.end_input(0);
        assert!(machine.advance(SECOND / 2).is_none());
        assert!(machine.has_ended(0) && machine.reads(1));
        machine.end_input(1);
        assert!(machine.advance(SECOND / 2).is_some());
    }

    #[test]
    fn reads_a_lane_only_while_a_line_is_asked_for_and_tells_its_end() {
        let mut machine = Machine::new(1, async |desk: Desk| {
            let mut seen = Vec::new();
            desk.sleep(SECOND).await;
            while let Some(line) = desk.next_line(0).await {
                seen.push(String::from_utf8(line.text).unwrap());
            }
            seen
        });
        assert!(machine.advance(Duration::ZERO).is_none());
        assert_eq!((machine.reads(0), machine.alarm()), (false, Some(SECOND)));
        assert!(machine.ring(SECOND).is_none());
        assert_eq!((machine.reads(0), machine.alarm()), (true, None));
        machine.feed(0, b"3\n+3\r\n4");
        machine.end_input(0);
        let expected = ["3", "+3\r"].map(str::to_owned).to_vec();
        assert_eq!(machine.advance(SECOND), Some(expected));
    }

    #[test]
    fn a_wait_until_now_is_over_only_where_nothing_has_come() {
        let look = async |desk: Desk| desk.first_line(&[0], Some(desk.now())).await;
        let mut machine = Machine::new(1, look);
        assert!(machine.advance(SECOND).is_none());
        machine.feed(0, b"3\n");
        let line = (0, Some(Line::new("3")));
        assert_eq!(machine.advance(SECOND), Some(Some(line)));
        assert_eq!(until_over(Machine::new(1, look)), (Duration::ZERO, None));
    }
}
