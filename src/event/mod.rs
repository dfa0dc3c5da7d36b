//! Events on the lanes of a game, and its outcome: neutral ground between engine, judge and reports.
//!
//! Events on the lanes are declared with the transcripts, because a recording consists of these events.

mod earlier;
mod outcome;
mod sameness;
mod several;

pub use crate::transcript::{Event, Lag, LaneEvents, Processes, What};
pub use earlier::{EarlierGames, PastGame, PastGames, failed_later};
pub use outcome::{OpenChoice, Outcome, Slowest, empty_frames_remark, seconds};
pub use sameness::{BUSY, Reason, form, is_like, kind, last_line, reason};
pub use several::{GameSummary, SeveralGames};
