//! A finished game turn by turn: forward, back, and to any turn.
//!
//! The happenings come from [`verify`](crate::verify), the positions from the same [`Table`] that live games are played on.

mod facts;
mod frame;
mod lanes;
mod record;
mod records;
mod replay_live;
mod seat;
mod target;
mod text;

pub use facts::{LegalMove, TurnFacts};
pub use frame::{Frame, FrameAction};
pub use lanes::ReplayLane;
pub use record::schema;
pub use replay_live::{LiveReplay, NotFrom};
pub use seat::{seat_of, seat_of_recorder};
pub use target::Target;
pub use text::PrintedParts;

use std::time::Duration;

use crate::event::Outcome;
use crate::finding;
use crate::protocol::{Dialect, GameEvent};
use crate::rules::{Game, PerSeat, Roll, Seat, Setup, Table};
use crate::verify::{Ending, GameVerdict, Judged, Records, player};

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
    verdict: GameVerdict,
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
    verdict: finding::Verdict,
    /// The reason in one line, where there is one: it is seen at the last turn.
    finding: Option<String>,
}

/// There is no turn of that number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no turn {asked}: the game has {}", match .last { 0 => "no turn yet".to_owned(), 1 => "1 turn".to_owned(), last => format!("turns 1 to {last}, and 0 is before the first") })]
pub struct NoSuchTurn {
    /// The number that was asked for.
    pub asked: usize,
    /// The number of the last turn.
    pub last: usize,
}

impl Replay {
    /// The game that has been judged, up to its end or to its first wrong line, standing before the first turn.
    #[must_use]
    pub fn new(judged: Judged) -> Replay {
        let dialect = judged.dialect;
        let table = dialect.game().table(judged.setup.unwrap_or_default());
        let frames = frames(table, &judged.history);
        let (names, verdict, notes) = (judged.names, judged.verdict, judged.notes);
        Replay {
            dialect,
            names,
            setup: judged.setup,
            frames,
            recorded_times: Vec::new(),
            history: judged.history,
            lanes: Vec::new(),
            verdict,
            notes,
            number_of_several: None,
            told: None,
            goes_on: false,
            at: 0,
        }
    }

    /// Returns the replay as the game of this number, from 1, in a file that holds several.
    #[must_use]
    pub fn of_several(mut self, number: u64) -> Replay {
        self.number_of_several = Some(number);
        self
    }

    /// The game of a recorded scenario, up to its end or to the turn of the finding, standing before the first turn.
    #[must_use]
    pub fn of_played(judged: Judged, outcome: &Outcome) -> Replay {
        let finding = outcome.findings.first();
        Replay {
            told: Some(Told {
                verdict: outcome.verdict,
                finding: finding.map(|finding| finding.title.clone()),
            }),
            ..Replay::new(judged)
        }
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

    /// Returns the replay as that of a game to which more lines may come.
    #[must_use]
    pub fn going_on(mut self) -> Replay {
        self.goes_on = match &self.verdict {
            GameVerdict::Legal(Ending::Over(_) | Ending::Lost { .. }) | GameVerdict::Wrong(_) => {
                false
            }
            GameVerdict::Legal(_) => true,
            GameVerdict::Untold(_) => false,
        };
        self
    }

    /// Returns true if more lines may come.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.goes_on
    }

    /// A game told by records, up to its end or to the first record that is wrong, standing before the first turn. Rolls
    /// that no record tells are not shown.
    #[must_use]
    pub fn of_records(records: &Records) -> Replay {
        let mut replay = Replay::new(records.judged());
        replay.recount(records);
        replay
    }

    /// Leaves out rolls that these turns do not tell, and takes their times.
    fn recount(&mut self, records: &Records) {
        for (frame, turn) in self.frames.iter_mut().skip(1).zip(&records.turns) {
            if turn.rolled.is_some() {
                continue;
            }
            frame.roll = None;
            if let (FrameAction::Skipped { why }, None) = (&mut frame.deed, turn.record) {
                *why = "there is no record of it, and the next is the other player's".to_owned();
            }
        }
        let times = records.turns.iter().zip(records.took());
        self.recorded_times = times.map(|(turn, took)| took.zip(turn.at)).collect();
    }

    /// The game that is played.
    #[must_use]
    pub fn game(&self) -> &'static dyn Game {
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
        matches!(self.verdict, GameVerdict::Wrong(_))
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

    /// Returns the game's result, or its first error.
    #[must_use]
    pub fn verdict(&self) -> &GameVerdict {
        &self.verdict
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
    use crate::pack::Protocol;
    use crate::transcript::LoggedGame;
    use crate::transcript::bare::{self, BareGame};
    let lane = |stream: &&str| {
        let game = BareGame {
            first_line: 1,
            text: stream.as_bytes(),
            is_too_large: false,
        };
        bare::lane("game.txt", game, dialect, true)
    };
    let lanes = streams.iter().map(lane).collect();
    let game = LoggedGame::new(Protocol::Game(dialect), lanes);
    Replay::new(crate::verify::judge(&game).unwrap()).with_lanes(&game)
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
