//! Builds findings about a referee, resolves pending observations, and reports silent subjects.

use std::time::Duration;

use super::after_close;
use super::attribution::{attribute, is_lost_without_a_line, is_told_after_all};
use super::bot_causes;
use super::clock::Late;
use super::diagnosis::{self, Reaction, is_loss_silent};
use super::finding_context::{End, finding, lane_name, lane_views, seconds, timing};
use super::slack::{SETTLE, not_before, slack_words};
use super::speechless::{ended_as_told, never_spoke};
use super::state::{Pending, State};
use super::timeout::{closing_budget, has_any_ended};
use crate::diagnostic::visible::quoted;
use crate::event::{Finding, LaneText, LaneView, Verdict};
use crate::protocol::{Cause, Deviation, Expected, GameEvent, LineEnding, RefereeLine};
use crate::requirement::{self, Role};
use crate::rules::GameResult;
use crate::scenario::{PlayerAction, SendPart, Side, Turn};
use crate::transcript::Close;

/// Returns the finding of a pending observation, after the wait for later events.
pub(super) fn pending(state: &State, pending: &Pending) -> Finding {
    let mut finding = match pending {
        Pending::Ended { .. } if !state.has_heard => never_spoke(state),
        Pending::Ended { .. } if state.scenario.side == Side::Bot => bot_causes::ended(state),
        Pending::Ended { lane, close } => {
            let (lane, close) = after_close::ended_first(state).unwrap_or((*lane, *close));
            let mut finding = hung_up(state, lane, state.model.missing(lane).as_deref(), close);
            // One crash is not another: only where both are equal are they told as one.
            if let Some((status, false)) = &state.exited {
                let after = match &state.last_sent {
                    Some((lane, line)) => {
                        format!(
                            "after {} by {}",
                            quoted(line).at_most(60),
                            lane_name(state, *lane)
                        )
                    }
                    None => "before anything was sent to it".to_owned(),
                };
                finding.title = format!("the referee crashed in mid-game, {after}: {status}");
                finding.notes.retain(|note| !note.contains("behaves as if"));
            }
            finding
        }
        Pending::Silent { finding, heard, .. } => after_close::silent(state, finding, heard),
        Pending::Line(line) => deviation(state, line, End::Line),
        Pending::Unanswered {
            heard,
            has_exited,
            evidence,
        } => {
            let mut finding = bot_causes::unanswered(state, *heard, *has_exited);
            finding
                .notes
                .extend(evidence.clone().filter(|_| finding.by_silence));
            finding
        }
    };
    let who = state.scenario.side.word();
    match (pending, &state.exited) {
        // What never spoke has been said to have ended, or not.
        (_, None) => {}
        _ if !state.has_heard => {}
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
pub(super) fn deviation(state: &State, deviation: &Deviation, end: End) -> Finding {
    let lane = lane_name(state, deviation.lane);
    let is_early_loss = deviation.expected == Expected::NothingYet
        && deviation.heard == Some(RefereeLine::Loss)
        && state.turn().is_some_and(|turn| {
            matches!(turn.action, PlayerAction::Silent | PlayerAction::Send(_))
        });
    if is_early_loss || is_too_early(state, end) {
        let after = state.now.saturating_sub(state.rolled_at);
        let title = format!(
            "the loss by timeout was seen after {}, too early",
            seconds(after)
        );
        let mut finding = timing(state, Some(not_early(state)), title);
        finding.lanes = lane_views(state, deviation, end);
        if let Some(timeout) = state.settings.timeout {
            let sure = seconds(not_before(state, timeout));
            let now = seconds(state.now);
            finding.notes.push(format!(
                "the timeout is {}; {now} into the game, it cannot be over before {sure}",
                seconds(timeout)
            ));
            let from = state.clock_from.unwrap_or_default().min(state.rolled_at);
            let lag = state.lag_since(from);
            finding.notes.push(slack_words(timeout, lag));
            // Lag that was reported since the wait began moves the bound.
            if lag > state.settings.lag && state.now >= not_before(state, timeout) {
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
    let (requirement, summaries) = if ends_well && state.model.is_greeted() {
        attribute(state, deviation, reaction)
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
    let mut finding = finding(state, Some(requirement), title);
    if matches!(end, End::Stream(_)) && is_loss_silent(state) && summaries.is_empty() {
        let note = "nothing but the end of the lanes shows a loss here: who was taken to have lost, and why, is not told";
        finding.notes.push(note.to_owned());
    }
    if let Some((requirement, sent)) = &state.off_turn
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
    if is_told_after_all(state, deviation) {
        finding.notes.push(format!(
            "the loss was told after it; the move loses by {}",
            deviation.requirement
        ));
    } else if deviation.requirement != requirement
        && requirement::find(deviation.requirement).is_some()
    {
        finding.notes.push(format!(
            "the line itself rests on {}",
            deviation.requirement
        ));
    }
    finding.lanes = lane_views(state, deviation, end);
    finding.by_silence = matches!(end, End::Silence(_));
    finding
}

/// Id of the requirement that a loss breaks which comes before the timeout is over.
fn not_early(state: &State) -> &'static str {
    let dialect = state.scenario.dialect;
    let by_default = dialect
        .find_id(Role::DefaultTimeout)
        .filter(|_| state.scenario.leaves("timeout"));
    let own_turn =
        Some(dialect.id(Role::OwnTurnTimed)).filter(|id| state.scenario.checks.contains(id));
    by_default
        .or(own_turn)
        .unwrap_or(dialect.id(Role::TimeoutNotEarly))
}

/// The first sign of a loss by silence came too late.
pub(super) fn late_loss(state: &State, lane: usize, late: Late) -> Finding {
    let dialect = state.scenario.dialect;
    let requirement = match late.restarted {
        Some(_) if has_sent_in_vain(state) => dialect
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
    let mut finding = timing(state, Some(requirement), title);
    finding.lanes = vec![LaneView {
        lane: lane_name(state, lane),
        line_number: state.model.received(lane),
        expected: LaneText::Words(format!(
            "the loss by timeout within {}",
            seconds(late.allowed)
        )),
        received: LaneText::Words(format!("its first sign after {}", seconds(late.waited))),
        agrees: false,
    }];
    if let Some(timeout) = state.settings.timeout {
        finding.notes.push(format!(
            "the timeout is {}; a quarter of it, 0.5 s and the measured lag of {:.2?} were allowed for",
            seconds(timeout),
            state.settings.lag
        ));
    }
    finding
}

/// A player has gone away, no lane has ended for as long as urtext waits, and the timeout is not known.
pub(super) fn unknown_timeout(state: &State) -> Finding {
    let waited = seconds(state.settings.budgets.forfeit);
    let title = format!(
        "no lane had ended {waited} after a player went away on its turn, and the timeout is not known"
    );
    let mut finding = finding(state, None, title);
    finding.verdict = Verdict::Inconclusive;
    finding.requirement = Some(state.scenario.dialect.id(Role::GoneOffTurn));
    finding.settled_by = Some("timeout");
    finding.notes.push(
        "the player may lose at once, or when its time is over; say the timeout of this referee, and it is judged: \
         `timeout:` in urtext.yaml, or --timeout"
            .to_owned(),
    );
    finding
}

/// A line came that was due, and after its time.
pub(super) fn late(state: &State, missing: &Deviation, late: Duration) -> Finding {
    let waited = state.settings.budgets.answer + late;
    let title = format!(
        "{} received the line that was due {} too late",
        lane_name(state, missing.lane),
        seconds(late)
    );
    let mut finding = timing(state, Some(missing.requirement), title);
    finding.lanes = lane_views(state, missing, End::Silence(waited));
    finding.notes.push(format!(
        "lines may take {}; --answer-budget says so",
        seconds(state.settings.budgets.answer)
    ));
    finding
}

/// Nothing more came although something was due.
pub(super) fn silence(state: &State) -> Finding {
    let waited = |lane: usize| state.now.saturating_sub(state.lanes[lane].last_heard);
    let owed = (0..state.lanes.len()).filter_map(|lane| state.model.missing(lane));
    // A line that has come but for its newline is the reason.
    if let Some(missing) = owed
        .clone()
        .find(|missing| !state.lanes[missing.lane].unfinished.is_empty())
    {
        let begun = state.lanes[missing.lane].unfinished.clone();
        let requirement = state.scenario.dialect.id(Role::Newline);
        let begun = Deviation {
            requirement,
            received: Some((begun, LineEnding::Missing)),
            ..*missing
        };
        return deviation(state, &begun, End::Silence(waited(begun.lane)));
    }
    // The lane that has a line due tells more than one that only waits for the roll.
    let worst = owed.min_by_key(|deviation| !matches!(deviation.expected, Expected::Line(_)));
    match worst {
        Some(missing) => deviation(state, &missing, End::Silence(waited(missing.lane))),
        None => finding(state, None, "nothing came in time".to_owned()),
    }
}

/// The referee ended a lane in mid-game.
pub(super) fn hung_up(
    state: &State,
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
            let mut finding = deviation(state, owed, End::Stream(close));
            if !finding.title.contains("behaves as if") {
                finding.title = format!(
                    "the referee {how} the lane of {} before the line that was due",
                    lane_name(state, lane)
                );
            }
            finding
        }
        None => {
            let mut finding = deviation(state, &state.model.ended_early(lane), End::Stream(close));
            if !finding.title.contains("behaves as if") && !is_too_early(state, End::Stream(close))
            {
                finding.title = format!(
                    "the referee {how} the lane of {} in mid-game",
                    lane_name(state, lane)
                );
            }
            finding
        }
    }
}

/// Returns true if lanes close while a player lets the timeout pass, in a dialect where only the close shows
/// a loss.
fn is_too_early(state: &State, end: End) -> bool {
    let lets_time_pass = |turn: Turn| state.scenario.lets_time_pass(&turn.action);
    matches!(end, End::Stream(_))
        && !state.model.is_over()
        && is_loss_silent(state)
        && state.turn().is_some_and(lets_time_pass)
}

/// Lanes that are still open although the game is over, in a dialect in which they have to end.
pub(super) fn still_open(state: &State, names: &[String]) -> Option<Finding> {
    let ending = *state.model.history().last()?;
    let closing = state.scenario.dialect.closes_after(&ending)?;
    let has_any_ended = has_any_ended(state);
    let waited = seconds(closing_budget(state));
    let is_explained = !has_any_ended && !is_lost_without_a_line(state);
    let rows = if is_explained {
        diagnosis::explain(state, 0, Reaction::Nothing)
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
                state.model.ground_of_last_move(),
                Some(closing.none),
                Some(closing.some),
            ];
            let checked = state
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
            let checked = state.scenario.checks.iter().find(|id| grounds.contains(id));
            let title = format!("no lane had ended {waited} after a line that loses the game");
            (checked.copied().unwrap_or(closing.none), title)
        }
        _ => (
            closing.none,
            format!("no lane had ended {waited} after the end of the game"),
        ),
    };
    let mut finding = finding(state, Some(requirement), title);
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
pub(super) fn has_sent_in_vain(state: &State) -> bool {
    match state.turn().map(|turn| turn.action) {
        Some(PlayerAction::Send(parts)) => !SendPart::lines(&parts).0.is_empty(),
        _ => false,
    }
}
