//! Requests of the judge to the engine.

use std::time::Duration;

use crate::scenario::Leaving;

/// A command to the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Write these bytes to a lane.
    Send {
        /// The lane.
        lane: usize,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Close our direction of a lane.
    Close {
        /// The lane.
        lane: usize,
    },
    /// Open a lane that was not opened at the start.
    Open {
        /// The lane.
        lane: usize,
    },
    /// Leave a lane in this way.
    Leave {
        /// The lane.
        lane: usize,
        /// Kind of disconnect.
        how: Leaving,
    },
    /// Read no more than so many bytes a second from a lane, or (`None`) all again.
    Read {
        /// The lane.
        lane: usize,
        /// Bytes a second.
        pace: Option<u64>,
    },
    /// Wake the judge at this time, instead of at any that was asked for before.
    WakeAt(Duration),
    /// The game is over: hang up on all lanes and end the subject.
    Finish,
}
