//! The judge at a simulated game, who holds the near end of every link.

use std::collections::VecDeque;
use std::time::Duration;

use super::end::{End, JUDGE, PEER, Parcel};
use super::links::Links;
use super::participant::Participant;
use crate::engine::conclusion::unrecorded;
use crate::engine::lag::NOTABLE;
use crate::engine::pauses::Pauses;
use crate::engine::record::{Recorder, in_micros};
use crate::event::{Event, Lag, What};
use crate::finding::Finding;
use crate::judge::{Command, Judge};
use crate::protocol::Framer;
use crate::scenario::Leaving;
use crate::transcript::{Close, Direction};

/// A lane as the judge holds it.
#[derive(Debug)]
struct Lane {
    reads: Framer,
    writes: Framer,
    outgoing: Vec<u8>,
    is_reading: bool,
    is_writing: bool,
    wants_to_leave: Option<Leaving>,
}

/// The judge, and what it is told next.
#[derive(Debug)]
pub(super) struct Judging {
    pub(super) judge: Judge,
    lanes: Vec<Option<Lane>>,
    ready: VecDeque<What>,
    /// The direction in which the judge sends.
    ours: Direction,
    pub(super) pauses: Pauses,
    pub(super) recorder: Recorder,
    /// Finding that ends the game early.
    pub(super) broke_down: Option<Finding>,
    alarm: Option<Duration>,
}

impl Judging {
    pub(super) fn new(
        judge: Judge,
        ours: Direction,
        pauses: Pauses,
        recorder: Recorder,
    ) -> Judging {
        Judging {
            judge,
            lanes: Vec::new(),
            ready: VecDeque::new(),
            ours,
            pauses,
            recorder,
            broke_down: None,
            alarm: None,
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.judge.is_finished() || self.broke_down.is_some()
    }

    /// Tells the judge what has happened, and carries out what it asks for.
    pub(super) fn tell(&mut self, what: What, links: &mut Links) {
        links.wake(JUDGE);
        let [own, subject] = links.take_lag().map(in_micros);
        if own.max(subject) >= NOTABLE {
            let start = Duration::ZERO;
            let lag = Lag {
                own,
                subject,
                start,
            };
            self.tell_alone(What::Lag(lag), links);
        }
        self.tell_alone(what, links);
    }

    fn tell_alone(&mut self, what: What, links: &mut Links) {
        let event = Event {
            at: in_micros(links.now),
            what,
        };
        if let Err(error) = self.recorder.event(&event) {
            self.broke_down = Some(unrecorded(&error));
        }
        self.pauses.take(&event, self.judge.is_biding());
        for action in self.judge.take(&event) {
            match action {
                Command::Send { lane, bytes } => {
                    if let Some(lane) = self.lane(lane).filter(|lane| lane.is_writing) {
                        lane.outgoing.extend_from_slice(&bytes);
                    }
                }
                Command::Close { lane } => self.leave(lane, Leaving::HalfClose),
                Command::Leave { lane, how } => self.leave(lane, how),
                Command::Open { lane } => self.open(lane, links),
                Command::Read { .. } => {
                    unreachable!(
                        "only dialogues without rules read slowly, and no built-in peer plays them"
                    )
                }
                Command::WakeAt(at) => self.alarm = Some(at),
                Command::Finish => {}
            }
        }
    }

    fn lane(&mut self, lane: usize) -> Option<&mut Lane> {
        self.lanes.get_mut(lane)?.as_mut()
    }

    fn leave(&mut self, lane: usize, how: Leaving) {
        if let Some(lane) = self.lane(lane) {
            lane.wants_to_leave = Some(how);
        }
    }

    pub(super) fn open(&mut self, number: usize, links: &mut Links) {
        if self.lanes.len() <= number {
            self.lanes.resize_with(number + 1, || None);
        }
        self.lanes[number] = Some(Lane {
            reads: Framer::default(),
            writes: Framer::default(),
            outgoing: Vec::new(),
            is_reading: true,
            is_writing: true,
            wants_to_leave: None,
        });
        self.ready.push_back(What::Opened { lane: number });
        links.open(number, [JUDGE, PEER]);
    }

    /// Writes what the judge has handed out, and leaves the lanes that it wants to leave; whether there is something to tell.
    fn write(&mut self, links: &mut Links) -> bool {
        let direction = self.ours;
        for (number, slot) in self.lanes.iter_mut().enumerate() {
            let Some(lane) = slot else { continue };
            let end = End::near(number);
            if !lane.outgoing.is_empty() {
                match links.send(end, &lane.outgoing) {
                    Err(_) => self.ready.push_back(lane.stop_writing(number, direction)),
                    Ok(count) => {
                        let bytes: Vec<u8> = lane.outgoing.drain(..count).collect();
                        let tell = |what| self.ready.push_back(what);
                        What::of_write(number, direction, &mut lane.writes, &bytes, tell);
                    }
                }
            }
            let Some(how) = lane
                .wants_to_leave
                .take_if(|how| *how == Leaving::Reset || lane.outgoing.is_empty())
            else {
                continue;
            };
            let close = if how == Leaving::Reset {
                Close::Reset
            } else {
                Close::End
            };
            if lane.is_writing {
                lane.is_writing = false;
                self.ready.push_back(What::Closed {
                    lane: number,
                    direction,
                    close,
                });
                links.close(end, close);
            }
            if how != Leaving::HalfClose {
                lane.is_reading = false;
                links.drop_end(end);
            }
        }
        !self.ready.is_empty()
    }

    /// Takes all that has come, in the order in which it was sent; whether there was something.
    fn read(&mut self, links: &mut Links) -> bool {
        let mut has_read = false;
        loop {
            let ends = (0..self.lanes.len()).map(End::near);
            let next = ends
                .filter_map(|end| Some((links.front(end)?, end)))
                .min_by_key(|(number, _)| *number);
            if let Some(status) = links.exited(next.map(|(number, _)| number)) {
                let (status, is_success) = (format!("exit status {status}"), status == 0);
                self.ready.push_back(What::Exited { status, is_success });
                has_read = true;
                continue;
            }
            let Some((_, end)) = next else {
                return has_read;
            };
            let parcel = links.read_parcel(end).expect("something lies there");
            self.take(end.link, parcel);
            has_read = true;
        }
    }

    fn take(&mut self, number: usize, parcel: Parcel) {
        let direction = self.theirs();
        let Some(lane) = self.lanes[number].as_mut().filter(|lane| lane.is_reading) else {
            return;
        };
        match parcel {
            Parcel::Bytes(bytes) => {
                let tell = |line| {
                    self.ready.push_back(What::Line {
                        lane: number,
                        direction,
                        line,
                    })
                };
                lane.reads.push(&bytes, tell);
            }
            Parcel::End(close) => {
                lane.is_reading = false;
                let rest = lane.reads.finish();
                self.ready
                    .extend(rest.map(|line| What::rest(number, direction, line, close)));
                self.ready.push_back(What::Closed {
                    lane: number,
                    direction,
                    close,
                });
            }
        }
    }

    fn theirs(&self) -> Direction {
        match self.ours {
            Direction::Sent => Direction::Received,
            Direction::Received => Direction::Sent,
        }
    }

    /// Notices on which lanes nobody takes anything any more.
    fn notice(&mut self, is_unread: impl Fn(End) -> bool) {
        for (number, slot) in self.lanes.iter_mut().enumerate() {
            let Some(lane) = slot.as_mut().filter(|lane| lane.is_writing) else {
                continue;
            };
            if is_unread(End::near(number)) {
                self.ready.push_back(lane.stop_writing(number, self.ours));
            }
        }
    }
}

impl Lane {
    /// Stops writing to a lane that nobody reads any more.
    fn stop_writing(&mut self, number: usize, direction: Direction) -> What {
        self.is_writing = false;
        self.outgoing.clear();
        What::Closed {
            lane: number,
            direction,
            close: Close::Reset,
        }
    }
}

impl Participant for Judging {
    fn go_on(&mut self, links: &mut Links) -> bool {
        if let Some(what) = self.ready.pop_front() {
            self.tell(what, links);
            return true;
        }
        // What is handed out is written before anything else happens.
        if self.write(links) {
            return true;
        }
        let has_read = self.read(links);
        self.notice(|end| links.is_refused(end));
        has_read || !self.ready.is_empty()
    }

    fn alarm(&self) -> Option<Duration> {
        self.alarm
    }

    /// Tells the judge that its alarm is due, after what has come of lines whose newlines have not, and which lanes nobody reads any more.
    fn ring(&mut self, links: &mut Links) {
        self.alarm = None;
        if links.are_pipes() {
            self.notice(|end| links.is_abandoned(end) && !links.is_dropped(end));
        }
        let direction = self.theirs();
        for (number, slot) in self.lanes.iter().enumerate() {
            let Some(lane) = slot
                .as_ref()
                .filter(|lane| !lane.reads.pending().is_empty())
            else {
                continue;
            };
            if !links.is_dropped(End::near(number)) {
                let text = lane.reads.pending().to_vec();
                self.ready.push_back(What::Unfinished {
                    lane: number,
                    direction,
                    text,
                });
            }
        }
        self.ready.push_back(What::Alarm);
    }
}
