//! A golden transcript against what was observed: per lane what differs, and where inside a line.
//!
//! Order is compared within one direction of one lane, because only there it is certain. The names of the players are
//! those of the game that the golden transcript was taken from: a name in a handshake counts as right where the first
//! observed handshake has another one. In every other line each byte counts, and so does how the line ended.

mod inline;

pub use inline::{Pieces, inline};

use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::{Direction, Entry, LaneLabel, LaneTranscript, Transcript};
use crate::protocol::{Dialect, LaneKind, Slot};
use crate::rules::{PerSeat, Seat};

/// Longest time for the exact alignment of one direction of one lane; later it becomes coarse.
const PATIENCE: Duration = Duration::from_millis(300);

/// Differences of one lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneComparison {
    /// Owner of the lane.
    pub label: LaneLabel,
    /// The differences, in the order of the lane; never empty.
    pub differences: Vec<Difference>,
}

/// One difference of a lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The direction in which it shows.
    pub direction: Direction,
    /// Number of the line in the lane, from 1, both directions counted; for an expected line, in the golden
    /// lane.
    pub expected_line: usize,
    /// Number of the line in the observed lane, from 1, both directions counted.
    pub observed_line: usize,
    /// The expected entry, with the observed names; `None` for a surplus line.
    pub expected: Option<Entry>,
    /// The observed entry; `None` for a missing line.
    pub observed: Option<Entry>,
}

/// Compares what was observed with a golden transcript. Returns the lanes on which something differs: those of the golden transcript
/// first, then lanes that it does not have.
///
/// A lane that only one of the two has differs in all of its lines; one without lines is as good as no lane.
#[must_use]
pub fn compare(golden: &Transcript, observed: &Transcript) -> Vec<LaneComparison> {
    let mut golden = golden.clone();
    if let Some(dialect) = golden.protocol.dialect() {
        rename(dialect, &mut golden, observed);
    }
    let is_new = |lane: &&LaneTranscript| golden.lane(lane.label).is_none();
    let labels = golden.lanes.iter().map(|lane| lane.label);
    let labels = labels.chain(observed.lanes.iter().filter(is_new).map(|lane| lane.label));
    let compared = labels.map(|label| {
        let [expected, observed] = [&golden, observed].map(|transcript| {
            let lane = transcript.lane(label);
            lane.map_or(Vec::new(), |lane| lane.entries.clone())
        });
        LaneComparison {
            label,
            differences: differences(&expected, &observed),
        }
    });
    compared
        .filter(|lane| !lane.differences.is_empty())
        .collect()
}

/// Compares one lane, names included: both directions, each by itself.
fn differences(expected: &[Entry], observed: &[Entry]) -> Vec<Difference> {
    if expected == observed {
        return Vec::new();
    }
    let mut all = Vec::new();
    for direction in [Direction::Received, Direction::Sent] {
        let expected = numbered(expected, direction);
        let observed = numbered(observed, direction);
        one_direction(direction, &expected, &observed, &mut all);
    }
    all.sort_by_key(|difference| (difference.expected_line, difference.observed_line));
    all
}

/// A line of the lane and its number there.
type Numbered<'a> = (usize, &'a Entry);

fn numbered(entries: &[Entry], direction: Direction) -> Vec<Numbered<'_>> {
    let numbered = entries
        .iter()
        .enumerate()
        .map(|(index, entry)| (index + 1, entry));
    numbered
        .filter(|(_, entry)| entry.direction == direction)
        .collect()
}

fn one_direction(
    direction: Direction,
    expected: &[Numbered<'_>],
    observed: &[Numbered<'_>],
    all: &mut Vec<Difference>,
) {
    let deadline = Instant::now() + PATIENCE;
    let ops = capture_diff_slices_deadline(
        Algorithm::Myers,
        &keys(expected),
        &keys(observed),
        Some(deadline),
    );
    // A line that is missing would have stood before the next one, or after the last.
    let number = |side: &[Numbered<'_>], index: usize| match side.get(index) {
        Some((number, _)) => *number,
        None => side.last().map_or(1, |(number, _)| number + 1),
    };
    for op in ops {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (old, new) = (op.old_range(), op.new_range());
        for offset in 0..old.len().max(new.len()) {
            let (at_old, at_new) = (
                (old.start + offset).min(old.end),
                (new.start + offset).min(new.end),
            );
            all.push(Difference {
                direction,
                expected_line: number(expected, at_old),
                observed_line: number(observed, at_new),
                expected: (at_old < old.end).then(|| expected[at_old].1.clone()),
                observed: (at_new < new.end).then(|| observed[at_new].1.clone()),
            });
        }
    }
}

/// Returns the keys that the alignment compares: all parts of each entry, in a form that has an order.
fn keys<'a>(side: &[Numbered<'a>]) -> Vec<(&'a [u8], u8)> {
    side.iter()
        .map(|(_, entry)| (entry.line.text.as_slice(), entry.line.ending as u8))
        .collect()
}

/// Puts the observed names where the handshakes of the golden transcript have the golden ones. The names of a transcript are those that its
/// first handshake has.
fn rename(dialect: &'static dyn Dialect, golden: &mut Transcript, observed: &Transcript) {
    let first = |transcript: &mut Transcript| {
        let mut names: PerSeat<Option<Vec<u8>>> = PerSeat::default();
        for (seat, name) in names_in(dialect, transcript) {
            names[seat].get_or_insert_with(|| name.clone());
        }
        names
    };
    let (known, seen) = (first(golden), first(&mut observed.clone()));
    for (seat, name) in names_in(dialect, golden) {
        if let Some(seen) = &seen[seat]
            && known[seat].as_ref() == Some(name)
        {
            name.clone_from(seen);
        }
    }
}

/// The names in the handshakes of all lanes.
fn names_in<'t>(
    dialect: &'static dyn Dialect,
    transcript: &'t mut Transcript,
) -> impl Iterator<Item = (Seat, &'t mut Vec<u8>)> {
    transcript.lanes.iter_mut().flat_map(move |lane| {
        let greeting = dialect.greeting(lane.label.kind() == LaneKind::Spectator);
        let received = lane.entries.iter_mut();
        let received = received.filter(|entry| entry.direction == Direction::Received);
        received
            .zip(greeting)
            .filter_map(|(entry, greeting)| match greeting.slot {
                Slot::Name(seat) => Some((seat, &mut entry.line.text)),
                _ => None,
            })
    })
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
