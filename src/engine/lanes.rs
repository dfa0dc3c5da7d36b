//! The lanes of one game as the judge holds them, without I/O.

use std::collections::VecDeque;
use std::task::Poll;

use crate::event::{LaneEvents, What};
use crate::judge::Command;
use crate::scenario::{Leaving, Side};
use crate::transcript::{Close, Direction};

/// The direction in which a subject of that side writes.
pub(super) fn of_subject(side: Side) -> Direction {
    match side {
        Side::Referee => Direction::Received,
        Side::Bot => Direction::Sent,
    }
}

/// Error of a write that nobody reads any more.
#[derive(Debug)]
pub(super) struct Refused;

/// The connections of the lanes: live streams, or a simulated network.
pub(super) trait Wires {
    /// Writes these bytes to a lane, and returns how many were written.
    fn write(&mut self, lane: usize, bytes: &[u8]) -> Poll<Result<usize, Refused>>;

    /// Ends the direction in which urtext writes.
    fn shut(&mut self, lane: usize, close: Close) -> Poll<()>;

    /// Drops a lane.
    fn leave(&mut self, lane: usize, close: Close);
}

/// One participant's lane.
#[derive(Debug)]
pub(super) struct Lane {
    events: LaneEvents,
    pub(super) outgoing: Vec<u8>,
    leaving: Option<Leaving>,
}

/// The lanes of a game, in the order of their numbers.
#[derive(Debug)]
pub(super) struct Lanes {
    /// The direction in which urtext writes.
    ours: Direction,
    /// `None`: not opened yet, or left.
    lanes: Vec<Option<Lane>>,
    /// Events that the judge has not seen.
    pub(super) ready: VecDeque<What>,
}

impl Lanes {
    /// No lanes yet, for a game with a subject of that side.
    pub(super) fn new(side: Side) -> Lanes {
        Lanes {
            ours: of_subject(side).other(),
            lanes: Vec::new(),
            ready: VecDeque::new(),
        }
    }

    /// Opens a lane; the judge is not told of it.
    pub(super) fn open(&mut self, lane: usize) {
        if self.lanes.len() <= lane {
            self.lanes.resize_with(lane + 1, || None);
        }
        self.lanes[lane] = Some(Lane {
            events: LaneEvents::new(lane),
            outgoing: Vec::new(),
            leaving: None,
        });
    }

    /// Drops a lane as if it had not been opened.
    pub(super) fn forget(&mut self, lane: usize) {
        self.lanes[lane] = None;
    }

    fn lane(&mut self, lane: usize) -> Option<&mut Lane> {
        self.lanes.get_mut(lane)?.as_mut()
    }

    /// The direction in which the subject writes.
    pub(super) fn theirs(&self) -> Direction {
        self.ours.other()
    }

    /// Carries out a command of the judge that concerns open lanes, as far as it can be now; returns any other one.
    pub(super) fn carry_out(&mut self, command: Command) -> Option<Command> {
        let ours = self.ours;
        let (lane, how) = match command {
            Command::Send { lane, bytes } => {
                if let Some(lane) = self.lane(lane).filter(|lane| lane.events.is_open(ours)) {
                    lane.outgoing.extend_from_slice(&bytes);
                }
                return None;
            }
            Command::Leave { lane, how } => (lane, how),
            other => return Some(other),
        };
        // Everything is written before.
        if let Some(lane) = self.lane(lane) {
            lane.leaving = Some(how);
        }
        None
    }

    /// Ends urtext's direction of every lane, without the bytes that are not written yet.
    pub(super) fn part(&mut self) {
        for lane in self.lanes.iter_mut().flatten() {
            lane.outgoing.clear();
            lane.leaving = Some(Leaving::HalfClose);
        }
    }

    /// Writes what the judge has handed out, and leaves the lanes that it wants to leave. Returns true if there is an event to report.
    pub(super) fn write(&mut self, wires: &mut impl Wires) -> bool {
        let ours = self.ours;
        for (number, slot) in self.lanes.iter_mut().enumerate() {
            let Some(lane) = slot else { continue };
            if !lane.outgoing.is_empty() {
                // More is written once what this has written was reported.
                match wires.write(number, &lane.outgoing) {
                    Poll::Pending => {}
                    Poll::Ready(Ok(count)) => {
                        let written = &lane.outgoing[..count];
                        let report = |what| self.ready.push_back(what);
                        lane.events.write(ours, written, report);
                        lane.outgoing.drain(..count);
                    }
                    Poll::Ready(Err(Refused)) => self.ready.extend(lane.stop_writing(ours)),
                }
            }
            let Some(how) = lane.leaving.filter(|_| lane.outgoing.is_empty()) else {
                continue;
            };
            let close = match how {
                Leaving::Reset => Close::Reset,
                Leaving::HangUp | Leaving::HalfClose => Close::End,
            };
            if lane.events.is_open(ours) {
                if wires.shut(number, close).is_pending() {
                    continue;
                }
                self.ready.extend(lane.events.stop(ours, close));
            }
            lane.leaving = None;
            if how != Leaving::HalfClose {
                wires.leave(number, close);
                *slot = None;
            }
        }
        !self.ready.is_empty()
    }

    /// Stops writing to the lanes that nobody reads any more.
    pub(super) fn refuse(&mut self, is_unread: impl Fn(usize) -> bool) {
        for (number, slot) in self.lanes.iter_mut().enumerate() {
            if let Some(lane) = slot
                && lane.events.is_open(self.ours)
                && is_unread(number)
            {
                self.ready.extend(lane.stop_writing(self.ours));
            }
        }
    }

    /// Returns true while something can come on a lane.
    pub(super) fn is_read(&self, lane: usize) -> bool {
        let lane = self.lanes.get(lane).and_then(Option::as_ref);
        lane.is_some_and(|lane| lane.events.is_open(self.theirs()))
    }

    /// Takes bytes that have come on a lane.
    pub(super) fn receive(&mut self, lane: usize, bytes: &[u8]) {
        let theirs = self.theirs();
        if let Some(lane) = self.lanes[lane].as_mut() {
            let report = |what| self.ready.push_back(what);
            lane.events.pass(theirs, bytes, report);
        }
    }

    /// Nothing comes on a lane any more.
    pub(super) fn receive_end(&mut self, lane: usize, close: Close) {
        let theirs = self.theirs();
        if let Some(lane) = self.lanes[lane].as_mut() {
            let report = |what| self.ready.push_back(what);
            lane.events.end(theirs, close, report);
        }
    }

    /// Has this event told next, after the lines of which a part has come.
    pub(super) fn alarm(&mut self, events: impl IntoIterator<Item = What>) {
        let theirs = self.theirs();
        let lanes = self.lanes.iter().flatten();
        let unfinished = lanes.filter_map(|lane| lane.events.unfinished(theirs));
        self.ready.extend(unfinished.chain(events));
    }
}

impl Lane {
    fn stop_writing(&mut self, ours: Direction) -> Option<What> {
        self.outgoing.clear();
        self.events.stop(ours, Close::Reset)
    }
}
