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
pub use fast_path::FastPath;
pub use rejudged::{Rejudged, rejudge};
pub(crate) use wrong_line::at_line;

use crate::diagnostic::Diagnostic;
use crate::finding::{Finding, Verdict};
use crate::protocol::GameEvent;
use crate::rules::{Game, Mistake, PerSeat, Setup};
use crate::transcript::LoggedGame;
use interleave::Interleaving;

/// A finished game up to its end or to its first wrong line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judged {
    /// The players' names, where known.
    pub names: PerSeat<Option<Vec<u8>>>,
    /// Random setup, fixed before the first turn.
    pub setup: Option<Setup>,
    /// The events; none of a game that the fast path has passed.
    pub history: Vec<GameEvent>,
    /// Number of turns that were begun.
    pub begun: usize,
    /// The end, or the point at which the file stops; `None` if a wrong line ends the game, and without rules.
    pub ending: Option<Ending>,
    /// Wrong lines and records, then open points.
    pub findings: Vec<Finding>,
    /// Remarks that are not errors.
    pub notes: Vec<String>,
    /// Exit of a recorded bot in the middle of a legal game, in words.
    pub left_off: Option<String>,
}

impl Judged {
    /// A legal game with these events, up to its end or to where it stops; without an end where there are no rules.
    pub(crate) fn of(
        game: Option<&dyn Game>,
        names: PerSeat<Option<Vec<u8>>>,
        setup: Option<Setup>,
        history: Vec<GameEvent>,
    ) -> Judged {
        let start = game.map(|game| game.table(setup.unwrap_or_default()));
        Judged {
            names,
            setup,
            begun: GameEvent::turns(&history),
            ending: start.map(|start| Ending::of(&history, start)),
            history,
            ..Judged::default()
        }
    }
}

/// Judges a finished game by its lanes. The finding about a dialogue is that it has no rules to judge by.
///
/// # Errors
/// The lanes do not show the game: what a player sent is not at hand.
pub fn judge(game: &LoggedGame) -> Result<Judged, Diagnostic> {
    Interleaving::of(game).map_or_else(unruled, Interleaving::judge)
}

/// Judges a finished game as one that is played by a mistake in the rules.
///
/// # Errors
/// The lanes do not show the game.
pub fn judge_by(game: &LoggedGame, mistake: &'static Mistake) -> Result<Judged, Diagnostic> {
    let lanes = Interleaving::of(game).map(|lanes| lanes.read_by(mistake));
    lanes.map_or_else(unruled, Interleaving::judge)
}

/// Judges the beginning of a game that goes on: what a lane is owed may still come.
///
/// # Errors
/// The lanes do not show the game.
pub fn judge_so_far(game: &LoggedGame) -> Result<Judged, Diagnostic> {
    Interleaving::of(game).map_or_else(unruled, Interleaving::judge_so_far)
}

/// The message about a dialogue, which is not judged.
pub const UNRULED: &str = "the dialect lines has no rules to judge by";

fn unruled() -> Result<Judged, Diagnostic> {
    Ok(Judged {
        findings: vec![Finding::new(Verdict::Unsupported, UNRULED)],
        ..Judged::default()
    })
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
