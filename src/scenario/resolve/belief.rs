//! What is known of a game on paper before a turn.

use super::matchup::Matchup;
use super::spot::Spot;
use super::world::World;
use crate::diagnostic::{Diagnostic, Source, Span};
use crate::rules::{GameResult, Roll};
use crate::scenario::Side;

/// State of the game before a turn, as far as it is known.
pub(super) enum Belief {
    /// It has come to one of these positions.
    Worlds(Vec<World>),
    /// It is over, lost by the turn that stands there.
    Lost(Spot),
    /// It has come to one of these positions or is over: that is left open, for the reason that stands there.
    Open(Spot, Vec<World>),
    /// Nothing: too many positions, or a fault that leaves the meaning open.
    Unknown,
}

/// The end of the game before a turn.
pub(super) struct GameEnd {
    /// True if the specification leaves open whether the game is over.
    is_open: bool,
    /// The turn that ended it.
    by: Spot,
}

impl Belief {
    /// Returns the end of the game, if it is over or may be. `last`: the last turn.
    pub(super) fn end(&self, last: Option<&Spot>, matchup: &Matchup) -> Option<GameEnd> {
        let end = |is_open, by| Some(GameEnd { is_open, by });
        match self {
            Belief::Lost(by) => end(false, by.clone()),
            Belief::Open(by, _) => end(true, by.clone()),
            Belief::Unknown => None,
            Belief::Worlds(worlds) => {
                let result = |world: &World| world.table().phase().result();
                let over = worlds.iter().all(|world| result(world).is_some());
                let says = match worlds.first().and_then(result).filter(|_| over)? {
                    GameResult::Won(winner) => {
                        format!("here `{}` wins the game", matchup.key(winner))
                    }
                    GameResult::Drawn => "here the game is drawn".to_owned(),
                };
                end(
                    false,
                    Spot {
                        says,
                        ..last?.clone()
                    },
                )
            }
        }
    }

    /// The least roll that leaves a move now, in a game of a referee that goes on.
    pub(super) fn barrier(&self, matchup: &Matchup) -> Option<Roll> {
        let (Belief::Worlds(worlds) | Belief::Open(_, worlds)) = self else {
            return None;
        };
        let awaits_roll = |world: &World| world.model.awaits_roll();
        if matchup.side != Side::Referee || worlds.is_empty() || !worlds.iter().all(awaits_roll) {
            return None;
        }
        let can_move = |world: &World, roll| world.table().fork().take_roll(roll);
        let leaves_a_move = |roll: &Roll| worlds.iter().all(|world| can_move(world, *roll));
        let mut rolls = matchup.game().kinds_of_roll().iter().copied();
        rolls.find(leaves_a_move)
    }
}

impl GameEnd {
    /// The fault of a turn that stands after the end.
    pub(super) fn refusal(&self, source: &Source, span: Span) -> Diagnostic {
        let (code, title, label, help) = match self.is_open {
            true => (
                "turn/after-open",
                "whether the game goes on before this turn is left open",
                "no turn can follow",
                "remove this turn and those after it; `- play: to the end` can stand here",
            ),
            false => (
                "turn/after-the-end",
                "the game is over before this turn",
                "nothing can follow",
                "remove this turn and those after it",
            ),
        };
        let fault = Diagnostic::error(code, title).at(source, span, label);
        self.by.context_of(fault).help(help)
    }
}
