//! Findings about lanes that a referee closes in mid-game, or does not close after it.

use super::attribution::is_lost_without_a_line;
use super::deviation::deviation;
use super::diagnosis;
use super::finding_context::{End, finding, lane_name, seconds};
use super::observed::Observed;
use super::timeout::{closing_budget, has_any_ended};
use super::untimely::is_too_early;
use crate::finding::{Finding, FindingKind, LastEvent, Reaction, Verdict};
use crate::protocol::{Cause, Deviation, GameEvent};
use crate::requirement::Role;
use crate::rules::GameResult;
use crate::transcript::Close;

/// The referee ended a lane in mid-game.
pub(super) fn hung_up(
    seen: &Observed,
    lane: usize,
    owes: Option<&Deviation>,
    close: Close,
) -> Finding {
    let mut finding = ended(seen, lane, owes, close);
    let how = match close {
        Close::End => "closed",
        Close::Reset => "reset",
        Close::Broken => "broke off",
        Close::Lost => "lost",
    };
    let name = lane_name(seen, lane);
    match owes {
        _ if finding.variants.len() == 1 => {}
        Some(owed) => {
            let due = owed.due_in_words();
            finding.set_kind(FindingKind::EndedBeforeLine {
                how,
                due,
                lane: name,
            });
        }
        None if is_too_early(seen, End::Stream(close)) => {}
        None => finding.set_kind(FindingKind::EndedInMidGame { how, lane: name }),
    }
    finding
}

/// The referee's process ended with a lane in mid-game. A crash says nothing of the rules that it plays by, nor of the lines
/// that it sends.
pub(super) fn crashed(
    seen: &Observed,
    lane: usize,
    owes: Option<&Deviation>,
    close: Close,
) -> Finding {
    let mut finding = ended(seen, lane, owes, close);
    if finding.variants.len() > 1 {
        finding.suppose(seen.plan.side.word(), Vec::new());
    }
    (finding.hypotheses, finding.stray) = (None, None);
    if let Some(open) = seen.model.undecided() {
        finding.requirement = Some(open.requirement);
    }
    finding
}

fn ended(seen: &Observed, lane: usize, owes: Option<&Deviation>, close: Close) -> Finding {
    match owes {
        Some(owed) => deviation(seen, owed, End::Stream(close)),
        None => deviation(seen, &seen.model.ended_early(lane), End::Stream(close)),
    }
}

/// Lanes that are still open although the game is over, in a dialect in which they have to end.
pub(super) fn still_open(seen: &Observed, names: &[String]) -> Option<Finding> {
    let ending = *seen.model.history().last()?;
    let closing = seen.plan.dialect.closes_after(&ending)?;
    let has_any_ended = has_any_ended(seen);
    let waited = seconds(closing_budget(seen));
    let is_explained = !has_any_ended && !is_lost_without_a_line(seen);
    let rows = if is_explained {
        diagnosis::explain(seen, 0, Reaction::Nothing)
    } else {
        Vec::new()
    };
    let all = |end: LastEvent| FindingKind::AllStillOpen {
        waited: waited.clone(),
        end,
    };
    let (requirement, kind) = match (ending, has_any_ended) {
        (_, true) => {
            let (lanes, waited) = (names.join(" and "), waited.clone());
            (closing.some, FindingKind::SomeStillOpen { lanes, waited })
        }
        (GameEvent::Moved { result, .. }, false) => {
            // The rule by which the move wins, where that is what the scenario is about.
            let grounds = [
                seen.model.ground_of_last_move(),
                Some(closing.none),
                Some(closing.some),
            ];
            let checked = seen
                .plan
                .checks
                .iter()
                .find(|id| grounds.contains(&Some(**id)));
            let end = match result {
                Some(GameResult::Drawn) => LastEvent::Drawn,
                _ => LastEvent::Won,
            };
            (checked.copied().unwrap_or(closing.none), all(end))
        }
        (
            GameEvent::Lost {
                cause: Cause::Invalid(rule),
                ..
            },
            false,
        ) => {
            // The rule that the line breaks, where that is what the scenario is about.
            let grounds = [rule, closing.none, closing.some];
            let checked = seen.plan.checks.iter().find(|id| grounds.contains(id));
            let kind = all(LastEvent::WrongLine);
            (checked.copied().unwrap_or(closing.none), kind)
        }
        _ => (closing.none, all(LastEvent::Other)),
    };
    let mut finding = finding(seen, Some(requirement), kind);
    if let [variant] = rows[..] {
        finding = finding.inferring(seen.plan.side.word(), variant, requirement);
        finding.requirement = Some(variant.breaks);
    }
    if is_explained {
        diagnosis::suppose(seen, &mut finding, 0, Reaction::Waits);
    }
    finding.by_silence = true;
    if let GameEvent::Lost {
        cause: Cause::Invalid(rule),
        ..
    } = ending
    {
        finding.notes.push(format!("the line loses by {rule}"));
    }
    Some(finding)
}

/// A player has gone away, no lane has ended for as long as urtext waits, and the timeout is not known.
pub(super) fn unknown_timeout(seen: &Observed) -> Finding {
    let waited = seconds(seen.settings.budgets.forfeit);
    let title = format!(
        "no lane had ended {waited} after a player went away on its turn, and the timeout is not known"
    );
    let mut finding = finding(seen, None, title);
    finding.verdict = Verdict::Inconclusive;
    finding.requirement = Some(seen.plan.dialect.id(Role::GoneOffTurn));
    finding.settled_by = Some("timeout");
    finding.notes.push("the player may lose at once, or when its time is over; say the timeout of this referee, and it is judged: \
         `timeout:` in urtext.yaml, or --set timeout=DURATION".to_owned());
    finding
}
