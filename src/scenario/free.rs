//! Legal free play as a scenario, for referees that take no forced rolls.

use super::{Golden, Scenario, Side, Step, StepKind};
use crate::diagnostic::{Source, Span};
use crate::games::Game;
use crate::protocol;
use crate::rules::Seat;

/// A game of legal moves, chosen by the run's seed, until it is over. Every line on every lane is judged all the same.
///
/// # Panics
/// Where no dialect speaks the game.
#[must_use]
pub fn free_game(game: &dyn Game, number: u32) -> Scenario {
    const TURNS: &str = "turns:\n  - ";
    const STEP: &str = "play: to the end";
    let text = format!("{TURNS}{STEP}\n");
    let span = Span::new(TURNS.len(), TURNS.len() + STEP.len());
    let dialect = protocol::find(game.name()).expect("every game has a dialect");
    Scenario {
        source: Source::new(&format!("free game {number}"), text),
        name: format!("{}/free-game-{number}", game.name()),
        case: None,
        title: "legal free play to the end".to_owned(),
        dialect,
        side: Side::Referee,
        bot_seat: Seat::First,
        checks: Vec::new(),
        spectators: u32::from(dialect.has_spectators()),
        connect: Vec::new(),
        timeout: None,
        pace: None,
        unset: Vec::new(),
        is_slow: false,
        setup: None,
        attempts: 1,
        names: None,
        steps: vec![Step { span, kind: StepKind::PlayToTheEnd }],
        dialogue: None,
        barrier: None,
        golden: Golden::None,
        steering: None,
    }
}
