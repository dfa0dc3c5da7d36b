//! What a game tells of itself while it is played.

use std::fmt;
use std::sync::Arc;

use tokio::sync::Notify;

use crate::transcript::Direction;
use crate::transport::{Echo, EchoedLine};

/// What is told of each game while it is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Telling {
    /// Its beginning and its end.
    #[default]
    Games,
    /// Also what its subject says on standard error.
    Stderr,
    /// Everything, as someone needs it who looks into the subject. A scenario is one game then, however often it would be tried.
    Everything {
        /// The turn before which urtext waits.
        pause_at: Option<usize>,
    },
}

impl Telling {
    /// Returns true if everything is told.
    #[must_use]
    pub fn is_everything(self) -> bool {
        matches!(self, Telling::Everything { .. })
    }
}

/// What happens in a game.
#[derive(Debug, Clone)]
pub enum GameNews {
    /// The subject runs as this process.
    Started(i32),
    /// The subject has said this on standard error.
    Stderr(EchoedLine),
    /// A line went over a lane.
    Line {
        /// The name of the lane.
        lane: String,
        /// Direction of the line.
        direction: Direction,
        /// The line without its end.
        text: Vec<u8>,
    },
    /// A direction of a lane ended.
    Closed {
        /// The name of the lane.
        lane: String,
        /// Direction that was closed.
        direction: Direction,
    },
    /// The subject's process ended so.
    Exited(String),
    /// urtext sends nothing before it is told to go on.
    Paused {
        /// The turn that comes next.
        turn: usize,
        /// Takes the word to go on.
        go_on: Arc<Notify>,
    },
}

/// Takes what a game tells. It must not wait.
#[derive(Clone)]
pub(super) struct Teller(Arc<dyn Fn(GameNews) + Send + Sync>);

impl Teller {
    pub(super) fn new(take: impl Fn(GameNews) + Send + Sync + 'static) -> Teller {
        Teller(Arc::new(take))
    }

    pub(super) fn tell(&self, news: GameNews) {
        (self.0)(news);
    }

    /// Tells what the subject says on standard error.
    pub(super) fn echo(&self) -> Echo {
        let teller = self.clone();
        Echo::new(move |line| teller.tell(GameNews::Stderr(line)))
    }
}

impl fmt::Debug for Teller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Teller")
    }
}
