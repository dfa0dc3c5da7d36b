//! RGN as a notation of the pack.

use super::{FILE_LIMIT, reduction::reduce, rgn_reader, rgn_writer, texts};
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::games::royalur::RoyalUr;
use crate::games::royalur::hcur::HcUr;
use crate::games::royalur::notation::made_up_rolls;
use crate::pack::formats::{beginning, is_numbered_game};
use crate::pack::{GamePart, GameToWrite, NotatedGame, NotatedTurn, Notation, StateNotation};
use crate::rules::Game;

/// RGN, RoyalUr's text notation.
#[derive(Debug)]
pub struct Rgn;

impl Notation for Rgn {
    fn name(&self) -> &'static str {
        "rgn"
    }

    fn title(&self) -> &'static str {
        "a game in RGN (RoyalUr's text notation)"
    }

    fn game(&self) -> &'static dyn Game {
        &RoyalUr
    }

    fn size_limit(&self) -> u64 {
        FILE_LIMIT
    }

    fn is_records(&self, head: &[u8]) -> bool {
        let text = beginning(head);
        // RGN brings a token onto the board with `@`.
        is_numbered_game(text)
            && [&b"A@A"[..], b"C@C"]
                .iter()
                .any(|entry| memchr::memmem::find(text, entry).is_some())
    }

    fn read(&self, source: &Source) -> Result<NotatedGame, Diagnostics> {
        let (game, warnings) = rgn_reader::read(source)?;
        Ok(reduce(game, warnings))
    }

    fn write(&self, game: GameToWrite<'_>) -> Result<String, Diagnostic> {
        Ok(rgn_writer::write(game.turns, &texts(game.names)?))
    }

    fn keeps(&self) -> &'static [GamePart] {
        &[GamePart::Names, GamePart::Rolls]
    }

    fn states(&self) -> Option<&'static dyn StateNotation> {
        Some(&HcUr)
    }

    fn made_up_rolls(&self, turns: &[NotatedTurn]) -> Option<String> {
        made_up_rolls(turns)
    }
}
