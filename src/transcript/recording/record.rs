use serde_json::Value;

use crate::transcript::{Event, Frames};

/// One line of a recording below its header.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// An event.
    Event(Event),
    /// How what a lane received came, where frames carried it.
    Frames {
        /// The lane.
        lane: usize,
        /// Its frames.
        frames: Frames,
    },
    /// The end of what the subject wrote to standard error.
    Stderr(Vec<u8>),
    /// What was concluded.
    Verdict(Value),
}
