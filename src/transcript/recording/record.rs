//! Lines of a recording as values.

use serde_json::Value;

use crate::transcript::{Event, Frames};

/// One line of a recording below its header.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// An event.
    Event(Event),
    /// Framing of a lane's received bytes.
    Frames {
        /// The lane.
        lane: usize,
        /// Its frames.
        frames: Frames,
    },
    /// The end of what the subject wrote to standard error.
    Stderr(Vec<u8>),
    /// The verdict and its findings.
    Verdict(Value),
}
