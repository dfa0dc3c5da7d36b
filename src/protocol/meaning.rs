//! The meaning of lines.

use crate::rules::{Move, Roll};

/// Meaning of a line from the referee, by its form alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefereeLine {
    /// A roll.
    Roll(Roll),
    /// A move.
    Move(Move),
    /// A player has lost.
    Loss,
    /// Nothing that the dialect knows.
    Other,
}

/// Meaning of a line from a player on turn, by its form alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PlayerLine {
    /// A move; whether it is legal is for the rules.
    Move(Move),
    /// No move, and that loses the game: id of the requirement it breaks.
    Invalid(&'static str),
    /// No move, and that is ignored: id of the requirement that says so.
    Ignored(&'static str),
    /// The specification leaves open what it is.
    Open(Open),
}

impl PlayerLine {
    /// The move that the line is, or may be.
    #[must_use]
    pub fn possible_move(self) -> Option<Move> {
        match self {
            PlayerLine::Move(mv) => Some(mv),
            PlayerLine::Open(open) => open.mv,
            PlayerLine::Invalid(_) | PlayerLine::Ignored(_) => None,
        }
    }
}

/// Interpretations of a line that the specification leaves open; at least two of them are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Open {
    /// The move that it may be; one that the rules refuse then loses.
    pub mv: Option<Move>,
    /// True if the line may count as no move and lose the game.
    pub may_lose: bool,
    /// True if the line may count as no move and be ignored.
    pub may_be_ignored: bool,
    /// Id of the entry that leaves it open.
    pub requirement: &'static str,
}

/// Requirements on the close of the lanes after the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Closing {
    /// Requirement that is broken if no lane closes: the game seems to go on.
    pub none: &'static str,
    /// Requirement that is broken if only some lanes close.
    pub some: &'static str,
}

/// Effect of a line that a player sends while it is not on turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OffTurn {
    /// It is ignored: id of the requirement that says so.
    Ignored(&'static str),
    /// The specification leaves open whether it is ignored, kept for the player's turn, or loses: id of the entry that says so.
    Open(&'static str),
}
