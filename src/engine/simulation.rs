//! A game in memory, on a virtual clock: the judge and a built-in peer as a machine, without processes, sockets or a real second.
//!
//! What is sent arrives after a latency; where nothing is under way and nobody can go on, the clock jumps to the next alarm. Every choice
//! of order is drawn from the game's seed, so that a game is the same to the byte and to the nanosecond on every machine.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::game::{take_judgement, unrecorded};
use super::many::Game;
use super::pauses::Pauses;
use super::record::{Recorder, in_micros};
use super::start::conditions;
use crate::config::BuiltIn;
use crate::event::{Event, Finding, Outcome, What};
use crate::judge::{Action, Judge, Settings};
use crate::peers::{self, CHUNK, Farewell, Machine};
use crate::protocol::Framer;
use crate::rules::below;
use crate::scenario::{Leaving, Scenario, Side};
use crate::transcript::{Close, Direction};

/// How long bytes are under way, and the end of a stream.
const LATENCY: Duration = Duration::from_micros(20);

/// How much a stream holds that nobody reads, in bytes.
const BUFFER: usize = 64 * 1024;

/// A game that is to be played in memory.
pub(super) struct InMemory<'a> {
    pub(super) game: &'a Game,
    pub(super) scenario: &'a Arc<Scenario>,
    pub(super) settings: Settings,
    /// The lanes that are there from the beginning, in the order in which they are opened.
    pub(super) first_lanes: Vec<usize>,
    pub(super) recorder: Recorder,
    /// How long the game may take, on the virtual clock.
    pub(super) budget: Duration,
}

/// Something under way.
#[derive(Debug)]
enum Delivery {
    /// To the peer, on a lane.
    Sent(usize, Parcel),
    /// To the judge, on a lane.
    Received(usize, Parcel),
    /// That the peer's program has ended.
    Exited(u8),
}

#[derive(Debug)]
enum Parcel {
    Bytes(Vec<u8>),
    End(Close),
}

/// A lane, both ends of it and what is between.
#[derive(Debug)]
struct Lane {
    /// Its number at the peer; `None`: the peer never takes it in.
    at_peer: Option<usize>,
    ours: Direction,
    // The judge's end.
    reads: Framer,
    writes: Framer,
    outgoing: Vec<u8>,
    is_reading: bool,
    is_writing: bool,
    wants_to_leave: Option<Leaving>,
    // The peer's end.
    unread: VecDeque<u8>,
    /// Nothing more is sent to the peer.
    has_sent_all: bool,
    /// The peer has ended its direction.
    has_said_all: bool,
    /// The peer does not hold the lane any more.
    is_abandoned: bool,
    /// The judge does not take what comes any more.
    is_left: bool,
    /// How much is under way to the judge.
    in_flight: usize,
}

impl Lane {
    fn theirs(&self) -> Direction {
        match self.ours {
            Direction::Sent => Direction::Received,
            Direction::Received => Direction::Sent,
        }
    }
}

struct Simulation {
    judge: Judge,
    machine: Machine<'static, Farewell>,
    farewell: Option<Farewell>,
    lanes: Vec<Option<Lane>>,
    /// Whether lanes are pipes: who writes to one that nobody holds is told at once.
    over_pipes: bool,
    ours: Direction,
    /// What is under way, by the time of its arrival, then in the order of sending.
    agenda: BTreeMap<(Duration, u64), Delivery>,
    sent: u64,
    /// What the judge is told next.
    ready: VecDeque<What>,
    pauses: Pauses,
    recorder: Recorder,
    /// Why the game cannot go on.
    broke_down: Option<Finding>,
    alarm: Option<Duration>,
    now: Duration,
    random: ChaCha8Rng,
    /// How many lanes the peer takes in.
    peer_lanes: usize,
}

impl InMemory<'_> {
    /// Plays it against a built-in peer.
    pub(super) fn play(self, built_in: &BuiltIn, mut outcome: Outcome, pauses: Pauses) -> Outcome {
        let InMemory { game, scenario, settings, first_lanes, recorder, budget } = self;
        let peers = peers::find(game.subject.game.name()).expect("the subject is a built-in peer");
        let conditions = conditions(scenario, (settings.timeout, settings.pace), game.seed);
        let side = scenario.side;
        let mut simulation = Simulation {
            judge: Judge::new(Arc::clone(scenario), settings, game.golden.clone()),
            machine: peers.machine(side, built_in.fault.as_deref(), &conditions),
            farewell: None,
            lanes: Vec::new(),
            over_pipes: side == Side::Bot && !game.subject.is_told_a_port(),
            ours: if side == Side::Referee { Direction::Sent } else { Direction::Received },
            agenda: BTreeMap::new(),
            sent: 0,
            ready: VecDeque::new(),
            pauses,
            recorder,
            broke_down: None,
            alarm: None,
            now: Duration::ZERO,
            random: ChaCha8Rng::seed_from_u64(game.seed),
            peer_lanes: first_lanes.len(),
        };
        // The peer numbers the lanes that are there from the beginning as the judge does: players first.
        first_lanes.into_iter().for_each(|lane| simulation.open(lane));
        while !simulation.judge.is_finished() && simulation.broke_down.is_none() {
            if !simulation.go_on() || simulation.now > budget {
                simulation.tell(What::OutOfTime { budget });
            }
        }
        let Simulation { judge, pauses, farewell, recorder, mut broke_down, now, .. } = simulation;
        outcome.stderr = farewell.map(|farewell| farewell.said.into_bytes()).unwrap_or_default();
        take_judgement(&mut outcome, judge, &pauses);
        if broke_down.is_none() {
            broke_down = recorder.conclude(in_micros(now), &outcome).err().map(|error| unrecorded(&error));
        }
        let mut outcome = match broke_down {
            Some(finding) => outcome.with(finding),
            None => outcome,
        };
        outcome.took = now;
        outcome
    }
}

impl Simulation {
    /// Does the next thing; `false` where nobody waits for anything any more.
    fn go_on(&mut self) -> bool {
        if let Some(what) = self.ready.pop_front() {
            self.tell(what);
            return true;
        }
        // What is handed out is written before anything else happens.
        if self.write() {
            return true;
        }
        if self.advance_peer() {
            return true;
        }
        let peer_alarm = self.machine.alarm().filter(|_| self.farewell.is_none());
        let arrival = self.agenda.first_key_value().map(|(&(at, _), _)| at);
        let Some(next) = [arrival, peer_alarm, self.alarm].into_iter().flatten().min() else { return false };
        self.now = self.now.max(next);
        if arrival.is_some_and(|at| at <= self.now) {
            // What arrives at the same moment is there when the first of it is read.
            while let Some(entry) = self.agenda.first_entry().filter(|entry| entry.key().0 <= self.now) {
                let delivery = entry.remove();
                self.deliver(delivery);
            }
        } else if peer_alarm.is_some_and(|at| at <= self.now) {
            let farewell = self.machine.ring(self.now);
            self.peer_went_on(farewell);
        } else {
            self.alarm = None;
            self.ring();
        }
        true
    }

    /// Tells the judge what has happened, and carries out what it asks for.
    fn tell(&mut self, what: What) {
        let event = Event { at: in_micros(self.now), what };
        if let Err(error) = self.recorder.event(&event) {
            self.broke_down = Some(unrecorded(&error));
        }
        self.pauses.take(&event, self.judge.is_biding());
        for action in self.judge.take(&event) {
            match action {
                Action::Send { lane, bytes } => {
                    if let Some(lane) = self.lane(lane).filter(|lane| lane.is_writing) {
                        lane.outgoing.extend_from_slice(&bytes);
                    }
                }
                Action::Close { lane } => self.leave(lane, Leaving::HalfClose),
                Action::Leave { lane, how } => self.leave(lane, how),
                Action::Open { lane } => self.open(lane),
                Action::Read { .. } => {
                    unreachable!("only dialogues without rules read slowly, and no built-in peer plays them")
                }
                Action::WakeAt(at) => self.alarm = Some(at),
                Action::Finish => {}
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

    fn open(&mut self, number: usize) {
        let at_peer = Some(number).filter(|&number| number < self.peer_lanes);
        if self.lanes.len() <= number {
            self.lanes.resize_with(number + 1, || None);
        }
        self.lanes[number] = Some(Lane {
            at_peer,
            ours: self.ours,
            reads: Framer::default(),
            writes: Framer::default(),
            outgoing: Vec::new(),
            is_reading: true,
            is_writing: true,
            wants_to_leave: None,
            unread: VecDeque::new(),
            has_sent_all: false,
            has_said_all: false,
            is_abandoned: false,
            is_left: false,
            in_flight: 0,
        });
        self.ready.push_back(What::Opened { lane: number });
        if self.farewell.is_some() {
            self.abandon(number);
        }
    }

    fn schedule(&mut self, delivery: Delivery) {
        self.sent += 1;
        self.agenda.insert((self.now + LATENCY, self.sent), delivery);
    }

    /// Writes what the judge has handed out, and leaves the lanes that it wants to leave; whether there was something.
    fn write(&mut self) -> bool {
        let mut deliveries = Vec::new();
        for (number, slot) in self.lanes.iter_mut().enumerate() {
            let Some(lane) = slot else { continue };
            if !lane.outgoing.is_empty() {
                if lane.is_abandoned && self.over_pipes {
                    lane.is_writing = false;
                    lane.outgoing.clear();
                    self.ready.push_back(What::Closed {
                        lane: number,
                        direction: lane.ours,
                        close: Close::Reset,
                    });
                } else {
                    let bytes = std::mem::take(&mut lane.outgoing);
                    let direction = lane.ours;
                    lane.writes.push(&bytes, |line| {
                        self.ready.push_back(What::Line { lane: number, direction, line })
                    });
                    deliveries.push(Delivery::Sent(number, Parcel::Bytes(bytes)));
                }
            }
            let Some(how) = lane.wants_to_leave.take() else { continue };
            let close = if how == Leaving::Reset { Close::Reset } else { Close::End };
            if lane.is_writing {
                lane.is_writing = false;
                self.ready.push_back(What::Closed { lane: number, direction: lane.ours, close });
                deliveries.push(Delivery::Sent(number, Parcel::End(close)));
            }
            if how != Leaving::HalfClose {
                lane.is_left = true;
                lane.is_reading = false;
            }
        }
        deliveries.into_iter().for_each(|delivery| self.schedule(delivery));
        !self.ready.is_empty()
    }

    fn deliver(&mut self, delivery: Delivery) {
        match delivery {
            Delivery::Exited(status) => {
                self.ready.push_back(What::Exited {
                    status: format!("exit status {status}"),
                    is_success: status == 0,
                });
            }
            Delivery::Sent(number, parcel) => self.deliver_to_peer(number, parcel),
            Delivery::Received(number, parcel) => self.deliver_to_judge(number, parcel),
        }
    }

    fn deliver_to_peer(&mut self, number: usize, parcel: Parcel) {
        let Some(lane) = self.lanes[number].as_mut() else { return };
        match parcel {
            Parcel::Bytes(_) if lane.is_abandoned => {
                // Nobody holds the other end: the answer to what comes there is a reset.
                if lane.is_writing {
                    lane.is_writing = false;
                    self.ready.push_back(What::Closed {
                        lane: number,
                        direction: lane.ours,
                        close: Close::Reset,
                    });
                }
            }
            Parcel::Bytes(bytes) => lane.unread.extend(bytes),
            Parcel::End(close) => {
                lane.has_sent_all = true;
                if close == Close::Reset {
                    lane.unread.clear();
                }
                if let Some(at_peer) = lane.at_peer.filter(|_| lane.is_left) {
                    self.machine.refuse(at_peer);
                }
            }
        }
    }

    fn deliver_to_judge(&mut self, number: usize, parcel: Parcel) {
        let Some(lane) = self.lanes[number].as_mut() else { return };
        let direction = lane.theirs();
        match parcel {
            Parcel::Bytes(bytes) => {
                lane.in_flight -= bytes.len();
                if lane.is_reading {
                    lane.reads.push(&bytes, |line| {
                        self.ready.push_back(What::Line { lane: number, direction, line })
                    });
                }
            }
            Parcel::End(close) if lane.is_reading => {
                lane.is_reading = false;
                let rest = lane.reads.finish();
                self.ready.extend(rest.map(|line| What::Line { lane: number, direction, line }));
                self.ready.push_back(What::Closed { lane: number, direction, close });
            }
            Parcel::End(_) => {}
        }
    }

    /// Has the peer go on as far as it can with what has come; whether it has done anything.
    fn advance_peer(&mut self) -> bool {
        if self.farewell.is_some() {
            return false;
        }
        // The first time nothing has come, and the peer may have something to say.
        let farewell = self.machine.advance(self.now);
        if self.peer_went_on(farewell) {
            return true;
        }
        let readable: Vec<_> = (0..self.lanes.len()).filter(|&lane| self.is_readable(lane)).collect();
        if readable.is_empty() {
            return false;
        }
        // Who reads several lanes that have something finds it in any order.
        let number = match readable[..] {
            [only] => only,
            _ => readable[below(self.random.next_u64(), readable.len())],
        };
        let lane = self.lanes[number].as_mut().expect("it is readable");
        let at_peer = lane.at_peer.expect("it is readable");
        if lane.unread.is_empty() {
            self.machine.end_input(at_peer);
        } else {
            let count = lane.unread.len().min(CHUNK);
            let chunk: Vec<u8> = lane.unread.drain(..count).collect();
            self.machine.feed(at_peer, &chunk);
        }
        true
    }

    fn is_readable(&self, lane: usize) -> bool {
        let Some(Lane { at_peer: Some(at_peer), unread, has_sent_all, .. }) = &self.lanes[lane] else {
            return false;
        };
        (!unread.is_empty() || *has_sent_all) && self.machine.reads(*at_peer)
    }

    /// Takes what the peer has written, and whether it is over; whether there was something.
    fn peer_went_on(&mut self, farewell: Option<Farewell>) -> bool {
        let mut has_gone_on = false;
        for number in 0..self.lanes.len() {
            let Some(lane) = self.lanes[number].as_mut() else { continue };
            let Some(at_peer) = lane.at_peer else { continue };
            let room = BUFFER.saturating_sub(lane.in_flight);
            let bytes: Vec<u8> =
                self.machine.write(at_peer, |outgoing| outgoing.drain(..outgoing.len().min(room)).collect());
            if !bytes.is_empty() {
                has_gone_on = true;
                lane.in_flight += bytes.len();
                self.schedule(Delivery::Received(number, Parcel::Bytes(bytes)));
            }
            let lane = self.lanes[number].as_mut().expect("it was there just now");
            if self.machine.has_ended(at_peer) && !lane.has_said_all {
                has_gone_on = true;
                lane.has_said_all = true;
                self.schedule(Delivery::Received(number, Parcel::End(Close::End)));
            }
        }
        if let Some(farewell) = farewell {
            let status = farewell.status;
            self.farewell = Some(farewell);
            (0..self.lanes.len()).for_each(|lane| self.abandon(lane));
            self.schedule(Delivery::Exited(status));
            has_gone_on = true;
        }
        has_gone_on
    }

    /// The peer's program has ended, and its end of a lane with it: by a reset where something lay there unread.
    fn abandon(&mut self, number: usize) {
        let resets = self.farewell.as_ref().is_some_and(|farewell| farewell.resets);
        let over_pipes = self.over_pipes;
        let Some(lane) = self.lanes[number].as_mut() else { return };
        lane.is_abandoned = true;
        let is_reset = lane.at_peer.is_none() || resets || !lane.unread.is_empty();
        if !std::mem::replace(&mut lane.has_said_all, true) {
            let close = if is_reset && !over_pipes { Close::Reset } else { Close::End };
            self.schedule(Delivery::Received(number, Parcel::End(close)));
        }
    }

    /// Tells the judge that its alarm is due, after what has come of lines whose newlines have not, and which lanes nobody reads any more.
    fn ring(&mut self) {
        for (number, slot) in self.lanes.iter_mut().enumerate() {
            let Some(lane) = slot.as_mut().filter(|lane| !lane.is_left) else { continue };
            if self.over_pipes && lane.is_abandoned && lane.is_writing {
                lane.is_writing = false;
                self.ready.push_back(What::Closed {
                    lane: number,
                    direction: lane.ours,
                    close: Close::Reset,
                });
            }
        }
        for (number, slot) in self.lanes.iter().enumerate() {
            let Some(lane) = slot.as_ref().filter(|lane| !lane.reads.pending().is_empty() && !lane.is_left)
            else {
                continue;
            };
            let text = lane.reads.pending().to_vec();
            self.ready.push_back(What::Unfinished { lane: number, direction: lane.theirs(), text });
        }
        self.ready.push_back(What::Alarm);
    }
}
