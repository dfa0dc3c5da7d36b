//! Play that depends on the course of the game, such as "play on until a capture is possible".

use crate::rules::{Roll, Seat};

/// Legal play, chosen by the seed, until a situation has come up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Until {
    /// In whose turn it has to be; `None`: in anybody's.
    pub who: Option<Seat>,
    /// The situation.
    pub situation: Situation,
    /// The most turns that are played for it.
    pub turns: u32,
}

/// A situation at the beginning of a turn, its roll included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Situation {
    /// The player is on turn, with a move to make.
    CanMove,
    /// The player has no legal move.
    CannotMove,
    /// This was rolled.
    Rolled(Roll),
    /// A legal move of this kind is there.
    Can(&'static str),
    /// A move is there that the rules refuse for this reason, by its code.
    CanBreak(&'static str),
    /// A move puts these requirements to the test: a legal one, or one that the rules refuse for the reason with this code. No file says it.
    CanTest(Option<&'static str>, Vec<&'static str>),
    /// The game has put these requirements to the test. No file says it.
    Tested(Vec<&'static str>),
    /// The game has told the wrong readings of the rules from the rules that these words mean, as far as
    /// one game can. urtext chooses what it can choose towards that; the end of the game and the most turns will do as well.
    ToldApart(Vec<String>),
}
