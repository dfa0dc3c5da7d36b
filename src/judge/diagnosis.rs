//! Known deviations from the rules that explain an observation.

use super::observed::Observed;
use super::slack::not_before;
use crate::finding::{Finding, Reaction, Symptom};
use crate::hypothesis;
use crate::protocol::{Cause, Expected, GameEvent};
use crate::requirement::Role;
use crate::rules::{Mistake, Seat, Table};
use crate::scenario::Side;

/// The usual variants of the rules under which all that was seen so far is right, and this reaction on that lane too.
pub(super) fn explain(seen: &Observed, lane: usize, reaction: Reaction) -> Vec<&'static Mistake> {
    let variants = seen.plan.dialect.game().mistakes().named();
    let is_seen = |row: &&Mistake| is_straight(seen, row);
    of(
        seen,
        variants.iter().filter(is_seen),
        &symptom(seen, lane, reaction),
    )
}

/// Notes what this reaction on that lane shows of the subject's reading of the rules: every wrong one, those last that hold in some turns
/// only, under which it is right, and all that was seen so far.
pub(super) fn suppose(seen: &Observed, finding: &mut Finding, lane: usize, reaction: Reaction) {
    let setup = seen.model.facts().setup.unwrap_or_default();
    let symptom = symptom(seen, lane, reaction);
    // What the rules themselves explain is no sign of another reading.
    let mut rules = seen.plan.dialect.game().table(setup);
    if is_fitting(seen, &symptom, rules.as_mut()) {
        finding.hypotheses = Some(Vec::new());
        return;
    }
    let rows = seen.plan.hypotheses().chain(seen.plan.occasional());
    finding.hypotheses = Some(of(seen, rows, &symptom));
    finding.symptom = Some(symptom);
}

/// Returns true unless a bot that plays by the variant would have gone astray before: then it can show anything, and one game says too little.
fn is_straight(seen: &Observed, row: &Mistake) -> bool {
    let setup = seen.model.facts().setup.unwrap_or_default();
    let (history, bot) = (seen.model.history(), seen.plan.bot_seat);
    let table = seen.plan.dialect.game().mistakes().table(setup, row.name);
    let is_astray = |mut table: Box<dyn Table>| hypothesis::is_astray(bot, history, table.as_mut());
    seen.plan.side == Side::Referee || !table.is_some_and(is_astray)
}

fn of(
    seen: &Observed,
    rows: impl Iterator<Item = &'static Mistake>,
    symptom: &Symptom,
) -> Vec<&'static Mistake> {
    let setup = seen.model.facts().setup.unwrap_or_default();
    let table = |row: &Mistake| seen.plan.dialect.game().mistakes().table(setup, row.name);
    let is_explained = |mut table: Box<dyn Table>| is_fitting(seen, symptom, table.as_mut());
    rows.filter(|row| table(row).is_some_and(is_explained))
        .collect()
}

fn is_fitting(seen: &Observed, symptom: &Symptom, table: &mut dyn Table) -> bool {
    let bot = (seen.plan.side == Side::Bot).then_some(seen.plan.bot_seat);
    hypothesis::fits(symptom, bot, seen.model.history(), table)
}

/// What was seen so far, and this reaction on that lane too.
fn symptom(seen: &Observed, lane: usize, reaction: Reaction) -> Symptom {
    let history = seen.model.history();
    // What was said last is not confirmed by any lane yet, or it is what the deviation is about.
    let attempt = match history.last() {
        _ if seen.plan.side == Side::Bot => None,
        Some(GameEvent::Moved { by, mv, .. }) if !is_confirmed(seen, lane, *by) => {
            Some((*by, Some(*mv)))
        }
        Some(GameEvent::Lost {
            by,
            cause: Cause::Invalid(_),
        }) => Some((*by, seen.model.losing_move())),
        // Who was silent, or went away, has attempted nothing.
        _ => None,
    };
    let is_lost = matches!(history.last(), Some(GameEvent::Lost { .. }));
    let is_open = attempt.is_some() || is_lost && seen.plan.side == Side::Referee;
    let is_of = |seat: &Seat| seen.model.lane_of(*seat) == Some(lane);
    let lane_of = Seat::BOTH.into_iter().find(is_of);
    let timeout = seen.settings.timeout;
    Symptom {
        reaction,
        settled: history.len() - usize::from(is_open),
        attempt,
        lane_of: lane_of.filter(|_| !is_echoed(seen)),
        is_time_over: timeout.is_some_and(|timeout| seen.now >= not_before(seen, timeout)),
        is_loss_silent: is_loss_silent(seen),
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
