//! Findings about a line of a referee that is wrong or missing, and about lanes that it closes in mid-game, or not after the game.

use super::attribution::{
    attribute, is_lost_without_a_line, is_told_after_all, of_pieces, stray_line, suppose,
};
use super::clock::SETTLE;
use super::finding_context::{End, finding, lane_views, seconds, without_timeout};
use super::state::State;
use super::timeout;
use crate::diagnostic::visible::quoted;
use crate::finding::{Finding, Reaction, Verdict};
use crate::pack;
use crate::protocol::{
    Deviation, DueLine, Expected, GameEvent, Line, LineEnding, Party, RefereeLine,
};
use crate::requirement::Role;
use crate::scenario::Deed;
use crate::transcript::{Close, Direction};

/// A line that the model did not predict, or one that did not come.
pub(super) fn deviation(seen: &State, deviation: &Deviation, end: End) -> Finding {
    let is_early_loss = deviation.expected == Expected::NothingYet
        && deviation.heard == Some(RefereeLine::Loss)
        && seen.course.turn().is_some_and(|turn| {
            matches!(turn.deed, Deed::Silent | Deed::Send(_) | Deed::SendMove(..))
        });
    if is_early_loss || timeout::is_too_early(seen, end) {
        return timeout::early_loss(seen, deviation, end);
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
    let (requirement, may_be_of_rules) = match ends_well && seen.model.is_greeted() {
        true => attribute(seen, deviation, reaction),
        false => (deviation.requirement, false),
    };
    let mut finding = finding(seen, Some(requirement), title_of(seen, deviation));
    finding.reaction = Some(reaction);
    if may_be_of_rules {
        suppose(seen, &mut finding, deviation.lane, reaction);
    }
    if matches!(end, End::Stream(_)) && seen.plan.dialect.is_loss_silent() {
        let note = "nothing but the end of the lanes shows a loss here: who was taken to have lost, and why, is not told";
        finding.notes.push(note.to_owned());
    }
    if let Some((broken, sent)) = &seen.ignored
        && requirement == *broken
    {
        finding.notes.push(format!(
            "{sent}, and {:?} went by before anybody sent more",
            SETTLE
        ));
    }
    if is_told_after_all(seen, deviation) {
        finding.notes.push(format!(
            "the loss was told after it; the move loses by {}",
            deviation.requirement
        ));
    } else if of_pieces(seen) == Some(requirement) {
        let note = "the last line was sent in pieces, with a pause between";
        finding.notes.push(note.to_owned());
    } else if pack::requirement(deviation.requirement).is_some() {
        finding
            .notes
            .push(format!("the line is required by {}", deviation.requirement));
    }
    finding.stray = stray_line(seen, deviation).filter(|_| ends_well);
    finding.lanes = lane_views(seen, deviation, end);
    finding.by_silence = matches!(end, End::Silence(_));
    finding
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
fn taken(seen: &State, deviation: &Deviation) -> Option<String> {
    if !matches!(deviation.heard, Some(RefereeLine::Move(_))) {
        return None;
    }
    let line = match (&deviation.expected, seen.model.losing_line()) {
        (Expected::Line(_), Some(line)) if !is_told_after_all(seen, deviation) => line,
        (Expected::NothingYet, None) if seen.model.has_ignored() => {
            let (_, sent) = seen.last_sent.as_ref()?;
            let moved = match seen.model.history().last() {
                Some(GameEvent::Moved { mv, .. }) => seen.plan.dialect.write_move(*mv),
                _ => Vec::new(),
            };
            // The move before may have been sent after the line that has to be ignored.
            match (&deviation.received, *sent == moved) {
                (Some((received, _)), true) => received,
                _ => sent,
            }
        }
        _ => return None,
    };
    let line = quoted(line).at_most(60).to_string();
    Some(match seen.model.losing_move() {
        Some(_) => format!("the illegal move {line} was taken"),
        None => format!("{line} was taken as a move"),
    })
}

/// Returns true if a roll came in the place of a move, which may follow it.
pub(super) fn may_be_swapped(seen: &State, deviation: &Deviation) -> bool {
    let due = deviation.due_means(seen.plan.dialect);
    let is_roll = matches!(deviation.heard, Some(RefereeLine::Roll(_)));
    is_roll && matches!(due, Some(RefereeLine::Move(_)))
}

/// The finding of a line that came in the place of a move, after the wait for what follows it: the move may have come next.
pub(super) fn maybe_swapped(seen: &State, deviation: &Deviation, finding: &Finding) -> Finding {
    let mut finding = finding.clone();
    let mut received = seen.lanes[deviation.lane].lines(Direction::Received);
    let next = usize::try_from(deviation.line_number).ok();
    let next = next.and_then(|number| received.nth(number));
    if let (Expected::Line(due), Some(next)) = (&deviation.expected, next)
        && next.text == *due
    {
        // No mistake in the rules tells a move late.
        finding.symptom = None;
        finding.requirement = Some(deviation.requirement);
        let (came, due) = (came(deviation), deviation.due_in_words());
        let lane = seen.lane_name(deviation.lane);
        finding.retitle(format!(
            "{lane} received {came} before {due}: the two lines changed places"
        ));
    }
    finding
}

fn title_of(seen: &State, deviation: &Deviation) -> String {
    taken(seen, deviation)
        .unwrap_or_else(|| deviation_title(deviation, &seen.lane_name(deviation.lane)))
}

/// The failure that a deviation is by itself. `lane`: the lane, in words.
pub(crate) fn deviation_title(deviation: &Deviation, lane: &str) -> String {
    let (came, due) = (came(deviation), deviation.due_in_words());
    match (&deviation.expected, &deviation.received) {
        (Expected::NothingMore, _) => format!("{lane} received a line after the end of the game"),
        (Expected::NothingYet, _) => {
            format!("{lane} received {came} while a move was awaited")
        }
        (_, Some((_, LineEnding::Newline))) => {
            format!("{lane} received {came} instead of {due}")
        }
        (_, Some((_, LineEnding::Missing))) => {
            format!("{lane} received a line without its newline")
        }
        (_, Some((_, LineEnding::TooLong))) => format!("{lane} received a line without end"),
        (_, None) => format!("{lane} did not receive {due}"),
    }
}

/// Nothing more came although something was due.
pub(super) fn silence(seen: &State) -> Finding {
    let waited = |lane: usize| seen.now.saturating_sub(seen.lanes[lane].last_heard);
    let lanes = 0..seen.lanes.len();
    let is_begun = |lane: &usize| !seen.lanes[*lane].unfinished.is_empty();
    // A line that has come but for its newline is the reason.
    if let Some(missing) = furthest_behind(seen, lanes.clone().filter(is_begun)) {
        let begun = seen.lanes[missing.lane].unfinished.clone();
        let requirement = seen.id(Role::Newline);
        let begun = Deviation {
            requirement,
            received: Some((begun, LineEnding::Missing)),
            ..*missing
        };
        return deviation(seen, &begun, End::Silence(waited(begun.lane)));
    }
    let Some(missing) = furthest_behind(seen, lanes) else {
        return finding(seen, None, "nothing came in time");
    };
    let finding = deviation(seen, &missing, End::Silence(waited(missing.lane)));
    let is_of_game = |line: &Line| {
        let heard = seen.plan.dialect.hear(&line.text);
        matches!(heard, RefereeLine::Roll(_) | RefereeLine::Move(_))
    };
    let mut lines = seen.lanes[missing.lane].lines(Direction::Received);
    let is_late = seen.model.is_greeted() && !lines.any(is_of_game);
    match seen.model.party(missing.lane) {
        Some(Party::Spectator) if is_late => finding.noted("if this referee begins before all spectators have come, say for how many it waits: `--set spectators.wait-for=N`"),
        _ => finding,
    }
}

/// The referee ended a lane in mid-game, or crashed. A crash says nothing of the rules that it plays by, nor of the lines that it sends.
pub(super) fn ended(seen: &State, lane: usize) -> Finding {
    let ended = (0..seen.lanes.len()).filter(|&lane| seen.lanes[lane].ended.is_some());
    let lane = furthest_behind(seen, ended).map_or(lane, |missing| missing.lane);
    let close = seen.lanes[lane].ended.unwrap_or(Close::End);
    let owes = seen.model.missing(lane);
    let mut finding = deviation(seen, &seen.model.ended_early(lane), End::Stream(close));
    if matches!(seen.exited, Some((_, false))) {
        (finding.symptom, finding.stray, finding.reaction) = (None, None, None);
        if let Some(open) = seen.model.undecided() {
            finding.requirement = Some(open.requirement);
        }
        let after = match &seen.last_sent {
            Some((lane, line)) => {
                let (line, lane) = (quoted(line).at_most(60), seen.lane_name(*lane));
                format!("after {line} by {lane}")
            }
            None => "before anything was sent to it".to_owned(),
        };
        finding.retitle(format!("the referee crashed in mid-game, {after}"));
        return finding;
    }
    let how = match close {
        Close::End => "closed",
        Close::Reset => "reset",
        Close::Broken => "broke off",
        Close::Lost => "lost",
    };
    let name = seen.lane_name(lane);
    match owes {
        Some(owed) => {
            let due = owed.due_in_words();
            finding.retitle(format!("the referee {how} the lane of {name} before {due}"));
        }
        None if timeout::is_too_early(seen, End::Stream(close)) => {}
        None => finding.retitle(format!("the referee {how} the lane of {name} in mid-game")),
    }
    finding
}

/// The missing line of the lane that is furthest behind. A lane that lacks a certain line is further behind than one that only waits for a roll.
fn furthest_behind(seen: &State, lanes: impl Iterator<Item = usize>) -> Option<Box<Deviation>> {
    let owed = lanes.filter_map(|lane| seen.model.missing(lane));
    owed.min_by_key(|missing| !matches!(missing.expected, Expected::Line(_)))
}

/// Lanes that are still open although the game is over, in a dialect in which they have to end.
pub(super) fn still_open(seen: &State, names: &[String]) -> Option<Finding> {
    let ending = *seen.model.history().last()?;
    let closing = seen.plan.dialect.closes_after(&ending)?;
    let has_any_ended = timeout::has_any_ended(seen);
    let waited = seconds(timeout::closing_budget(seen));
    let is_explained = !has_any_ended && !is_lost_without_a_line(seen);
    // The rule by which the move wins or the line loses, where that is what the scenario is about.
    let rule = seen.model.ground_of_last_move();
    let grounds = [rule, Some(closing.none), Some(closing.some)];
    let mut checks = seen.plan.checks.iter().copied();
    let (requirement, title) = if has_any_ended {
        let lanes = names.join(" and ");
        let title =
            format!("the lane of {lanes} was still open {waited} after the end of the game");
        (closing.some, title)
    } else {
        let checked = checks.find(|id| is_explained && grounds.contains(&Some(id)));
        let title = format!("no lane had ended {waited} after the end of the game");
        (checked.unwrap_or(closing.none), title)
    };
    let mut finding = finding(seen, Some(requirement), title);
    if is_explained {
        suppose(seen, &mut finding, 0, Reaction::Waits);
    }
    finding.by_silence = true;
    if let (GameEvent::Lost { .. }, Some(rule)) = (ending, rule) {
        finding.notes.push(format!("the line loses by {rule}"));
    }
    Some(finding)
}

/// A player has gone away, no lane has ended for as long as urtext waits, and the timeout is not known.
pub(super) fn unknown_timeout(seen: &State) -> Finding {
    let waited = seconds(seen.settings.budgets.forfeit);
    let title = format!(
        "no lane had ended {waited} after a player went away on its turn, and the timeout is not known"
    );
    let finding = finding(seen, Some(seen.id(Role::GoneOffTurn)), title)
        .noted("the player may lose at once, or when its time is over");
    without_timeout(finding, Verdict::Inconclusive)
}
