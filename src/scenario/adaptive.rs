//! Steps that depend on the course of the game, such as "play on until a capture is possible, then capture".

use super::PlayerAction;
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
    /// The situation as the scenario has it, for messages.
    pub told: String,
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
    /// The game has told the wrong readings of the rules from the rules that these words mean, as far as
    /// one game can. urtext chooses what it can choose towards that; the end of the game and the most turns will do as well.
    ToldApart(Vec<String>),
}

/// A turn that is made up for the position that the game has come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Improvised {
    /// The required player on turn; `None` accepts either.
    pub who: Option<Seat>,
    /// The player's action.
    pub action: AdaptiveAction,
    /// The turn as the scenario has it, for messages.
    pub told: String,
}

impl AdaptiveAction {
    /// Nothing until the timeout.
    pub const SILENT: AdaptiveAction = AdaptiveAction::Plain(PlayerAction::Silent);

    /// Returns true if the player loses by it.
    #[must_use]
    pub fn loses(&self) -> bool {
        !matches!(
            self,
            AdaptiveAction::Legal(_)
                | AdaptiveAction::LegalAfter(_)
                | AdaptiveAction::Plain(PlayerAction::Ignored(_))
        )
    }
}

/// Kind of action; the position decides the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdaptiveAction {
    /// A legal move, of this kind where one is named.
    Legal(Option<&'static str>),
    /// A legal move, after this line of the other player, who is off turn. Without its newline.
    LegalAfter(Vec<u8>),
    /// A move that the rules refuse, for the reason with this code where one is named.
    Refused(Option<&'static str>),
    /// The same in every position: silence, a disconnect, a line that is no move anywhere.
    Plain(PlayerAction),
}
