//! Known deviations from the rules that explain an observation.

use super::observed::Observed;
use crate::protocol::{Cause, Expected, GameEvent};
use crate::requirement::Role;
use crate::rules::VariantRow;
use crate::rules::{Move, Phase, Seat, Table};
use crate::scenario::Side;

/// Unexpected action of the subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reaction {
    /// A roll.
    Roll,
    /// The move that was sent, relayed as valid.
    Move,
    /// A loss.
    Loss,
    /// Nothing.
    Nothing,
    /// Nothing, and no lane ends: a move is awaited.
    Waits,
    /// The end of the stream.
    End,
    /// A line that means nothing.
    Other,
    /// A bot's line: the move that it names, if it names one.
    Answer(Option<Move>),
}

/// The usual variants of the rules under which all that was seen so far is right, and this reaction on that lane too.
pub(super) fn explain(
    seen: &Observed,
    lane: usize,
    reaction: Reaction,
) -> Vec<&'static VariantRow> {
    let variants = seen.plan.dialect.game().variants();
    of(seen, variants.iter(), lane, reaction)
}

/// Every wrong reading of the rules under which all that was seen so far is right, and this reaction on that lane too.
pub(super) fn hypotheses(
    seen: &Observed,
    lane: usize,
    reaction: Reaction,
) -> Vec<&'static VariantRow> {
    let setup = seen.model.facts().setup.unwrap_or_default();
    // What the rules themselves explain is no sign of another reading.
    if explains(seen, seen.plan.dialect.game().table(setup), lane, reaction) {
        return Vec::new();
    }
    of(seen, seen.plan.hypotheses(), lane, reaction)
}

fn of(
    seen: &Observed,
    rows: impl Iterator<Item = &'static VariantRow>,
    lane: usize,
    reaction: Reaction,
) -> Vec<&'static VariantRow> {
    let setup = seen.model.facts().setup.unwrap_or_default();
    let table = |row: &VariantRow| seen.plan.dialect.game().variant_table(setup, row.name);
    rows.filter(|row| table(row).is_some_and(|table| explains(seen, table, lane, reaction)))
        .collect()
}

fn explains(seen: &Observed, mut table: Box<dyn Table>, lane: usize, reaction: Reaction) -> bool {
    let history = seen.model.history();
    // What was said last is not confirmed by any lane yet, or it is what the deviation is about.
    let (settled, attempt) = match (seen.plan.side, history.last()) {
        (Side::Referee, Some(GameEvent::Moved { by, mv, .. }))
            if !is_confirmed(seen, lane, *by) =>
        {
            (&history[..history.len() - 1], Some((*by, Some(*mv))))
        }
        (
            Side::Referee,
            Some(GameEvent::Lost {
                by,
                cause: Cause::Invalid(_),
            }),
        ) => {
            let attempt = (*by, seen.model.losing_move());
            (&history[..history.len() - 1], Some(attempt))
        }
        // Who was silent, or went away, has attempted nothing.
        (Side::Referee, Some(GameEvent::Lost { .. })) => (&history[..history.len() - 1], None),
        _ => (history, None),
    };
    if !follows(table.as_mut(), settled) {
        return false;
    }
    match reaction {
        Reaction::Answer(mv) => {
            table.phase() == Phase::Move
                && table.to_move() == seen.plan.bot_seat
                && mv.is_some_and(|mv| table.check(mv).is_ok())
        }
        Reaction::Nothing if seen.plan.side == Side::Bot => {
            table.phase() != Phase::Move || table.to_move() != seen.plan.bot_seat
        }
        _ => {
            // Whom his own move is told like everybody else has no lane of his own kind.
            let is_own_lane = !is_echoed(seen)
                && attempt.is_some_and(|(by, _)| seen.model.lane_of(by) == Some(lane));
            let reactions = react(table.as_mut(), attempt, is_own_lane);
            let is_silent_loss = reaction == Reaction::End && is_loss_silent(seen);
            reactions.contains(&reaction) || is_silent_loss && reactions.contains(&Reaction::Loss)
        }
    }
}

/// Returns true if the lane, or every lane, has received the last move.
fn is_confirmed(seen: &Observed, lane: usize, by: Seat) -> bool {
    let is_told = |lane: usize| {
        !seen
            .model
            .missing(lane)
            .is_some_and(|missing| matches!(missing.expected, Expected::Line(_)))
    };
    let is_to_be_told = is_echoed(seen) || seen.model.lane_of(by) != Some(lane);
    seen.model.is_caught_up() || is_to_be_told && is_told(lane)
}

/// Returns true if players receive their own moves.
fn is_echoed(seen: &Observed) -> bool {
    seen.plan.dialect.find_id(Role::NoEcho).is_none()
}

/// Plays the happenings by the variant; `false` where it would have shown something else than was seen.
fn follows(table: &mut dyn Table, history: &[GameEvent]) -> bool {
    history.iter().all(|happening| match *happening {
        GameEvent::Rolled { roll, .. } => {
            let awaits = table.phase() == Phase::Roll;
            if awaits {
                table.take_roll(roll);
            }
            awaits
        }
        GameEvent::Moved { by, mv, .. } => {
            table.phase() == Phase::Move && table.to_move() == by && table.play(mv).is_ok()
        }
        GameEvent::Lost { .. } => false,
    })
}

/// Returns the next lines of a referee that plays by the variant, with or without a player's line. The
/// player's own lane is told of what follows the move, and not of the move.
fn react(
    table: &mut dyn Table,
    attempt: Option<(Seat, Option<Move>)>,
    is_own_lane: bool,
) -> Vec<Reaction> {
    if let (Phase::Move, Some((by, mv))) = (table.phase(), attempt)
        && table.to_move() == by
    {
        let is_legal = mv.is_some_and(|mv| table.play(mv).is_ok());
        match (is_legal, is_own_lane) {
            (true, false) => return vec![Reaction::Move],
            (false, false) => return vec![Reaction::Loss],
            (false, true) => return vec![Reaction::Loss, Reaction::End, Reaction::Nothing],
            (true, true) => {}
        }
    }
    match table.phase() {
        Phase::Over(_) => vec![Reaction::End, Reaction::Nothing],
        Phase::Roll => vec![Reaction::Roll],
        Phase::Move => vec![Reaction::Nothing, Reaction::Waits],
    }
}

/// Returns true if only the close of a lane shows a loss.
pub(super) fn is_loss_silent(seen: &Observed) -> bool {
    let Some(by) = seen
        .model
        .awaits_move_of()
        .or(seen.model.history().last().map(GameEvent::by))
    else {
        return false;
    };
    seen.plan
        .dialect
        .closes_after(&GameEvent::Lost {
            by,
            cause: Cause::Unseen,
        })
        .is_some()
}
