//! The lanes: whose each one is, what it is due, and what it has been told.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Model;
use crate::protocol::{Duty, GameEvent, Greeting, OwedLine, Party};
use crate::rules::Seat;

/// Kind of a lane, before the handshake has shown its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LaneKind {
    /// A player's.
    #[default]
    Player,
    /// A spectator's.
    Spectator,
}

#[derive(Debug, Clone)]
pub(super) struct Lane {
    pub(super) kind: LaneKind,
    pub(super) seat: Option<Seat>,
    pub(super) greeted: usize,
    /// The lines that it is due, each with the number of its event from 0.
    pub(super) due: VecDeque<(usize, OwedLine)>,
    pub(super) received: u64,
    /// True if nothing is predicted for the lane: it is not open yet, joined late, or has disconnected.
    pub(super) is_apart: bool,
}

impl Lane {
    /// A lane before its handshake.
    pub(super) fn new(kind: LaneKind) -> Lane {
        Lane {
            kind,
            seat: None,
            greeted: 0,
            due: VecDeque::new(),
            received: 0,
            is_apart: false,
        }
    }
}

impl Model {
    /// Says that a player's lane belongs to this seat, where that is known before the handshake.
    pub fn assign(&mut self, lane: usize, seat: Seat) {
        self.lanes[lane].seat = Some(seat);
        // What has happened before was predicted on the lanes that had an owner then.
        for (number, event) in self.history.iter().enumerate() {
            let told = self.dialect.tell(event, Party::Player(seat));
            self.lanes[lane].due.extend(told.map(|told| (number, told)));
        }
    }

    /// Returns the owner of the lane, once known.
    #[must_use]
    pub fn party(&self, lane: usize) -> Option<Party> {
        match self.lanes[lane].kind {
            LaneKind::Spectator => Some(Party::Spectator),
            LaneKind::Player => self.lanes[lane].seat.map(Party::Player),
        }
    }

    /// The lane of a seat, once that is known.
    #[must_use]
    pub fn lane_of(&self, seat: Seat) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.seat == Some(seat))
    }

    /// Returns the number of lines that the lane has received.
    #[must_use]
    pub fn received(&self, lane: usize) -> u64 {
        self.lanes[lane].received
    }

    /// Returns true if the handshake is complete on every lane.
    #[must_use]
    pub fn is_greeted(&self) -> bool {
        (0..self.lanes.len())
            .all(|lane| self.lanes[lane].is_apart || self.next_greeting(lane).is_none())
    }

    /// Returns true if every lane has received all lines that are due. A roll that is yet to come does not
    /// count.
    #[must_use]
    pub fn is_caught_up(&self) -> bool {
        self.is_greeted()
            && self
                .lanes
                .iter()
                .all(|lane| lane.due.iter().all(|(_, told)| told.duty == Duty::May))
    }

    pub(super) fn next_greeting(&self, lane: usize) -> Option<Greeting> {
        let lane = &self.lanes[lane];
        self.dialect
            .greeting(lane.kind == LaneKind::Spectator)
            .get(lane.greeted)
            .copied()
    }

    pub(super) fn predict(&mut self, happening: GameEvent, ignored: Option<&'static str>) {
        self.history.push(happening);
        self.ignored_grounds.push(ignored);
        for index in 0..self.lanes.len() {
            let told = self.told(index, &happening);
            let told = told.map(|told| (self.history.len() - 1, told));
            self.lanes[index].due.extend(told);
        }
    }

    /// The line that the owner of a lane receives for an event; `None` where nothing is predicted for the lane.
    pub(super) fn told(&self, lane: usize, event: &GameEvent) -> Option<OwedLine> {
        let party = self.party(lane).filter(|_| !self.lanes[lane].is_apart)?;
        self.dialect.tell(event, party)
    }

    /// Takes the next line that the lane has to be told, for whoever plays the referee: the handshake first.
    pub fn take_due(&mut self, lane: usize) -> Option<OwedLine> {
        if let Some(greeting) = self.next_greeting(lane) {
            let owed = self.greeting(greeting, self.party(lane)?)?;
            self.lanes[lane].greeted += 1;
            self.lanes[lane].received += 1;
            return Some(owed);
        }
        loop {
            let (_, told) = self.lanes[lane].due.pop_front()?;
            if told.duty == Duty::Must {
                self.lanes[lane].received += 1;
                return Some(told);
            }
        }
    }

    /// A line of the handshake for this party, where it is known.
    fn greeting(&self, greeting: Greeting, to: Party) -> Option<OwedLine> {
        let line = self
            .dialect
            .write_greeting(greeting.slot, to, &self.facts)?;
        Some(OwedLine::must(line, greeting.requirement))
    }

    /// Forgets the events but the last, which nobody asks for any more.
    pub fn forget(&mut self) {
        let before = self.history.len().saturating_sub(1);
        self.history.drain(..before);
        self.ignored_grounds.drain(..before);
        let due = self.lanes.iter_mut().flat_map(|lane| &mut lane.due);
        // The number of an event that is forgotten is beyond all others.
        due.for_each(|(event, _)| *event = event.wrapping_sub(before));
    }

    /// Returns all lines that a party has to receive so far, and the number of lines of the handshake.
    #[must_use]
    pub fn whole_stream(&self, party: Party) -> (Vec<OwedLine>, usize) {
        let greeting = self.dialect.greeting(party == Party::Spectator);
        let owed = greeting.iter();
        let owed = owed.filter_map(|greeting| self.greeting(*greeting, party));
        let mut told: Vec<OwedLine> = owed.collect();
        for event in &self.history {
            told.extend(self.dialect.tell(event, party));
        }
        (told, greeting.len())
    }

    /// Says that a lane is not there from the beginning, or not any more: nothing is predicted for it line by line.
    pub fn set_apart(&mut self, lane: usize) {
        self.lanes[lane].is_apart = true;
        self.lanes[lane].due.clear();
    }
}
