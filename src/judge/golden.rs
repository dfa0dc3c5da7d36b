//! The golden transcript beside what was observed.

use super::kind::Kind;
use super::lane::LaneState;
use super::state::State;
use crate::finding::{Finding, FindingKind, LaneText, LaneView, Verdict};
use crate::protocol::LaneKind;
use crate::scenario::{PlannedGame, Side};
use crate::transcript::compare::{Difference, compare as differences};
use crate::transcript::{Direction, Entry, LaneLabel, Transcript};

/// Maximum number of a lane's differences that a finding shows.
const SHOWN: usize = 3;

/// Returns the model's prediction for the played game. The judge has compared every line with the prediction
/// already, so where there is no finding it is what was observed, less the lines that the specification
/// leaves open.
pub(super) fn predicted<K: Kind>(state: &State<K>) -> Option<Transcript> {
    if !state.results.findings.is_empty()
        || state.waits.pending.is_some()
        || !state.results.is_finished
        || state.seen.outside.was_interrupted
    {
        return None;
    }
    let mut predicted = state.seen.transcript_of(|lane| {
        let is_open = |index: usize| state.seen.lanes[lane].open_lines.contains(&index);
        let entries = state.seen.lanes[lane].entries.iter().enumerate();
        let told = entries.filter(|(index, _)| !is_open(*index));
        told.map(|(index, entry)| {
            plain(
                entry,
                state.seen.lanes[lane].carriage_returns.contains(&index),
            )
        })
        .collect()
    });
    // What a spectator receives who came late is the referee's choice.
    let game = state.seen.scenario.game().into_iter();
    let late: Vec<u32> = game.flat_map(PlannedGame::late_spectators).collect();
    predicted.lanes.retain(
        |lane| !matches!(lane.label, LaneLabel::Spectator(number) if late.contains(&number)),
    );
    Some(predicted)
}

/// The entry without the carriage return that belongs to its line end.
fn plain(entry: &Entry, has_carriage_return: bool) -> Entry {
    let mut entry = entry.clone();
    if has_carriage_return {
        entry.line.text.pop();
    }
    entry
}

/// Compares the game with its golden transcript, modulo names and modulo what the bot was free in.
pub(super) fn compare<K: Kind>(state: &mut State<K>, predicted: &Transcript) {
    let Some(golden) = state.golden.clone() else {
        return;
    };
    if *golden == *predicted {
        return;
    }
    let mut golden = Transcript::clone(&golden);
    let is_watched = |lane: &LaneState| lane.kind == LaneKind::Spectator;
    if !state.seen.lanes.iter().any(is_watched) {
        golden
            .lanes
            .retain(|lane| !matches!(lane.label, LaneLabel::Spectator(_)));
    }
    let mut observed = predicted.clone();
    if state.seen.scenario.side() == Side::Bot {
        adopt_free_lines(&state.seen.lanes[0], &golden, &mut observed);
    }
    let comparison = differences(&golden, &observed);
    if comparison.is_empty() {
        return;
    }
    let mut finding = Finding::new(Verdict::Fail, FindingKind::NotGolden);
    K::blame(&state.seen, &mut finding);
    let seat_names = state.seen.scenario.protocol().seat_names();
    for lane in &comparison {
        let name = lane.label.display(seat_names).to_string();
        finding.lanes.extend(
            lane.differences
                .iter()
                .take(SHOWN)
                .map(|difference| lane_view(&name, difference)),
        );
        if let Some(more) = lane
            .differences
            .len()
            .checked_sub(SHOWN)
            .filter(|&more| more > 0)
        {
            finding
                .notes
                .push(format!("{more} more differences on the lane of {name}"));
        }
    }
    finding.notes.push("the rules themselves agree with what was observed; if the golden transcript is out of date, --bless writes it anew".to_owned());
    state.results.findings.push(finding);
}

/// Replaces the bot's free choices in the observed transcript by the golden ones, together with the lines
/// that confirm them.
fn adopt_free_lines(lane: &LaneState, golden: &Transcript, observed: &mut Transcript) {
    let (Some(golden), Some(observed)) = (golden.lanes.first(), observed.lanes.first_mut()) else {
        return;
    };
    let is_sent = |entry: &&Entry| entry.direction == Direction::Sent;
    for &line in &lane.free_lines {
        // Lines that are left open stand in no transcript.
        let index = line - lane.open_lines.iter().filter(|open| **open < line).count();
        let (Some(due), Some(chosen)) = (
            golden.entries.get(index).filter(is_sent),
            observed.entries.get(index).cloned(),
        ) else {
            continue;
        };
        let is_echo = |entry: Option<&Entry>, of: &Entry| {
            entry.is_some_and(|entry| {
                entry.direction == Direction::Received && entry.line == of.line
            })
        };
        if is_echo(golden.entries.get(index + 1), due)
            && is_echo(observed.entries.get(index + 1), &chosen)
        {
            observed.entries[index + 1] = golden.entries[index + 1].clone();
        }
        observed.entries[index] = due.clone();
    }
}

fn lane_view(lane: &str, difference: &Difference) -> LaneView {
    let want = |entry: &Option<Entry>| match entry {
        Some(entry) => LaneText::Line(entry.line.text.clone()),
        None => LaneText::Nothing,
    };
    let direction = match difference.direction {
        Direction::Received => "",
        Direction::Sent => ", sent",
    };
    LaneView {
        lane: format!("{lane}{direction}"),
        line_number: difference.observed_line as u64,
        expected: want(&difference.expected),
        received: want(&difference.observed),
        agrees: false,
    }
}
