//! The streams of a simulated game, in memory, and the clock that the judge and the peer share.

use std::collections::{BTreeMap, VecDeque};
use std::task::Poll;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::network::{Network, Weather};
use crate::engine::lanes::{Refused, Wires};
use crate::event::Lag;
use crate::rules::below;
use crate::transcript::Close;

/// Latency of bytes, and of a stream's close.
const LATENCY: Duration = Duration::from_micros(20);

/// Number of unread bytes that a stream buffers.
const BUFFER: usize = 64 * 1024;

/// The number of a participant, and of its end of every link.
pub(super) type Node = usize;

/// The judge, and the peer it judges.
pub(super) const JUDGE: Node = 0;
pub(super) const PEER: Node = 1;

/// One end of a link. Links have the numbers of the game's lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    pub(super) link: usize,
    pub(super) node: Node,
}

impl End {
    pub(super) fn of(node: Node, link: usize) -> End {
        End { link, node }
    }

    fn other(self) -> End {
        End::of(JUDGE + PEER - self.node, self.link)
    }
}

/// Something that was sent over a link and has not arrived yet.
#[derive(Debug)]
pub(super) enum Parcel {
    Bytes(Vec<u8>),
    End(Close),
    /// The peer's program ended with this exit status. The judge gets it over link 0, even if nobody uses that link any more.
    Exit(u8),
}

/// An end of a link, and the stream to it.
#[derive(Debug, Default)]
pub(super) struct EndState {
    /// Parcels that have arrived and are unread, each with its number in the order of sending.
    unread: VecDeque<(u64, Parcel)>,
    /// Number of bytes sent to this end and not read.
    held: usize,
    /// True if the close has been sent.
    is_closing: bool,
    /// True if the close has arrived.
    is_closed: bool,
    /// True if nobody holds this end any more.
    pub(super) is_dropped: bool,
    /// True if a reset has answered bytes from this end.
    pub(super) is_refused: bool,
    /// Time of arrival of the last parcel: parcels keep their order.
    last_arrival: Duration,
}

/// When one participant runs.
#[derive(Debug, Default)]
struct Schedule {
    is_awake: bool,
    /// Until when it cannot run, although it has something to do.
    held_up: Option<Duration>,
    /// The alarm for which it was held up, or not.
    alarmed: Option<Duration>,
}

/// Every link of a game, and the clock.
#[derive(Debug)]
pub(super) struct Links {
    pub(super) now: Duration,
    /// Decides in which order a participant finds what lies on several streams.
    random: ChaCha8Rng,
    /// True if links are pipes: a writer learns at once that nobody holds the reading end.
    pub(super) are_pipes: bool,
    /// The ends of each link; of one that is not opened yet, nobody holds them.
    links: Vec<[EndState; 2]>,
    /// Parcels on their way, by time of arrival, then in the order of sending.
    agenda: BTreeMap<(Duration, u64), (End, Parcel)>,
    sent: u64,
    schedules: [Schedule; 2],
    /// Longest delay of the judge, and total delay of its subject, since the last report to the judge.
    lag: Lag,
    weather: Weather,
}

impl Links {
    pub(super) fn new(seed: u64, network: Network, are_pipes: bool) -> Links {
        Links {
            now: Duration::ZERO,
            random: ChaCha8Rng::seed_from_u64(seed),
            are_pipes,
            links: Vec::new(),
            agenda: BTreeMap::new(),
            sent: 0,
            schedules: Default::default(),
            lag: Lag::default(),
            weather: Weather::new(network, seed),
        }
    }

    /// A number below `count`.
    pub(super) fn below(&mut self, count: usize) -> usize {
        below(self.random.next_u64(), count)
    }

    /// Opens a link between the judge and the peer.
    pub(super) fn open(&mut self, link: usize) {
        let new = |is_dropped| {
            [(); 2].map(|()| EndState {
                is_dropped,
                ..EndState::default()
            })
        };
        if self.links.len() <= link {
            self.links.resize_with(link + 1, || new(true));
        }
        self.links[link] = new(false);
        if let Some(lasts) = self.weather.outage() {
            for node in [JUDGE, PEER] {
                let lost = Parcel::End(Close::Lost);
                self.dispatch(End::of(node, link), lost, self.now + lasts);
            }
        }
        self.wake(JUDGE);
        self.wake(PEER);
    }

    /// The ends of a participant, by their links.
    pub(super) fn ends(&self, node: Node) -> impl Iterator<Item = End> + use<> {
        (0..self.links.len()).map(move |link| End::of(node, link))
    }

    pub(super) fn end(&self, end: End) -> &EndState {
        &self.links[end.link][end.node]
    }

    fn end_mut(&mut self, end: End) -> &mut EndState {
        &mut self.links[end.link][end.node]
    }

    pub(super) fn wake(&mut self, node: Node) {
        if !std::mem::replace(&mut self.schedules[node].is_awake, true) {
            self.hold_up(node);
        }
    }

    /// Wakes a participant whose alarm, at this time, is due; `false` where it cannot run yet.
    pub(super) fn ring(&mut self, node: Node, at: Duration) -> bool {
        let schedule = &mut self.schedules[node];
        schedule.is_awake = true;
        if schedule.alarmed.replace(at) != Some(at) {
            self.hold_up(node);
        }
        !self.is_held_up(node)
    }

    pub(super) fn is_held_up(&self, node: Node) -> bool {
        self.schedules[node].held_up.is_some()
    }

    /// The machine may be busy.
    fn hold_up(&mut self, node: Node) {
        let wait = self.weather.wait();
        if wait.is_zero() {
            return;
        }
        self.schedules[node].held_up = Some(self.now + wait);
        match node {
            JUDGE => self.lag.own = wait.max(self.lag.own),
            _ => self.lag.subject += wait,
        }
    }

    /// Takes the longest delay of the judge, and the total delay of its subject, since the last call.
    pub(super) fn take_lag(&mut self) -> Lag {
        std::mem::take(&mut self.lag)
    }

    pub(super) fn sleep(&mut self, node: Node) {
        self.schedules[node].is_awake = false;
    }

    /// The first participant with something to do.
    pub(super) fn first_awake(&self) -> Option<Node> {
        let mut schedules = self.schedules.iter();
        schedules.position(|schedule| schedule.is_awake && schedule.held_up.is_none())
    }

    /// Sends as many of these bytes as there is room for, and returns how many.
    ///
    /// # Errors
    /// Fails if nobody reads the stream any more.
    pub(super) fn send(&mut self, from: End, bytes: &[u8]) -> Result<usize, Refused> {
        let to = from.other();
        if self.end(from).is_refused || self.are_pipes && self.end(to).is_dropped {
            return Err(Refused);
        }
        let state = self.end_mut(to);
        let count = bytes.len().min(BUFFER.saturating_sub(state.held));
        if count == 0 {
            return Ok(0);
        }
        state.held += count;
        let mut rest = &bytes[..count];
        for (length, delay) in self.weather.cut(count) {
            let piece = rest
                .split_off(..length)
                .expect("the pieces are no more than the whole");
            self.schedule(to, Parcel::Bytes(piece.to_vec()), delay);
        }
        Ok(count)
    }

    /// Ends the stream from an end, unless that has been done before; whether it was done now.
    pub(super) fn close(&mut self, from: End, close: Close) -> bool {
        let to = from.other();
        if std::mem::replace(&mut self.end_mut(to).is_closing, true) {
            return false;
        }
        let delay = self.weather.delay();
        self.schedule(to, Parcel::End(close), delay);
        true
    }

    /// Drops an end; later arrivals are lost. Returns true if the end had unread bytes.
    pub(super) fn drop_end(&mut self, end: End) -> bool {
        let state = self.end_mut(end);
        state.is_dropped = true;
        state.held = 0;
        let has_bytes = |(_, parcel): &(u64, Parcel)| matches!(parcel, Parcel::Bytes(_));
        let has_unread = state.unread.iter().any(has_bytes);
        state
            .unread
            .retain(|(_, parcel)| matches!(parcel, Parcel::Exit(_)));
        has_unread
    }

    /// Returns true if nobody holds the other end of this one.
    pub(super) fn is_abandoned(&self, end: End) -> bool {
        self.end(end.other()).is_dropped
    }

    /// Returns true if nobody reads what is sent from this end, as far as that shows there.
    pub(super) fn is_lost(&self, end: End) -> bool {
        let state = self.end(end);
        state.is_refused || state.is_closed && self.is_abandoned(end)
    }

    /// The number of what is read next at an end.
    pub(super) fn front(&self, end: End) -> Option<u64> {
        self.end(end).unread.front().map(|(number, _)| *number)
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
        if bytes.is_empty() {
            return self.read_parcel(end);
        }
        self.took(end, bytes.len());
        Some(Parcel::Bytes(bytes))
    }

    /// Reads the first parcel that lies at an end as it was sent.
    pub(super) fn read_parcel(&mut self, end: End) -> Option<Parcel> {
        let (_, parcel) = self.end_mut(end).unread.pop_front()?;
        if let Parcel::Bytes(bytes) = &parcel {
            self.took(end, bytes.len());
        }
        Some(parcel)
    }

    fn took(&mut self, end: End, bytes: usize) {
        let state = self.end_mut(end);
        let was_full = state.held >= BUFFER;
        state.held = state.held.saturating_sub(bytes);
        if was_full {
            self.wake(end.other().node);
        }
    }

    /// Has the judge learn that the peer's program has ended.
    pub(super) fn exit(&mut self, status: u8) {
        let at = self.now + LATENCY;
        self.dispatch(End::of(JUDGE, 0), Parcel::Exit(status), at);
    }

    /// Sends what keeps the order of its stream.
    fn schedule(&mut self, to: End, parcel: Parcel, delay: Duration) {
        let at = self.now + LATENCY + delay;
        let last_arrival = &mut self.end_mut(to).last_arrival;
        let at = at.max(*last_arrival);
        *last_arrival = at;
        self.dispatch(to, parcel, at);
    }

    fn dispatch(&mut self, to: End, parcel: Parcel, at: Duration) {
        self.sent += 1;
        self.agenda.insert((at, self.sent), (to, parcel));
    }

    /// Returns the time of the next arrival.
    pub(super) fn next_arrival(&self) -> Option<Duration> {
        self.agenda.first_key_value().map(|(&(at, _), _)| at)
    }

    /// Returns the time at which a delayed participant can run again.
    pub(super) fn next_release(&self) -> Option<Duration> {
        let held_up = self.schedules.iter().filter_map(|one| one.held_up);
        held_up.min()
    }

    /// Delivers what arrives until now: it is all there when the first of it is read.
    pub(super) fn deliver(&mut self) {
        for schedule in &mut self.schedules {
            schedule.held_up.take_if(|until| *until <= self.now);
        }
        while let Some(entry) = self
            .agenda
            .first_entry()
            .filter(|entry| entry.key().0 <= self.now)
        {
            let ((_, number), (end, parcel)) = entry.remove_entry();
            self.arrive(end, number, parcel);
        }
    }

    fn arrive(&mut self, end: End, number: u64, parcel: Parcel) {
        let are_pipes = self.are_pipes;
        let is_lost = matches!(parcel, Parcel::End(Close::Lost));
        let is_exit = matches!(parcel, Parcel::Exit(_));
        let state = self.end_mut(end);
        state.is_closing |= is_lost;
        if state.is_closed && !is_exit {
            // Under way when the link was lost.
            return;
        }
        state.is_closed |= matches!(parcel, Parcel::End(_));
        if state.is_dropped && !is_exit {
            // The answer to bytes for an end that nobody holds is a reset.
            if let (Parcel::Bytes(_), false) = (&parcel, are_pipes) {
                self.end_mut(end.other()).is_refused = true;
                self.wake(end.other().node);
            }
            return;
        }
        state.is_refused |= is_lost;
        // The judge waits for nothing else, and has read what came before.
        if let (Parcel::End(Close::Reset), PEER) = (&parcel, end.node) {
            state.unread.clear();
        }
        state.unread.push_back((number, parcel));
        self.wake(end.node);
    }
}

/// As the judge writes to them.
impl Wires for Links {
    fn write(&mut self, lane: usize, bytes: &[u8]) -> Poll<Result<usize, Refused>> {
        match self.send(End::of(JUDGE, lane), bytes) {
            Ok(0) => Poll::Pending,
            sent => Poll::Ready(sent),
        }
    }

    fn shut(&mut self, lane: usize, close: Close) -> Poll<()> {
        self.close(End::of(JUDGE, lane), close);
        Poll::Ready(())
    }

    fn leave(&mut self, lane: usize, _: Close) {
        self.drop_end(End::of(JUDGE, lane));
    }
}
