//! One game of an archive as a row.

use std::time::Duration;

use serde::Serialize;

use crate::archive::FinishedGame;
use crate::diagnostic::visible;
use crate::protocol::GameEvent;
use crate::rules::{Game, GameResult, Move, PerSeat, Phase, Seat};

/// The longest name of a player or a file, in characters.
const NAME_LIMIT: usize = 100;

/// One game of an archive.
#[derive(Debug, Clone, Serialize)]
pub struct GameRow {
    /// The file, escaped for display.
    pub file: String,
    /// Number of the game in the file, from 1.
    pub number: u64,
    /// Name of the game.
    pub game: &'static str,
    /// Player of the first seat, escaped for display; the name of the seat if the file has no name.
    pub first: String,
    /// Player of the second seat.
    pub second: String,
    /// Name of the winner's seat; empty without a winner.
    pub winner: &'static str,
    /// End of the game: `won`, `drawn`, `incomplete`, or the cause of a loss before the end by the rules.
    pub ending: String,
    /// Number of turns.
    pub turns: usize,
    /// Captures by the first player.
    pub captures_first: u64,
    /// Captures by the second player.
    pub captures_second: u64,
    /// The longest answer, in milliseconds, if the file has times.
    pub slowest_ms: Option<f64>,
    /// The seat of the winner.
    #[serde(skip)]
    pub(super) winning: Option<Seat>,
    /// Each answer with a time.
    #[serde(skip)]
    pub(super) answers: Vec<Answer>,
    /// The game, which writes moves.
    #[serde(skip)]
    pub(super) rules: &'static dyn Game,
}

/// An answer of a player.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    pub(super) by: Seat,
    /// Number of the turn, from 1.
    pub(super) turn: usize,
    pub(super) mv: Move,
    pub(super) took: Duration,
}

impl GameRow {
    /// The row of a legal game.
    #[must_use]
    pub fn new(file: &str, number: u64, told: &FinishedGame) -> GameRow {
        let game = told.dialect.game();
        let (result, captures) = played(told);
        let (winning, ending) = match (result, told.history.last()) {
            (Some(result), _) => {
                let word = if result.winner().is_some() {
                    "won"
                } else {
                    "drawn"
                };
                (result.winner(), word.to_owned())
            }
            (None, Some(&GameEvent::Lost { by, cause })) => {
                (Some(by.other()), cause.word().to_owned())
            }
            (None, _) => (None, "incomplete".to_owned()),
        };
        let name = |seat: Seat| match &told.names[seat] {
            Some(name) => visible::plain(name).at_most(NAME_LIMIT).to_string(),
            None => game.seat_name(seat).to_owned(),
        };
        let turns = told.turns.iter().zip(&told.took).zip(1..);
        let answers = turns.filter_map(|((turn, took), number)| {
            Some(Answer {
                by: turn.by,
                turn: number,
                mv: turn.mv?,
                took: (*took)?,
            })
        });
        let answers: Vec<_> = answers.collect();
        let slowest = answers.iter().map(|answer| answer.took).max();
        GameRow {
            file: visible::plain(file).at_most(4 * NAME_LIMIT).to_string(),
            number,
            game: game.name(),
            first: name(Seat::First),
            second: name(Seat::Second),
            winner: winning.map_or("", |seat| game.seat_name(seat)),
            ending,
            turns: told.turns.len(),
            captures_first: captures[Seat::First],
            captures_second: captures[Seat::Second],
            slowest_ms: slowest.map(|took| took.as_secs_f64() * 1e3),
            winning,
            answers,
            rules: game,
        }
    }
}

/// Plays the game again: its result by the rules, and the captures of each player.
fn played(told: &FinishedGame) -> (Option<GameResult>, PerSeat<u64>) {
    let game = told.dialect.game();
    let mut table = game.table(told.setup.unwrap_or_default());
    let mut captures = PerSeat([0, 0]);
    let has_captures = game.move_kinds().iter().any(|kind| kind.name == "capture");
    for event in &told.history {
        if let GameEvent::Moved { by, mv, .. } = *event
            && has_captures
            && table.is_of_kind(mv, "capture")
        {
            captures[by] += 1;
        }
        event.play_on(&mut *table);
    }
    match table.phase() {
        Phase::Over(result) => (Some(result), captures),
        Phase::Roll | Phase::Move => (None, captures),
    }
}
