//! The kind of subject that a scenario is for.

/// Kind of subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// A referee; urtext plays both players and the spectators.
    Referee,
    /// A bot; urtext plays the referee and the opponent.
    Bot,
}

impl Side {
    /// Both kinds.
    pub const ALL: [Side; 2] = [Side::Referee, Side::Bot];

    /// The word for it in scenarios and on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Side::Referee => "referee",
            Side::Bot => "bot",
        }
    }
}
