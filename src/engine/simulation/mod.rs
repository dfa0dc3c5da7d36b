//! Games in memory, on a virtual clock, without processes, sockets or a real second: the judge and a built-in peer.
//!
//! Bytes arrive after a latency, over a [`Network`] with optional delays and outages. If nothing is under way
//! and no participant can go on, the clock jumps to the next alarm. Every choice of order is drawn from the
//! game's seed, so that a game is the same to the byte and to the nanosecond on every machine.

mod links;
pub(super) mod network;

use std::time::Duration;

use super::lanes::Lanes;
use super::play::Play;
use super::record::in_micros;
use crate::event::{Event, What};
use crate::judge::Command;
use crate::peers::{CHUNK, Farewell, Machine};
use crate::scenario::Side;
use crate::transcript::Close;
use links::{End, JUDGE, Links, Node, PEER, Parcel};
pub use network::Network;

/// A game in memory: the judge and a built-in peer, and the links between them.
#[derive(Debug)]
pub(super) struct Simulation<'a> {
    pub(super) play: Play,
    lanes: Lanes,
    alarm: Option<Duration>,
    peer: Peer<'a>,
    links: Links,
}

impl<'a> Simulation<'a> {
    /// A game of a judge with a peer of that side, whose streams are pipes or connections. `first`: the lanes that are there from the
    /// beginning, in the order in which they are opened. The peer numbers them in the order of the judge's numbers.
    pub(super) fn new(
        play: Play,
        (side, machine): (Side, Machine<'a, Farewell>),
        first: &[usize],
        (seed, network, are_pipes): (u64, Network, bool),
    ) -> Simulation<'a> {
        let mut links = first.to_vec();
        links.sort_unstable();
        let mut simulation = Simulation {
            play,
            lanes: Lanes::new(side),
            alarm: None,
            peer: Peer::new(machine, links),
            links: Links::new(seed, network, are_pipes),
        };
        first.iter().for_each(|&lane| simulation.open(lane));
        simulation
    }

    /// Plays the game to its end. Returns what the peer said on standard error, and the time on the virtual clock.
    pub(super) fn play(mut self, budget: Duration) -> (Play, String, Duration) {
        while !self.play.is_over() {
            if !self.step() || self.links.now > budget {
                self.tell(What::OutOfTime { budget });
            }
        }
        let said = self.peer.farewell.map(|farewell| farewell.said);
        (self.play, said.unwrap_or_default(), self.links.now)
    }

    fn open(&mut self, lane: usize) {
        self.lanes.open(lane);
        self.lanes.ready.push_back(What::Opened { lane });
        self.links.open(lane);
    }

    /// Does the next thing in the game; `false` where nobody waits for anything any more.
    fn step(&mut self) -> bool {
        if let Some(node) = self.links.first_awake() {
            let has_gone_on = match node {
                JUDGE => self.go_on(),
                _ => self.peer.go_on(&mut self.links),
            };
            if !has_gone_on {
                self.links.sleep(node);
            }
            return true;
        }
        let links = &self.links;
        let alarms: [(Node, _); 2] = [(JUDGE, self.alarm), (PEER, self.peer.alarm())];
        let alarms = alarms
            .into_iter()
            .filter(|(node, _)| !links.is_held_up(*node));
        // Of two at the same time, the peer's comes first.
        let alarm = alarms
            .rev()
            .filter_map(|(node, alarm)| Some((alarm?, node)))
            .min_by_key(|(at, _)| *at);
        let arrival = links.next_arrival();
        let due = [arrival, alarm.map(|(at, _)| at), links.next_release()];
        let Some(next) = due.into_iter().flatten().min() else {
            return false;
        };
        let now = links.now.max(next);
        self.links.now = now;
        match alarm {
            Some((at, node)) if arrival.is_none_or(|arrival| arrival > now) && at <= now => {
                if self.links.ring(node, at) {
                    match node {
                        JUDGE => self.ring(),
                        _ => self.peer.ring(&mut self.links),
                    }
                }
            }
            _ => self.links.deliver(),
        }
        true
    }

    /// Has the judge do the next thing that can be done now; `false` where there is nothing.
    fn go_on(&mut self) -> bool {
        if let Some(what) = self.lanes.ready.pop_front() {
            self.tell(what);
            return true;
        }
        // What is handed out is written before anything else happens.
        if self.lanes.write(&mut self.links) {
            return true;
        }
        let has_read = self.read();
        let links = &self.links;
        self.lanes
            .refuse(|lane| links.end(End::of(JUDGE, lane)).is_refused);
        has_read || !self.lanes.ready.is_empty()
    }

    /// The alarm of the judge is due.
    fn ring(&mut self) {
        self.alarm = None;
        let links = &self.links;
        let is_unread = |lane| links.are_pipes && links.is_abandoned(End::of(JUDGE, lane));
        self.lanes.refuse(is_unread);
        self.lanes.alarm([What::Alarm]);
    }

    /// Tells the judge what has happened, and carries out what it asks for.
    fn tell(&mut self, what: What) {
        self.links.wake(JUDGE);
        let at = in_micros(self.links.now);
        self.play.lag(at, self.links.take_lag());
        for command in self.play.take(&Event { at, what }) {
            match self.lanes.carry_out(command) {
                Some(Command::Open { lane }) => self.open(lane),
                Some(Command::WakeAt(at)) => self.alarm = Some(at),
                Some(Command::Read { .. }) => {
                    unreachable!(
                        "only dialogues without rules read slowly, and no built-in peer plays them"
                    )
                }
                _ => {}
            }
        }
    }

    /// Takes all that has come, in the order in which it was sent; whether there was something.
    fn read(&mut self) -> bool {
        let mut has_read = false;
        loop {
            let ends = self.links.ends(JUDGE);
            let next = ends
                .filter_map(|end| Some((self.links.front(end)?, end)))
                .min_by_key(|(number, _)| *number);
            let Some((_, end)) = next else {
                return has_read;
            };
            match self.links.read_parcel(end).expect("something lies there") {
                Parcel::Bytes(bytes) => self.lanes.receive(end.link, &bytes),
                Parcel::End(close) => self.lanes.receive_end(end.link, close),
                Parcel::Exit(status) => {
                    let (status, is_success) = (format!("exit status {status}"), status == 0);
                    let exited = What::Exited { status, is_success };
                    self.lanes.ready.push_back(exited);
                }
            }
            has_read = true;
        }
    }
}

/// A machine at its ends of the links.
#[derive(Debug)]
struct Peer<'a> {
    machine: Machine<'a, Farewell>,
    /// The links of its lanes, by their numbers at the machine; it takes no others in.
    links: Vec<usize>,
    farewell: Option<Farewell>,
}

impl<'a> Peer<'a> {
    fn new(machine: Machine<'a, Farewell>, links: Vec<usize>) -> Peer<'a> {
        Peer {
            machine,
            links,
            farewell: None,
        }
    }

    fn end(&self, lane: usize) -> End {
        End::of(PEER, self.links[lane])
    }

    /// Does the next thing that can be done now; `false` where there is nothing.
    fn go_on(&mut self, links: &mut Links) -> bool {
        if self.farewell.is_some() {
            // Links that were opened since have nobody at this end.
            self.leave(links);
            return false;
        }
        for lane in 0..self.links.len() {
            let end = self.end(lane);
            if links.is_lost(end) {
                self.machine.refuse(lane);
            }
        }
        // The first time nothing has come, and the machine may have something to say.
        let farewell = self.machine.advance(links.now);
        self.went_on(farewell, links) || self.read(links)
    }

    /// Returns the time of the next alarm, which applies unless an event comes first.
    fn alarm(&self) -> Option<Duration> {
        self.machine.alarm().filter(|_| self.farewell.is_none())
    }

    /// Does what is due now that the time of its alarm has come.
    fn ring(&mut self, links: &mut Links) {
        let farewell = self.machine.ring(links.now);
        self.went_on(farewell, links);
    }

    /// Takes what the machine has written, and whether it is over; whether there was something.
    fn went_on(&mut self, farewell: Option<Farewell>, links: &mut Links) -> bool {
        let mut has_gone_on = false;
        for lane in 0..self.links.len() {
            let end = self.end(lane);
            let sent = self.machine.write(lane, |outgoing| {
                let sent = if outgoing.is_empty() {
                    Ok(0)
                } else {
                    links.send(end, outgoing)
                };
                outgoing.drain(..*sent.as_ref().unwrap_or(&0));
                sent
            });
            match sent {
                Ok(count) => has_gone_on |= count > 0,
                Err(_) => has_gone_on |= self.machine.refuse(lane),
            }
            if self.machine.has_ended(lane) {
                has_gone_on |= links.close(end, Close::End);
            }
        }
        if let Some(farewell) = farewell {
            let status = farewell.status;
            self.farewell = Some(farewell);
            self.leave(links);
            links.exit(status);
            has_gone_on = true;
        }
        has_gone_on
    }

    /// The peer's program has ended, and its ends of links with it: by a reset where something lay there unread.
    fn leave(&mut self, links: &mut Links) {
        let farewell = self.farewell.as_ref();
        let resets = farewell.is_some_and(|farewell| farewell.resets);
        for end in links.ends(PEER) {
            if links.end(end).is_dropped {
                continue;
            }
            let has_unread = links.drop_end(end);
            let is_reset = resets || has_unread || !self.links.contains(&end.link);
            let close = if is_reset && !links.are_pipes {
                Close::Reset
            } else {
                Close::End
            };
            links.close(end, close);
        }
    }

    /// Reads from one of the lanes on which something lies; whether there was one.
    fn read(&mut self, links: &mut Links) -> bool {
        let is_readable =
            |&lane: &usize| links.front(self.end(lane)).is_some() && self.machine.reads(lane);
        let readable: Vec<_> = (0..self.links.len()).filter(is_readable).collect();
        // Who reads several lanes that have something finds it in any order.
        let lane = match readable[..] {
            [] => return false,
            [only] => only,
            _ => readable[links.below(readable.len())],
        };
        match links.read(self.end(lane), CHUNK) {
            Some(Parcel::Bytes(bytes)) => self.machine.feed(lane, &bytes),
            Some(Parcel::End(_)) => self.machine.end_input(lane),
            _ => return false,
        }
        true
    }
}
