//! A built-in peer at a simulated game.

use std::time::Duration;

use super::end::{End, Node, Parcel, Side};
use super::links::Links;
use super::participant::Participant;
use crate::peers::{CHUNK, Farewell, Machine};
use crate::transcript::Close;

/// A machine with its ends of links.
#[derive(Debug)]
pub(super) struct Peer<'a> {
    node: Node,
    side: Side,
    machine: Machine<'a, Farewell>,
    /// The links of its lanes, by their numbers at the machine; it takes no others in.
    links: Vec<usize>,
    pub(super) farewell: Option<Farewell>,
}

impl<'a> Peer<'a> {
    pub(super) fn new(
        node: Node,
        side: Side,
        machine: Machine<'a, Farewell>,
        links: Vec<usize>,
    ) -> Peer<'a> {
        Peer {
            node,
            side,
            machine,
            links,
            farewell: None,
        }
    }

    fn end(&self, lane: usize) -> End {
        End {
            link: self.links[lane],
            side: self.side,
        }
    }

    /// Takes what the machine has written, and whether it is over; whether there was something.
    fn went_on(&mut self, farewell: Option<Farewell>, links: &mut Links) -> bool {
        let mut has_gone_on = false;
        for lane in 0..self.links.len() {
            let end = self.end(lane);
            if !links.is_open(end) {
                continue;
            }
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
        let resets = self
            .farewell
            .as_ref()
            .is_some_and(|farewell| farewell.resets);
        for end in links.held_by(self.node, self.side) {
            let has_unread = links.drop_end(end);
            let is_reset = resets || has_unread || !self.links.contains(&end.link);
            let close = if is_reset && !links.are_pipes() {
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
            None => return false,
        }
        true
    }
}

impl Participant for Peer<'_> {
    fn go_on(&mut self, links: &mut Links) -> bool {
        if self.farewell.is_some() {
            // Links that were opened since have nobody at this end.
            self.leave(links);
            return false;
        }
        for lane in 0..self.links.len() {
            let end = self.end(lane);
            if links.has_lost(end) || links.is_refused(end) {
                self.machine.refuse(lane);
            }
        }
        // The first time nothing has come, and the machine may have something to say.
        let farewell = self.machine.advance(links.now);
        self.went_on(farewell, links) || self.read(links)
    }

    fn alarm(&self) -> Option<Duration> {
        self.machine.alarm().filter(|_| self.farewell.is_none())
    }

    fn ring(&mut self, links: &mut Links) {
        let farewell = self.machine.ring(links.now);
        self.went_on(farewell, links);
    }
}
