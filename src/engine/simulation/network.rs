//! Networks of simulated games, with delays and outages by the game's seed.

use std::time::Duration;

use clap::ValueEnum;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::rules::below;

/// The longest delay of a piece under jitter, on top of the usual latency. The judge's time bounds tolerate
/// three such delays: of the line from which it counts, of its own line, and of the answer.
const JITTER: Duration = Duration::from_millis(12);

/// The longest that a busy machine keeps somebody from running, and how long it usually does at most, where it does at all.
const LONG_WAIT: Duration = Duration::from_secs(2);
const SHORT_WAIT: Duration = Duration::from_millis(100);

/// The latest time after the opening of a link at which it is lost.
const LOST_WITHIN: Duration = Duration::from_millis(200);

/// The network of simulated games. Each direction of a lane keeps its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Network {
    /// Every write arrives in one piece after 20 µs
    #[default]
    Ideal,
    /// Writes are cut and joined anywhere, and up to 12 ms late
    Jitter,
    /// As jitter, and some connections are lost, which gives the verdict error
    Outages,
    /// The subject and urtext run up to 2 s late; the judge knows by how much
    Busy,
}

/// Source of delays and outages, by the seed of the game.
#[derive(Debug)]
pub(super) struct Weather {
    random: ChaCha8Rng,
    network: Network,
}

impl Weather {
    pub(super) fn new(network: Network, seed: u64) -> Weather {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        // Apart from the choices that are made in any network.
        random.set_stream(1);
        Weather { random, network }
    }

    fn below(&mut self, count: usize) -> usize {
        below(self.random.next_u64(), count)
    }

    /// Returns true if every write arrives whole and in time.
    fn is_prompt(&self) -> bool {
        matches!(self.network, Network::Ideal | Network::Busy)
    }

    /// Cuts so many bytes into pieces: the length of each, and how late it is.
    pub(super) fn cut(&mut self, bytes: usize) -> Vec<(usize, Duration)> {
        if self.is_prompt() {
            return vec![(bytes, Duration::ZERO)];
        }
        let (mut pieces, mut rest) = (Vec::new(), bytes);
        while rest > 0 {
            let is_cut = rest > 1 && pieces.len() < 4 && self.below(3) == 0;
            let length = if is_cut {
                1 + self.below(rest - 1)
            } else {
                rest
            };
            pieces.push((length, self.delay()));
            rest -= length;
        }
        pieces
    }

    /// Returns how long a link that opens now lasts until it is lost, if it ever is.
    pub(super) fn outage(&mut self) -> Option<Duration> {
        let is_lost = self.network == Network::Outages && self.below(3) == 0;
        is_lost.then(|| self.up_to(LOST_WITHIN))
    }

    /// Returns the extra delay of the next piece: half of the pieces have none.
    pub(super) fn delay(&mut self) -> Duration {
        if self.is_prompt() || self.below(2) == 0 {
            return Duration::ZERO;
        }
        self.up_to(JITTER)
    }

    /// Returns the time that a participant cannot run although an event is ready.
    pub(super) fn wait(&mut self) -> Duration {
        if self.network != Network::Busy {
            return Duration::ZERO;
        }
        match self.below(40) {
            0 => self.up_to(LONG_WAIT),
            1..10 => self.up_to(SHORT_WAIT),
            _ => Duration::ZERO,
        }
    }

    fn up_to(&mut self, most: Duration) -> Duration {
        let most = usize::try_from(most.as_nanos()).expect("it is short");
        Duration::from_nanos(self.below(most) as u64)
    }
}
