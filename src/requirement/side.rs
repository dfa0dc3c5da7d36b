//! The kind of subject that a requirement binds, and that a scenario is for.

use clap::ValueEnum;

use crate::yaml::Words;

/// Kind of subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Side {
    /// urtext plays the players and the spectators
    Referee,
    /// urtext plays the referee and the opponent
    Bot,
}

impl Side {
    /// Both kinds.
    pub const ALL: [Side; 2] = [Side::Referee, Side::Bot];

    /// The word for it in scenarios and on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        Words::word(self)
    }
}

impl Words for Side {
    const WORDS: &'static [(&'static str, Side)] =
        &[("referee", Side::Referee), ("bot", Side::Bot)];
}
