//! A finished game turn by turn: forward, back, and to any turn.
//!
//! The events come from the [`archive`], the positions from the same [`Table`](crate::rules::Table) that live games are played on.

mod difference;
mod frame;
mod json;
mod lanes;
mod target;
mod text;

pub use difference::first_difference;
pub use frame::{Frame, FrameAction};
pub use json::schema;
pub use lanes::{ReplayLane, ReplayLine};
pub use target::Target;
pub use text::{LegalMove, PrintedParts};

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use crate::archive::{self, FinishedGame, ReadOptions, no_such_turn};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::protocol::Dialect;
use crate::rules::{self, Seat};
use crate::verify::{Ending, player};

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
        let finished = &self.finished;
        turn == self.last() && finished.recorded.is_some() && !finished.outcome.findings.is_empty()
    }

    /// The game that is played.
    #[must_use]
    pub fn game(&self) -> &'static dyn rules::Game {
        self.dialect.game()
    }

    /// A player as messages call him: `Alice (first)`; fit to show.
    #[must_use]
    pub fn player(&self, seat: Seat) -> String {
        player(self.game(), &self.finished.outcome.names, seat)
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

/// Interval between looks at a file.
pub const LOOK: Duration = Duration::from_millis(100);

/// Pause after a pass, as a multiple of its duration: reading takes a tenth of the time at most.
const REST: u32 = 10;

/// Files with games, opened one by one.
pub struct ReplaySource<'a> {
    files: &'a [PathBuf],
    options: ReadOptions<'a>,
    /// Of a file that somebody still writes, the length at the last look, and the time of the next.
    looked: Option<(u64, Instant)>,
}

impl<'a> ReplaySource<'a> {
    /// Finished games of files.
    #[must_use]
    pub fn new(files: &'a [PathBuf], options: ReadOptions<'a>) -> ReplaySource<'a> {
        ReplaySource {
            files,
            options,
            looked: None,
        }
    }

    /// The first game of a file that somebody still writes; the file need not exist yet.
    #[must_use]
    pub fn following(file: &'a PathBuf, options: ReadOptions<'a>) -> ReplaySource<'a> {
        ReplaySource {
            looked: Some((0, Instant::now())),
            ..ReplaySource::new(std::slice::from_ref(file), options)
        }
    }

    /// Opens the game before (true) or after (false) this one.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    pub fn other(&self, shown: &Replay, is_before: bool) -> Result<Replay, String> {
        let at = shown.number_of_several().ok_or("the file holds one game")?;
        let wanted = match is_before {
            true if at == 1 => return Err("this is the first game of the file".to_owned()),
            true => at - 1,
            false => at + 1,
        };
        let game = archive::game(self.files, Some(wanted), &self.options)
            .map_err(|_| "this is the last game of the file".to_owned())?;
        Replay::new(game).ok_or_else(|| format!("game {wanted} cannot be shown"))
    }

    /// The game that is still written, if it has gone on since the last call and its first turn has begun. The file is read as a whole whenever
    /// it has changed; a change that comes during the pause after a pass is seen after the pause.
    pub fn grown(&mut self) -> Option<Result<FinishedGame, Diagnostics>> {
        let ((length, next), file) = (self.looked?, self.files.first()?);
        let (begun, now) = (Instant::now(), file.metadata().ok()?.len());
        if now == length || begun < next {
            return None;
        }
        let game = archive::game_so_far(file, &self.options);
        self.looked = Some((now, Instant::now() + begun.elapsed() * REST));
        let mut game = game.transpose()?;
        if let Ok(game) = &mut game {
            if game.ending == Some(Ending::Unstarted) && game.goes_on {
                return None;
            }
            game.explain();
        }
        Some(game)
    }

    /// Waits until the game that is still written has gone on.
    ///
    /// # Errors
    /// Every fault of the file.
    pub fn wait(&mut self) -> Result<FinishedGame, Diagnostics> {
        loop {
            if let Some(game) = self.grown() {
                return game;
            }
            thread::sleep(LOOK);
        }
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
#[cfg(test)]
pub(crate) use tests::{of_streams, of_streams_in};
