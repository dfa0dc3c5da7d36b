//! Which requirements a game has put to the test, as far as it went as predicted.

use crate::event::{Outcome, Verdict};
use crate::protocol::{Cause, Dialect, Happening, Party};
use crate::rules::{Roll, Seat, Table};
use crate::scenario::{Scenario, Side};
use crate::transcript::LaneLabel;

/// Names the requirements on which lines of the game rested, each as often as it did, to `rest`; `see` is told of each turn's
/// coverage items.
pub(super) fn walk(
    scenario: &Scenario,
    outcome: &Outcome,
    rest: &mut dyn FnMut(&'static str),
    see: &mut dyn FnMut(usize),
) {
    let dialect = scenario.dialect;
    let mut table = dialect.game().table(outcome.setup.unwrap_or_default());
    let parties = parties(outcome);
    if !outcome.history.is_empty() {
        begins(dialect, scenario.side, &parties, rest);
    }
    let mut ground = None;
    for happening in &outcome.history {
        match scenario.side {
            Side::Referee => told(dialect, happening, &parties, rest),
            Side::Bot => of_bot(dialect, happening, scenario.bot_seat, rest),
        }
        if matches!(happening, Happening::Moved { .. }) {
            dialect.in_every_turn().iter().for_each(|id| rest(id));
        }
        match *happening {
            Happening::Rolled { roll, skipped, .. } => {
                ground.take().into_iter().for_each(&mut *rest);
                if skipped {
                    table.covers(roll, None, see);
                }
                table.take_roll(roll);
                ground = table.turn_ground().filter(|_| skipped);
            }
            Happening::Moved { mv, .. } => {
                ground.take().into_iter().for_each(&mut *rest);
                table.covers(Roll(0), Some(mv), see);
                table.move_ground(mv).into_iter().for_each(&mut *rest);
                if table.play(mv).is_err() {
                    return;
                }
                // By whose turn it is then, the next line of anybody shows it.
                ground = table.turn_ground();
            }
            Happening::Lost { .. } => ground = None,
        }
    }
    for choice in &outcome.open {
        rest(choice.requirement);
    }
    if matches!(outcome.verdict, Verdict::Pass | Verdict::Lenient)
        && let Some(ending) = outcome.history.last()
    {
        ends(dialect, scenario.side, ending, table.as_ref(), rest);
    }
}

/// Whose lanes there were.
fn parties(outcome: &Outcome) -> Vec<Party> {
    let party = |label: LaneLabel| match label {
        LaneLabel::Player(seat) => Some(Party::Player(seat)),
        LaneLabel::Spectator(_) => Some(Party::Spectator),
        LaneLabel::Unseated(_) => None,
    };
    outcome.transcript.lanes.iter().filter_map(|lane| party(lane.label)).collect()
}

fn begins(dialect: &dyn Dialect, side: Side, parties: &[Party], rest: &mut dyn FnMut(&'static str)) {
    if side == Side::Bot {
        return rest(dialect.bot_requirements().own_seat);
    }
    for party in parties {
        let is_spectator = *party == Party::Spectator;
        dialect.greeting(is_spectator).iter().for_each(|line| rest(line.requirement));
        rest(dialect.greeting_ends(is_spectator));
    }
    rest(dialect.first_turn_requirement());
    rest(dialect.newline_requirement());
    rest(dialect.nothing_else_requirement());
}

/// What a referee shows by telling a happening.
fn told(dialect: &dyn Dialect, happening: &Happening, parties: &[Party], rest: &mut dyn FnMut(&'static str)) {
    let mut lines = Vec::new();
    for party in parties {
        dialect.tell(happening, *party, &mut lines);
    }
    lines.iter().for_each(|told| rest(told.requirement));
    match happening {
        Happening::Rolled { .. } => rest(dialect.roll_requirements()[0]),
        Happening::Moved { .. } => {
            dialect.no_echo_requirement().into_iter().for_each(&mut *rest);
            rest(dialect.move_awaited_requirement());
        }
        Happening::Lost { cause: Cause::Invalid(id), .. } => {
            rest(id);
            rest(dialect.not_passed_on_requirement());
        }
        Happening::Lost { cause: Cause::Timeout, .. } => rest(dialect.not_early_requirement()),
        Happening::Lost { .. } => {}
    }
}

/// What a bot shows by what it does and leaves undone.
fn of_bot(dialect: &dyn Dialect, happening: &Happening, seat: Seat, rest: &mut dyn FnMut(&'static str)) {
    let ids = dialect.bot_requirements();
    match happening {
        Happening::Rolled { by, skipped: true, .. } if *by == seat => rest(ids.silent_when_skipped),
        Happening::Moved { by, .. } if *by == seat => {
            [ids.one_line, ids.legal, ids.newline, ids.within_timeout].into_iter().for_each(&mut *rest);
            ids.confirmation.into_iter().for_each(rest);
        }
        Happening::Moved { .. } => rest(ids.silent_off_turn),
        Happening::Rolled { .. } | Happening::Lost { .. } => {}
    }
}

fn ends(
    dialect: &dyn Dialect,
    side: Side,
    ending: &Happening,
    table: &dyn Table,
    rest: &mut dyn FnMut(&'static str),
) {
    let is_lost = matches!(ending, Happening::Lost { .. });
    let is_over = is_lost || matches!(ending, Happening::Moved { wins: true, .. });
    match side {
        Side::Bot if is_lost => rest(dialect.bot_requirements().ends_after_loss),
        Side::Bot if is_over => rest(dialect.bot_requirements().ends_after_game),
        Side::Referee if is_over => {
            table.turn_ground().filter(|_| !is_lost).into_iter().for_each(&mut *rest);
            rest(dialect.nothing_after_requirement(is_lost));
            if let Some(closing) = dialect.closes_after(ending) {
                rest(closing.none);
                rest(closing.some);
            }
        }
        Side::Bot | Side::Referee => {}
    }
}
