//! What a game tells of itself while it is played.

use std::fmt;
use std::sync::Arc;

use crate::event::What;
use crate::judge::Judge;
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
    Everything,
}

impl Telling {
    /// Returns true if everything is told.
    #[must_use]
    pub fn is_everything(self) -> bool {
        self == Telling::Everything
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

    /// Tells an event that the judge has taken.
    pub(super) fn tell_event(&self, what: &What, judge: &Judge) {
        let news = match what {
            What::Line {
                lane,
                direction,
                line,
            } => GameNews::Line {
                lane: judge.lane_name(*lane),
                direction: *direction,
                text: line.text.clone(),
            },
            What::Closed {
                lane, direction, ..
            } => GameNews::Closed {
                lane: judge.lane_name(*lane),
                direction: *direction,
            },
            What::Exited { status, .. } => GameNews::Exited(status.clone()),
            _ => return,
        };
        self.tell(news);
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
