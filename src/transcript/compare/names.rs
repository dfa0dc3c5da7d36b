//! Players' names, so that transcripts of different players can be equal.

use crate::protocol::{Dialect, Slot};
use crate::rules::{PerSeat, Seat};
use crate::transcript::{Direction, Entry, LaneLabel, Transcript};

/// Map from the names of the golden game to the observed names.
#[derive(Debug)]
pub(super) struct Renaming<'a> {
    dialect: &'static dyn Dialect,
    /// Golden and observed name of each seat, if both are known.
    names: PerSeat<Option<(&'a [u8], &'a [u8])>>,
}

impl<'a> Renaming<'a> {
    pub(super) fn new(
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
    pub(super) fn apply(&self, label: LaneLabel, entries: &mut [Entry]) {
        let greeting = self
            .dialect
            .greeting(matches!(label, LaneLabel::Spectator(_)));
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
    let mut told: Vec<(&[u8], usize)> = Vec::new();
    for lane in &transcript.lanes {
        let greeting = dialect.greeting(matches!(lane.label, LaneLabel::Spectator(_)));
        let Some(place) = greeting
            .iter()
            .position(|greeting| greeting.slot == Slot::Name(seat))
        else {
            continue;
        };
        let mut received = lane
            .entries
            .iter()
            .filter(|entry| entry.direction == Direction::Received);
        let Some(entry) = received.nth(place) else {
            continue;
        };
        match told.iter_mut().find(|(name, _)| *name == entry.line.text) {
            Some((_, count)) => *count += 1,
            None => told.push((&entry.line.text, 1)),
        }
    }
    let most = told.iter().map(|(_, count)| *count).max()?;
    let mut most_told = told
        .into_iter()
        .filter(|(_, count)| *count == most)
        .map(|(name, _)| name);
    let first = most_told.next()?;
    Some(
        most_told
            .find(|name| Some(*name) == preferred && Some(first) != preferred)
            .unwrap_or(first),
    )
}
