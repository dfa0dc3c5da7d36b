//! Holds a wrong reading of the rules against a game that was played.

use super::GameOfRun;
use crate::finding::Verdict;
use crate::protocol::{GameEvent, PlayerLine};
use crate::rules::{Phase, Seat, Table, VariantRow};
use crate::scenario::{PlannedGame, PlayerAction, Side};

/// Returns true if a subject that believes the reading would have shown something else in this game, up to where it failed.
pub(super) fn is_refuted_by(row: &VariantRow, game: GameOfRun<'_>) -> bool {
    let Some(plan) = game.plan() else {
        return false;
    };
    let setup = game.outcome.setup.unwrap_or_default();
    let rules = plan.dialect.game();
    let Some(mut variant) = rules.variant_table(setup, row.name) else {
        return false;
    };
    let history = &game.outcome.history;
    match (plan.side, game.outcome.verdict) {
        (Side::Bot, Verdict::Pass | Verdict::Lenient | Verdict::Fail) => {
            would_answer_otherwise(plan.bot_seat, history, variant.as_mut())
        }
        (Side::Referee, Verdict::Pass | Verdict::Lenient) => {
            differs(plan, history, variant.as_mut(), rules.table(setup).as_mut())
        }
        (Side::Referee, Verdict::Fail) => {
            let settled = settled(history);
            differs(plan, settled, variant.as_mut(), rules.table(setup).as_mut())
        }
        _ => false,
    }
}

/// What a referee that failed has certainly shown: all before the last move but one. What was sent after that may be what the failure is
/// about.
fn settled(history: &[GameEvent]) -> &[GameEvent] {
    let moves = history.iter().enumerate().rev();
    let mut moves = moves.filter(|(_, event)| !matches!(event, GameEvent::Rolled { .. }));
    &history[..moves.nth(1).map_or(0, |(number, _)| number)]
}

/// Plays the events of a referee's game by a reading, up to a loss before the end by the rules.
fn differs(
    plan: &PlannedGame,
    history: &[GameEvent],
    variant: &mut dyn Table,
    rules: &mut dyn Table,
) -> bool {
    for event in history {
        let is_possible = match *event {
            GameEvent::Rolled { .. } => variant.phase() == Phase::Roll,
            GameEvent::Moved { by, .. } => awaits(variant, by),
            GameEvent::Lost { by, .. } => {
                return awaits(variant, by) && is_allowed(plan, by, variant);
            }
        };
        if !is_possible || !event.play_on(variant) {
            return true;
        }
        event.play_on(rules);
    }
    let end = rules.phase().result();
    end.is_some() && end != variant.phase().result()
}

fn awaits(table: &dyn Table, by: Seat) -> bool {
    table.phase() == Phase::Move && table.to_move() == by
}

/// Returns true if the reading allows the illegal move by which this player lost, where the scenario writes one.
fn is_allowed(plan: &PlannedGame, by: Seat, variant: &dyn Table) -> bool {
    let last = plan.turns().last().map(|(_, turn)| turn);
    let line = match last.map(|turn| (turn.seat, &turn.action)) {
        Some((seat, PlayerAction::Illegal(line))) if seat == by => line,
        _ => return false,
    };
    let said = plan.dialect.read_player_line(line);
    matches!(said, PlayerLine::Move(mv) if variant.check(mv).is_ok())
}

/// Plays a game by what a bot believes; returns true where the bot answered although it would have seen no turn of its own, sent a move
/// that it would hold to be illegal, or kept silent in a turn that it would have had. What the other side does against its belief ends
/// the comparison: nobody knows what the bot makes of it.
fn would_answer_otherwise(bot: Seat, history: &[GameEvent], belief: &mut dyn Table) -> bool {
    for event in history {
        let is_due = match *event {
            GameEvent::Rolled { .. } if awaits(belief, bot) => return true,
            GameEvent::Rolled { .. } => belief.phase() == Phase::Roll,
            GameEvent::Moved { by, mv, .. } if by == bot => {
                if !awaits(belief, bot) || belief.check(mv).is_err() {
                    return true;
                }
                true
            }
            GameEvent::Moved { by, .. } => awaits(belief, by),
            GameEvent::Lost { .. } => return false,
        };
        if !is_due || !event.play_on(belief) {
            return false;
        }
    }
    false
}
