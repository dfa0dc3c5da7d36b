//! The lanes of finished games judged: every line legal, all lanes projections of one game, and where not, the first wrong line.
//!
//! [`judge`] feeds the lanes of one game to the [`Model`](crate::protocol::Model) in an order in which causes come before
//! effects, and stops at the first line that the model does not predict. [`FastPath`] passes
//! games without a fault some ten times faster, by the same dialect and the same [`Table`](crate::rules::Table), and leaves all others to
//! [`judge`].

mod ending;
mod fast_path;
mod rejudged;
mod interleave;
mod wrong_line;

pub use ending::{Awaited, Ending};
pub(crate) use ending::{because, player};
pub use fast_path::{Clean, FastPath, Stream};
pub use rejudged::{Rejudged, StoredOutcome, rejudge};
pub(crate) use wrong_line::remarks;

use crate::diagnostic::Diagnostic;
use crate::finding::Finding;
use crate::protocol::{Dialect, GameEvent};
use crate::rules::{PerSeat, Setup, VariantRow};
use crate::transcript::LoggedGame;

/// Result of judging a finished game.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The dialect of its lanes.
    pub dialect: &'static dyn Dialect,
    /// The players' names, as far as the handshake tells them.
    pub names: PerSeat<Option<Vec<u8>>>,
    /// Random setup, fixed before the first turn.
    pub setup: Option<Setup>,
    /// Events of the game, up to the end or to the first wrong line.
    pub history: Vec<GameEvent>,
    /// Verdict on the game.
    pub verdict: GameVerdict,
    /// Remarks that are not errors.
    pub notes: Vec<String>,
    /// Exit of a recorded bot in the middle of a legal game, in words.
    pub left_off: Option<String>,
}

/// Verdict on a finished game.
#[derive(Debug, Clone)]
pub enum GameVerdict {
    /// Nothing is wrong; how it ended, or where it stops.
    Legal(Ending),
    /// A line is wrong, or is missing.
    Wrong(Box<Finding>),
    /// The lanes at hand do not tell the game, by the number of the lane that would go on: it is a player's, and what he
    /// sent is not at hand.
    Untold(usize),
}

/// Judges a finished game by its lanes; `None` for a dialogue, which has no rules to judge by.
#[must_use]
pub fn judge(game: &LoggedGame) -> Option<Judged> {
    interleave::Interleaving::of(game).map(interleave::Interleaving::judge)
}

/// Judges a finished game as one that is played by a wrong reading of the rules; `None` for a dialogue.
#[must_use]
pub fn judge_by(game: &LoggedGame, reading: &'static VariantRow) -> Option<Judged> {
    let lanes = interleave::Interleaving::of(game)?;
    Some(lanes.read_by(reading).judge())
}

/// Judges the beginning of a game that goes on: what a lane is owed may still come. `None` for a dialogue.
#[must_use]
pub fn judge_so_far(game: &LoggedGame) -> Option<Judged> {
    interleave::Interleaving::of(game).map(interleave::Interleaving::judge_so_far)
}

/// The message about a dialogue, which is not judged.
pub const UNRULED: &str = "the dialect lines has no rules to judge by";

/// The fault of a file that is [`GameVerdict::Untold`].
#[must_use]
pub fn half_a_lane(name: &str) -> Diagnostic {
    let title = "this is what a player received, and what he sent is not at hand";
    let help = "put NAME.sent beside NAME.received, or give another lane of the game as well";
    Diagnostic::error("verify/half-a-lane", title)
        .in_file(name)
        .help(help)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
