//! The streams of a simulated game, in memory, and the clock that its participants share.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::end::{End, JUDGE, Node, Parcel, Side};
use super::network::{Network, Outage, Weather};
use super::tap::Tap;
use crate::event::Event;
use crate::rules::below;
use crate::transcript::Close;

/// Latency of bytes, and of a stream's close.
const LATENCY: Duration = Duration::from_micros(20);

/// Number of unread bytes that a stream buffers.
const BUFFER: usize = 64 * 1024;

/// Error of a write that nobody reads any more.
#[derive(Debug)]
pub(super) struct Refused;

/// A parcel or a notice on its way.
#[derive(Debug)]
enum Delivery {
    To(End, Parcel),
    /// The program of a peer has ended, with this status.
    Exit(u8),
    /// The network has given up a link.
    Loss(usize),
}

#[derive(Debug)]
struct Link {
    holders: [Node; 2],
    ends: [EndState; 2],
    /// Number of sends before the outage.
    calm: usize,
    outage: Option<Outage>,
    /// Until when nothing arrives.
    stalled_until: Duration,
    /// True if nothing that is sent from now on arrives.
    is_dead: bool,
}

/// An end of a link, and the stream to it.
#[derive(Debug, Default)]
struct EndState {
    /// Parcels that have arrived and are unread, each with its number in the order of sending.
    unread: VecDeque<(u64, Parcel)>,
    /// Number of bytes sent to this end and not read.
    held: usize,
    /// True if the close has been sent.
    is_closing: bool,
    /// True if the close has arrived.
    is_closed: bool,
    /// True if nobody holds this end any more.
    is_dropped: bool,
    /// True if a reset has answered bytes from this end.
    is_refused: bool,
    /// Time of arrival of the last parcel: parcels keep their order.
    last_arrival: Duration,
}

/// Every link of a game, and the clock.
#[derive(Debug)]
pub(super) struct Links {
    pub(super) now: Duration,
    /// Decides in which order a participant finds what lies on several streams.
    random: ChaCha8Rng,
    /// True if links are pipes: a writer learns at once that nobody holds the reading end.
    are_pipes: bool,
    links: Vec<Option<Link>>,
    /// Parcels on their way, by time of arrival, then in the order of sending.
    agenda: BTreeMap<(Duration, u64), Delivery>,
    sent: u64,
    exits: VecDeque<(u64, u8)>,
    /// Participants with something to do, a bit for each.
    awake: u32,
    /// Until when participants cannot run, although they have something to do.
    held_up: BTreeMap<Node, Duration>,
    /// The alarm of each participant for which it was held up, or not.
    alarmed: BTreeMap<Node, Duration>,
    /// Longest delay of the judge, and total delay of its subject, since the last report to the judge.
    lag: [Duration; 2],
    tap: Option<Tap>,
    /// Number of unread bytes that a stream buffers.
    buffer: usize,
    weather: Option<Weather>,
}

impl Links {
    pub(super) fn new(seed: u64, network: Network, are_pipes: bool, tap: Option<Tap>) -> Links {
        let mut weather = Weather::new(network, seed, tap.is_none());
        Links {
            now: Duration::ZERO,
            random: ChaCha8Rng::seed_from_u64(seed),
            are_pipes,
            links: Vec::new(),
            agenda: BTreeMap::new(),
            sent: 0,
            exits: VecDeque::new(),
            awake: 0,
            held_up: BTreeMap::new(),
            alarmed: BTreeMap::new(),
            lag: [Duration::ZERO; 2],
            tap,
            buffer: weather.as_mut().and_then(Weather::buffer).unwrap_or(BUFFER),
            weather,
        }
    }

    pub(super) fn are_pipes(&self) -> bool {
        self.are_pipes
    }

    /// A number below `count`.
    pub(super) fn below(&mut self, count: usize) -> usize {
        below(self.random.next_u64(), count)
    }

    /// Returns the watched events; none if nothing was watched.
    pub(super) fn into_events(self) -> Vec<Event> {
        self.tap.map(|tap| tap.events).unwrap_or_default()
    }

    /// Opens a link between two participants: the one at its near end, and the one at its far end.
    pub(super) fn open(&mut self, link: usize, holders: [Node; 2]) {
        if self.links.len() <= link {
            self.links.resize_with(link + 1, || None);
        }
        let outage = self.weather.as_mut().and_then(Weather::outage);
        let calm = outage.as_ref().map_or(0, |outage| outage.after);
        let (ends, stalled_until) = (Default::default(), Duration::ZERO);
        self.links[link] = Some(Link {
            holders,
            ends,
            calm,
            outage,
            stalled_until,
            is_dead: false,
        });
        holders.into_iter().for_each(|node| self.wake(node));
        if let Some(tap) = &mut self.tap {
            tap.opened(self.now, link);
        }
    }

    /// The ends that a participant has not dropped.
    pub(super) fn held_by(&self, node: Node, side: Side) -> Vec<End> {
        let held = |link: &Option<Link>| {
            let link = link.as_ref();
            link.is_some_and(|link| {
                link.holders[side as usize] == node && !link.ends[side as usize].is_dropped
            })
        };
        let links = self.links.iter().enumerate().filter(|(_, link)| held(link));
        links.map(|(link, _)| End { link, side }).collect()
    }

    fn end(&self, end: End) -> Option<&EndState> {
        Some(&self.links.get(end.link)?.as_ref()?.ends[end.side as usize])
    }

    fn end_mut(&mut self, end: End) -> &mut EndState {
        let link = self.links[end.link]
            .as_mut()
            .expect("only open links are used");
        &mut link.ends[end.side as usize]
    }

    fn wake_holder(&mut self, end: End) {
        let link = self.links[end.link]
            .as_ref()
            .expect("only open links are used");
        self.wake(link.holders[end.side as usize]);
    }

    pub(super) fn wake(&mut self, node: Node) {
        if self.awake & 1 << node == 0 {
            self.awake |= 1 << node;
            self.hold_up(node);
        }
    }

    /// Wakes a participant whose alarm, at this time, is due; `false` where it cannot run yet.
    pub(super) fn ring(&mut self, node: Node, at: Duration) -> bool {
        self.awake |= 1 << node;
        if self.alarmed.insert(node, at) != Some(at) {
            self.hold_up(node);
        }
        !self.is_held_up(node)
    }

    pub(super) fn is_held_up(&self, node: Node) -> bool {
        self.held_up.contains_key(&node)
    }

    /// The machine may be busy.
    fn hold_up(&mut self, node: Node) {
        let wait = self.weather.as_mut().map_or(Duration::ZERO, Weather::wait);
        if wait.is_zero() {
            return;
        }
        self.held_up.insert(node, self.now + wait);
        let [own, subject] = &mut self.lag;
        match node {
            JUDGE => *own = wait.max(*own),
            _ => *subject += wait,
        }
    }

    /// Returns the time at which a delayed participant can run again.
    pub(super) fn next_release(&self) -> Option<Duration> {
        self.held_up.values().min().copied()
    }

    /// Takes the longest delay of the judge, and the total delay of its subject, since the last call.
    pub(super) fn take_lag(&mut self) -> [Duration; 2] {
        std::mem::take(&mut self.lag)
    }

    pub(super) fn sleep(&mut self, node: Node) {
        self.awake &= !(1 << node);
    }

    /// The first participant with something to do.
    pub(super) fn first_awake(&self) -> Option<Node> {
        let is_able = |node: &Node| self.awake & 1 << node != 0 && !self.is_held_up(*node);
        (self.awake != 0)
            .then(|| (0..u32::BITS as Node).find(is_able))
            .flatten()
    }

    /// Sends as many of these bytes as there is room for, and returns how many.
    ///
    /// # Errors
    /// Fails if nobody reads the stream any more.
    pub(super) fn send(&mut self, from: End, bytes: &[u8]) -> Result<usize, Refused> {
        let to = from.other();
        if self.is_refused(from) || self.are_pipes && self.is_dropped(to) {
            return Err(Refused);
        }
        self.age(from.link);
        let buffer = self.buffer;
        let state = self.end_mut(to);
        let count = bytes.len().min(buffer.saturating_sub(state.held));
        if count > 0 {
            state.held += count;
            let bytes = &bytes[..count];
            if let Some(tap) = &mut self.tap {
                tap.sent(self.now, from, bytes);
            }
            let mut rest = bytes;
            for (length, delay) in self.pieces(count) {
                let piece = rest
                    .split_off(..length)
                    .expect("the pieces are no more than the whole");
                self.schedule(Delivery::To(to, Parcel::Bytes(piece.to_vec())), delay);
            }
        }
        Ok(count)
    }

    /// Counts that something is sent over a link, and begins its outage when that is due.
    fn age(&mut self, link: usize) {
        let Some(state) = self.links[link].as_mut() else {
            return;
        };
        state.calm = state.calm.saturating_sub(1);
        if state.calm > 0 {
            return;
        }
        let Some(outage) = state.outage.take() else {
            return;
        };
        state.stalled_until = self.now + outage.time;
        if outage.is_final {
            state.is_dead = true;
            self.sent += 1;
            self.agenda
                .insert((state.stalled_until, self.sent), Delivery::Loss(link));
        }
    }

    /// Splits a number of bytes into pieces, each with its extra delay.
    fn pieces(&mut self, bytes: usize) -> Vec<(usize, Duration)> {
        match &mut self.weather {
            Some(weather) => weather.cut(bytes),
            None => vec![(bytes, Duration::ZERO)],
        }
    }

    /// Ends the stream from an end, unless that has been done before; whether it was done now.
    pub(super) fn close(&mut self, from: End, close: Close) -> bool {
        let to = from.other();
        if std::mem::replace(&mut self.end_mut(to).is_closing, true) {
            return false;
        }
        if let Some(tap) = &mut self.tap {
            tap.closed(self.now, from, close);
        }
        let delay = self.weather.as_mut().map_or(Duration::ZERO, Weather::delay);
        self.schedule(Delivery::To(to, Parcel::End(close)), delay);
        true
    }

    /// Drops an end; later arrivals are lost. Returns true if the end had unread bytes.
    pub(super) fn drop_end(&mut self, end: End) -> bool {
        let state = self.end_mut(end);
        state.is_dropped = true;
        state.held = 0;
        let unread = std::mem::take(&mut state.unread);
        unread
            .iter()
            .any(|(_, parcel)| matches!(parcel, Parcel::Bytes(_)))
    }

    pub(super) fn is_open(&self, end: End) -> bool {
        self.end(end).is_some()
    }

    pub(super) fn is_dropped(&self, end: End) -> bool {
        self.end(end).is_some_and(|end| end.is_dropped)
    }

    /// Returns true if nobody holds the other end of this one.
    pub(super) fn is_abandoned(&self, end: End) -> bool {
        self.is_dropped(end.other())
    }

    /// Returns true if a reset has answered bytes from this end.
    pub(super) fn is_refused(&self, end: End) -> bool {
        self.end(end).is_some_and(|end| end.is_refused)
    }

    /// Returns true if the stream to this end is closed, and nobody holds the other end.
    pub(super) fn has_lost(&self, end: End) -> bool {
        self.end(end).is_some_and(|state| state.is_closed) && self.is_abandoned(end)
    }

    /// The number of what is read next at an end.
    pub(super) fn front(&self, end: End) -> Option<u64> {
        self.end(end)?.unread.front().map(|(number, _)| *number)
    }

    /// Reads what lies at an end, up to so many bytes, or the end of the stream.
    pub(super) fn read(&mut self, end: End, most: usize) -> Option<Parcel> {
        let unread = &mut self.end_mut(end).unread;
        let mut bytes = Vec::new();
        while bytes.len() < most
            && let Some((_, Parcel::Bytes(front))) = unread.front_mut()
        {
            let room = most - bytes.len();
            if front.len() <= room {
                bytes.append(front);
                unread.pop_front();
            } else {
                bytes.extend(front.drain(..room));
            }
        }
        let parcel = if bytes.is_empty() {
            unread.pop_front()?.1
        } else {
            Parcel::Bytes(bytes)
        };
        Some(self.took(end, parcel))
    }

    /// Reads the first parcel that lies at an end as it was sent.
    pub(super) fn read_parcel(&mut self, end: End) -> Option<Parcel> {
        let (_, parcel) = self.end_mut(end).unread.pop_front()?;
        Some(self.took(end, parcel))
    }

    fn took(&mut self, end: End, parcel: Parcel) -> Parcel {
        if let Parcel::Bytes(bytes) = &parcel {
            let buffer = self.buffer;
            let state = self.end_mut(end);
            let was_full = state.held >= buffer;
            state.held = state.held.saturating_sub(bytes.len());
            if was_full {
                self.wake_holder(end.other());
            }
        }
        if let Some(tap) = &mut self.tap {
            tap.received(self.now, end, &parcel);
        }
        parcel
    }

    /// Has the participants learn that a peer's program has ended.
    pub(super) fn exit(&mut self, status: u8) {
        self.schedule(Delivery::Exit(status), Duration::ZERO);
    }

    /// The status of a program that has ended, where that is known before what was sent as this number.
    pub(super) fn exited(&mut self, before: Option<u64>) -> Option<u8> {
        let &(number, status) = self.exits.front()?;
        let is_known = before.is_none_or(|before| number < before);
        is_known.then(|| self.exits.pop_front()).map(|_| status)
    }

    fn schedule(&mut self, delivery: Delivery, delay: Duration) {
        self.sent += 1;
        let mut at = self.now + LATENCY + delay;
        if let Delivery::To(end, _) = &delivery {
            let link = self.links[end.link]
                .as_mut()
                .expect("only open links are used");
            if link.is_dead {
                return;
            }
            let state = &mut link.ends[end.side as usize];
            at = at.max(state.last_arrival).max(link.stalled_until);
            state.last_arrival = at;
        }
        self.agenda.insert((at, self.sent), delivery);
    }

    /// Returns the time of the next arrival.
    pub(super) fn next_arrival(&self) -> Option<Duration> {
        self.agenda.first_key_value().map(|(&(at, _), _)| at)
    }

    /// Delivers what arrives until now: it is all there when the first of it is read.
    pub(super) fn deliver(&mut self) {
        let now = self.now;
        self.held_up.retain(|_, until| *until > now);
        while let Some(entry) = self
            .agenda
            .first_entry()
            .filter(|entry| entry.key().0 <= self.now)
        {
            let ((_, number), delivery) = entry.remove_entry();
            match delivery {
                Delivery::Exit(status) => {
                    self.exits.push_back((number, status));
                    self.wake(JUDGE);
                }
                Delivery::To(end, parcel) => self.arrive(end, number, parcel),
                Delivery::Loss(link) => self.lose(link, number),
            }
        }
    }

    /// The network gives up a link: both sides are told, and nothing comes or goes any more.
    fn lose(&mut self, link: usize, number: u64) {
        let near = End::near(link);
        for end in [near, near.other()] {
            let state = self.end_mut(end);
            state.is_closing = true;
            if state.is_dropped || std::mem::replace(&mut state.is_closed, true) {
                continue;
            }
            state.is_refused = true;
            state.unread.push_back((number, Parcel::End(Close::Lost)));
            self.wake_holder(end);
            if let Some(tap) = &mut self.tap {
                tap.lost(self.now, end);
            }
        }
    }

    fn arrive(&mut self, end: End, number: u64, parcel: Parcel) {
        let are_pipes = self.are_pipes;
        let state = self.end_mut(end);
        if state.is_closed {
            // Under way when the link was lost.
            return;
        }
        state.is_closed = matches!(parcel, Parcel::End(_));
        if state.is_dropped {
            // The answer to bytes for an end that nobody holds is a reset.
            if let (Parcel::Bytes(_), false) = (&parcel, are_pipes) {
                self.end_mut(end.other()).is_refused = true;
                self.wake_holder(end.other());
            }
            return;
        }
        // Those at the near ends wait for nothing else, and have read what came before.
        if let (Parcel::End(Close::Reset), Side::Far) = (&parcel, end.side) {
            state.unread.clear();
        }
        state.unread.push_back((number, parcel));
        self.wake_holder(end);
    }
}
