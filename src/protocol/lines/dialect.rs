//! No protocol but lines: what a scenario of `game: lines` speaks. Nothing is predicted, nothing has a meaning.

use super::super::{Dialect, GameEvent, Greeting, OwedLine, Party, PlayerLine, RefereeLine};
use super::LinesGame;
use crate::rules::Game;

/// The dialect that has no protocol.
#[derive(Debug)]
pub struct LinesDialect;

/// There are no requirements without a specification.
const NONE: &str = "";

impl Dialect for LinesDialect {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn game(&self) -> &'static dyn Game {
        &LinesGame
    }

    fn greeting(&self, _is_spectator: bool) -> &'static [Greeting] {
        &[]
    }

    fn tell(&self, _happening: &GameEvent, _to: Party, _out: &mut Vec<OwedLine>) {}

    fn hear(&self, _line: &[u8]) -> RefereeLine {
        RefereeLine::Other
    }

    fn read_player_line(&self, _line: &[u8]) -> PlayerLine {
        PlayerLine::Ignored(NONE)
    }

    fn bot_line_requirement(&self, _line: &[u8]) -> &'static str {
        NONE
    }
}
