//! Deviations of a lane from the model's prediction.

use std::fmt;

use super::{Cause, Dialect, GameEvent, LineEnding, Party, RefereeLine};

/// What a line tells that is due on a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DueLine {
    /// Something that has to be known before the game.
    Handshake,
    /// The roll of the turn that begins.
    NextRoll,
    /// An event of the game, with its number from 0, to this party.
    Event(usize, GameEvent, Party),
}

impl fmt::Display for DueLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self {
            DueLine::Handshake => "a line of the handshake",
            DueLine::NextRoll => "the next roll",
            DueLine::Event(_, event, to) => match (event, to) {
                (GameEvent::Rolled { skipped: true, .. }, _) => "the roll of a skipped turn",
                (GameEvent::Rolled { .. }, _) => "the next roll",
                (GameEvent::Moved { result, by, .. }, Party::Player(seat)) => {
                    match (by == seat, result) {
                        (true, _) => "the line that confirms its own move",
                        (false, None) => "the opponent's move",
                        (false, Some(_)) => "the opponent's last move",
                    }
                }
                (GameEvent::Moved { result: None, .. }, Party::Spectator) => "a move",
                (GameEvent::Moved { .. }, Party::Spectator) => "the last move",
                (GameEvent::Lost { cause, .. }, _) => match cause {
                    Cause::Invalid(_) => "the loss by a wrong line",
                    Cause::Timeout => "the loss by timeout",
                    _ => "the loss",
                },
            },
        };
        f.write_str(words)
    }
}

/// The requirements by which a turn goes as it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Grounds {
    /// Id of the requirement that makes the move more than an ordinary step, such as a capture, or makes it illegal.
    pub mv: Option<&'static str>,
    /// Id of the requirement that decides who is on turn.
    pub turn: Option<&'static str>,
}

/// Content that was due on a lane, when another line arrived or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// This line.
    Line(Vec<u8>),
    /// A kind of line, in words: `four coins such as 0 1 1 0`.
    Kind(String),
    /// Nothing before a player's move.
    NothingYet,
    /// Nothing at all: the game is over.
    NothingMore,
}

/// A received line, or a missing one, that is not what the model predicts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deviation {
    /// The lane, by its number in the model.
    pub lane: usize,
    /// Number of the line among those that the lane received, from 1; for a missing line, the number it would have had.
    pub line_number: u64,
    /// Id of the requirement that is broken, as far as the line alone tells.
    pub requirement: &'static str,
    /// Further requirements on which the prediction rests.
    pub grounds: Grounds,
    /// The expected line.
    pub expected: Expected,
    /// What the expected line tells, where one line was due.
    pub due: Option<DueLine>,
    /// The received line, with its ending; `None` if nothing was received.
    pub received: Option<(Vec<u8>, LineEnding)>,
    /// Meaning of the received line, by its form.
    pub heard: Option<RefereeLine>,
}

impl Deviation {
    /// Meaning of the line that was due, by its form; `None` where no line was, or only its kind is known.
    #[must_use]
    pub fn due_means(&self, dialect: &dyn Dialect) -> Option<RefereeLine> {
        match &self.expected {
            Expected::Line(line) => Some(dialect.hear(line)),
            _ => None,
        }
    }

    /// What was due, in words.
    #[must_use]
    pub fn due_in_words(&self) -> String {
        match &self.due {
            Some(due) => due.to_string(),
            None => "the line that was due".to_owned(),
        }
    }
}
