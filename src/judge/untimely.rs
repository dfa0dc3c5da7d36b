//! Findings about lines and losses that come too early or too late.

use std::time::Duration;

use super::clock::Late;
use super::diagnosis::is_loss_silent;
use super::finding_context::{End, lane_name, lane_views, seconds, timing};
use super::observed::Observed;
use super::slack::not_before;
use crate::finding::{Excuse, Finding, FindingKind, LaneText, LaneView, Verdict};
use crate::protocol::Deviation;
use crate::requirement::Role;
use crate::scenario::{SendPart, Turn};

/// The loss by timeout was seen before the time was over.
pub(super) fn early_loss(seen: &Observed, deviation: &Deviation, end: End) -> Finding {
    let after = seen.now.saturating_sub(seen.clock.rolled_at);
    let kind = FindingKind::LossTooEarly(seconds(after));
    let mut finding = timing(seen, Some(not_early(seen)), kind);
    finding.lanes = lane_views(seen, deviation, end);
    if let Some(timeout) = seen.settings.timeout {
        let sure = seconds(not_before(seen, timeout));
        let now = seconds(seen.now);
        finding.notes.push(format!(
            "the timeout is {}; {now} into the game, it cannot be over before {sure}",
            seconds(timeout)
        ));
        // The lanes of a game can have been open for that long when its time begins for urtext.
        let lag = seen.lag_since(Duration::ZERO);
        if seen.clock.from.is_none() && seen.now + lag >= not_before(seen, timeout) {
            finding.verdict = Verdict::Inconclusive;
            finding.doubt(Excuse::Busy);
            finding.notes.push(busy(lag));
        }
    }
    finding
}

/// Lag hides if a time is right: the finding decides nothing, and the game is played again.
pub(super) fn unsure(
    seen: &Observed,
    requirement: Option<&'static str>,
    title: impl Into<FindingKind>,
    lag: Duration,
) -> Finding {
    let mut finding = timing(seen, requirement, title);
    finding.verdict = Verdict::Inconclusive;
    finding.notes.push(busy(lag));
    finding
}

/// Lag hides if a loss by timeout came too `early` or too `late`.
pub(super) fn unsure_loss(seen: &Observed, when: &'static str, lag: Duration) -> Finding {
    let requirement = match when {
        "early" => not_early(seen),
        _ => seen.plan.dialect.id(Role::TimeoutNotLate),
    };
    let title =
        format!("this machine was too busy to tell whether the loss by timeout came too {when}");
    unsure(seen, Some(requirement), title, lag)
}

fn busy(lag: Duration) -> String {
    format!(
        "urtext was woken late, or the subject was ready to run and did not run, for up to {lag:.2?}; fewer --jobs help"
    )
}

/// Returns true if lanes close while a player lets the timeout pass, in a dialect where only the close shows
/// a loss.
pub(super) fn is_too_early(seen: &Observed, end: End) -> bool {
    let lets_time_pass = |turn: Turn| seen.plan.lets_time_pass(&turn.deed);
    matches!(end, End::Stream(_))
        && !seen.model.is_over()
        && is_loss_silent(seen)
        && seen.turn().is_some_and(lets_time_pass)
}

/// Id of the requirement that a loss breaks which comes before the timeout is over.
fn not_early(seen: &Observed) -> &'static str {
    let dialect = seen.plan.dialect;
    let by_default = dialect
        .find_id(Role::DefaultTimeout)
        .filter(|_| seen.plan.leaves("timeout"));
    let own_turn = Some(dialect.id(Role::OwnTurnTimed)).filter(|id| seen.plan.checks.contains(id));
    by_default
        .or(own_turn)
        .unwrap_or(dialect.id(Role::TimeoutNotEarly))
}

/// The first sign of a loss by silence came too late.
pub(super) fn late_loss(seen: &Observed, lane: usize, late: Late) -> Finding {
    let dialect = seen.plan.dialect;
    let requirement = match &late.restarted {
        Some(_) if has_sent_in_vain(seen) => dialect
            .find_id(Role::NoNewTimeByIgnoredLine)
            .unwrap_or(dialect.id(Role::NoNewTime)),
        Some(_) => dialect.id(Role::NoNewTime),
        None => dialect.id(Role::TimeoutNotLate),
    };
    let kind = FindingKind::LossTooLate {
        waited: seconds(late.waited),
        restarted: late.restarted.map(|(at, what)| (seconds(at), what)),
    };
    let mut finding = timing(seen, Some(requirement), kind);
    finding.lanes = vec![LaneView {
        lane: lane_name(seen, lane),
        line_number: seen.model.received(lane),
        expected: LaneText::Timed("the loss by timeout within".to_owned(), late.allowed),
        received: LaneText::Timed("its first sign after".to_owned(), late.waited),
        agrees: false,
    }];
    if let Some(timeout) = seen.settings.timeout {
        finding.notes.push(format!(
            "the timeout is {}; a quarter of it and 0.5 s, at least 1.25 s, and the measured lag were allowed for",
            seconds(timeout)
        ));
    }
    finding
}

/// A line came that was due, and after its time.
pub(super) fn late(seen: &Observed, missing: &Deviation, late: Duration) -> Finding {
    let waited = seen.settings.budgets.answer + late;
    let kind = FindingKind::ReceivedLate {
        due: missing.due_in_words(),
        lane: lane_name(seen, missing.lane),
        late: seconds(late),
    };
    let mut finding = timing(seen, Some(missing.requirement), kind);
    finding.lanes = lane_views(seen, missing, End::Silence(waited));
    finding.notes.push(format!(
        "lines may take {}; --budget answer=DURATION says so",
        seconds(seen.settings.budgets.answer)
    ));
    finding
}

/// Returns true if the player on turn sent lines that are ignored, so that the timeout passes all the same.
fn has_sent_in_vain(seen: &Observed) -> bool {
    let sends = |turn: Turn| !SendPart::lines(turn.deed.parts()).0.is_empty();
    seen.turn().is_some_and(sends)
}
