//! A golden transcript against what was observed: per lane what differs, and where inside a line.
//!
//! Order is compared within one direction of one lane, because only there it is certain. The names of the players are
//! those of the game that the golden transcript was taken from: a name in a handshake counts as right where the observed
//! handshakes agree on another one. In every other line each byte counts, and so does how the line ended.

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
    let dialect = golden.protocol.dialect();
    let renaming = dialect.map(|dialect| Renaming::new(dialect, golden, observed));
    let is_new = |lane: &&LaneTranscript| golden.lane(lane.label).is_none();
    let labels = golden.lanes.iter().map(|lane| lane.label);
    let labels = labels.chain(observed.lanes.iter().filter(is_new).map(|lane| lane.label));
    let compared = labels.map(|label| {
        let [mut expected, observed] = [golden, observed].map(|transcript| {
            let lane = transcript.lane(label);
            lane.map_or(Vec::new(), |lane| lane.entries.clone())
        });
        if let Some(renaming) = &renaming {
            renaming.apply(label, &mut expected);
        }
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

/// Map from the names of the golden game to the observed names.
#[derive(Debug)]
struct Renaming<'a> {
    dialect: &'static dyn Dialect,
    /// Golden and observed name of each seat, if both are known.
    names: PerSeat<Option<(&'a [u8], &'a [u8])>>,
}

impl<'a> Renaming<'a> {
    fn new(
        dialect: &'static dyn Dialect,
        golden: &'a Transcript,
        observed: &'a Transcript,
    ) -> Self {
        let pair = |seat| {
            let golden = name(dialect, golden, seat, None)?;
            Some((golden, name(dialect, observed, seat, Some(golden))?))
        };
        Renaming {
            dialect,
            names: PerSeat(Seat::BOTH.map(pair)),
        }
    }

    /// Puts the observed names where the handshake of a golden lane has the golden ones.
    fn apply(&self, label: LaneLabel, entries: &mut [Entry]) {
        let greeting = self.dialect.greeting(label.kind() == LaneKind::Spectator);
        let received = entries
            .iter_mut()
            .filter(|entry| entry.direction == Direction::Received);
        for (entry, greeting) in received.zip(greeting) {
            if let Slot::Name(seat) = greeting.slot
                && let Some((golden, observed)) = self.names[seat]
                && entry.line.text == golden
            {
                entry.line.text = observed.to_vec();
            }
        }
    }
}

/// The name that the handshakes tell of a seat; where they differ, the one that most of them tell, and among equals the
/// preferred one, or else the first.
fn name<'a>(
    dialect: &'static dyn Dialect,
    transcript: &'a Transcript,
    seat: Seat,
    preferred: Option<&[u8]>,
) -> Option<&'a [u8]> {
    let told = transcript.lanes.iter().filter_map(|lane| {
        let mut greeting = dialect
            .greeting(lane.label.kind() == LaneKind::Spectator)
            .iter();
        let place = greeting.position(|greeting| greeting.slot == Slot::Name(seat))?;
        let mut received = lane
            .entries
            .iter()
            .filter(|entry| entry.direction == Direction::Received);
        Some(&*received.nth(place)?.line.text)
    });
    let told: Vec<&[u8]> = told.collect();
    let count = |name| told.iter().filter(|told| **told == name).count();
    // Of equals, the last one is taken.
    let names = told.iter().copied().rev();
    names.max_by_key(|name| (count(*name), Some(*name) == preferred))
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
