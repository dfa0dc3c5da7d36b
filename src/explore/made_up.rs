//! Scenarios that are made up, as values.

use crate::pack;
use crate::protocol::Dialect;
use crate::requirement::Role;
use crate::rules::Seat;
use crate::scenario::{Deed, PlannedGame, Side, Situation, StepKind, Turn, Until};

/// A game without turns; it checks the first of the wished requirements that it can.
pub(super) fn made_up(
    dialect: &'static dyn Dialect,
    side: Side,
    bot_seat: Seat,
    wished: &[&'static str],
) -> PlannedGame {
    PlannedGame {
        bot_seat,
        checks: vec![check(dialect, side, wished)],
        ..PlannedGame::new(dialect, side)
    }
}

/// Free play up to a turn with a move, and any move in it.
pub(super) fn move_on() -> [StepKind; 2] {
    [
        StepKind::PlayUntil(Until::new(None, Situation::CanMove)),
        by_mover(Deed::ANY),
    ]
}

/// Builds a step in which the player on turn does this.
pub(super) fn by_mover(deed: Deed) -> StepKind {
    StepKind::Improvise(Turn::new(None, None, deed))
}

/// The first of these requirements that a scenario for this side can check; one that every game checks where there is none.
fn check(dialect: &dyn Dialect, side: Side, wished: &[&'static str]) -> &'static str {
    let can_check = |id: &&&str| {
        pack::requirement(id)
            .is_some_and(|entry| entry.binds.contains(&side) && entry.unchecked.is_none())
    };
    let usual = match side {
        Side::Referee => dialect.id(Role::FirstTurn),
        Side::Bot => dialect.id(Role::BotOwnSeat),
    };
    wished.iter().find(can_check).copied().unwrap_or(usual)
}
