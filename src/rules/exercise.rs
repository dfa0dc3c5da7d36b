//! Links between turns and the requirements that they exercise.

use super::Move;

/// Action of the player to move in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    /// Nothing: the roll leaves no legal move.
    Skipped,
    /// A legal move.
    Moved(Move),
    /// A move that the rules refuse.
    Refused(Move),
    /// No move until the game is lost: silence, a hang-up, or a line that names no move.
    Forfeited,
}

/// A requirement that a turn puts to the test, and what else has to happen until it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exercise {
    /// The turn itself.
    Now(&'static str),
    /// The turn itself, for whoever chooses in it: a referee shows nothing of the moves that nobody tries.
    OfMover(&'static str),
    /// The next turn in which somebody moves or loses: only then it shows whose turn it is.
    Next(&'static str),
    /// A later turn of which [`super::Rules::completes`] says so.
    Later(Trace),
}

/// Trace of a turn, until a later turn shows its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Trace {
    /// The game's own encoding of the turn.
    pub key: u32,
    /// Id of the requirement that shows then.
    pub requirement: &'static str,
}
