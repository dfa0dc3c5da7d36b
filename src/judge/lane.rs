//! One lane of the game, as it was observed.

use std::time::Duration;

use crate::protocol::{Deviation, Framer, LaneKind};
use crate::transcript::{Close, Entry};

/// State of a lane, apart from the model's.
#[derive(Debug, Clone)]
pub(super) struct LaneState {
    pub(super) kind: LaneKind,
    pub(super) is_open: bool,
    pub(super) entries: Vec<Entry>,
    /// Kind of close of the subject's direction.
    pub(super) ended: Option<Close>,
    /// True if the subject stopped reading before we closed the lane.
    pub(super) reader_closed: bool,
    /// Incomplete line at the last alarm.
    pub(super) unfinished: Vec<u8>,
    /// True if urtext has disconnected.
    pub(super) has_left: bool,
    /// Framing of urtext's own bytes, for the partial line at their end.
    pub(super) sent: Framer,
    /// Time of the subject's last line.
    pub(super) last_heard: Duration,
    /// Lines whose carriage return belongs to the line end, by index.
    pub(super) carriage_returns: Vec<usize>,
    /// Lines that the specification leaves open, by index: no golden transcript has them.
    pub(super) open_lines: Vec<usize>,
    /// Lines in which the bot was free, by index.
    pub(super) free_lines: Vec<usize>,
    /// The first line that was not predicted.
    pub(super) unpredicted: Option<Box<Deviation>>,
}

impl LaneState {
    pub(super) fn new(kind: LaneKind) -> LaneState {
        LaneState {
            kind,
            is_open: false,
            entries: Vec::new(),
            ended: None,
            reader_closed: false,
            unfinished: Vec::new(),
            has_left: false,
            sent: Framer::default(),
            last_heard: Duration::ZERO,
            carriage_returns: Vec::new(),
            open_lines: Vec::new(),
            free_lines: Vec::new(),
            unpredicted: None,
        }
    }

    /// The text of a line, less the carriage return where that belongs to the line end.
    pub(super) fn text(&self, entry: usize) -> &[u8] {
        let text = self.entries[entry].line.text.as_slice();
        match text.strip_suffix(b"\r") {
            Some(stripped) if self.carriage_returns.contains(&entry) => stripped,
            _ => text,
        }
    }
}
