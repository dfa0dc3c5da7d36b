//! A plain game: what every subject has to manage before anything else is worth trying.

use super::made_up::{by_mover, made_up};
use crate::protocol::Dialect;
use crate::rules::{Game, Phase, Roll, Seat, Table};
use crate::scenario::{Deed, PlannedGame, Scenario, Side, StepKind, Turn};
use crate::yaml::Number;

/// Number of turns of a plain game.
const TURNS: usize = 3;

/// A game of three legal turns, with the usual names and spectators. `forces_rolls`: whether its rolls are forced on a referee; a bot is
/// told its rolls anyway. Games of another `number` have other rolls. An odd number has a bot in the other seat: one that mistakes its seat would
/// else seem to be one that never says anything.
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
        plain.game_mut()?.keys.attempts = Some(Number(1));
        return Some(plain);
    }
    let plan = forced(dialect, side, number)?;
    plan.titled(title).placed(&name).ok()
}

fn forced(dialect: &'static dyn Dialect, side: Side, first: usize) -> Option<PlannedGame> {
    let game = dialect.game();
    let setup = game.draw_setup(1);
    let mut table = game.table(setup);
    let starts = table.to_move();
    let bot_seat = match side {
        Side::Bot if first % 2 == 1 => starts.other(),
        _ => starts,
    };
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
        turns.push(StepKind::Turn(Turn::new(seat, roll, action)));
    }
    let plan = PlannedGame {
        setup: (!game.setup_keys().is_empty()).then_some(setup),
        ..made_up(dialect, side, bot_seat, &[])
    };
    Some(plan.with_steps(turns))
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
    fn a_bot_plays_in_both_seats_before_its_games_are_skipped() {
        for dialect in pack::dialects() {
            let game = |number| plain_game(dialect, Side::Bot, true, number).unwrap();
            let plans = [0, 1, 2].map(game);
            let plans = plans.each_ref().map(|plain| plain.game().unwrap());
            let [first, second, third] = plans.map(|plan| plan.bot_seat);
            assert!(first == third && first != second, "{}", dialect.name());
        }
    }

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
                    (plain.side, plain.steps.len(), plain.keys.attempts()),
                    (side, TURNS, plain.keys.attempts())
                );
                assert!(plain.keys.names.is_none() && plain.spectators <= 1);
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
