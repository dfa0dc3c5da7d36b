//! RoyalUr's JSON as a notation of the pack.

use super::{FILE_LIMIT, json_reader, json_writer, reduction::reduce, texts};
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::games::royalur::RoyalUr;
use crate::games::royalur::hcur::HcUr;
use crate::games::royalur::notation::made_up_rolls;
use crate::pack::formats::beginning;
use crate::pack::{GamePart, GameToWrite, NotatedGame, NotatedTurn, Notation, StateNotation};
use crate::rules::Game;

/// RoyalUr's JSON notation, version 2.
#[derive(Debug)]
pub struct RoyalUrJson;

impl Notation for RoyalUrJson {
    fn name(&self) -> &'static str {
        "royalur-json"
    }

    fn title(&self) -> &'static str {
        "a game in RoyalUr's JSON notation"
    }

    fn game(&self) -> &'static dyn Game {
        &RoyalUr
    }

    fn size_limit(&self) -> u64 {
        FILE_LIMIT
    }

    fn is_records(&self, head: &[u8]) -> bool {
        let text = beginning(head);
        text.starts_with(b"{") && memchr::memmem::find(text, b"\"notation_version\"").is_some()
    }

    fn read(&self, source: &Source) -> Result<NotatedGame, Diagnostics> {
        let (game, warnings) = json_reader::read(source)?;
        Ok(reduce(game, warnings))
    }

    fn write(&self, game: GameToWrite<'_>) -> Result<String, Diagnostic> {
        Ok(json_writer::write(
            game.turns,
            &texts(game.names)?,
            game.lost,
        ))
    }

    fn keeps(&self) -> &'static [GamePart] {
        &[
            GamePart::Names,
            GamePart::Rolls,
            GamePart::Loss,
            GamePart::Times,
        ]
    }

    fn states(&self) -> Option<&'static dyn StateNotation> {
        Some(&HcUr)
    }

    fn made_up_rolls(&self, turns: &[NotatedTurn]) -> Option<String> {
        made_up_rolls(turns)
    }
}
