//! Legal free play as a scenario, for referees that take no forced rolls.

use super::{PlannedGame, Scenario, Side, Step, StepKind};
use crate::diagnostic::{Source, Span};
use crate::protocol::Dialect;

const TURNS: &str = "turns:\n  - ";
const STEP: &str = "play: to the end";

/// The number of a free game, by the scenario's name and text; `None` for a scenario out of a file.
pub(super) fn number_of(name: &str, text: &str) -> Option<u32> {
    let is_free = text
        .strip_prefix(TURNS)
        .is_some_and(|rest| rest.trim_end() == STEP);
    name.rsplit_once("/free-game-")
        .filter(|_| is_free)?
        .1
        .parse()
        .ok()
}

/// A game of legal moves, chosen by the run's seed, until it is over. Every line on every lane is judged all the same.
#[must_use]
pub fn free_game(dialect: &'static dyn Dialect, number: u32) -> Scenario {
    let text = format!("{TURNS}{STEP}\n");
    let span = Span::new(TURNS.len(), TURNS.len() + STEP.len());
    let plan = PlannedGame {
        attempts: 1,
        steps: vec![Step {
            span,
            kind: StepKind::PlayToTheEnd,
        }],
        ..PlannedGame::new(dialect, Side::Referee)
    };
    Scenario {
        source: Source::new(&format!("free game {number}"), text),
        name: format!("{}/free-game-{number}", dialect.game().name()),
        ..plan.titled("legal free play to the end")
    }
}
