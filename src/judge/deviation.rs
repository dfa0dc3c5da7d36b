//! Findings about a line of a referee that is wrong, or is missing.

use super::attribution::{Attribution, attribute, is_told_after_all, is_told_elsewhere};
use super::diagnosis::{self, is_loss_silent};
use super::finding_context::{End, finding, lane_name, lane_views};
use super::observed::Observed;
use super::slack::SETTLE;
use super::untimely;
use crate::diagnostic::visible::quoted;
use crate::finding::{Finding, FindingKind, LineFault, Reaction, StrayLine};
use crate::pack;
use crate::protocol::{
    Cause, Deviation, DueLine, Duty, Expected, GameEvent, LineEnding, RefereeLine,
};
use crate::requirement::Role;
use crate::scenario::Deed;
use crate::transcript::Direction;

/// A line that the model did not predict, or one that did not come.
pub(super) fn deviation(seen: &Observed, deviation: &Deviation, end: End) -> Finding {
    let is_early_loss = deviation.expected == Expected::NothingYet
        && deviation.heard == Some(RefereeLine::Loss)
        && seen
            .turn()
            .is_some_and(|turn| matches!(turn.deed, Deed::Silent | Deed::Send(_)));
    if is_early_loss || untimely::is_too_early(seen, end) {
        return untimely::early_loss(seen, deviation, end);
    }
    let ends_well = deviation
        .received
        .as_ref()
        .is_none_or(|(_, ending)| *ending == LineEnding::Newline);
    let reaction = match (&deviation.received, deviation.heard, end) {
        (Some(_), Some(RefereeLine::Roll(_)), _) => Reaction::Roll,
        (Some(_), Some(RefereeLine::Move(_)), _) => Reaction::Move,
        (Some(_), Some(RefereeLine::Loss), _) => Reaction::Loss,
        (Some(_), ..) => Reaction::Other,
        (None, _, End::Stream(_)) => Reaction::End,
        (None, ..) => Reaction::Nothing,
    };
    let Attribution {
        requirement,
        plain,
        variants,
        is_about_rules,
    } = if ends_well && seen.model.is_greeted() {
        attribute(seen, deviation, reaction)
    } else {
        Attribution::plain(deviation.requirement)
    };
    let mut finding = finding(seen, Some(requirement), kind(seen, deviation));
    if matches!(end, End::Stream(_)) && is_loss_silent(seen) && variants.is_empty() {
        let note = "nothing but the end of the lanes shows a loss here: who was taken to have lost, and why, is not told";
        finding.notes.push(note.to_owned());
    }
    if let Some((requirement, sent)) = &seen.sent_off_turn
        && finding.requirement == Some(*requirement)
    {
        finding.notes.push(format!(
            "{sent}, and {:?} went by before anybody sent more",
            SETTLE
        ));
    }
    finding.suppose(seen.plan.side.word(), variants);
    finding.set_plain_requirement(plain);
    if is_about_rules {
        diagnosis::suppose(seen, &mut finding, deviation.lane, reaction);
    }
    if is_told_after_all(seen, deviation) {
        finding.notes.push(format!(
            "the loss was told after it; the move loses by {}",
            deviation.requirement
        ));
    } else if deviation.requirement != requirement
        && pack::requirement(deviation.requirement).is_some()
    {
        finding.notes.push(format!(
            "the line itself rests on {}",
            deviation.requirement
        ));
    }
    let stray = || doubled(seen, deviation).or_else(|| missed(seen, deviation));
    finding.stray = ends_well.then(stray).flatten();
    finding.lanes = lane_views(seen, deviation, end);
    finding.by_silence = matches!(end, End::Silence(_));
    finding
}

/// The line that was due and was not sent, or was sent wrongly: another roll came in the place of a roll, another move in that of a move, or
/// what means nothing. Only the roll of a skipped turn is followed by another one.
fn missed(seen: &Observed, deviation: &Deviation) -> Option<StrayLine> {
    let Some(DueLine::Event(number, event, to)) = deviation.due else {
        return None;
    };
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
    let fault = match is_changed {
        true if deviation.received.is_some() => LineFault::Changed,
        true => return None,
        false => LineFault::Missing,
    };
    Some(StrayLine {
        event: number,
        to: to.seat(),
        fault,
    })
}

/// The line that came once more: the last that was due on the lane before the one that is due now.
pub(super) fn doubled(seen: &Observed, deviation: &Deviation) -> Option<StrayLine> {
    let (line, _) = deviation.received.as_ref()?;
    let to = seen.model.party(deviation.lane)?;
    let before = match deviation.due {
        Some(DueLine::Event(number, ..)) => number,
        Some(DueLine::Handshake) => return None,
        _ => seen.model.history().len(),
    };
    let mut owed = Vec::new();
    let events = seen.model.history()[..before].iter().enumerate().rev();
    let mut told = events.filter_map(|(number, event)| {
        seen.plan.dialect.tell(event, to, &mut owed);
        let last = owed.drain(..).rfind(|line| line.duty == Duty::Must);
        last.map(|last| (number, last.line))
    });
    let (event, last) = told.next()?;
    (last == *line).then_some(StrayLine {
        event,
        to: to.seat(),
        fault: LineFault::Doubled,
    })
}

/// What came instead of another line, in words.
fn came(deviation: &Deviation) -> &'static str {
    use GameEvent::{Lost, Moved, Rolled};
    let due = match &deviation.due {
        Some(DueLine::Event(_, event, _)) => Some(event),
        _ => None,
    };
    match (deviation.heard, due) {
        (Some(RefereeLine::Roll(_)), Some(Rolled { .. })) => "another roll",
        (Some(RefereeLine::Roll(_)), _) => "a roll",
        (Some(RefereeLine::Move(_)), Some(Moved { .. })) => "another move",
        (Some(RefereeLine::Move(_)), _) => "a move",
        (Some(RefereeLine::Loss), Some(Lost { .. })) => "another loss",
        (Some(RefereeLine::Loss), _) => "a loss",
        (Some(RefereeLine::Other) | None, _) => "another line",
    }
}

/// The line of a player that the referee took as a move, though it loses or has to be ignored.
fn taken(seen: &Observed, deviation: &Deviation) -> Option<FindingKind> {
    if !matches!(deviation.heard, Some(RefereeLine::Move(_))) {
        return None;
    }
    let line = match (&deviation.expected, seen.model.losing_line()) {
        (Expected::Line(_), Some(line)) if !is_told_after_all(seen, deviation) => line,
        (Expected::NothingYet, None) if seen.model.has_ignored() => &seen.last_sent.as_ref()?.1,
        _ => return None,
    };
    let line = quoted(line).at_most(60).to_string();
    Some(match seen.model.losing_move() {
        Some(_) => FindingKind::IllegalTaken(line),
        None => FindingKind::TakenAsMove(line),
    })
}

/// Returns true if a roll came in the place of a move, which may follow it.
pub(super) fn may_be_swapped(seen: &Observed, deviation: &Deviation) -> bool {
    let is_move = |line: &[u8]| matches!(seen.plan.dialect.hear(line), RefereeLine::Move(_));
    matches!(&deviation.expected, Expected::Line(line) if is_move(line))
        && matches!(deviation.heard, Some(RefereeLine::Roll(_)))
}

/// The finding of a line that came in the place of a move, after the wait for what follows it: the move may have come next.
pub(super) fn maybe_swapped(seen: &Observed, deviation: &Deviation, finding: &Finding) -> Finding {
    let mut finding = finding.clone();
    let entries = seen.lanes[deviation.lane].entries.iter();
    let mut received = entries.filter(|entry| entry.direction == Direction::Received);
    let next = usize::try_from(deviation.line_number).ok();
    let next = next.and_then(|number| received.nth(number));
    if let (Expected::Line(due), Some(next)) = (&deviation.expected, next)
        && next.line.text == *due
    {
        // No reading of the rules tells a move late.
        finding.suppose(seen.plan.side.word(), Vec::new());
        finding.hypotheses = None;
        finding.requirement = Some(deviation.requirement);
        finding.set_kind(FindingKind::Swapped {
            lane: lane_name(seen, deviation.lane),
            came: came(deviation),
            due: deviation.due_in_words(),
        });
    }
    finding
}

fn kind(seen: &Observed, deviation: &Deviation) -> FindingKind {
    let lane = || lane_name(seen, deviation.lane);
    taken(seen, deviation).unwrap_or_else(|| deviation_kind(deviation, lane()))
}

/// The failure that a deviation is by itself. `lane`: the lane, in words.
pub(crate) fn deviation_kind(deviation: &Deviation, lane: String) -> FindingKind {
    let due = deviation.due_in_words();
    match (&deviation.expected, &deviation.received) {
        (Expected::NothingMore, _) => FindingKind::ReceivedAfterEnd(lane),
        (Expected::NothingYet, _) => FindingKind::ReceivedInMove {
            lane,
            came: came(deviation),
        },
        (_, Some((_, LineEnding::Newline))) => FindingKind::ReceivedOther {
            lane,
            came: came(deviation),
            due,
        },
        (_, Some((_, LineEnding::Missing))) => FindingKind::ReceivedUnended(lane),
        (_, Some((_, LineEnding::TooLong))) => FindingKind::ReceivedEndless(lane),
        (_, None) => FindingKind::NotReceived { lane, due },
    }
}

/// Nothing more came although something was due.
pub(super) fn silence(seen: &Observed) -> Finding {
    let waited = |lane: usize| seen.now.saturating_sub(seen.lanes[lane].last_heard);
    let owed = (0..seen.lanes.len()).filter_map(|lane| seen.model.missing(lane));
    // A line that has come but for its newline is the reason.
    if let Some(missing) = owed
        .clone()
        .find(|missing| !seen.lanes[missing.lane].unfinished.is_empty())
    {
        let begun = seen.lanes[missing.lane].unfinished.clone();
        let requirement = seen.plan.dialect.id(Role::Newline);
        let begun = Deviation {
            requirement,
            received: Some((begun, LineEnding::Missing)),
            ..*missing
        };
        return deviation(seen, &begun, End::Silence(waited(begun.lane)));
    }
    // The lane that has a line due tells more than one that only waits for the roll.
    let worst = owed.min_by_key(|deviation| !matches!(deviation.expected, Expected::Line(_)));
    match worst {
        Some(missing) => deviation(seen, &missing, End::Silence(waited(missing.lane))),
        None => finding(seen, None, FindingKind::NothingCame),
    }
}
