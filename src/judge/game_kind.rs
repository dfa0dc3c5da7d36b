//! A game, as a kind of what is judged.

use std::time::Duration;

use super::game_facts::GameFacts;
use super::kind::Kind;
use super::observed::Observed;
use super::state::State;
use super::{excuse, finding_context};
use crate::finding::Finding;
use crate::protocol::Party;
use crate::transcript::LaneLabel;

impl Kind for GameFacts {
    fn label(&self, lane: usize, number: u32) -> LaneLabel {
        match self.model.party(lane) {
            Some(Party::Player(seat)) => LaneLabel::Player(seat),
            Some(Party::Spectator) => LaneLabel::Spectator(number),
            None => LaneLabel::Unseated(number),
        }
    }

    fn lane_name(seen: &Observed, lane: usize) -> String {
        finding_context::lane_name(seen, lane)
    }

    fn own_delay(state: &State, timeout: Duration, late: Duration) -> (Duration, Duration) {
        excuse::own_delay(state, timeout, late)
    }

    fn excuse(state: &mut State, finding: &mut Finding) {
        excuse::time_that_was_over(state, finding);
    }
}
