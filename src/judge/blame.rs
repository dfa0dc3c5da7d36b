//! Findings: what was seen, which requirement it breaks, and what it looks like.

use std::time::Duration;

use super::diagnosis::{self, Reaction};
use super::state::State;
use crate::diagnostic::visible::{plain, quoted};
use crate::event::{Finding, Sight, Verdict, Want};
use crate::protocol::{Deviation, Expected, Happening, Heard, Line, LineEnding, Party};
use crate::requirement;
use crate::rules::{Move, Table};
use crate::transcript::{Close, Direction};

/// What stands where a line was due.
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
pub(super) fn lane_name(state: &State, lane: usize) -> String {
    let label = state.label(lane).display(state.scenario.dialect.game().seat_names()).to_string();
    let name = match state.model.party(lane) {
        Some(Party::Player(seat)) => state.model.facts().names[seat].as_deref(),
        _ => None,
    };
    match name {
        Some(name) => format!("{} ({label})", plain(name).at_most(40)),
        None => label,
    }
}

/// A finding about the game as it stands: step, board, the last lines of each lane.
fn finding(state: &State, requirement: Option<&'static str>, title: String) -> Finding {
    let mut finding = Finding::new(Verdict::Fail, title);
    finding.requirement = requirement;
    finding.span = state.span();
    finding.label = label(state);
    finding.context = state.last_turn.clone().filter(|(span, _)| Some(*span) != finding.span);
    if let Some(table) = state.model.table().filter(|_| !state.model.history().is_empty()) {
        finding.board = Some((when(state), table.draw()));
    }
    finding.tails = (0..state.lanes.len()).map(|lane| (lane_name(state, lane), tail(state, lane))).collect();
    finding
}

/// What happened at the step, to stand beside the carets.
fn label(state: &State) -> String {
    let game = state.scenario.dialect.game();
    match state.model.history().last() {
        None => "before the first turn".to_owned(),
        Some(&Happening::Rolled { by, roll, skipped: true }) => {
            format!("{} rolled {} and could not move", game.seat_name(by), game.format_roll(roll))
        }
        Some(&Happening::Rolled { by, roll, .. }) => {
            format!("{} rolled {}", game.seat_name(by), game.format_roll(roll))
        }
        Some(&Happening::Moved { by, mv, wins }) => {
            let ending = if wins { " and won" } else { "" };
            format!("{} moved {}{ending}", game.seat_name(by), game.format_move(mv))
        }
        Some(&Happening::Lost { by, .. }) => format!("{} has lost", game.seat_name(by)),
    }
}

fn when(state: &State) -> String {
    let turns = state
        .model
        .history()
        .iter()
        .filter(|happening| matches!(happening, Happening::Rolled { .. }))
        .count();
    format!("the board in turn {turns}, as the model has it")
}

/// The last lines of a lane, escaped, `>` before what was sent.
pub(super) fn tail(state: &State, lane: usize) -> Vec<String> {
    const LINES: usize = 6;
    let entries = &state.lanes[lane].entries;
    let shown = entries.iter().skip(entries.len().saturating_sub(LINES));
    let write = |entry: &crate::transcript::Entry| {
        let mark = if entry.direction == Direction::Sent { ">" } else { "" };
        let ending = match entry.line.ending {
            LineEnding::Newline => "",
            LineEnding::Missing => " (no newline)",
            LineEnding::TooLong => " … (over-long line)",
        };
        format!("{mark}{}{ending}", plain(&entry.line.text).at_most(60))
    };
    shown.map(write).collect()
}

fn want(expected: &Expected) -> Want {
    match expected {
        Expected::Line(line) => Want::Line(line.clone()),
        Expected::Kind(words) => Want::Words(words.clone()),
        Expected::NothingYet => Want::Words("nothing before the player's move".to_owned()),
        Expected::NothingMore => Want::Words("nothing: the game is over".to_owned()),
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// How each lane stands, with the one that deviates first.
fn sights(state: &State, deviation: &Deviation, end: End) -> Vec<Sight> {
    let received = match (&deviation.received, end) {
        (Some((line, LineEnding::Newline)), _) => Want::Line(line.clone()),
        (Some((line, LineEnding::Missing)), _) => Want::Words(format!(
            "{} without a newline before the end of the stream",
            quoted(line).at_most(60)
        )),
        (Some((line, LineEnding::TooLong)), _) => {
            Want::Words(format!("{} … a line longer than {} bytes", quoted(line).at_most(60), line.len()))
        }
        (None, End::Stream(Close::End)) => Want::Words("the end of the stream".to_owned()),
        (None, End::Stream(Close::Reset)) => Want::Words("a reset of the connection".to_owned()),
        (None, End::Silence(time)) => Want::Words(format!("nothing for {}", seconds(time))),
        (None, End::Line) => Want::Words("nothing".to_owned()),
    };
    let mut sights = vec![Sight {
        lane: lane_name(state, deviation.lane),
        line_number: deviation.line_number,
        expected: want(&deviation.expected),
        received,
        agrees: false,
    }];
    for lane in (0..state.lanes.len()).filter(|&lane| lane != deviation.lane) {
        let last =
            state.lanes[lane].entries.iter().rev().find(|entry| entry.direction == Direction::Received);
        let (expected, received, agrees, number) = match (state.model.missing(lane), last) {
            (Some(missing), _)
                if missing.expected != Expected::NothingYet && matches!(end, End::Silence(_)) =>
            {
                (want(&missing.expected), Want::Words("nothing".to_owned()), false, missing.line_number)
            }
            (_, Some(entry)) => {
                let line = Want::Line(entry.line.text.clone());
                (line.clone(), line, true, state.model.received(lane))
            }
            (_, None) => continue,
        };
        sights.push(Sight { lane: lane_name(state, lane), line_number: number, expected, received, agrees });
    }
    sights
}

/// Which requirement to name: what the diagnosis says, else what the line says, else the ground that the scenario is about.
fn attribute(state: &State, deviation: &Deviation, reaction: Reaction) -> (&'static str, Vec<&'static str>) {
    let rows = diagnosis::explain(state, reaction);
    let checked = |id: &&str| state.scenario.checks.contains(id);
    let breaks = rows.iter().map(|row| row.breaks);
    let mut summaries: Vec<&'static str> = rows.iter().map(|row| row.summary).collect();
    if let Some(id) = breaks.clone().find(checked) {
        summaries = rows.iter().filter(|row| row.breaks == id).map(|row| row.summary).collect();
        return (id, summaries);
    }
    if let Some(id) = breaks.clone().next().filter(|&id| breaks.clone().all(|other| other == id)) {
        return (id, summaries);
    }
    let grounds = [Some(deviation.requirement), deviation.grounds.mv, deviation.grounds.turn];
    let id = grounds.into_iter().flatten().find(checked).unwrap_or(deviation.requirement);
    (id, summaries)
}

/// A line that the model did not predict, or one that did not come.
pub(super) fn deviation(state: &State, deviation: &Deviation, end: End) -> Finding {
    let lane = lane_name(state, deviation.lane);
    let is_early_loss = deviation.expected == Expected::NothingYet
        && deviation.heard == Some(Heard::Loss)
        && state.turn().is_some_and(|turn| turn.deed == crate::scenario::Deed::Silent);
    if is_early_loss {
        let after = state.now.saturating_sub(state.rolled_at);
        let title = format!("the loss by timeout was seen after {}, too early", seconds(after));
        let mut finding = finding(state, Some(state.scenario.dialect.not_early_requirement()), title);
        finding.lanes = sights(state, deviation, end);
        if let Some(timeout) = state.settings.timeout {
            finding.notes.push(format!("the timeout is {}", seconds(timeout)));
        }
        return finding;
    }
    let ends_well = deviation.received.as_ref().is_none_or(|(_, ending)| *ending == LineEnding::Newline);
    let reaction = match (&deviation.received, deviation.heard, end) {
        (Some(_), Some(Heard::Roll(_)), _) => Reaction::Roll,
        (Some(_), Some(Heard::Move(_)), _) => Reaction::Move,
        (Some(_), Some(Heard::Loss), _) => Reaction::Loss,
        (Some(_), ..) => Reaction::Other,
        (None, _, End::Stream(_)) => Reaction::End,
        (None, ..) => Reaction::Nothing,
    };
    let (requirement, summaries) = if ends_well && state.model.is_greeted() {
        attribute(state, deviation, reaction)
    } else {
        (deviation.requirement, Vec::new())
    };
    let title = match (summaries.as_slice(), &deviation.expected, &deviation.received) {
        ([summary], ..) => format!("the referee behaves as if {summary}"),
        (_, Expected::NothingMore, _) => format!("{lane} received a line after the end of the game"),
        (_, Expected::NothingYet, _) => format!("{lane} received a line while a move was awaited"),
        (_, _, Some((_, LineEnding::Newline))) => {
            format!("{lane} received another line than the one that was due")
        }
        (_, _, Some((_, LineEnding::Missing))) => format!("{lane} received a line without its newline"),
        (_, _, Some((_, LineEnding::TooLong))) => format!("{lane} received a line without end"),
        (_, _, None) => format!("{lane} did not receive the line that was due"),
    };
    let mut finding = finding(state, Some(requirement), title);
    if summaries.len() > 1 {
        finding.notes.push(format!("the referee behaves as if {}", summaries.join(", or as if ")));
    }
    if deviation.requirement != requirement && requirement::find(deviation.requirement).is_some() {
        finding.notes.push(format!("the line itself rests on {}", deviation.requirement));
    }
    finding.lanes = sights(state, deviation, end);
    finding.by_silence = matches!(end, End::Silence(_));
    finding
}

/// Something came at the wrong time, which load on this machine can be the cause of.
pub(super) fn timing(state: &State, requirement: Option<&'static str>, title: String) -> Finding {
    let mut finding = finding(state, requirement, title);
    finding.by_silence = true;
    finding
}

/// Nothing more came although something was due.
pub(super) fn silence(state: &State) -> Finding {
    let waited = |lane: usize| state.now.saturating_sub(state.lanes[lane].last_heard);
    let owed = (0..state.lanes.len()).filter_map(|lane| state.model.missing(lane));
    // The lane that has a line due tells more than one that only waits for the roll.
    let worst = owed.min_by_key(|deviation| !matches!(deviation.expected, Expected::Line(_)));
    match worst {
        Some(missing) => deviation(state, &missing, End::Silence(waited(missing.lane))),
        None => finding(state, None, "nothing came in time".to_owned()),
    }
}

/// The referee ended a lane in mid-game.
pub(super) fn hung_up(state: &State, lane: usize, owes: Option<&Deviation>, close: Close) -> Finding {
    let how = if close == Close::Reset { "reset" } else { "closed" };
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
            let requirement = state.scenario.dialect.move_awaited_requirement();
            let title = format!("the referee {how} the lane of {} in mid-game", lane_name(state, lane));
            finding(state, Some(requirement), title)
        }
    }
}

/// The subject never said a byte: the run broke, the subject is not judged.
pub(super) fn never_spoke(state: &State) -> Finding {
    let who = state.scenario.side.word();
    let mut finding = Finding::new(Verdict::Error, format!("the {who} never said a byte"));
    match &state.exited {
        Some((status, _)) => finding.notes.push(format!("its process ended: {status}")),
        None => finding.notes.push(format!("nothing came for {}", seconds(state.now))),
    }
    finding.notes.push(format!(
        "is this a {who} for {}, started with the right arguments?",
        state.scenario.dialect.game().title()
    ));
    finding
}

/// The bot's lane at the moment of a finding.
fn bot_sight(state: &State, expected: Want, received: Want) -> Sight {
    let sent =
        state.lanes[0].entries.iter().filter(|entry| entry.direction == Direction::Sent).count() as u64;
    let is_line = matches!(received, Want::Line(_));
    let line_number = if is_line { sent } else { sent + 1 };
    Sight { lane: "the bot".to_owned(), line_number, expected, received, agrees: false }
}

pub(super) fn bot_line(state: &State, requirement: &'static str, what: &str, line: &Line) -> Finding {
    let mut finding = finding(state, Some(requirement), format!("the bot sent {what}"));
    let shown = Want::Words(format!("{} ({what})", quoted(&line.text).at_most(60)));
    finding.lanes = vec![bot_sight(state, Want::Words("a line that ends with a newline".to_owned()), shown)];
    finding
}

/// The bot sent a line while it had nothing to say.
pub(super) fn bot_off_turn(state: &State, line: &Line) -> Finding {
    let ids = state.scenario.dialect.bot_requirements();
    let seat = state.scenario.bot_seat;
    let own = |happening: &&Happening| happening.by() == seat;
    let last = state.model.history().iter().rev().find(own).copied();
    let (mut requirement, mut title) = match last {
        Some(Happening::Rolled { skipped: true, .. }) => {
            (ids.silent_when_skipped, "the bot sent a line although its turn was skipped".to_owned())
        }
        Some(Happening::Moved { .. }) => (ids.one_line, "the bot sent a second line for one turn".to_owned()),
        _ => (ids.silent_off_turn, "the bot sent a line while it was not its turn".to_owned()),
    };
    if state.model.is_over() && !matches!(last, Some(Happening::Rolled { skipped: true, .. })) {
        title = "the bot sent a line after the end of the game".to_owned();
    }
    // A line that answers a skipped turn can be taken for the next turn's answer; then the true answer is one too many.
    let was_skipped = state
        .model
        .history()
        .iter()
        .any(|happening| matches!(happening, Happening::Rolled { by, skipped: true, .. } if *by == seat));
    let mut notes = Vec::new();
    if was_skipped && requirement == ids.one_line {
        notes.push(
            "an earlier turn of the bot was skipped; the surplus line may belong to that turn".to_owned(),
        );
        if state.scenario.checks.contains(&ids.silent_when_skipped) {
            requirement = ids.silent_when_skipped;
        }
    }
    if let [row] = diagnosis::explain(state, Reaction::Answer(said(state, line))).as_slice() {
        title = format!("the bot behaves as if {}", row.summary);
        requirement = row.breaks;
    }
    let mut finding = finding(state, Some(requirement), title);
    finding.notes = notes;
    finding.lanes = vec![bot_sight(state, Want::Words("nothing".to_owned()), Want::Line(line.text.clone()))];
    finding
}

fn said(state: &State, line: &Line) -> Option<Move> {
    match state.scenario.dialect.read_said(&line.text) {
        crate::protocol::Said::Move(mv) | crate::protocol::Said::Open(mv, _) => Some(mv),
        _ => None,
    }
}

/// The bot sent something that is no legal move.
pub(super) fn bot_illegal(state: &State, line: &Line, mv: Option<Move>, legal: &[Move]) -> Finding {
    let game = state.scenario.dialect.game();
    let ids = state.scenario.dialect.bot_requirements();
    let refusal = mv.and_then(|mv| state.model.table().and_then(|table| table.check(mv).err()));
    let rows = diagnosis::explain(state, Reaction::Answer(mv));
    let title = match (rows.as_slice(), refusal) {
        ([row], _) => format!("the bot behaves as if {}", row.summary),
        (_, Some(refusal)) => format!("the bot sent an illegal move: {}", refusal.reason),
        (_, None) => "the bot sent a line that is no move".to_owned(),
    };
    let mut finding = finding(state, Some(ids.legal), title);
    let list: Vec<_> = legal.iter().map(|&mv| game.format_move(mv)).collect();
    finding.lanes = vec![bot_sight(
        state,
        Want::Words(format!("a legal move: {}", list.join(", "))),
        Want::Line(line.text.clone()),
    )];
    if let ([_], Some(refusal)) = (rows.as_slice(), refusal) {
        finding.notes.push(format!("its move is illegal: {}", refusal.reason));
    }
    if let Some(refusal) = refusal {
        finding.notes.push(format!("a referee retires it by {}", refusal.requirement));
    }
    finding
}

/// The bot ended while the game went on.
pub(super) fn bot_ended(state: &State) -> Finding {
    let ids = state.scenario.dialect.bot_requirements();
    let mut finding = finding(state, Some(ids.one_line), "the bot ended in mid-game".to_owned());
    let end = Want::Words("the end of the stream".to_owned());
    finding.lanes =
        vec![bot_sight(state, Want::Words("a move, or silence in the opponent's turn".to_owned()), end)];
    finding
}

/// The bot did not answer.
pub(super) fn bot_silent(state: &State) -> Finding {
    let ids = state.scenario.dialect.bot_requirements();
    let waited = state.now.saturating_sub(state.rolled_at);
    let rows = diagnosis::explain(state, Reaction::Nothing);
    let (requirement, title) = match rows.as_slice() {
        [row] => (ids.one_line, format!("the bot behaves as if {}", row.summary)),
        _ => (ids.within_timeout, "the bot did not answer".to_owned()),
    };
    let requirement = match state.model.table().and_then(Table::turn_ground) {
        Some(turn) if state.scenario.checks.contains(&turn) => turn,
        _ if state.scenario.checks.contains(&ids.one_line) => ids.one_line,
        _ => requirement,
    };
    let mut finding = finding(state, Some(requirement), title);
    let nothing = Want::Words(format!("nothing for {}", seconds(waited)));
    finding.lanes = vec![bot_sight(state, Want::Words("a move".to_owned()), nothing)];
    finding.by_silence = true;
    finding
}

/// The bot did not end although it should have.
pub(super) fn bot_stays(state: &State, requirement: &'static str, since: &str) -> Finding {
    let waited = seconds(state.settings.budgets.close);
    let mut finding =
        finding(state, Some(requirement), format!("the bot was still there {waited} after {since}"));
    finding.by_silence = true;
    finding
}
