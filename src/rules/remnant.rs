//! What is left of a game in a subject that does not set up the next one wholly.

/// What is left of the game before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remnant {
    /// The board.
    Board,
    /// The player on turn.
    Turn,
    /// The whole position.
    Position,
}

impl Remnant {
    /// Each of them.
    pub const ALL: [Remnant; 3] = [Remnant::Board, Remnant::Turn, Remnant::Position];
}
