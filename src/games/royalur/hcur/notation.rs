//! hc-ur as a notation of the pack.

use super::{HcurState, NAME, authors, chain, game, is_records, reached, read, reduce, write};
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::pack::{
    GamePart, NotatedGame, NotatedState, NotatedTurn, Notation, NotationWriter, StateNotation,
};
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

    fn is_records(&self, head: &[u8]) -> bool {
        is_records(head)
    }

    fn read(&self, source: &Source) -> Result<NotatedGame, Diagnostics> {
        let (records, warnings) = read(source)?;
        let mut reduction = reduce(&records);
        reduction.findings.extend(chain(&records));
        Ok(NotatedGame {
            warnings,
            players: reduction.players,
            records: records.iter().map(|record| record.span).collect(),
            turns: reduction.turns,
            lost: None,
            findings: reduction.findings,
        })
    }

    fn writer(&self) -> Option<&'static dyn NotationWriter> {
        Some(&HcUr)
    }

    fn keeps(&self) -> &'static [GamePart] {
        &[GamePart::Names, GamePart::Rolls, GamePart::Coins]
    }

    fn states(&self) -> Option<&'static dyn StateNotation> {
        Some(&HcUr)
    }

    fn roll_help(&self) -> Option<&'static str> {
        Some(
            "give each record its `roll`, and each skipped turn a record: `{author: …, roll: \"0 0 0 0\", skipped: true}`",
        )
    }
}

impl NotationWriter for HcUr {
    fn write(
        &self,
        turns: &[NotatedTurn],
        names: &PerSeat<Option<Vec<u8>>>,
    ) -> Result<String, Diagnostic> {
        Ok(write(turns, &authors(names, turns)?))
    }
}

impl StateNotation for HcUr {
    fn read(&self, source: &Source) -> Result<NotatedState, Diagnostics> {
        let state = HcurState::read(source)?;
        Ok(NotatedState {
            text: state.to_json(),
            resigned: Seat::BOTH
                .into_iter()
                .find(|&seat| state.sides[seat].resigned),
        })
    }

    fn write(&self, turns: &[NotatedTurn], lost: Option<Seat>) -> String {
        HcurState::of(&reached(turns), lost).to_json()
    }

    fn requirement(&self) -> &'static str {
        HcurState::REDUCES
    }
}
