//! Ur as RoyalUr writes it down in JSON (version 2). `docs/finished-games.md` describes what is read.
//!
//! Light is the first player and Dark the second. Tokens have no numbers, and a roll is a number of steps.

mod reader;
mod record;
mod reduction;
mod settings;
mod tile;

use crate::diagnostic::{Diagnostics, Source};
use crate::games::royalur::RoyalUr;
use crate::games::royalur::hcur::HcUr;
use crate::games::royalur::notation::made_up_rolls;
use crate::pack::formats::beginning;
use crate::pack::{GamePart, NotatedGame, NotatedTurn, Notation, StateNotation};
use crate::rules::Game;

/// The largest file that is read, in bytes.
const FILE_LIMIT: u64 = 4 << 20;

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
        let (game, warnings) = reader::read(source)?;
        Ok(reduction::reduce(game, warnings))
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

#[cfg(test)]
mod tests;
