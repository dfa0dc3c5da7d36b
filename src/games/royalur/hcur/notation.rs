//! hc-ur as a notation of the pack.

use super::reader::FILE_LIMIT;
use super::{Authors, HcurState, NAME, chain, game, is_records, reached, read, reduce, write};
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::pack::{NotatedGame, NotatedState, NotatedTurn, Notation};
use crate::rules::{Game, PerSeat, Seat};

/// The notation of move records.
#[derive(Debug)]
pub struct HcUr;

impl Notation for HcUr {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        "move records of hc-ur (a JSON list)"
    }

    fn game(&self) -> &'static dyn Game {
        game()
    }

    fn size_limit(&self) -> u64 {
        FILE_LIMIT
    }

    fn is_records(&self, head: &[u8]) -> bool {
        is_records(head)
    }

    fn read(&self, source: &Source) -> Result<NotatedGame, Diagnostics> {
        let (records, warnings) = read(source)?;
        let mut reduction = reduce(&records);
        reduction.breaches.extend(chain(&records));
        Ok(NotatedGame {
            warnings,
            players: reduction.players,
            records: records.iter().map(|record| record.span).collect(),
            turns: reduction.turns,
            breaches: reduction.breaches,
        })
    }

    fn write(
        &self,
        turns: &[NotatedTurn],
        names: &PerSeat<Option<Vec<u8>>>,
        with_rolls: bool,
    ) -> Result<String, Diagnostic> {
        let authors = Authors::of_game(names, turns)
            .map_err(|error| Diagnostic::error("convert/author", error.to_string()))?;
        Ok(write(turns, &authors, with_rolls))
    }

    fn read_state(&self, source: &Source) -> Result<NotatedState, Diagnostics> {
        let state = HcurState::read(source)?;
        Ok(NotatedState {
            text: state.to_json(),
            resigned: Seat::BOTH
                .into_iter()
                .find(|&seat| state.sides[seat].resigned),
        })
    }

    fn write_state(&self, turns: &[NotatedTurn], lost: Option<Seat>) -> String {
        HcurState::of(&reached(turns), lost).to_json()
    }

    fn state_requirement(&self) -> &'static str {
        HcurState::REDUCES
    }

    fn roll_help(&self) -> &'static str {
        "give each record its `roll`, and each skipped turn a record: `{author: …, roll: \"0 0 0 0\", skipped: true}`"
    }

    fn made_up_rolls(&self, turns: &[NotatedTurn]) -> Option<String> {
        let is_made_up = |turn: &&NotatedTurn| {
            !turn.is_roll_complete && turn.roll.0 & 0xF != 0xF && turn.roll.0 != 0
        };
        let count = turns.iter().filter(is_made_up).count();
        (count > 0).then(|| {
            format!("of {count} rolls only the number of heads is known; tails are written first")
        })
    }
}
