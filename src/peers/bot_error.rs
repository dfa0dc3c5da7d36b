//! Errors that end a bot's game.

use std::io;

use thiserror::Error;

use super::Desk;
use crate::diagnostic::visible;
use crate::protocol::{Line, LineEnding};

/// Reason why a bot gives up.
#[derive(Debug, Error)]
pub enum BotError {
    /// A line that is not what is due.
    #[error("line {number}: expected {expected}, received {}", visible::quoted(.received))]
    Unexpected {
        /// Number of the line among those received, from 1.
        number: u64,
        /// The expected line, in words.
        expected: String,
        /// The received line.
        received: Vec<u8>,
    },
    /// It cannot read or write.
    #[error("cannot talk to the referee: {0}")]
    Talk(#[from] io::Error),
}

/// The lane of a bot.
pub(super) const LANE: usize = 0;

impl BotError {
    /// Builds the error for a line that is not the expected one.
    pub(super) fn unexpected(desk: &Desk, line: Line, expected: impl Into<String>) -> BotError {
        BotError::Unexpected {
            number: desk.count(LANE),
            expected: expected.into(),
            received: line.text,
        }
    }
}

/// Reads a bot's next whole line. A last line without its newline counts as the end of the stream.
pub(super) async fn next_whole_line(desk: &Desk) -> Option<Line> {
    desk.next_line(LANE)
        .await
        .filter(|line| line.ending != LineEnding::Missing)
}
