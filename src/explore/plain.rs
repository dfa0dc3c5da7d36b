//! A plain game: what every subject has to manage before anything else is worth trying.

use super::made_up::{by_mover, made_up};
use super::script::Script;

use crate::protocol::Dialect;
use crate::rules::{Game, Phase, Roll, Seat, Table};
use crate::scenario::{Deed, PlannedGame, Scenario, Side, Turn};

/// Number of turns of a plain game.
const TURNS: usize = 3;

/// A game of three legal turns, with the usual names and spectators. `forces_rolls`: whether its rolls are forced on a referee; a bot is
/// told its rolls anyway. Games of another `number` have other rolls.
pub(super) fn plain_game(
    dialect: &'static dyn Dialect,
    side: Side,
    forces_rolls: bool,
    number: usize,
) -> Option<Scenario> {
    let game = dialect.game();
    let name = format!("{}/{}/plain-game", game.name(), side.word());
    let title = "a plain game, before all others";
    let has_rolls = !game.kinds_of_roll().is_empty();
    if side == Side::Referee && !(has_rolls && forces_rolls) {
        let plan = made_up(dialect, side, Seat::First, &[]);
        let turn = || by_mover(Deed::ANY);
        let turns = std::iter::repeat_with(turn).take(TURNS);
        let mut plain = plan.with_steps(turns).titled(title).placed(&name).ok()?;
        plain.game_mut()?.attempts = 1;
        return Some(plain);
    }
    let plan = script(dialect, side, number)?.as_plan(None);
    plan.titled(title).placed(&name).ok()
}

fn script(dialect: &'static dyn Dialect, side: Side, first: usize) -> Option<Script> {
    let game = dialect.game();
    let setup = game.draw_setup(1);
    let mut table = game.table(setup);
    let bot_seat = table.to_move();
    let mut turns = Vec::new();
    for number in 0..TURNS {
        let seat = table.to_move();
        let roll = match table.phase() {
            Phase::Roll => Some(plain_roll(game, table.as_ref(), first + number)?),
            _ => None,
        };
        if let Some(roll) = roll {
            table.take_roll(roll);
        }
        let mv = *table.legal_moves().first()?;
        table.play(mv).ok()?;
        let action = if side == Side::Bot {
            Deed::ANY
        } else {
            Deed::this(mv)
        };
        turns.push(Turn::new(seat, roll, action));
    }
    Some(Script {
        plan: PlannedGame {
            setup: (!game.setup_keys().is_empty()).then_some(setup),
            ..made_up(dialect, side, bot_seat, &[])
        },
        turns,
        free_from: 0,
        then_free: 0,
    })
}

/// A roll with which the player can move, and with whatever move the turn passes on; another one from turn to turn.
fn plain_roll(game: &dyn Game, table: &dyn Table, number: usize) -> Option<Roll> {
    let passes_on = |roll: &&Roll| {
        let mut rolled = table.fork();
        let moves = if rolled.take_roll(**roll) {
            rolled.legal_moves()
        } else {
            Vec::new()
        };
        let passes = |mv| {
            let mut after = rolled.fork();
            after.play(mv).is_ok() && after.to_move() != table.to_move()
        };
        !moves.is_empty() && moves.into_iter().all(passes)
    };
    let fitting: Vec<_> = game.kinds_of_roll().iter().filter(passes_on).collect();
    fitting
        .get(number % fitting.len().max(1))
        .map(|&&roll| roll)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack;

    #[test]
    fn every_game_with_a_model_has_one_for_each_side() {
        let mut with_rolls = 0;
        for dialect in pack::dialects() {
            let game = dialect.game();
            for (side, forces) in [
                (Side::Referee, false),
                (Side::Referee, true),
                (Side::Bot, true),
            ] {
                let plain = plain_game(dialect, side, forces, 0)
                    .unwrap_or_else(|| panic!("{} {side:?}", game.name()));
                let plain = plain.game().unwrap();
                assert_eq!(
                    (plain.side, plain.steps.len(), plain.attempts.max(1)),
                    (side, TURNS, plain.attempts)
                );
                assert!(plain.names.is_none() && plain.spectators <= 1);
                let is_forced = !plain.forced_rolls().is_empty();
                assert_eq!(
                    is_forced,
                    !game.kinds_of_roll().is_empty() && (forces || side == Side::Bot)
                );
                with_rolls += usize::from(is_forced);
            }
        }
        assert!(with_rolls > 0);
    }
}
