//! A finished game turn by turn: forward, back, and to any turn.
//!
//! The events come from the [`archive`](crate::archive), the positions from the same [`Table`] that live games are played on.

mod difference;
mod facts;
mod frame;
mod lanes;
mod json;
mod record;
mod replay_live;
mod rows;
mod seat;
mod target;
mod text;

pub use difference::first_difference;
pub use facts::{LegalMove, TurnFacts};
pub use frame::{Frame, FrameAction};
pub use lanes::ReplayLane;
pub use record::schema;
pub use replay_live::{LiveReplay, NotFrom};
pub use rows::{GameRow, GameTable};
pub use seat::{seat_of, seat_of_recorder};
pub use target::Target;
pub use text::PrintedParts;

use std::time::Duration;

use crate::archive::{FinishedGame, NoSuchTurn};
use crate::finding::Verdict;
use crate::pack::NotatedTurn;
use crate::protocol::{Dialect, GameEvent};
use crate::rules::{self, PerSeat, Roll, Seat, Setup, Table};
use crate::verify::{Ending, player};

/// A finished game, and the turn that it stands at.
#[derive(Debug)]
pub struct Replay {
    dialect: &'static dyn Dialect,
    names: PerSeat<Option<Vec<u8>>>,
    setup: Option<Setup>,
    frames: Vec<Frame>,
    /// Time of each turn and at its end, of a game that no lane tells.
    recorded_times: Vec<Option<(Duration, Duration)>>,
    history: Vec<GameEvent>,
    lanes: Vec<ReplayLane>,
    /// The end; `None` if a line is wrong.
    ending: Option<Ending>,
    /// The wrong line in one line.
    wrong: Option<String>,
    notes: Vec<String>,
    /// The number of the game in a file that holds several.
    number_of_several: Option<u64>,
    told: Option<Told>,
    /// True if more may come.
    goes_on: bool,
    at: usize,
}

/// Verdict and finding of a recorded scenario's judge.
#[derive(Debug)]
struct Told {
    verdict: Verdict,
    /// The reason in one line, where there is one: it is seen at the last turn.
    finding: Option<String>,
}

impl Replay {
    /// A game up to its end or to its first wrong line, standing before the first turn; `None` for lines without rules. The game of a recorded
    /// scenario goes up to the turn of the finding. Rolls that no record tells are not shown.
    #[must_use]
    pub fn new(game: &FinishedGame) -> Option<Replay> {
        let dialect = game.dialect()?;
        let table = dialect.game().table(game.setup.unwrap_or_default());
        let told = game.recorded.as_ref().map(|recorded| Told {
            verdict: recorded.outcome.verdict,
            finding: game.findings().first().map(|finding| finding.title.clone()),
        });
        let mut replay = Replay {
            dialect,
            names: game.names.clone(),
            setup: game.setup,
            frames: frames(table, &game.history),
            recorded_times: recorded_times(&game.turns),
            history: game.history.clone(),
            lanes: Vec::new(),
            ending: game.ending,
            wrong: game.stopped_by().map(|finding| finding.in_one_line()),
            notes: game.notes.clone(),
            number_of_several: game.is_one_of_several.then_some(game.number),
            told,
            goes_on: game.goes_on,
            at: 0,
        };
        replay.hide_untold_rolls(&game.turns);
        replay.add_lanes(game);
        Some(replay)
    }

    /// Returns true if the judge has a finding at this turn.
    #[must_use]
    pub fn has_finding_at(&self, turn: usize) -> bool {
        turn == self.last()
            && self
                .told
                .as_ref()
                .is_some_and(|told| told.finding.is_some())
    }

    /// Returns true if more lines may come.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.goes_on
    }

    /// Leaves out rolls that these turns do not tell.
    fn hide_untold_rolls(&mut self, turns: &[NotatedTurn]) {
        for (frame, turn) in self.frames.iter_mut().skip(1).zip(turns) {
            if turn.rolled.is_some() {
                continue;
            }
            frame.roll = None;
            if let (FrameAction::Skipped { why }, None) = (&mut frame.deed, turn.record) {
                *why = "there is no record of it, and the next is the other player's".to_owned();
            }
        }
    }

    /// The game that is played.
    #[must_use]
    pub fn game(&self) -> &'static dyn rules::Game {
        self.dialect.game()
    }

    /// A player as messages call him: `Alice (first)`; fit to show.
    #[must_use]
    pub fn player(&self, seat: Seat) -> String {
        player(self.game(), &self.names, seat)
    }

    /// Number of the game, from 1, in a file that holds several.
    #[must_use]
    pub fn number_of_several(&self) -> Option<u64> {
        self.number_of_several
    }

    /// Returns true if a line of the game is wrong, which ends the replay.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        self.wrong.is_some()
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

    /// Returns the end of the game, or the point at which it stops; `None` if a line is wrong.
    #[must_use]
    pub fn end(&self) -> Option<Ending> {
        self.ending
    }

    /// Returns remarks on the lanes that are not errors.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
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

    /// Goes a number of turns on, to the last at most.
    pub fn forward(&mut self, turns: usize) {
        self.at = self.at.saturating_add(turns).min(self.last());
    }

    /// Goes a number of turns back, to the start at most.
    pub fn back(&mut self, turns: usize) {
        self.at = self.at.saturating_sub(turns);
    }

    /// Goes to the position after this turn; 0 is the start.
    ///
    /// # Errors
    /// Fails if the game has no such turn; the replay does not move.
    pub fn seek(&mut self, turn: usize) -> Result<(), NoSuchTurn> {
        self.assert_turn(turn)?;
        self.at = turn;
        Ok(())
    }

    /// Checks that the game has this turn; 0 is the start.
    ///
    /// # Errors
    /// Fails if it has not.
    pub fn assert_turn(&self, turn: usize) -> Result<(), NoSuchTurn> {
        let (asked, last) = (turn, self.last());
        if asked > last {
            return Err(NoSuchTurn { asked, last });
        }
        Ok(())
    }
}

/// Returns the time of each turn and at its end, where records tell times.
fn recorded_times(turns: &[NotatedTurn]) -> Vec<Option<(Duration, Duration)>> {
    let mut before = Duration::ZERO;
    let times = turns.iter().map(|turn| {
        let took = turn.at.map(|at| at.saturating_sub(before));
        before = turn.at.unwrap_or(before);
        took.zip(turn.at)
    });
    match turns.iter().any(|turn| turn.at.is_some()) {
        true => times.collect(),
        false => Vec::new(),
    }
}

/// Plays a history again, and keeps the position after each turn.
fn frames(mut table: Box<dyn Table>, history: &[GameEvent]) -> Vec<Frame> {
    let start = Frame {
        number: 0,
        by: None,
        roll: None,
        roll_played: None,
        deed: FrameAction::Start,
        table: table.fork(),
    };
    let mut frames = vec![start];
    let mut rolled: Option<(Seat, Roll)> = None;
    for happening in history {
        let deed = match *happening {
            GameEvent::Rolled { by, roll, skipped } => {
                rolled = Some((by, roll));
                skipped.then(|| FrameAction::Skipped {
                    why: table.describe_skip(roll),
                })
            }
            GameEvent::Moved { mv, .. } => Some(FrameAction::Moved {
                mv,
                what: table.describe_move(mv),
            }),
            GameEvent::Lost { cause, .. } => Some(FrameAction::Lost { cause }),
        };
        assert!(happening.play_on(&mut *table), "the model has played it");
        let Some(deed) = deed else { continue };
        push(&mut frames, happening.by(), rolled.take(), deed, &*table);
    }
    if let Some((by, roll)) = rolled {
        push(
            &mut frames,
            by,
            Some((by, roll)),
            FrameAction::Awaited,
            &*table,
        );
    }
    frames
}

fn push(
    frames: &mut Vec<Frame>,
    by: Seat,
    rolled: Option<(Seat, Roll)>,
    deed: FrameAction,
    table: &dyn Table,
) {
    let roll = rolled.map(|(_, roll)| roll);
    frames.push(Frame {
        number: frames.len(),
        by: Some(by),
        roll,
        roll_played: roll,
        deed,
        table: table.fork(),
    });
}

/// The replay of a game that these streams tell, for tests.
#[cfg(test)]
pub(crate) fn of_streams(streams: &[&str]) -> Replay {
    of_streams_in(crate::pack::usual().dialects[0], streams)
}

/// The replay of a game that these streams tell in a dialect, for tests.
#[cfg(test)]
pub(crate) fn of_streams_in(
    dialect: &'static dyn crate::protocol::Dialect,
    streams: &[&str],
) -> Replay {
    Replay::new(&crate::archive::of_streams(dialect, streams)).unwrap()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
