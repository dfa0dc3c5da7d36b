//! Findings of observations whose meaning was open until later events came, or did not come.

use super::bot::silence;
use super::finding_context::{End, lane_name};
use super::observed::Observed;
use super::speechless::{ended_as_told, never_spoke};
use super::wait::Pending;
use super::{after_close, closing, deviation};
use crate::diagnostic::visible::quoted;
use crate::finding::{Finding, FindingKind, Reaction};
use crate::scenario::Side;
use crate::transcript::Close;

/// Returns the finding of a pending observation, after the wait for later events.
pub(super) fn finding(seen: &Observed, pending: &Pending) -> Finding {
    let mut finding = match pending {
        Pending::Ended { .. } if !seen.heard.anything => {
            let mut finding = never_spoke(seen);
            if seen.plan.side == Side::Bot {
                silence::suppose(seen, &mut finding, Reaction::End);
            }
            finding
        }
        Pending::Ended { .. } if seen.plan.side == Side::Bot => silence::ended(seen),
        Pending::Ended { lane, close } => ended(seen, *lane, *close),
        Pending::Silent { finding, heard, .. } => after_close::silent(seen, finding, heard),
        Pending::Line(line) => deviation::deviation(seen, line, End::Line),
        Pending::Swapped(line, finding) => deviation::maybe_swapped(seen, line, finding),
        Pending::Unanswered {
            heard,
            has_exited,
            evidence,
        } => {
            let mut finding = silence::unanswered(seen, *heard, *has_exited);
            finding
                .notes
                .extend(evidence.clone().filter(|_| finding.by_silence));
            finding
        }
    };
    let who = seen.plan.side.word();
    match (pending, &seen.exited) {
        // What never spoke has been said to have ended, or not.
        (_, None) => {}
        _ if !seen.heard.anything => {}
        // Whom we have left may well end, and that says nothing.
        (
            Pending::Silent {
                has_exited: false, ..
            },
            _,
        ) => {}
        (
            Pending::Unanswered {
                has_exited: false, ..
            },
            Some((status, _)),
        ) => {
            finding.notes.push(ended_as_told(who, status));
        }
        (_, Some((status, true))) => {
            let note = format!("the {who}'s process ended: {status}");
            finding.notes.push(note);
        }
        (_, Some((status, false))) => finding.crash = Some(status.clone()),
    }
    let is_turn_of_bot = seen.model.awaits_move_of() == Some(seen.plan.bot_seat);
    let is_bot = seen.plan.side == Side::Bot;
    finding.crashed_in_turn = finding.crash.is_some() && is_bot && is_turn_of_bot;
    finding
}

/// The referee ended a lane in mid-game, or crashed.
fn ended(seen: &Observed, lane: usize, close: Close) -> Finding {
    let (lane, close) = after_close::ended_first(seen).unwrap_or((lane, close));
    let owes = seen.model.missing(lane);
    let Some((status, false)) = &seen.exited else {
        return closing::hung_up(seen, lane, owes.as_deref(), close);
    };
    let after = seen.last_sent.as_ref().map(|(lane, line)| {
        let line = quoted(line).at_most(60).to_string();
        (line, lane_name(seen, *lane))
    });
    let mut finding = closing::crashed(seen, lane, owes.as_deref(), close);
    finding.set_kind(FindingKind::Crashed {
        after,
        status: status.to_string(),
    });
    finding
}
