//! Builds findings about a referee, resolves pending observations, and reports silent subjects.

use std::time::Duration;

use super::after_close;
use super::attribution::{attribute, is_lost_without_a_line, is_told_after_all};
use super::bot_causes;
use super::clock::Late;
use super::diagnosis::{self, Reaction, is_loss_silent};
use super::finding_context::{End, finding, lane_name, lane_views, seconds, timing};
use super::observed::Observed;
use super::slack::{SETTLE, not_before, slack_words};
use super::speechless::{ended_as_told, never_spoke};
use super::timeout::{closing_budget, has_any_ended};
use super::wait::Pending;
use crate::diagnostic::visible::quoted;
use crate::event::{Finding, LaneText, LaneView, Verdict};
use crate::pack;
use crate::protocol::{Cause, Deviation, Expected, GameEvent, LineEnding, RefereeLine};
use crate::requirement::Role;
use crate::rules::GameResult;
use crate::scenario::{PlayerAction, SendPart, Side, Turn};
use crate::transcript::Close;

/// Returns the finding of a pending observation, after the wait for later events.
pub(super) fn pending(seen: &Observed, pending: &Pending) -> Finding {
    let mut finding = match pending {
        Pending::Ended { .. } if !seen.heard.anything => never_spoke(seen),
        Pending::Ended { .. } if seen.scenario.side == Side::Bot => bot_causes::ended(seen),
        Pending::Ended { lane, close } => {
            let (lane, close) = after_close::ended_first(seen).unwrap_or((*lane, *close));
            let mut finding = hung_up(seen, lane, seen.model.missing(lane).as_deref(), close);
            // One crash is not another: only where both are equal are they told as one.
            if let Some((status, false)) = &seen.exited {
                let after = match &seen.sent.last {
                    Some((lane, line)) => {
                        format!(
                            "after {} by {}",
                            quoted(line).at_most(60),
                            lane_name(seen, *lane)
                        )
                    }
                    None => "before anything was sent to it".to_owned(),
                };
                finding.title = format!("the referee crashed in mid-game, {after}: {status}");
                finding.notes.retain(|note| !note.contains("behaves as if"));
            }
            finding
        }
        Pending::Silent { finding, heard, .. } => after_close::silent(seen, finding, heard),
        Pending::Line(line) => deviation(seen, line, End::Line),
        Pending::Unanswered {
            heard,
            has_exited,
            evidence,
        } => {
            let mut finding = bot_causes::unanswered(seen, *heard, *has_exited);
            finding
                .notes
                .extend(evidence.clone().filter(|_| finding.by_silence));
            finding
        }
    };
    let who = seen.scenario.side.word();
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
        (_, Some((status, _))) => finding
            .notes
            .push(format!("the {who}'s process ended: {status}")),
    }
    finding
}

/// A line that the model did not predict, or one that did not come.
pub(super) fn deviation(seen: &Observed, deviation: &Deviation, end: End) -> Finding {
    let lane = lane_name(seen, deviation.lane);
    let is_early_loss = deviation.expected == Expected::NothingYet
        && deviation.heard == Some(RefereeLine::Loss)
        && seen.turn().is_some_and(|turn| {
            matches!(turn.action, PlayerAction::Silent | PlayerAction::Send(_))
        });
    if is_early_loss || is_too_early(seen, end) {
        let after = seen.now.saturating_sub(seen.clock.rolled_at);
        let title = format!(
            "the loss by timeout was seen after {}, too early",
            seconds(after)
        );
        let mut finding = timing(seen, Some(not_early(seen)), title);
        finding.lanes = lane_views(seen, deviation, end);
        if let Some(timeout) = seen.settings.timeout {
            let sure = seconds(not_before(seen, timeout));
            let now = seconds(seen.now);
            finding.notes.push(format!(
                "the timeout is {}; {now} into the game, it cannot be over before {sure}",
                seconds(timeout)
            ));
            let from = seen
                .clock
                .from
                .unwrap_or_default()
                .min(seen.clock.rolled_at);
            let lag = seen.lag_since(from);
            finding.notes.push(slack_words(timeout, lag));
            // Lag that was reported since the wait began moves the bound.
            if lag > seen.settings.lag && seen.now >= not_before(seen, timeout) {
                finding.verdict = Verdict::Inconclusive;
                finding.title.push_str(", and this machine was busy");
            }
        }
        return finding;
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
    let (requirement, summaries) = if ends_well && seen.model.is_greeted() {
        attribute(seen, deviation, reaction)
    } else {
        (deviation.requirement, Vec::new())
    };
    let title = match (
        summaries.as_slice(),
        &deviation.expected,
        &deviation.received,
    ) {
        ([summary], ..) => format!("the referee behaves as if {summary}"),
        (_, Expected::NothingMore, _) => {
            format!("{lane} received a line after the end of the game")
        }
        (_, Expected::NothingYet, _) => format!("{lane} received a line while a move was awaited"),
        (_, _, Some((_, LineEnding::Newline))) => {
            format!("{lane} received another line than the one that was due")
        }
        (_, _, Some((_, LineEnding::Missing))) => {
            format!("{lane} received a line without its newline")
        }
        (_, _, Some((_, LineEnding::TooLong))) => format!("{lane} received a line without end"),
        (_, _, None) => format!("{lane} did not receive the line that was due"),
    };
    let mut finding = finding(seen, Some(requirement), title);
    if matches!(end, End::Stream(_)) && is_loss_silent(seen) && summaries.is_empty() {
        let note = "nothing but the end of the lanes shows a loss here: who was taken to have lost, and why, is not told";
        finding.notes.push(note.to_owned());
    }
    if let Some((requirement, sent)) = &seen.sent.off_turn
        && finding.requirement == Some(*requirement)
    {
        finding.notes.push(format!(
            "{sent}, and {:?} went by before anybody sent more",
            SETTLE
        ));
    }
    if summaries.len() > 1 {
        finding.notes.push(format!(
            "the referee behaves as if {}",
            summaries.join(", or as if ")
        ));
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
    finding.lanes = lane_views(seen, deviation, end);
    finding.by_silence = matches!(end, End::Silence(_));
    finding
}

/// Id of the requirement that a loss breaks which comes before the timeout is over.
fn not_early(seen: &Observed) -> &'static str {
    let dialect = seen.scenario.dialect;
    let by_default = dialect
        .find_id(Role::DefaultTimeout)
        .filter(|_| seen.scenario.leaves("timeout"));
    let own_turn =
        Some(dialect.id(Role::OwnTurnTimed)).filter(|id| seen.scenario.checks.contains(id));
    by_default
        .or(own_turn)
        .unwrap_or(dialect.id(Role::TimeoutNotEarly))
}

/// The first sign of a loss by silence came too late.
pub(super) fn late_loss(seen: &Observed, lane: usize, late: Late) -> Finding {
    let dialect = seen.scenario.dialect;
    let requirement = match late.restarted {
        Some(_) if has_sent_in_vain(seen) => dialect
            .find_id(Role::NoNewTimeByIgnoredLine)
            .unwrap_or(dialect.id(Role::NoNewTime)),
        Some(_) => dialect.id(Role::NoNewTime),
        None => dialect.id(Role::TimeoutNotLate),
    };
    let mut title = format!(
        "the loss by timeout was seen after {}, too late",
        seconds(late.waited)
    );
    if let Some(at) = late.restarted {
        title.push_str(&format!(
            ", as if what happened after {} had given new time",
            seconds(at)
        ));
    }
    let mut finding = timing(seen, Some(requirement), title);
    finding.lanes = vec![LaneView {
        lane: lane_name(seen, lane),
        line_number: seen.model.received(lane),
        expected: LaneText::Words(format!(
            "the loss by timeout within {}",
            seconds(late.allowed)
        )),
        received: LaneText::Words(format!("its first sign after {}", seconds(late.waited))),
        agrees: false,
    }];
    if let Some(timeout) = seen.settings.timeout {
        finding.notes.push(format!(
            "the timeout is {}; a quarter of it, 0.5 s and the measured lag of {:.2?} were allowed for",
            seconds(timeout),
            seen.settings.lag
        ));
    }
    finding
}

/// A player has gone away, no lane has ended for as long as urtext waits, and the timeout is not known.
pub(super) fn unknown_timeout(seen: &Observed) -> Finding {
    let waited = seconds(seen.settings.budgets.forfeit);
    let title = format!(
        "no lane had ended {waited} after a player went away on its turn, and the timeout is not known"
    );
    let mut finding = finding(seen, None, title);
    finding.verdict = Verdict::Inconclusive;
    finding.requirement = Some(seen.scenario.dialect.id(Role::GoneOffTurn));
    finding.settled_by = Some("timeout");
    finding.notes.push(
        "the player may lose at once, or when its time is over; say the timeout of this referee, and it is judged: \
         `timeout:` in urtext.yaml, or --timeout"
            .to_owned(),
    );
    finding
}

/// A line came that was due, and after its time.
pub(super) fn late(seen: &Observed, missing: &Deviation, late: Duration) -> Finding {
    let waited = seen.settings.budgets.answer + late;
    let title = format!(
        "{} received the line that was due {} too late",
        lane_name(seen, missing.lane),
        seconds(late)
    );
    let mut finding = timing(seen, Some(missing.requirement), title);
    finding.lanes = lane_views(seen, missing, End::Silence(waited));
    finding.notes.push(format!(
        "lines may take {}; --answer-budget says so",
        seconds(seen.settings.budgets.answer)
    ));
    finding
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
        let requirement = seen.scenario.dialect.id(Role::Newline);
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
        None => finding(seen, None, "nothing came in time".to_owned()),
    }
}

/// The referee ended a lane in mid-game.
pub(super) fn hung_up(
    seen: &Observed,
    lane: usize,
    owes: Option<&Deviation>,
    close: Close,
) -> Finding {
    let how = match close {
        Close::End => "closed",
        Close::Reset => "reset",
        Close::Broken => "broke off",
        Close::Lost => "lost",
    };
    match owes {
        Some(owed) => {
            let mut finding = deviation(seen, owed, End::Stream(close));
            if !finding.title.contains("behaves as if") {
                finding.title = format!(
                    "the referee {how} the lane of {} before the line that was due",
                    lane_name(seen, lane)
                );
            }
            finding
        }
        None => {
            let mut finding = deviation(seen, &seen.model.ended_early(lane), End::Stream(close));
            if !finding.title.contains("behaves as if") && !is_too_early(seen, End::Stream(close)) {
                finding.title = format!(
                    "the referee {how} the lane of {} in mid-game",
                    lane_name(seen, lane)
                );
            }
            finding
        }
    }
}

/// Returns true if lanes close while a player lets the timeout pass, in a dialect where only the close shows
/// a loss.
fn is_too_early(seen: &Observed, end: End) -> bool {
    let lets_time_pass = |turn: Turn| seen.scenario.lets_time_pass(&turn.action);
    matches!(end, End::Stream(_))
        && !seen.model.is_over()
        && is_loss_silent(seen)
        && seen.turn().is_some_and(lets_time_pass)
}

/// Lanes that are still open although the game is over, in a dialect in which they have to end.
pub(super) fn still_open(seen: &Observed, names: &[String]) -> Option<Finding> {
    let ending = *seen.model.history().last()?;
    let closing = seen.scenario.dialect.closes_after(&ending)?;
    let has_any_ended = has_any_ended(seen);
    let waited = seconds(closing_budget(seen));
    let is_explained = !has_any_ended && !is_lost_without_a_line(seen);
    let rows = if is_explained {
        diagnosis::explain(seen, 0, Reaction::Nothing)
    } else {
        Vec::new()
    };
    let (requirement, title) = match (rows.as_slice(), ending, has_any_ended) {
        ([row], ..) => (
            row.breaks,
            format!("the referee behaves as if {}", row.summary),
        ),
        (.., true) => (
            closing.some,
            format!(
                "the lane of {} was still open {waited} after the end of the game",
                names.join(" and ")
            ),
        ),
        (_, GameEvent::Moved { result, .. }, false) => {
            // The rule by which the move wins, where that is what the scenario is about.
            let grounds = [
                seen.model.ground_of_last_move(),
                Some(closing.none),
                Some(closing.some),
            ];
            let checked = seen
                .scenario
                .checks
                .iter()
                .find(|id| grounds.contains(&Some(**id)));
            let does = if result == Some(GameResult::Drawn) {
                "draws"
            } else {
                "wins"
            };
            let title = format!("no lane had ended {waited} after the move that {does} the game");
            (checked.copied().unwrap_or(closing.none), title)
        }
        (
            _,
            GameEvent::Lost {
                cause: Cause::Invalid(rule),
                ..
            },
            false,
        ) => {
            // The rule that the line breaks, where that is what the scenario is about.
            let grounds = [rule, closing.none, closing.some];
            let checked = seen.scenario.checks.iter().find(|id| grounds.contains(id));
            let title = format!("no lane had ended {waited} after a line that loses the game");
            (checked.copied().unwrap_or(closing.none), title)
        }
        _ => (
            closing.none,
            format!("no lane had ended {waited} after the end of the game"),
        ),
    };
    let mut finding = finding(seen, Some(requirement), title);
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

/// Returns true if the player on turn sent lines that are ignored, so that the timeout passes all the same.
pub(super) fn has_sent_in_vain(seen: &Observed) -> bool {
    match seen.turn().map(|turn| turn.action) {
        Some(PlayerAction::Send(parts)) => !SendPart::lines(&parts).0.is_empty(),
        _ => false,
    }
}
