//! Events on the lanes of a game, and the findings of a run: neutral ground between engine, judge and
//! reports.
//!
//! Events on the lanes are declared with the transcripts, because a recording consists of these events.

mod finding;

pub use crate::transcript::{Event, Frames, Processes, What};
pub use finding::{
    FileLine, Finding, LaneText, LaneView, OpenChoice, Outcome, Remark, Slowest, Verdict,
};
