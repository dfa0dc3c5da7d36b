//! No protocol but lines: what a scenario of `game: lines` speaks. Nothing is predicted, nothing has a meaning.

use super::super::{
    Dialect, Facts, GameEvent, Greeting, OwedLine, Party, PlayerLine, RefereeLine, Slot,
};
use super::LinesGame;
use crate::rules::{Game, Move, Seat};

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

    fn read_greeting(
        &self,
        _slot: Slot,
        _line: &[u8],
        _facts: &mut Facts,
    ) -> Result<Option<Seat>, &'static str> {
        unreachable!("there is no handshake")
    }

    fn write_greeting(&self, _slot: Slot, _to: Party, _facts: &Facts) -> Option<Vec<u8>> {
        unreachable!("there is no handshake")
    }

    fn tell(&self, _happening: &GameEvent, _to: Party, _out: &mut Vec<OwedLine>) {}

    fn hear(&self, _line: &[u8]) -> RefereeLine {
        RefereeLine::Other
    }

    fn write_move(&self, _mv: Move) -> Vec<u8> {
        Vec::new()
    }

    fn read_player_line(&self, _line: &[u8]) -> PlayerLine {
        PlayerLine::Ignored(NONE)
    }

    fn bot_line_requirement(&self, _line: &[u8]) -> &'static str {
        NONE
    }
}
