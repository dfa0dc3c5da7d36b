//! The requirement that a deviation breaks, by the known mistakes in the rules that explain it and by what the scenario is about.

use std::mem::discriminant;

use super::state::State;
use crate::finding::{Finding, LineFault, Reaction, StrayLine, Symptom};
use crate::mistake;
use crate::pack;
use crate::protocol::{Cause, Deviation, DueLine, Duty, Expected, GameEvent, Party, RefereeLine};
use crate::requirement::{ExercisedBy, Role};
use crate::rules::{Mistake, Seat, Table};
use crate::scenario::Side;

/// Blames a failure on what a usual mistake in the rules breaks that explains it: on one that the scenario checks, or on the only one. A bot that
/// sends no line has not shown by what rule.
pub(super) fn blame(seen: &State, finding: &mut Finding) {
    let (Some(symptom), Some(plain)) = (&finding.symptom, finding.requirement) else {
        return;
    };
    let is_shown = match symptom.reaction {
        Reaction::Answer(_) | Reaction::Number(_) => true,
        Reaction::Waits => false,
        _ => seen.plan.side == Side::Referee,
    };
    if !is_shown || seen.find_id(Role::SkippedExtraTurn) == Some(plain) {
        return;
    }
    let breaks = explain(seen, symptom);
    let is_checked = |id: &&'static str| seen.checks(id);
    let only = breaks
        .first()
        .filter(|first| breaks.iter().all(|id| id == *first));
    let supposed = breaks.iter().copied().find(is_checked);
    // One line of a bot does not tell by which rule it breaks what the scenario is about.
    let is_open = seen.plan.side == Side::Referee || !seen.checks(plain);
    let supposed = supposed.or(only.copied().filter(|_| is_open));
    if let Some(supposed) = supposed.filter(|id| *id != plain) {
        finding.requirement = Some(supposed);
        finding.plain = Some(plain);
    }
}

/// Returns the requirement that a line of a referee breaks if no mistake in the rules is the reason, and whether one can be.
pub(super) fn attribute(
    seen: &State,
    deviation: &Deviation,
    reaction: Reaction,
) -> (&'static str, bool) {
    if let Some(requirement) = unruly(seen, deviation, reaction) {
        return (requirement, false);
    }
    let skipped = seen.find_id(Role::SkippedExtraTurn);
    if let Some(id) = skipped.filter(|id| seen.checks(id) && seen.model.is_extra_turn_skipped()) {
        return (id, true);
    }
    // A roll where a move is due: whose turn it is says nothing of that.
    let is_skip = deviation.expected == Expected::NothingYet && reaction == Reaction::Roll;
    let grounds = [
        Some(deviation.requirement),
        deviation.grounds.mv.filter(|_| !is_skip),
        deviation.grounds.turn.filter(|_| !is_skip),
    ];
    let mut grounds = grounds.into_iter().flatten();
    let ground = grounds.find(|id| seen.checks(id));
    let accepted = seen.plan.dialect.find_id(Role::MoveAccepted);
    let accepted = accepted.filter(|_| is_refused(seen, deviation, reaction));
    if ground.is_none()
        && let Some(requirement) = of_pieces(seen)
    {
        return (requirement, false);
    }
    let requirement = ground.or(accepted).unwrap_or(deviation.requirement);
    (requirement, !is_told_elsewhere(seen, deviation))
}

/// The requirement on cutting what comes into lines, where the scenario is about that.
pub(super) fn framing(seen: &State) -> Option<&'static str> {
    let checks = seen.plan.checks.iter().copied();
    let ids = seen.plan.dialect.ids(Role::ShownByPieces);
    let mut framing = checks.filter(|id| ids.contains(id));
    framing.next()
}

/// Returns the requirement that the scenario exists for, in a turn in which a line comes in pieces: what goes wrong then is about that, and not
/// about the move.
pub(super) fn of_pieces(seen: &State) -> Option<&'static str> {
    let turn = seen.course.turn().filter(|_| !seen.model.is_over())?;
    let checks = seen.plan.checks.first();
    let id = *checks.filter(|_| turn.deed.comes_in_pieces())?;
    let entry = pack::requirement(id)?;
    let is_about_lines = matches!(entry.exercised?, ExercisedBy::Line | ExercisedBy::Framing);
    (entry.is_binding() && is_about_lines).then_some(id)
}

/// Returns true if a legal move was due that is not the first, and nobody was told of it: nothing came, or a loss.
fn is_refused(seen: &State, deviation: &Deviation, reaction: Reaction) -> bool {
    let dialect = seen.plan.dialect;
    let is_first = deviation.grounds.turn == Some(dialect.id(Role::FirstTurn));
    // Who is not on turn is ignored.
    let is_loss = matches!(reaction, Reaction::Loss | Reaction::End);
    (is_loss || reaction == Reaction::Nothing && !is_first)
        && matches!(deviation.due_means(dialect), Some(RefereeLine::Move(_)))
        && !seen.model.is_over()
}

/// Returns the requirement that a deviation breaks which no mistake in the rules explains: the first of these reasons counts.
fn unruly(seen: &State, deviation: &Deviation, reaction: Reaction) -> Option<&'static str> {
    let (dialect, heard) = (seen.plan.dialect, deviation.heard);
    let is_roll_due = matches!(deviation.due_means(dialect), Some(RefereeLine::Roll(_)));
    let is_echo = dialect.find_id(Role::NoEcho) == Some(deviation.requirement);
    // The lane contradicts the others, or received a line that no game has.
    let is_about_lines = is_roll_due
        || is_echo
        || heard == Some(RefereeLine::Other) && !passes_on_a_loss(seen, deviation);
    let is_about_silence = match reaction {
        // Whoever was on turn by whatever rules: a player who sends nothing loses.
        Reaction::Nothing => is_lost_without_a_line(seen),
        // Every due line was received, and what was sent last has to be ignored.
        Reaction::End => {
            let is_awaited = deviation.expected == Expected::NothingYet;
            is_told_elsewhere(seen, deviation) || is_awaited && seen.model.has_ignored()
        }
        _ => false,
    };
    // A roll that comes once more may be another one.
    let is_move = matches!(heard, Some(RefereeLine::Move(_)));
    let is_doubled = is_move && doubled(seen, deviation).is_some();
    let is_passed_on = is_told_after_all(seen, deviation);
    // Where only the end of the lanes shows a loss, the move that came after an ignored line may never have been read.
    let ends = reaction == Reaction::End && !seen.model.is_over() && dialect.is_loss_silent();
    let ignored = seen.model.ignored_before_last_move();
    let reasons = [
        (is_about_lines || is_about_silence).then_some(deviation.requirement),
        is_doubled.then(|| dialect.id(Role::NothingElse)),
        is_passed_on.then(|| dialect.id(Role::NotPassedOn)),
        ignored.filter(|_| ends),
    ];
    reasons.into_iter().flatten().next()
}

/// Returns true if another lane was told what was due here: it was taken, and no rule about it explains why it did not come.
pub(super) fn is_told_elsewhere(seen: &State, deviation: &Deviation) -> bool {
    matches!(&deviation.expected, Expected::Line(line) if seen.model.is_told_elsewhere(deviation.lane, line))
}

/// Returns true if a losing line was relayed in place of the loss.
pub(super) fn passes_on_a_loss(seen: &State, deviation: &Deviation) -> bool {
    deviation.due_means(seen.plan.dialect) == Some(RefereeLine::Loss)
        && deviation.grounds.mv == Some(deviation.requirement)
        && matches!(
            deviation.heard,
            Some(RefereeLine::Move(_) | RefereeLine::Other)
        )
}

/// Returns true if a player has lost by silence, or by a disconnect.
pub(super) fn is_lost_without_a_line(seen: &State) -> bool {
    let last = seen.model.history().last();
    matches!(last, Some(GameEvent::Lost { cause, .. }) if !matches!(cause, Cause::Invalid(_)))
}

/// Returns true if a losing line was relayed, and the loss reported after it.
pub(super) fn is_told_after_all(seen: &State, deviation: &Deviation) -> bool {
    passes_on_a_loss(seen, deviation) && !seen.model.is_owed(deviation.lane)
}

/// The requirement that each usual mistake in the rules breaks by which all that was seen so far is right, and this too. One by which a bot would
/// have gone astray before is none: then the bot can show anything, and one game says too little.
fn explain(seen: &State, symptom: &Symptom) -> Vec<&'static str> {
    let setup = seen.model.facts().setup.unwrap_or_default();
    let (history, mistakes) = (seen.model.history(), seen.plan.dialect.game().mistakes());
    let is_straight = |mut table: Box<dyn Table>| {
        seen.plan.side == Side::Referee
            || !mistake::is_astray(&seen.plan, setup, history, table.as_mut())
    };
    let explains = |row: &&Mistake| {
        let table = || mistakes.table(setup, row.name);
        table().is_some_and(|mut table| is_fitting(seen, symptom, table.as_mut()))
            && table().is_some_and(is_straight)
    };
    let rows = mistakes.named().iter().filter(explains);
    rows.map(|row| row.breaks).collect()
}

/// Notes what this reaction on that lane shows of the subject's rules. What the rules themselves explain shows nothing.
pub(super) fn suppose(seen: &State, finding: &mut Finding, lane: usize, reaction: Reaction) {
    let setup = seen.model.facts().setup.unwrap_or_default();
    let symptom = symptom(seen, lane, reaction);
    let mut rules = seen.plan.dialect.game().table(setup);
    finding.symptom = (!is_fitting(seen, &symptom, rules.as_mut())).then_some(symptom);
}

fn is_fitting(seen: &State, symptom: &Symptom, table: &mut dyn Table) -> bool {
    let setup = seen.model.facts().setup.unwrap_or_default();
    mistake::fits(symptom, &seen.plan, setup, seen.model.history(), table)
}

/// What was seen so far, and this reaction on that lane too.
fn symptom(seen: &State, lane: usize, reaction: Reaction) -> Symptom {
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
        is_time_over: timeout.is_some_and(|timeout| seen.now >= seen.clock.not_before(timeout)),
    }
}

/// Returns true if the lane, or every lane, has received the last move.
fn is_confirmed(seen: &State, lane: usize, by: Seat) -> bool {
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
fn is_echoed(seen: &State) -> bool {
    seen.plan.dialect.find_id(Role::NoEcho).is_none()
}

/// The line that is wrong or missing, where the deviation is about one.
pub(super) fn stray_line(seen: &State, deviation: &Deviation) -> Option<StrayLine> {
    doubled(seen, deviation).or_else(|| missed(seen, deviation))
}

/// The line that was due and was not sent, or was sent wrongly: another roll came in the place of a roll, another move in that of a move, or
/// what means nothing. Only the roll of a skipped turn is followed by another one.
fn missed(seen: &State, deviation: &Deviation) -> Option<StrayLine> {
    let Some(DueLine::Event(number, event, to)) = deviation.due else {
        return None;
    };
    let line = |fault| StrayLine {
        event: number,
        to: to.seat(),
        fault,
        requirement: deviation.requirement,
    };
    if is_told_after_all(seen, deviation) {
        return Some(StrayLine {
            requirement: seen.plan.dialect.id(Role::NotPassedOn),
            ..line(LineFault::Preceded)
        });
    }
    let is_changed = match (event, deviation.heard) {
        (GameEvent::Rolled { skipped, .. }, Some(RefereeLine::Roll(_))) => !skipped,
        (GameEvent::Moved { .. }, Some(RefereeLine::Move(_))) => true,
        // The referee refused it.
        (GameEvent::Moved { .. }, Some(RefereeLine::Loss)) => return None,
        (_, Some(RefereeLine::Other)) => true,
        // A move of which nothing shows that it was taken was refused or ignored.
        (GameEvent::Moved { result: None, .. }, None) if !is_told_elsewhere(seen, deviation) => {
            return None;
        }
        // It is for the referee to notice that a player is silent or gone.
        (GameEvent::Lost { cause, .. }, None) => !matches!(cause, Cause::Invalid(_)),
        _ => false,
    };
    let mut before = seen.model.history()[..number].iter().rev();
    let before = before.find(|other| discriminant(*other) == discriminant(&event));
    let is_repeated = |line: &Vec<u8>| {
        let told = before.and_then(|before| seen.plan.dialect.tell(before, Party::Spectator));
        told.is_some_and(|owed| owed.line == *line)
    };
    Some(line(match &deviation.received {
        _ if !is_changed => LineFault::Missing,
        Some((received, _)) if is_repeated(received) => LineFault::Repeated,
        Some(_) => LineFault::Changed,
        None => return None,
    }))
}

/// The line that came once more: the last that was due on the lane before the one that is due now.
fn doubled(seen: &State, deviation: &Deviation) -> Option<StrayLine> {
    let (line, _) = deviation.received.as_ref()?;
    let to = seen.model.party(deviation.lane)?;
    let before = match deviation.due {
        Some(DueLine::Event(number, ..)) => number,
        Some(DueLine::Handshake) => return None,
        _ => seen.model.history().len(),
    };
    let events = seen.model.history()[..before].iter().enumerate().rev();
    let mut told = events.filter_map(|(number, event)| {
        let owed = seen.plan.dialect.tell(event, to)?;
        (owed.duty == Duty::Must).then_some((number, owed.line))
    });
    let (event, last) = told.next()?;
    (last == *line).then_some(StrayLine {
        event,
        to: to.seat(),
        fault: LineFault::Doubled,
        requirement: deviation.requirement,
    })
}
