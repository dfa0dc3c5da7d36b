//! Holds a wrong reading of the rules against a game that was played.

use super::GameOfRun;
use crate::finding::Verdict;
use crate::protocol::{GameEvent, PlayerLine};
use crate::rules::{Move, Phase, Seat, Table, VariantRow};
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
        (Side::Referee, Verdict::Pass | Verdict::Lenient | Verdict::Fail) => {
            let shown = match game.outcome.verdict {
                Verdict::Fail => settled(history),
                _ => history,
            };
            let losing = losing_move(plan, shown);
            let mut rules = rules.table(setup);
            first_sign(shown, losing, variant.as_mut(), rules.as_mut()).is_some()
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

/// First sign in a game that a referee plays by a reading and not by the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstSign {
    /// Number of the event that the reading does not allow for, from 0; the number of all events where the game would not end as it did.
    pub event: usize,
    /// Next event by the reading, and its player.
    due: (Phase, Seat),
    /// True if the reading refuses the move, or takes one that the rules refuse.
    is_about_move: bool,
}

/// Plays the events of a referee's game by a reading, up to a loss before the end by the rules, and returns where they do not fit.
/// `losing` is the move by which the game was lost, if it is one.
pub fn first_sign(
    history: &[GameEvent],
    losing: Option<Move>,
    variant: &mut dyn Table,
    rules: &mut dyn Table,
) -> Option<FirstSign> {
    let at = |event: usize, variant: &dyn Table, is_about_move: bool| {
        let due = (variant.phase(), variant.to_move());
        Some(FirstSign {
            event,
            due,
            is_about_move,
        })
    };
    for (number, event) in history.iter().enumerate() {
        let is_due = match *event {
            GameEvent::Rolled { .. } => variant.phase() == Phase::Roll,
            GameEvent::Moved { by, .. } => awaits(variant, by),
            GameEvent::Lost { by, .. } => {
                let is_legal = |mv| variant.check(mv).is_ok();
                let is_taken = awaits(variant, by) && losing.is_some_and(is_legal);
                return at(number, variant, true).filter(|_| is_taken);
            }
        };
        if !is_due || !event.play_on(variant) {
            return at(number, variant, is_due);
        }
        event.play_on(rules);
    }
    let end = rules.phase().result();
    let is_other_end = end.is_some() && end != variant.phase().result();
    at(history.len(), variant, false).filter(|_| is_other_end)
}

fn awaits(table: &dyn Table, by: Seat) -> bool {
    table.phase() == Phase::Move && table.to_move() == by
}

/// Returns the illegal move by which the game was lost, where the scenario writes one.
fn losing_move(plan: &PlannedGame, history: &[GameEvent]) -> Option<Move> {
    let last = plan.turns().last().map(|(_, turn)| turn)?;
    let line = match (&last.action, history.last()?) {
        (PlayerAction::Illegal(line), GameEvent::Lost { by, .. }) if *by == last.seat => line,
        _ => return None,
    };
    match plan.dialect.read_player_line(line) {
        PlayerLine::Move(mv) => Some(mv),
        _ => None,
    }
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
