//! The two kinds of what is judged: a game and a dialogue.

use std::time::Duration;

use super::lane::LaneState;
use super::observed::Observed;
use super::state::State;
use crate::finding::Finding;
use crate::transcript::{Entry, LaneLabel, LaneTranscript, Transcript};

/// A kind of what is judged.
pub(super) trait Kind: Clone + Sized {
    /// Owner of a lane; `number` is that of the lane among those of its kind, from 1.
    fn label(&self, lane: usize, number: u32) -> LaneLabel;

    /// Name of the participant of a lane, for findings.
    fn lane_name(seen: &Observed<Self>, lane: usize) -> String;

    /// Returns the longest time that a referee can have waited for a line, where `late` is urtext's own delay, and the time that may
    /// have run before.
    fn own_delay(_state: &State<Self>, timeout: Duration, late: Duration) -> (Duration, Duration) {
        (late, timeout / 4)
    }

    /// Names the requirement that a failure is about where the failure itself does not.
    fn blame(_seen: &Observed<Self>, _finding: &mut Finding) {}

    /// Weakens a finding for which urtext's own delay may be the reason.
    fn excuse(_state: &mut State<Self>, _finding: &mut Finding) {}
}

impl<K: Kind> Observed<K> {
    /// Label of a lane in transcripts.
    pub(super) fn label(&self, lane: usize) -> LaneLabel {
        let is_alike = |other: &&LaneState| other.kind == self.lanes[lane].kind;
        let before = self.lanes[..lane].iter().filter(is_alike).count() as u32;
        self.kind.label(lane, before + 1)
    }

    /// A transcript of all lanes with these lines, players by seat and then spectators.
    pub(super) fn transcript_of(&self, mut entries: impl FnMut(usize) -> Vec<Entry>) -> Transcript {
        let lane = |index: usize| LaneTranscript::new(self.label(index), entries(index));
        let mut lanes: Vec<_> = (0..self.lanes.len()).map(lane).collect();
        lanes.sort_by_key(|lane| lane.label);
        Transcript {
            dialect: self.scenario.protocol().name().to_owned(),
            lanes,
        }
    }
}
