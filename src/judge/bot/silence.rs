//! Findings about a bot that ends, does not answer, or answers too late.

use std::time::Duration;

use super::super::diagnosis;
use super::super::finding_context::{finding, legal_moves, seconds, tails};
use super::super::observed::Observed;
use super::super::slack::patience;
use super::super::speechless::{ended_as_told, never_spoke, silent_from_the_start};
use super::wrong_line::{framing, lane_view, no_line};
use crate::diagnostic::visible::quoted;
use crate::finding::{Finding, FindingKind, LaneText, Reaction, Verdict};
use crate::protocol::{GameEvent, Line, LineEnding};
use crate::requirement::Role;
use crate::rules::Table;
use crate::transcript::Direction;

/// The bot ended while the game went on.
pub(in crate::judge) fn ended(seen: &Observed) -> Finding {
    let dialect = seen.plan.dialect;
    let seat = seen.plan.bot_seat;
    let is_own_move_last =
        matches!(seen.model.history().last(), Some(&GameEvent::Moved { by, .. }) if by == seat);
    // Its own move has come back to it, and nothing else.
    let mistaken = dialect
        .find_id(Role::BotConfirmation)
        .filter(|_| is_own_move_last);
    let in_vain = seen.bot.in_vain.as_ref();
    let requirement = mistaken
        .or(framing(seen))
        .or(in_vain.map(|(breaks, _)| *breaks))
        .unwrap_or(dialect.id(Role::BotAnswers));
    let mut finding = finding(seen, Some(requirement), FindingKind::BotEnded);
    if in_vain.is_none() {
        suppose(seen, &mut finding, Reaction::End);
    }
    finding.notes.extend(in_vain.map(|(_, sent)| sent.clone()));
    if mistaken.is_some() {
        finding
            .notes
            .push("the last that it was told is its own move, as a confirmation".to_owned());
    }
    let end = LaneText::Words("the end of the stream".to_owned());
    finding.lanes = vec![lane_view(
        seen,
        LaneText::Words("a move, or silence in the opponent's turn".to_owned()),
        end,
    )];
    finding
}

/// Notes the wrong readings of the rules that explain this. A bot ends, or says nothing at all, for many reasons: that none explains it says
/// nothing.
pub(in crate::judge) fn suppose(seen: &Observed, finding: &mut Finding, reaction: Reaction) {
    diagnosis::suppose(seen, finding, 0, reaction);
    finding.hypotheses.take_if(|rows| rows.is_empty());
}

/// The bot did not answer.
pub(super) fn silent(seen: &Observed) -> Finding {
    let dialect = seen.plan.dialect;
    // What it sent was ignored, and it waits for its effect: no reading of the rules is the reason.
    let in_vain = seen.bot.in_vain.as_ref();
    let waited = seen.now.saturating_sub(seen.clock.rolled_at);
    let mut rows = diagnosis::explain(seen, 0, Reaction::Nothing);
    let is_about = |row: &&crate::rules::Mistake| seen.plan.checks.contains(&row.breaks);
    if rows.iter().any(is_about) {
        rows.retain(is_about);
    }
    let turn = seen.model.table().and_then(Table::turn_ground);
    let in_pieces = framing(seen);
    let requirement = |is_inferred: bool| match (in_pieces, in_vain, turn) {
        (Some(framing), ..) => framing,
        (_, Some((breaks, _)), _) => *breaks,
        (.., Some(turn)) if seen.plan.checks.contains(&turn) => turn,
        _ if is_inferred || seen.plan.checks.contains(&dialect.id(Role::BotAnswers)) => {
            dialect.id(Role::BotAnswers)
        }
        _ => dialect.id(Role::BotWithinTimeout),
    };
    let is_inferred = rows.len() == 1;
    let mut finding = finding(seen, Some(requirement(is_inferred)), FindingKind::NoAnswer);
    if let [variant] = rows[..] {
        finding = finding.inferring(seen.plan.side.word(), variant, requirement(false));
    }
    if in_vain.is_none() {
        diagnosis::suppose(seen, &mut finding, 0, Reaction::Nothing);
    }
    finding
        .notes
        .extend(in_vain.iter().map(|(_, sent)| sent.clone()));
    if seen.processes.is_stopped() {
        finding.notes.push(
            "its process was stopped by a signal (SIGSTOP, SIGTSTP) or a debugger".to_owned(),
        );
    }
    let nothing = LaneText::Timed("nothing for".to_owned(), waited);
    finding.lanes = vec![lane_view(
        seen,
        LaneText::Words("a move".to_owned()),
        nothing,
    )];
    finding.by_silence = true;
    finding
}

/// The time for an answer is over, and the bot is still computing it.
pub(super) fn computes(seen: &Observed, allowed: Duration, is_known: bool) -> Finding {
    let dialect = seen.plan.dialect;
    let waited = seconds(allowed);
    let kind = FindingKind::StillComputing(waited.clone());
    let mut finding = finding(seen, Some(dialect.id(Role::BotWithinTimeout)), kind);
    let nothing = LaneText::Words(format!(
        "nothing for {waited}, while it used processor time"
    ));
    finding.lanes = vec![lane_view(
        seen,
        LaneText::Words("a move".to_owned()),
        nothing,
    )];
    finding.by_silence = is_known;
    if !is_known {
        finding.verdict = Verdict::Inconclusive;
        finding.settled_by = Some("timeout");
        finding.notes.push(
            "say how long it may take, and it is judged: `timeout:` in urtext.yaml, or --set timeout=DURATION"
                .to_owned(),
        );
    }
    finding
}

/// The processes that hold the bot's standard output open although the bot has ended.
pub(super) fn left_behind(seen: &Observed) -> String {
    match seen.processes.started() {
        [] => "the bot ended, and something that it has started keeps its standard output open"
            .to_owned(),
        names => {
            let names: Vec<_> = names
                .iter()
                .map(|name| quoted(name.as_bytes()).at_most(40).to_string())
                .collect();
            format!(
                "the bot ended, and a process that it has started keeps its standard output open: {}",
                names.join(", ")
            )
        }
    }
}

/// The bot answered, and too late.
pub(super) fn late(seen: &Observed, line: &Line, late: Duration) -> Finding {
    let dialect = seen.plan.dialect;
    let mut finding = finding(
        seen,
        Some(dialect.id(Role::BotWithinTimeout)),
        FindingKind::AnsweredLate(seconds(late)),
    );
    finding.lanes = vec![lane_view(
        seen,
        LaneText::Words("a move in time".to_owned()),
        LaneText::Line(line.text.clone()),
    )];
    finding.by_silence = true;
    finding
}

/// The bot did not answer; what came after its input was closed tells more.
pub(in crate::judge) fn unanswered(seen: &Observed, heard: usize, has_exited: bool) -> Finding {
    let sent = seen.lanes[0]
        .entries
        .iter()
        .filter(|entry| entry.direction == Direction::Sent);
    let late: Vec<_> = sent.skip(heard).map(|entry| &entry.line).collect();
    let unfinished = &seen.lanes[0].unfinished;
    match late.as_slice() {
        [] if !unfinished.is_empty() => {
            let line = Line {
                text: unfinished.clone(),
                ending: LineEnding::Missing,
            };
            no_line(seen, &line)
        }
        [] if seen.heard.anything && has_exited => ended(seen),
        [] if seen.heard.anything => silent(seen),
        [] if has_exited => {
            let mut finding = never_spoke(seen);
            suppose(seen, &mut finding, Reaction::End);
            finding
        }
        [] if seen.lanes[0].reader_closed => {
            let mut finding = silent(seen);
            finding.set_kind(FindingKind::ClosedInput);
            finding
        }
        [] if seen.processes.is_stopped() => {
            let mut finding = silent(seen);
            finding.set_kind(FindingKind::ProcessStopped);
            finding
        }
        [] => {
            // It had not ended when its input was closed, so that is not why it said nothing.
            let mut finding = silent_from_the_start(seen);
            finding.tails = tails(seen);
            finding.notes.push(told(seen));
            finding.notes.extend(legal_moves(seen));
            suppose(seen, &mut finding, Reaction::Nothing);
            let status = seen.exited.as_ref().map(|(status, _)| status);
            finding
                .notes
                .extend(status.map(|status| ended_as_told("bot", status)));
            finding
        }
        [.., line] if line.ending != LineEnding::Newline => no_line(seen, line),
        [line, ..] => {
            let mut finding = silent(seen);
            finding.notes.push(format!(
                "{} came when its input was closed: does it flush its output after each line?",
                quoted(&line.text).at_most(60)
            ));
            finding
        }
    }
}

/// The seat and the turn that the bot knows from the lines sent to it.
fn told(seen: &Observed) -> String {
    let (game, seat) = (seen.plan.dialect.game(), seen.plan.bot_seat);
    let name = game.seat_name(seat);
    match seen.model.awaits_move_of() == Some(seat) {
        true => format!("by the lines that it was sent, it plays {name}, and its move is due"),
        false => format!("by the lines that it was sent, it plays {name}"),
    }
}

/// The bot did not end although it should have.
pub(super) fn stays(
    seen: &Observed,
    requirement: &'static str,
    kind: fn(String) -> FindingKind,
) -> Finding {
    let waited = seconds(patience(seen, seen.settings.budgets.close));
    let mut finding = finding(seen, Some(requirement), kind(waited));
    finding.by_silence = true;
    finding
}
