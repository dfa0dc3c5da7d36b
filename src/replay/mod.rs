//! A finished game turn by turn: forward, back, and to any turn.
//!
//! The events come from the [`archive`](crate::archive), the positions from the same [`Table`](crate::rules::Table) that live games are played on.

mod difference;
mod frame;
mod json;
mod lanes;
mod moves;
mod source;
mod target;
mod text;

pub use difference::first_difference;
pub use frame::{Frame, FrameAction};
pub use json::schema;
pub use lanes::{ReplayLane, ReplayLine};
pub use moves::LegalMove;
pub use source::ReplaySource;
pub use target::Target;
pub use text::PrintedParts;

use crate::archive::{FinishedGame, no_such_turn};
use crate::diagnostic::Diagnostic;
use crate::protocol::Dialect;
use crate::rules::{self, Seat};
use crate::verify::player;

/// A finished game, and the turn that it stands at.
#[derive(Debug)]
pub struct Replay {
    /// The game.
    pub finished: FinishedGame,
    dialect: &'static dyn Dialect,
    frames: Vec<Frame>,
    lanes: Vec<ReplayLane>,
    at: usize,
}

impl Replay {
    /// A game up to its end or to its first wrong line, standing before the first turn; `None` for lines without rules. The game of a recorded
    /// scenario goes up to the turn of the finding. Rolls that no record tells are not shown.
    #[must_use]
    pub fn new(finished: FinishedGame) -> Option<Replay> {
        let mut replay = Replay {
            dialect: finished.dialect()?,
            frames: frame::frames(&finished)?,
            lanes: Vec::new(),
            finished,
            at: 0,
        };
        replay.add_lanes();
        replay.set_times();
        Some(replay)
    }

    /// Returns true if the judge has a finding at this turn.
    #[must_use]
    pub fn has_finding_at(&self, turn: usize) -> bool {
        let recorded = self.finished.recorded.as_ref();
        turn == self.last() && recorded.is_some_and(|it| !it.outcome.findings.is_empty())
    }

    /// The game that is played.
    #[must_use]
    pub fn game(&self) -> &'static dyn rules::Game {
        self.dialect.game()
    }

    /// A player as messages call him: `Alice (first)`; fit to show.
    #[must_use]
    pub fn player(&self, seat: Seat) -> String {
        player(self.game(), &self.finished.judged.names, seat)
    }

    /// Number of the game, from 1, in a file that holds several.
    #[must_use]
    pub fn number_of_several(&self) -> Option<u64> {
        let finished = &self.finished;
        finished.is_one_of_several.then_some(finished.number)
    }

    /// Returns true if a line of the game is wrong, which ends the replay.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        self.finished.stopped_by().is_some()
    }

    /// Returns true if a line of the game is wrong, or the judge has a finding.
    #[must_use]
    pub fn is_bad(&self) -> bool {
        self.is_wrong() || self.has_finding_at(self.last())
    }

    /// Every frame: the start, then one per turn.
    #[must_use]
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The lanes that told the game; empty for a game told by records.
    #[must_use]
    pub fn lanes(&self) -> &[ReplayLane] {
        &self.lanes
    }

    /// The frame that the replay stands at.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        &self.frames[self.at]
    }

    /// Number of the last turn; 0 where there is none.
    #[must_use]
    pub fn last(&self) -> usize {
        self.frames.len() - 1
    }

    /// Goes to the position after this turn, to the last at most; 0 is the start.
    pub fn go(&mut self, turn: usize) {
        self.at = turn.min(self.last());
    }

    /// Goes to the position after this turn; 0 is the start.
    ///
    /// # Errors
    /// Fails if the game has no such turn; the replay does not move.
    pub fn seek(&mut self, turn: usize) -> Result<(), Diagnostic> {
        if turn > self.last() {
            return Err(no_such_turn(turn, self.last()));
        }
        self.at = turn;
        Ok(())
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
#[cfg(test)]
pub(crate) use tests::{of_streams, of_streams_in};
