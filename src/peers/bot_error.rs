use std::io;

use thiserror::Error;

use crate::diagnostic::visible;

/// Why a bot gives up.
#[derive(Debug, Error)]
pub enum BotError {
    /// A line that is not what is due.
    #[error("line {number}: expected {expected}, received {}", visible::quoted(.received))]
    Unexpected {
        /// Number of the line among those received, from 1.
        number: u64,
        /// What is due, in words.
        expected: String,
        /// What came.
        received: Vec<u8>,
    },
    /// It cannot read or write.
    #[error("cannot talk to the referee: {0}")]
    Talk(#[from] io::Error),
}
