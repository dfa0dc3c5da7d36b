//! Lines of a recording as values.

use serde_json::Value;

use crate::transcript::Event;

/// One line of a recording below its header.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// An event.
    Event(Event),
    /// The end of what the subject wrote to standard error.
    Stderr(Vec<u8>),
    /// The verdict and its findings.
    Verdict(Value),
}
