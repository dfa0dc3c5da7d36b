//! Games that built-in peers play among themselves, without a judge: machines whose bytes are passed on in memory, on a virtual clock.

use std::collections::VecDeque;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use urtext::event::{Event, LaneEvents, What};
use urtext::peers::{CHUNK, Farewell, Machine};
use urtext::transcript::{Close, Direction};

/// How long a game may take on the virtual clock.
const BUDGET: Duration = Duration::from_secs(3600);

/// The longest outage after which a lane goes on, in milliseconds: shorter than a built-in peer waits for room. And before a lane is lost.
const STALL: u64 = 4_000;
const LOSS: u64 = 20_000;

/// A game that built-in peers have played among themselves.
pub(crate) struct Watched {
    /// Lines on every lane, as its player or spectator sent and received them.
    pub(crate) events: Vec<Event>,
    /// Exits of the players and spectators, by lane; `None` if a peer did not end within the budget.
    pub(crate) farewells: Vec<Option<Farewell>>,
    /// Exit of the referee.
    pub(crate) referee: Option<Farewell>,
}

/// One direction of a lane.
#[derive(Default)]
struct Stream {
    bytes: VecDeque<u8>,
    is_ended: bool,
    /// True if nobody reads it any more.
    is_dropped: bool,
}

/// A time in which nothing passes over a lane.
struct Outage {
    /// Number of writes before it.
    calm: u64,
    time: Duration,
    is_final: bool,
}

struct Lane {
    /// What the participant sends, and what the referee does.
    streams: [Stream; 2],
    events: LaneEvents,
    /// Number of bytes that a stream buffers.
    room: usize,
    outage: Option<Outage>,
    stalled_until: Duration,
    is_doomed: bool,
}

/// An end of a lane.
#[derive(Clone, Copy)]
struct End {
    lane: usize,
    /// The stream that it writes.
    side: usize,
    /// The number of the lane at the machine.
    own: usize,
}

struct Game {
    now: Duration,
    lanes: Vec<Lane>,
    events: Vec<Event>,
    /// The participants by lane, then the referee.
    machines: Vec<(Machine<'static, Farewell>, Option<Farewell>)>,
}

/// Plays a game until all of its peers have ended. The participants' machines have one lane each; in their order they are the lanes of
/// the referee. Where the network is unkind, buffers hold little, and a lane may stop for a while or be lost.
pub(crate) fn watch(
    referee: Machine<'static, Farewell>,
    others: Vec<Machine<'static, Farewell>>,
    seed: u64,
    is_unkind: bool,
) -> Watched {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |count: u64| random.next_u64() % count;
    let room = if is_unkind { 16 << below(8) } else { 64 * 1024 };
    let lanes = (0..others.len()).map(|number| Lane {
        streams: Default::default(),
        events: LaneEvents::new(number),
        room,
        outage: (is_unkind && below(3) == 0).then(|| {
            let is_final = below(2) == 0;
            let time = below(if is_final { LOSS } else { STALL });
            Outage {
                calm: below(60),
                time: Duration::from_millis(time),
                is_final,
            }
        }),
        stalled_until: Duration::ZERO,
        is_doomed: false,
    });
    let opened = (0..others.len()).map(|lane| Event {
        at: Duration::ZERO,
        what: What::Opened { lane },
    });
    let mut game = Game {
        now: Duration::ZERO,
        events: opened.collect(),
        lanes: lanes.collect(),
        machines: others
            .into_iter()
            .chain([referee])
            .map(|one| (one, None))
            .collect(),
    };
    while game.now <= BUDGET && game.step() {}
    let mut farewells: Vec<_> = game.machines.into_iter().map(|(_, end)| end).collect();
    Watched {
        events: game.events,
        referee: farewells.pop().expect("the referee is the last"),
        farewells,
    }
}

impl Game {
    /// Has every peer do what it can, or time pass; `false` where nobody waits for anything any more.
    fn step(&mut self) -> bool {
        let mut has_moved = false;
        for number in 0..self.machines.len() {
            let (machine, end) = &mut self.machines[number];
            if end.is_none() {
                *end = machine.advance(self.now);
                has_moved |= self.pass(number);
            }
        }
        has_moved || self.wait()
    }

    /// Lets time pass until the next alarm, or the end of an outage.
    fn wait(&mut self) -> bool {
        let machines = self.machines.iter().enumerate();
        let alive = machines.filter(|(_, (_, end))| end.is_none());
        let alarm = alive
            .filter_map(|(number, (machine, _))| Some((machine.alarm()?, number)))
            .min();
        let stalls = self.lanes.iter().map(|lane| lane.stalled_until);
        let stall = stalls.filter(|until| *until > self.now).min();
        match (alarm, stall) {
            (Some((at, number)), _) if stall.is_none_or(|stall| at <= stall) => {
                self.now = self.now.max(at);
                let (machine, end) = &mut self.machines[number];
                *end = machine.ring(self.now);
                self.pass(number);
            }
            (_, Some(stall)) => self.now = stall,
            _ => return false,
        }
        true
    }

    /// Passes on what a peer has written, and what it reads now; whether there was something.
    fn pass(&mut self, number: usize) -> bool {
        let count = self.lanes.len();
        let ends: Vec<_> = (0..count)
            .filter(|lane| number == count || number == *lane)
            .map(|lane| End {
                lane,
                side: usize::from(number == count),
                own: if number == count { lane } else { 0 },
            })
            .collect();
        let mut has_moved = self.machines[number].1.is_some();
        for end in ends {
            has_moved |= self.write(number, end) | self.read(number, end);
        }
        has_moved
    }

    fn write(&mut self, number: usize, End { lane, side, own }: End) -> bool {
        let (now, lane) = (self.now, &mut self.lanes[lane]);
        let (machine, farewell) = &mut self.machines[number];
        let stream = &mut lane.streams[side];
        let mut room = lane.room.saturating_sub(stream.bytes.len());
        if stream.is_dropped {
            room = usize::MAX;
        }
        let bytes: Vec<u8> = machine.write(own, |outgoing| {
            outgoing.drain(..room.min(outgoing.len())).collect()
        });
        let mut whats = Vec::new();
        let mut has_moved = !bytes.is_empty();
        if has_moved {
            if stream.is_dropped {
                machine.refuse(own);
            } else {
                stream.bytes.extend(&bytes);
            }
            if side == 0 {
                lane.events
                    .pass(Direction::Sent, &bytes, |what| whats.push(what));
            }
            if let Some(outage) = lane.outage.take_if(|outage| outage.calm == 0) {
                lane.stalled_until = now + outage.time;
                lane.is_doomed = outage.is_final;
            } else if let Some(outage) = &mut lane.outage {
                outage.calm -= 1;
            }
        }
        if (farewell.is_some() || machine.has_ended(own)) && !stream.is_ended {
            (stream.is_ended, has_moved) = (true, true);
            if side == 0 {
                lane.events
                    .end(Direction::Sent, Close::End, |what| whats.push(what));
            }
        }
        self.tell(whats);
        has_moved
    }

    fn read(&mut self, number: usize, End { lane, side, own }: End) -> bool {
        let (now, lane) = (self.now, &mut self.lanes[lane]);
        let (machine, farewell) = &mut self.machines[number];
        let stream = &mut lane.streams[1 - side];
        stream.is_dropped |= farewell.is_some();
        if stream.is_dropped || now < lane.stalled_until {
            return false;
        }
        let mut whats = Vec::new();
        let mut has_moved = true;
        let count = stream.bytes.len().min(CHUNK);
        let bytes: Vec<u8> = match machine.reads(own) && !lane.is_doomed {
            true => stream.bytes.drain(..count).collect(),
            false => Vec::new(),
        };
        let close = if lane.is_doomed {
            Close::Lost
        } else {
            Close::End
        };
        if !bytes.is_empty() {
            machine.feed(own, &bytes);
            if side == 0 {
                lane.events
                    .pass(Direction::Received, &bytes, |what| whats.push(what));
            }
        } else if lane.is_doomed || stream.is_ended && machine.reads(own) {
            machine.end_input(own);
            stream.is_dropped = true;
            if lane.is_doomed {
                machine.refuse(own);
            }
            if side == 0 {
                lane.events
                    .end(Direction::Received, close, |what| whats.push(what));
            }
        } else {
            has_moved = false;
        }
        self.tell(whats);
        has_moved
    }

    fn tell(&mut self, whats: Vec<What>) {
        let at = self.now;
        self.events
            .extend(whats.into_iter().map(|what| Event { at, what }));
    }
}
