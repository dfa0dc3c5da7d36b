//! Context that every finding shows: the step, the board, the last lines of each lane, and the observation in
//! place of the expected line.

use std::time::Duration;

use super::kind::Kind;
use super::observed::Observed;
use crate::diagnostic::visible::{plain, quoted};
use crate::finding::{Finding, FindingKind, LaneText, LaneView, Verdict};
use crate::protocol::{Deviation, Expected, GameEvent, LineEnding, Party};
use crate::scenario::{Side, Wrong};
use crate::transcript::{Close, Direction, Entry};

/// Observation in place of an expected line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Another line, or one too many.
    Line,
    /// Nothing for so long.
    Silence(Duration),
    /// The end of the stream.
    Stream(Close),
}

/// `PlayerA (first)`, `spectator 1`: the name from the handshake where there is one.
pub(super) fn lane_name(seen: &Observed, lane: usize) -> String {
    let label = seen
        .label(lane)
        .display(seen.plan.dialect.game().seat_names())
        .to_string();
    let name = match seen.model.party(lane) {
        Some(Party::Player(seat)) => seen.model.facts().names[seat].as_deref(),
        _ => None,
    };
    match name {
        Some(name) => format!("{} ({label})", plain(name).at_most(40)),
        None => label,
    }
}

/// Describes the sleep of a subject that owes a line: evidence from the platform, on which no verdict rests.
pub(super) fn asleep<K: Kind>(seen: &Observed<K>) -> Option<String> {
    let awaited = seen.processes.asleep()?;
    let who = seen.scenario.side().word();
    Some(match awaited {
        [] => format!("the {who} is asleep and has read all that was sent"),
        _ if seen.lanes.len() == 1 => {
            format!("the {who} has read all that was sent, and waits for more")
        }
        lanes => {
            let names: Vec<_> = lanes.iter().map(|&lane| K::lane_name(seen, lane)).collect();
            format!(
                "the {who} has read all that was sent, and waits for more from {}",
                names.join(" or ")
            )
        }
    })
}

/// A finding about the game as it stands: step, board, the last lines of each lane.
pub(super) fn finding(
    seen: &Observed,
    requirement: Option<&'static str>,
    kind: impl Into<FindingKind>,
) -> Finding {
    let mut finding = Finding::new(Verdict::Fail, kind);
    finding.requirement = requirement;
    finding.span = seen.span();
    finding.label = label(seen);
    let last_turn = seen
        .course
        .last_turn
        .as_ref()
        .and_then(|turn| turn.tell(seen.plan.dialect.game()));
    finding.context = last_turn.filter(|(span, _)| Some(*span) != finding.span);
    if let Some(table) = seen
        .model
        .table()
        .filter(|_| !seen.model.history().is_empty())
    {
        finding.board = Some((when(seen), table.draw()));
    }
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
                        lane_name(seen, lane)
                    ),
                }),
        );
    finding.tails = tails(seen);
    finding
}

/// The last lines of every lane, by its name.
pub(super) fn tails(seen: &Observed) -> Vec<(String, Vec<String>)> {
    let lanes = 0..seen.lanes.len();
    lanes
        .map(|lane| (lane_name(seen, lane), tail(seen, lane)))
        .collect()
}

/// The legal moves in words, where a move is due and they are few.
pub(super) fn legal_moves(seen: &Observed) -> Option<String> {
    const FEW: usize = 3;
    seen.model.awaits_move_of()?;
    let (table, game) = (seen.model.table()?, seen.plan.dialect.game());
    let legal = table.legal_moves();
    let told = legal
        .iter()
        .map(|&mv| format!("{}, {}", game.format_move(mv), table.describe_move(mv)));
    let told: Vec<_> = told.collect();
    match told.len() {
        1 => Some(format!("the only legal move: {}", told[0])),
        few if few <= FEW => Some(format!("legal moves: {}", told.join("; "))),
        _ => None,
    }
}

/// Describes the event at the step, for the text next to the carets.
fn label(seen: &Observed) -> String {
    match seen.model.history().last() {
        None => "before the first turn".to_owned(),
        Some(event) => event.describe(seen.plan.dialect.game()),
    }
}

/// Returns the number of turns that have begun; of a game without rolls, of those that are over.
pub(super) fn turns(seen: &Observed) -> usize {
    let has_rolls = !seen.plan.dialect.game().kinds_of_roll().is_empty();
    let begins = |happening: &&GameEvent| match happening {
        GameEvent::Rolled { .. } => has_rolls,
        GameEvent::Moved { .. } | GameEvent::Lost { .. } => !has_rolls,
    };
    seen.model.history().iter().filter(begins).count()
}

/// Describes the moment of a finding's board.
pub(super) fn when(seen: &Observed) -> String {
    let has_rolls = !seen.plan.dialect.game().kinds_of_roll().is_empty();
    let turns = turns(seen);
    match turns {
        0 => "the board before the first turn".to_owned(),
        // A turn that no roll begins is over once it is seen.
        _ if !has_rolls => format!("the board after turn {turns}, as the model has it"),
        _ => format!("the board in turn {turns}, as the model has it"),
    }
}

/// The last lines of a lane, escaped, `>` before what was sent.
pub(super) fn tail<K>(seen: &Observed<K>, lane: usize) -> Vec<String> {
    const LINES: usize = 6;
    let entries = &seen.lanes[lane].entries;
    let shown = entries.iter().skip(entries.len().saturating_sub(LINES));
    let write = |entry: &Entry| {
        let mark = if entry.direction == Direction::Sent {
            ">"
        } else {
            ""
        };
        let ending = match entry.line.ending {
            LineEnding::Newline => "",
            LineEnding::Missing => " (no newline)",
            LineEnding::TooLong => " … (over-long line)",
        };
        format!("{mark}{}{ending}", plain(&entry.line.text).at_most(60))
    };
    shown.map(write).collect()
}

fn want(expected: &Expected) -> LaneText {
    match expected {
        Expected::Line(line) => LaneText::Line(line.clone()),
        Expected::Kind(words) => LaneText::Words(words.clone()),
        Expected::NothingYet => LaneText::Words("nothing before the player's move".to_owned()),
        Expected::NothingMore => LaneText::Words("nothing: the game is over".to_owned()),
    }
}

pub(super) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// Returns the state of each lane, the deviating one first.
pub(super) fn lane_views(seen: &Observed, deviation: &Deviation, end: End) -> Vec<LaneView> {
    let received = match (&deviation.received, end) {
        (Some((line, LineEnding::Newline)), _) => LaneText::Line(line.clone()),
        (Some((line, LineEnding::Missing)), End::Silence(time)) => {
            let line = quoted(line).at_most(60);
            LaneText::Timed(format!("{line} without a newline, and nothing for"), time)
        }
        (Some((line, LineEnding::Missing)), _) => LaneText::Words(format!(
            "{} without a newline before the end of the stream",
            quoted(line).at_most(60)
        )),
        (Some((line, LineEnding::TooLong)), _) => LaneText::Words(format!(
            "{} … a line longer than {} bytes",
            quoted(line).at_most(60),
            line.len()
        )),
        (None, End::Stream(close)) => LaneText::Words(close.words().to_owned()),
        (None, End::Silence(time)) => LaneText::Timed("nothing for".to_owned(), time),
        (None, End::Line) => LaneText::Nothing,
    };
    let mut lane_views = vec![LaneView {
        lane: lane_name(seen, deviation.lane),
        line_number: deviation.line_number,
        expected: want(&deviation.expected),
        received,
        agrees: false,
    }];
    for lane in (0..seen.lanes.len()).filter(|&lane| lane != deviation.lane) {
        let last = seen.lanes[lane]
            .entries
            .iter()
            .rev()
            .find(|entry| entry.direction == Direction::Received);
        let unpredicted = seen.lanes[lane].unpredicted.as_ref();
        let other = unpredicted.and_then(|other| Some((other, other.received.as_ref()?)));
        let (expected, received, agrees, number) = match (other, seen.model.missing(lane), last) {
            (Some((other, (line, _))), ..) => (
                want(&other.expected),
                LaneText::Line(line.clone()),
                false,
                other.line_number,
            ),
            (None, Some(missing), _)
                if missing.expected != Expected::NothingYet && matches!(end, End::Silence(_)) =>
            {
                (
                    want(&missing.expected),
                    LaneText::Nothing,
                    false,
                    missing.line_number,
                )
            }
            (.., Some(entry)) => {
                let line = LaneText::Line(entry.line.text.clone());
                (line.clone(), line, true, seen.model.received(lane))
            }
            (.., None) => continue,
        };
        lane_views.push(LaneView {
            lane: lane_name(seen, lane),
            line_number: number,
            expected,
            received,
            agrees,
        });
    }
    lane_views
}

/// Builds a finding about a wrong time, which load on this machine can cause.
pub(super) fn timing(
    seen: &Observed,
    requirement: Option<&'static str>,
    kind: impl Into<FindingKind>,
) -> Finding {
    let mut finding = finding(seen, requirement, kind);
    finding.by_silence = true;
    finding
}

/// Builds a finding that the current step does not fit the game that has come up.
pub(super) fn misfit(seen: &Observed, wrong: Wrong) -> Box<Finding> {
    let title = format!("as the game went, {}", wrong.words(&seen.plan));
    Box::new(never(seen, title))
}

/// Builds a finding that the precondition of the current step did not arise.
pub(super) fn never(seen: &Observed, title: impl Into<String>) -> Finding {
    Finding {
        span: seen.span(),
        ..Finding::new(Verdict::Inconclusive, title)
    }
}
