//! Frames of a replay: one for each turn.

use std::time::Duration;

use crate::archive::FinishedGame;
use crate::pack::NotatedTurn;
use crate::protocol::{Cause, GameEvent};
use crate::rules::{Move, Phase, Picture, PictureChange, Roll, Seat, Table};

/// One turn of a finished game, and the position after it.
#[derive(Debug)]
pub struct Frame {
    /// Number of the turn, from 1; 0 is the start.
    pub number: usize,
    /// The player of the turn; `None` at the start.
    pub by: Option<Seat>,
    /// Roll of the turn, in a game with rolls.
    pub roll: Option<Roll>,
    /// Result of the turn.
    pub action: FrameAction,
    /// Origin, destination, capture and card of the move; nothing where nothing was moved.
    pub change: PictureChange,
    /// True if the same player has the next turn.
    pub plays_again: bool,
    /// The time that the player took, and the time since the start at which the turn was over, where the file tells times.
    pub times: Option<(Duration, Duration)>,
    /// The game after it.
    pub table: Box<dyn Table>,
    /// The game in which the player chooses a move.
    pub(super) choice: Box<dyn Table>,
}

/// Result of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameAction {
    /// Nothing yet: the game begins.
    Start,
    /// A move, and in words what it did.
    Moved {
        /// The move.
        mv: Move,
        /// Description of the action.
        what: String,
    },
    /// No move was possible.
    Skipped {
        /// Reason for the skip.
        why: String,
    },
    /// The player lost the game.
    Lost {
        /// Reason of the loss, as far as the lanes show it.
        cause: Cause,
    },
    /// The lanes stop before the move.
    Awaited,
}

impl Frame {
    /// Returns true if a player has lost in the turn, before the end by the rules.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        matches!(self.action, FrameAction::Lost { .. })
    }

    /// The position after the turn as data. Nobody is on turn where the game is over.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let mut picture = self.table.picture();
        if self.is_lost() || matches!(self.table.phase(), Phase::Over(_)) {
            picture.to_move = None;
        }
        picture
    }
}

/// Plays a game again, and keeps the position after each turn. `None` for lines without rules.
pub(super) fn frames(finished: &FinishedGame) -> Option<Vec<Frame>> {
    let mut table = finished.start()?;
    let mut frames = vec![Frame {
        number: 0,
        by: None,
        roll: None,
        action: FrameAction::Start,
        change: PictureChange::default(),
        plays_again: false,
        times: None,
        table: table.fork(),
        choice: table.fork(),
    }];
    let mut rolled = None;
    let history = &finished.outcome.history;
    for (index, event) in history.iter().enumerate() {
        let before = table.fork();
        assert!(event.play_on(&mut *table), "the model has played it");
        let (number, by) = (frames.len(), event.by());
        let turn = finished.turns.get(number - 1);
        let is_recorded = |turn: &NotatedTurn| turn.record.is_some() || turn.rolled.is_some();
        let action = match *event {
            GameEvent::Rolled { roll, skipped, .. } => {
                rolled = Some(roll);
                match skipped {
                    true if turn.is_none_or(is_recorded) => FrameAction::Skipped {
                        why: before.describe_skip(roll),
                    },
                    true => FrameAction::Skipped {
                        why: "there is no record of it, and the next is the other player's"
                            .to_owned(),
                    },
                    false if index + 1 == history.len() => FrameAction::Awaited,
                    false => continue,
                }
            }
            GameEvent::Moved { mv, .. } => FrameAction::Moved {
                mv,
                what: before.describe_move(mv),
            },
            GameEvent::Lost { cause, .. } => FrameAction::Lost { cause },
        };
        let is_move = matches!(action, FrameAction::Moved { .. });
        let change =
            is_move.then(|| PictureChange::between(&before.picture(), &table.picture(), by));
        let is_over = matches!(table.phase(), Phase::Over(_));
        let rolled = rolled.take();
        frames.push(Frame {
            number,
            by: Some(by),
            // Records may lack the roll by which the turn is played.
            roll: turn.map_or(rolled, |turn| turn.rolled),
            choice: match action {
                FrameAction::Moved { .. } => before,
                _ => table.fork(),
            },
            action,
            change: change.unwrap_or_default(),
            plays_again: is_move && !is_over && table.to_move() == by,
            times: None,
            table: table.fork(),
        });
    }
    Some(frames)
}
