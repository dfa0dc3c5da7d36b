//! Context that every finding shows: the step, the board, the last lines of each lane, and the observation in
//! place of the expected line.

use std::time::Duration;

use super::state::State;
use crate::diagnostic::Span;
use crate::diagnostic::visible::quoted;
use crate::event::BUSY;
use crate::finding::{Finding, LaneText, LaneView, Verdict};
use crate::protocol::{Deviation, Expected, GameEvent, LineEnding};
use crate::scenario::Side;
use crate::transcript::Close;

/// Observation in place of an expected line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Another line, or one too many.
    Line,
    /// Nothing for so long.
    Silence(Duration),
    /// The end of the stream.
    Stream(Close),
}

/// A finding about the game as it stands: step, board, the last lines of each lane.
pub(super) fn finding(
    seen: &State,
    requirement: Option<&'static str>,
    title: impl Into<String>,
) -> Finding {
    let mut finding = Finding::new(Verdict::Fail, title);
    finding.requirement = requirement;
    finding.span = seen.course.span();
    finding.label = label(seen);
    finding.context = turn_before(seen).filter(|(step, _)| Some(*step) != finding.span);
    finding.board = board(seen).filter(|_| !seen.model.history().is_empty());
    let reader_closed =
        |lane: &usize| seen.lanes[*lane].reader_closed && seen.lanes[*lane].ended.is_none();
    finding
        .notes
        .extend(
            (0..seen.lanes.len())
                .filter(reader_closed)
                .map(|lane| match seen.plan.side {
                    Side::Bot => {
                        "the bot has closed its input, and reads nothing any more".to_owned()
                    }
                    Side::Referee => format!(
                        "the referee reads nothing any more from {}",
                        seen.lane_name(lane)
                    ),
                }),
        );
    finding.tails = tails(seen);
    finding
}

/// The step of the turn before this one, and what its move did.
fn turn_before(seen: &State) -> Option<(Span, String)> {
    let (step, events) = seen.turn_before?;
    let (last, before) = seen.model.history()[..events].split_last()?;
    let GameEvent::Moved { by, mv, .. } = *last else {
        return None;
    };
    // What the opponent of a bot does, the scenario says.
    if seen.plan.side == Side::Bot && by != seen.plan.bot_seat {
        return None;
    }
    let who = seen.plan.dialect.game().seat_name(by);
    let table = seen.model.table_after(before.len())?;
    Some((step, format!("{who}: {}", table.describe_move(mv))))
}

/// The last lines of every lane, by its name.
pub(super) fn tails(seen: &State) -> Vec<(String, Vec<String>)> {
    let lanes = 0..seen.lanes.len();
    lanes
        .map(|lane| (seen.lane_name(lane), seen.tail(lane)))
        .collect()
}

/// The legal moves in words, where a move is due.
pub(super) fn due_move(seen: &State) -> Option<String> {
    seen.model.awaits_move_of()?;
    let table = seen.model.table()?;
    Some(seen.plan.dialect.game().due_in_words(table))
}

/// Describes the event at the step, for the text next to the carets.
fn label(seen: &State) -> String {
    match seen.model.history().last() {
        None => "before the first turn".to_owned(),
        Some(event) => event.describe(seen.plan.dialect.game()),
    }
}

/// The board as the model has it, after the moment that it shows.
pub(super) fn board(seen: &State) -> Option<(String, String)> {
    let table = seen.model.table()?;
    Some((when(seen), table.draw()))
}

/// Describes the moment of a finding's board.
fn when(seen: &State) -> String {
    let has_rolls = !seen.plan.dialect.game().kinds_of_roll().is_empty();
    match GameEvent::turns(seen.model.history()) {
        0 => "the board before the first turn".to_owned(),
        // A turn that no roll begins is over once it is seen.
        turns if !has_rolls => format!("the board after turn {turns}, as the model has it"),
        turns => format!("the board in turn {turns}, as the model has it"),
    }
}

fn want(expected: &Expected) -> LaneText {
    match expected {
        Expected::Line(line) => LaneText::Line(line.clone()),
        Expected::Kind(words) => words.as_str().into(),
        Expected::NothingYet => "nothing before the player's move".into(),
        Expected::NothingMore => "nothing: the game is over".into(),
    }
}

pub(super) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// A line that came.
pub(super) fn line_text(text: &[u8], ending: LineEnding) -> LaneText {
    let shown = quoted(text).at_most(60);
    match ending {
        LineEnding::Newline => LaneText::Line(text.to_vec()),
        LineEnding::Missing => format!("{shown} without a newline at its end").into(),
        LineEnding::TooLong => format!("{shown} … a line longer than {} bytes", text.len()).into(),
    }
}

/// Nothing for so long.
pub(super) fn silence(time: Duration) -> LaneText {
    format!("nothing for {}", seconds(time)).into()
}

/// Returns what was due on the lane of a deviation, and what came.
pub(crate) fn lane_texts(deviation: &Deviation, end: End) -> (LaneText, LaneText) {
    let received = match (&deviation.received, end) {
        (Some((line, LineEnding::Missing)), End::Silence(time)) => {
            let line = quoted(line).at_most(60);
            let nothing = seconds(time);
            format!("{line} without a newline, and nothing for {nothing}").into()
        }
        (Some((line, ending)), _) => line_text(line, *ending),
        (None, End::Stream(close)) => close.words().into(),
        (None, End::Silence(time)) => silence(time),
        (None, End::Line) => LaneText::Nothing,
    };
    (want(&deviation.expected), received)
}

/// Returns the lanes that disagree, the one of the deviation first.
pub(super) fn lane_views(seen: &State, deviation: &Deviation, end: End) -> Vec<LaneView> {
    let view = |lane: usize, number, (expected, received)| {
        LaneView::new(seen.lane_name(lane), number, expected, received)
    };
    let texts = lane_texts(deviation, end);
    let first = view(deviation.lane, deviation.line_number, texts);
    let others = (0..seen.lanes.len()).filter(|&lane| lane != deviation.lane);
    let others = others.filter_map(|lane| {
        let came = seen.lanes[lane].unpredicted.clone();
        let missing = || {
            let missing = seen.model.missing(lane)?;
            let is_due = matches!(end, End::Silence(_)) && missing.expected != Expected::NothingYet;
            is_due.then_some(missing)
        };
        let other = came.filter(|other| other.received.is_some());
        let other = other.or_else(missing)?;
        Some(view(lane, other.line_number, lane_texts(&other, End::Line)))
    });
    [first].into_iter().chain(others).collect()
}

/// Builds a finding about a wrong time, which load on this machine can cause.
pub(super) fn timing(
    seen: &State,
    requirement: Option<&'static str>,
    title: impl Into<String>,
) -> Finding {
    let mut finding = finding(seen, requirement, title);
    finding.by_silence = true;
    finding
}

/// A finding that can come of our own lateness, or of the machine's, decides nothing, and the game is played again.
pub(super) fn doubt(finding: &mut Finding, why: impl Into<String>) {
    finding.verdict = Verdict::Inconclusive;
    finding.by_silence = true;
    finding.title += BUSY;
    finding.notes.push(why.into());
}

/// So much lag hides if a time is right.
pub(super) fn busy(lag: Duration) -> String {
    format!(
        "urtext was woken late, or the subject was ready to run and did not run, for up to {lag:.2?}; fewer --jobs help"
    )
}

/// A finding that only the subject's timeout settles, which is not known.
pub(super) fn without_timeout(finding: Finding, verdict: Verdict) -> Finding {
    let unsettled = Finding {
        verdict,
        needs_setting: true,
        ..finding
    };
    unsettled.noted(
        "say the timeout, and it is judged: `timeout:` in urtext.yaml, or --set timeout=DURATION",
    )
}
