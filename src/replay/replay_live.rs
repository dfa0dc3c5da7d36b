//! A finished game as a scenario: the same turns, to be played again with a live subject.

use super::seat::seat_of;
use super::{Frame, FrameAction, Replay};
use crate::archive::FinishedGame;
use crate::protocol::{Cause, Dialect, LaneKind, PlayerLine};
use crate::requirement::Role;
use crate::rules::{Phase, Seat};
use crate::scenario::{Leaving, MOST_SPECTATORS, PlannedGame, PlayerAction, Side, StepKind, Turn};
use crate::transcript::{Direction, LoggedGame, LoggedLane, LoggedLine};

/// Options for playing a finished game again.
#[derive(Debug, Clone, Copy)]
pub struct LiveReplay {
    /// The kind of subject that is tested this time.
    pub side: Side,
    /// The seat of a bot under test.
    pub seat: Seat,
    /// The turn from which it goes on live, from 1; `None`: it ends where the recording does.
    pub from: Option<usize>,
}

/// A game cannot go on from that turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no turn {asked} to go on from: the game has {}", match .last { 0 => "no turn yet".to_owned(), 1 => "1 turn".to_owned(), last => format!("{last} turns") })]
pub struct NotFrom {
    /// The number that was asked for.
    pub asked: usize,
    /// The number of the last turn.
    pub last: usize,
}

impl LiveReplay {
    /// The plan of a game with the turns of a finished one, as far as these are legal and told, and reasons why others are not played. `replay`:
    /// the finished game turn by turn. The steps of the plan are the turns, from the first on.
    ///
    /// # Errors
    /// Fails if the game does not reach the turn from which it should go on.
    pub fn plan(
        self,
        game: &FinishedGame,
        replay: &Replay,
    ) -> Result<(PlannedGame, Vec<String>), NotFrom> {
        let (dialect, filed) = (replay.dialect, &game.logged);
        let mut plan = self.head(dialect, filed);
        let is_dealt = !dialect.game().setup_keys().is_empty();
        plan.setup = game.setup.filter(|_| is_dealt);
        let mut left_out = Vec::new();
        if let Some(finding) = game.stopped_by() {
            left_out.push(format!(
                "{}; the game is played again up to there",
                finding.in_one_line()
            ));
        }
        let last = replay.last();
        let until = self.from.map_or(last, |from| from.saturating_sub(1));
        if self.from == Some(0) || until > last {
            return Err(NotFrom {
                asked: self.from.unwrap_or_default(),
                last,
            });
        }
        let frames = &replay.frames()[1..=until];
        let mut turns = Vec::new();
        for frame in frames {
            match self.turn(frame, || illegal_line(dialect, filed, frames, frame)) {
                Ok(turn) => turns.push(StepKind::Turn(turn)),
                Err(reason) => left_out.push(format!("turn {}: {reason}", frame.number)),
            }
        }
        let is_over = frames.last().is_some_and(|frame| {
            matches!(frame.deed, FrameAction::Lost { .. })
                || matches!(frame.table.phase(), Phase::Over(_))
        });
        if self.from.is_some() && !is_over {
            turns.push(StepKind::PlayToTheEnd);
        }
        Ok((plan.with_steps(turns), left_out))
    }

    /// The game without its turns.
    fn head(&self, dialect: &'static dyn Dialect, filed: &LoggedGame) -> PlannedGame {
        let mut plan = PlannedGame::new(dialect, self.side);
        let lanes = filed.lanes.iter();
        let watched = lanes
            .filter(|lane| lane.kind == LaneKind::Spectator)
            .count();
        match self.side {
            Side::Bot => {
                plan.bot_seat = self.seat;
                plan.checks = vec![dialect.id(Role::BotOwnSeat)];
            }
            Side::Referee => plan.checks = vec![dialect.id(Role::FirstTurn)],
        }
        // Who has recorded a player need not know whether anybody watched.
        if self.side == Side::Referee && watched > 0 {
            plan.spectators = watched.min(MOST_SPECTATORS as usize) as u32;
        }
        plan
    }

    /// A turn, or why it cannot be played again.
    fn turn(
        &self,
        frame: &Frame,
        illegal: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Result<Turn, &'static str> {
        let by = frame.by.ok_or("it is nobody's")?;
        let is_bots = self.side == Side::Bot && by == self.seat;
        let action = match frame.deed {
            FrameAction::Moved { mv, .. } => PlayerAction::this(mv),
            FrameAction::Skipped { .. } | FrameAction::Start => PlayerAction::Skip,
            FrameAction::Awaited => return Err("its move is not told"),
            FrameAction::Lost { .. } if is_bots => {
                return Err("the player whose seat the bot takes has lost in it");
            }
            FrameAction::Lost { cause } => match cause {
                Cause::HangUp => PlayerAction::Leave(Leaving::HangUp),
                Cause::Timeout => PlayerAction::Silent,
                Cause::Invalid(_) => {
                    PlayerAction::Illegal(illegal().ok_or("the line that lost is not told")?)
                }
                Cause::Unseen => return Err("why the player lost is not told"),
                Cause::Resigned => return Err("a resignation is no line of the game"),
            },
        };
        Ok(Turn::new(by, frame.roll, action))
    }
}

/// The line by which a player has lost: the last of his lane, where the others before it are the moves that he made.
fn illegal_line(
    dialect: &'static dyn Dialect,
    filed: &LoggedGame,
    frames: &[Frame],
    lost: &Frame,
) -> Option<Vec<u8>> {
    let by = lost.by?;
    let moves =
        |frame: &&Frame| frame.by == Some(by) && matches!(frame.deed, FrameAction::Moved { .. });
    let made = frames.iter().filter(moves).count();
    let is_his = |lane: &&LoggedLane| lane.tells_sent && seat_of(dialect, lane) == Some(by);
    let lane = filed.lanes.iter().find(is_his)?;
    let apart = lane.sent_apart.iter().flat_map(|apart| &apart.lines);
    let sent = lane
        .lines
        .iter()
        .filter(|line| line.direction == Direction::Sent)
        .chain(apart);
    let counts = |line: &&LoggedLine| {
        !matches!(
            dialect.read_player_line(&line.line.text),
            PlayerLine::Ignored(_)
        )
    };
    sent.filter(counts)
        .nth(made)
        .map(|line| line.line.text.clone())
}

#[cfg(test)]
#[path = "replay_live_tests.rs"]
mod tests;
