//! Frames of a replay: one for each turn.

use std::time::Duration;

use crate::archive::FinishedGame;
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
    /// The roll by which the turn is played again; also where no record tells the roll.
    pub(super) roll_played: Option<Roll>,
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
    /// The position after the turn as data. Nobody is on turn where the game is over.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let mut picture = self.table.picture();
        let is_over = matches!(self.table.phase(), Phase::Over(_))
            || matches!(self.action, FrameAction::Lost { .. });
        if is_over {
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
        roll_played: None,
        action: FrameAction::Start,
        change: PictureChange::default(),
        plays_again: false,
        times: None,
        table: table.fork(),
    }];
    let mut rolled = None;
    let history = &finished.judged.history;
    for (number, event) in history.iter().enumerate() {
        let action = match *event {
            GameEvent::Rolled { roll, skipped, .. } => {
                rolled = Some(roll);
                let is_last = number + 1 == history.len();
                let why = skipped.then(|| table.describe_skip(roll));
                let skip = why.map(|why| FrameAction::Skipped { why });
                skip.or_else(|| is_last.then_some(FrameAction::Awaited))
            }
            GameEvent::Moved { mv, .. } => Some(FrameAction::Moved {
                mv,
                what: table.describe_move(mv),
            }),
            GameEvent::Lost { cause, .. } => Some(FrameAction::Lost { cause }),
        };
        assert!(event.play_on(&mut *table), "the model has played it");
        let Some(mut action) = action else { continue };
        let (number, by, mut roll) = (frames.len(), event.by(), rolled.take());
        let roll_played = roll;
        let turn = finished.turns.get(number - 1);
        if let Some(turn) = turn.filter(|turn| turn.rolled.is_none()) {
            roll = None;
            if let (FrameAction::Skipped { why }, None) = (&mut action, turn.record) {
                *why = "there is no record of it, and the next is the other player's".to_owned();
            }
        }
        let is_move = matches!(action, FrameAction::Moved { .. });
        let change = is_move.then(|| {
            let before = frames[number - 1].table.picture();
            PictureChange::between(&before, &table.picture(), by)
        });
        let is_over = matches!(table.phase(), Phase::Over(_));
        frames.push(Frame {
            number,
            by: Some(by),
            roll,
            roll_played,
            action,
            change: change.unwrap_or_default(),
            plays_again: is_move && !is_over && table.to_move() == by,
            times: None,
            table: table.fork(),
        });
    }
    Some(frames)
}
