//! Events on the lanes of a game, and the findings of a run: neutral ground between engine, judge and
//! reports.
//!
//! What happens on the lanes stands with the transcripts, because a recording is these events written down.

mod finding;

pub use crate::transcript::{Event, Frames, Processes, What};
pub use finding::{Finding, OpenChoice, Outcome, Sight, Slowest, Verdict, Want};
