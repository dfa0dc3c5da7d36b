//! Deviations: what was due where something else came or nothing, and the requirement that is to blame.

use super::Model;
use super::lane::LaneKind;
use crate::protocol::{
    Cause, Deviation, DueLine, Duty, Expected, GameEvent, Greeting, Grounds, Line, OwedLine, Party,
    RefereeLine, Slot,
};
use crate::requirement::Role;
use crate::rules::{Seat, Table};

impl Model {
    /// Returns true if the lane still has to receive a line before the game can go on.
    #[must_use]
    pub fn is_owed(&self, lane: usize) -> bool {
        let undecided = self.undecided.as_ref();
        !self.lanes[lane].is_apart
            && (self.next_greeting(lane).is_some()
                || self.next_due(lane).is_some()
                || self.awaits_roll()
                || undecided.is_some_and(|undecided| !undecided.may_leave_the_turn()))
    }

    /// Returns that line, as a deviation with nothing received.
    #[must_use]
    pub fn missing(&self, lane: usize) -> Option<Box<Deviation>> {
        self.is_owed(lane).then(|| self.deviation(lane, None))
    }

    /// The first line of an event that the lane has to receive.
    fn next_due(&self, lane: usize) -> Option<&OwedLine> {
        let mut due = self.lanes[lane].due.iter();
        due.find(|told| told.duty == Duty::Must)
    }

    /// The requirements by which this event was predicted.
    pub(super) fn grounds_of(&self, event: usize) -> Grounds {
        let (happening, table) = (&self.history[event], self.table_after(event));
        let of_table = table.as_ref().and_then(|table| table.turn_ground());
        let turn = self.ignored_grounds[event].or(of_table);
        match (happening, table) {
            (GameEvent::Moved { mv, .. }, Some(table)) => Grounds {
                mv: table.move_ground(*mv),
                turn: turn.or_else(|| Some(self.dialect.id(Role::FirstTurn))),
            },
            (GameEvent::Lost { cause, .. }, _) => Grounds {
                mv: match cause {
                    Cause::Invalid(requirement) => Some(requirement),
                    _ => None,
                },
                turn,
            },
            _ => Grounds { mv: None, turn },
        }
    }

    /// Returns the line that a lane receives too late, as a violation in time only: the line itself is
    /// correct, so no rule is named that would explain its absence.
    #[must_use]
    pub fn overdue(&self, lane: usize) -> Option<Box<Deviation>> {
        let mut missing = self.missing(lane)?;
        let of_roll = || self.awaits_roll().then(|| self.dialect.id(Role::Roll));
        let by_itself = match self.next_greeting(lane) {
            Some(_) => None,
            None => self
                .next_due(lane)
                .map_or_else(of_roll, |told| Some(told.requirement)),
        };
        missing.requirement = by_itself.unwrap_or(missing.requirement);
        Some(missing)
    }

    /// Returns the deviation of a lane that ends although the game goes on.
    #[must_use]
    pub fn ended_early(&self, lane: usize) -> Box<Deviation> {
        self.deviation(lane, None)
    }

    pub(super) fn deviation(&self, lane: usize, line: Option<&Line>) -> Box<Deviation> {
        let state = &self.lanes[lane];
        let heard = line.map(|line| self.dialect.hear(&line.text));
        let turn = self.turn_ground();
        let no_roll = || {
            let by_line = line.and_then(|line| self.dialect.no_roll_requirement(&line.text));
            by_line.unwrap_or_else(|| self.dialect.id(Role::Roll))
        };
        let due = self.next_due(lane);
        let due_line = self.due_line(lane);
        // The next roll may have come on another lane.
        let acted = match due_line {
            Some(DueLine::Event(number, ..)) => number.checked_sub(1).map(|at| &self.history[at]),
            _ => self.history.last(),
        };
        let echoed = match (acted, heard) {
            (Some(&GameEvent::Moved { by, mv, .. }), Some(RefereeLine::Move(heard)))
                if heard == mv && state.seat == Some(by) =>
            {
                self.dialect.find_id(Role::NoEcho)
            }
            _ => None,
        };
        let greeting = self.next_greeting(lane);
        let is_surplus = greeting.is_none() && self.is_surplus_greeting(lane, heard);
        let grounds = match due {
            _ if greeting.is_some() || is_surplus => Grounds::default(),
            Some(_) => match due_line {
                Some(DueLine::Event(number, ..)) => self.grounds_of(number),
                _ => Grounds::default(),
            },
            None => Grounds { mv: None, turn },
        };
        let (expected, requirement) = if let Some(greeting) = greeting {
            let expected = self.expected_greeting(lane, greeting);
            (expected, greeting.requirement)
        } else if is_surplus {
            let is_spectator = state.kind == LaneKind::Spectator;
            (
                self.expected_roll(),
                self.dialect.greeting_ends(is_spectator),
            )
        } else if let Some(told) = due {
            let requirement = self.attribution(lane, told, grounds, line.zip(heard));
            (Expected::Line(told.line.clone()), requirement)
        } else if self.is_over {
            let is_lost = matches!(self.history.last(), Some(GameEvent::Lost { .. }));
            let is_passed_on = is_lost && line.is_some_and(|line| line.text == self.said);
            let requirement = match is_passed_on {
                true => self.dialect.id(Role::NotPassedOn),
                false => self.dialect.nothing_after(is_lost),
            };
            (Expected::NothingMore, requirement)
        } else if self.awaits_roll() {
            let to_move = self.table().map(Table::to_move);
            let requirement = match self.history.last() {
                // A line that is no roll says nothing of whose roll it is.
                _ if heard == Some(RefereeLine::Other) => None,
                Some(GameEvent::Rolled { skipped: true, .. }) => turn,
                Some(&GameEvent::Moved { by, .. }) if to_move == Some(by) && line.is_none() => {
                    self.dialect.find_id(Role::NewRoll)
                }
                _ => None,
            };
            (self.expected_roll(), requirement.unwrap_or_else(no_roll))
        } else if let Some(undecided) = &self.undecided {
            let open = undecided.open;
            let expected = match (open.mv.or(undecided.later), open.may_lose) {
                (Some(mv), false) => Expected::Line(self.dialect.write_move(mv)),
                _ => Expected::Kind("the move or the loss".to_owned()),
            };
            let told = match (undecided.loss, undecided.later) {
                // One of both has to be told.
                (Cause::HangUp, _) => {
                    let of_cause = self.dialect.find_id(Role::LossByHangUp);
                    of_cause.or_else(|| self.dialect.find_id(Role::LossToOpponent))
                }
                // A legal move that was sent after it has to be answered, whatever the open line was.
                (_, Some(_)) => self.dialect.find_id(Role::MoveAwaited),
                (_, None) => None,
            };
            let requirement = told.unwrap_or(open.requirement);
            (expected, requirement)
        } else {
            let requirement = match (heard, self.ignored_ground()) {
                (Some(RefereeLine::Other), _) => self.dialect.id(Role::NothingElse),
                // The player is on turn still because a line was to be ignored.
                (_, Some(requirement)) => requirement,
                _ => self.dialect.id(Role::MoveAwaited),
            };
            (Expected::NothingYet, requirement)
        };
        Box::new(Deviation {
            lane,
            line_number: state.received + u64::from(line.is_none()),
            requirement: echoed.unwrap_or(requirement),
            grounds,
            expected,
            due: due_line,
            received: line.map(|line| (line.text.clone(), line.ending)),
            heard,
        })
    }

    /// What the next line tells that the lane has to receive.
    fn due_line(&self, lane: usize) -> Option<DueLine> {
        if self.next_greeting(lane).is_some() {
            return Some(DueLine::Handshake);
        }
        let Some(due) = self.next_due(lane) else {
            let to_move = self.table().map(Table::to_move);
            let is_extra = matches!(self.history.last(), Some(GameEvent::Moved { by, .. }) if Some(*by) == to_move);
            return (!self.is_over && self.awaits_roll()).then_some(DueLine::NextRoll { is_extra });
        };
        let party = self.party(lane)?;
        let is_due =
            |told: &OwedLine| (&told.line, told.requirement) == (&due.line, due.requirement);
        let tells = |(_, event): &(usize, &GameEvent)| {
            self.dialect
                .tell(event, party)
                .is_some_and(|told| is_due(&told))
        };
        // The first of those equal lines that it is still owed.
        let later = self.lanes[lane]
            .due
            .iter()
            .filter(|told| is_due(told))
            .count()
            - 1;
        let events = self.history.iter().enumerate().rev();
        let (number, event) = events.filter(tells).nth(later)?;
        Some(DueLine::Event(number, *event, party))
    }

    /// Returns true if a line in the place of the first roll looks like another line of the handshake.
    fn is_surplus_greeting(&self, lane: usize, heard: Option<RefereeLine>) -> bool {
        let state = &self.lanes[lane];
        let due = state.due.front().map(|told| self.dialect.hear(&told.line));
        let is_roll_due = due.map_or(self.awaits_roll(), |due| {
            matches!(due, RefereeLine::Roll(_))
        });
        state.received == state.greeted as u64 + 1
            && is_roll_due
            && matches!(heard, Some(RefereeLine::Move(_)))
    }

    /// Returns true if another lane has received the loss.
    fn is_loss_told(&self, lane: usize) -> bool {
        let Some(GameEvent::Lost { by, .. }) = self.history.last() else {
            return false;
        };
        (0..self.lanes.len()).any(|other| {
            other != lane
                && self.party(other) != Some(Party::Player(*by))
                && self.lanes[other].due.is_empty()
        })
    }

    /// Returns true if another lane has received this line for the last event: then only this lane's copy is
    /// missing.
    #[must_use]
    pub fn is_told_elsewhere(&self, lane: usize, line: &[u8]) -> bool {
        let Some(happening) = self.history.last() else {
            return false;
        };
        (0..self.lanes.len())
            .filter(|&other| other != lane)
            .any(|other| {
                let told = self.told(other, happening);
                let is_due = self.lanes[other].due.iter().any(|due| due.line == line);
                told.is_some_and(|told| told.duty == Duty::Must && told.line == line) && !is_due
            })
    }

    /// The requirement that the most telling ground names, by what came in place of the line that was due.
    fn attribution(
        &self,
        lane: usize,
        told: &OwedLine,
        grounds: Grounds,
        came: Option<(&Line, RefereeLine)>,
    ) -> &'static str {
        let ground = match (self.dialect.hear(&told.line), came.map(|(_, heard)| heard)) {
            (RefereeLine::Loss, Some(RefereeLine::Loss)) => None,
            (RefereeLine::Loss, Some(RefereeLine::Other)) => grounds
                .mv
                .filter(|_| came.is_some_and(|(line, _)| line.text == self.said)),
            // Where others have been told, the referee knows that the move loses.
            (RefereeLine::Loss, None) if self.is_loss_told(lane) => None,
            (RefereeLine::Loss, _) => grounds.mv,
            (RefereeLine::Move(_), Some(RefereeLine::Loss)) if self.has_mover_left() => None,
            (RefereeLine::Move(_), Some(RefereeLine::Loss)) => grounds.mv.or(grounds.turn),
            (RefereeLine::Move(_), None) if self.is_told_elsewhere(lane, &told.line) => None,
            (RefereeLine::Move(_), Some(RefereeLine::Other)) => {
                self.dialect.find_id(Role::MoveFormat).filter(|_| {
                    came.is_some_and(|(line, _)| line.text.eq_ignore_ascii_case(&told.line))
                })
            }
            // A winning move that nobody is told of says nothing about whose turn it was.
            (RefereeLine::Move(_), None) => grounds.turn.filter(|_| !self.is_over),
            _ => None,
        };
        ground.unwrap_or(told.requirement)
    }

    /// Returns true if the player of the last move has gone away since.
    fn has_mover_left(&self) -> bool {
        matches!(self.history.last(), Some(GameEvent::Moved { by, .. }) if self.is_gone[*by])
    }

    fn expected_roll(&self) -> Expected {
        Expected::Kind(self.dialect.game().data().roll_syntax.to_owned())
    }

    fn expected_greeting(&self, lane: usize, greeting: Greeting) -> Expected {
        let mut free = Seat::BOTH
            .into_iter()
            .filter(|&seat| self.lane_of(seat).is_none());
        let last_free = free
            .next()
            .filter(|_| free.next().is_none())
            .map(Party::Player);
        let party = match (self.party(lane), greeting.slot) {
            (None, Slot::OwnSeat) => last_free,
            // Whoever it is, he is told the same.
            (None, _) => Some(Party::Player(Seat::First)),
            (known, _) => known,
        };
        let line = party.and_then(|party| {
            self.dialect
                .write_greeting(greeting.slot, party, &self.facts)
        });
        line.map_or_else(
            || Expected::Kind(greeting.syntax.to_owned()),
            Expected::Line,
        )
    }
}
