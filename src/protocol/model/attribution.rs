//! Deviations: what was due where something else came or nothing, and the requirement that is to blame.

use super::lane::LaneKind;
use super::{Model, Undecided};
use crate::protocol::{
    Cause, Deviation, DueLine, Duty, Expected, GameEvent, Greeting, Grounds, Line, OwedLine, Party,
    RefereeLine, Slot,
};
use crate::requirement::Role;
use crate::rules::{Seat, Table};

/// The first thing that a lane is due.
enum Due<'m> {
    Greeting(Greeting),
    /// This line, for the event of this number.
    Line(usize, &'m OwedLine),
    NothingMore,
    Roll,
    /// An answer to a line that the specification leaves open.
    Open(&'m Undecided),
    Move,
}

impl Model {
    /// The first thing that the lane is due.
    fn due(&self, lane: usize) -> Due<'_> {
        let mut lines = self.lanes[lane].due.iter();
        let line = lines.find(|(_, told)| told.duty == Duty::Must);
        match (self.next_greeting(lane), line) {
            (Some(greeting), _) => Due::Greeting(greeting),
            (None, Some((event, told))) => Due::Line(*event, told),
            _ if self.is_over => Due::NothingMore,
            _ if self.awaits_roll() => Due::Roll,
            _ => self.undecided.as_ref().map_or(Due::Move, Due::Open),
        }
    }

    /// Returns true if the lane still has to receive a line before the game can go on.
    #[must_use]
    pub fn is_owed(&self, lane: usize) -> bool {
        let is_due = match self.due(lane) {
            Due::Greeting(_) | Due::Line(..) | Due::Roll => true,
            Due::Open(undecided) => !undecided.may_leave_the_turn(),
            Due::NothingMore | Due::Move => false,
        };
        is_due && !self.lanes[lane].is_apart
    }

    /// Returns that line, as a deviation with nothing received.
    #[must_use]
    pub fn missing(&self, lane: usize) -> Option<Box<Deviation>> {
        self.is_owed(lane).then(|| self.deviation(lane, None))
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
        match self.due(lane) {
            Due::Line(_, told) => missing.requirement = told.requirement,
            Due::Roll => missing.requirement = self.dialect.id(Role::Roll),
            _ => {}
        }
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
        let due = self.due(lane);
        // The next roll may have come on another lane.
        let acted = match due {
            Due::Line(number, _) => number.checked_sub(1).and_then(|at| self.history.get(at)),
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
        let is_surplus = self.is_surplus_greeting(lane, heard);
        let grounds = match due {
            Due::Greeting(_) => Grounds::default(),
            _ if is_surplus => Grounds::default(),
            Due::Line(number, _) => self.grounds_of(number),
            _ => Grounds { mv: None, turn },
        };
        let (expected, requirement) = match due {
            Due::Greeting(greeting) => {
                let expected = self.expected_greeting(lane, greeting);
                (expected, greeting.requirement)
            }
            _ if is_surplus => {
                let is_spectator = state.kind == LaneKind::Spectator;
                let ends = self.dialect.greeting_ends(is_spectator);
                (self.expected_roll(), ends)
            }
            Due::Line(_, told) => {
                let requirement = self.attribution(lane, told, grounds, line.zip(heard));
                (Expected::Line(told.line.clone()), requirement)
            }
            Due::NothingMore => {
                let is_lost = matches!(self.history.last(), Some(GameEvent::Lost { .. }));
                let is_passed_on = is_lost && line.is_some_and(|line| line.text == self.said);
                let requirement = match is_passed_on {
                    true => self.dialect.id(Role::NotPassedOn),
                    false => self.dialect.nothing_after(is_lost),
                };
                (Expected::NothingMore, requirement)
            }
            Due::Roll => {
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
            }
            Due::Open(undecided) => {
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
            }
            Due::Move => {
                let requirement = match (heard, self.ignored_ground()) {
                    (Some(RefereeLine::Other), _) => self.dialect.id(Role::NothingElse),
                    // The player is on turn still because a line was to be ignored.
                    (_, Some(requirement)) => requirement,
                    _ => self.dialect.id(Role::MoveAwaited),
                };
                (Expected::NothingYet, requirement)
            }
        };
        let due = match due {
            Due::Greeting(_) => Some(DueLine::Handshake),
            Due::Line(number, _) => self
                .party(lane)
                .map(|to| DueLine::Event(number, self.history[number], to)),
            Due::Roll => Some(DueLine::NextRoll),
            _ => None,
        };
        Box::new(Deviation {
            lane,
            line_number: state.received + u64::from(line.is_none()),
            requirement: echoed.unwrap_or(requirement),
            grounds,
            expected,
            due,
            received: line.map(|line| (line.text.clone(), line.ending)),
            heard,
        })
    }

    /// Returns true if a line in the place of the first roll looks like another line of the handshake.
    fn is_surplus_greeting(&self, lane: usize, heard: Option<RefereeLine>) -> bool {
        let state = &self.lanes[lane];
        let due = state
            .due
            .front()
            .map(|(_, told)| self.dialect.hear(&told.line));
        let is_roll_due = due.map_or(self.awaits_roll(), |due| {
            matches!(due, RefereeLine::Roll(_))
        });
        state.received == state.greeted as u64 + 1
            && is_roll_due
            && matches!(heard, Some(RefereeLine::Move(_)))
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
                let is_due = self.lanes[other]
                    .due
                    .iter()
                    .any(|(_, due)| due.line == line);
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
            // Where others have been told, the referee knows of the move, or that it loses.
            (_, None) if self.is_told_elsewhere(lane, &told.line) => None,
            (RefereeLine::Loss, Some(RefereeLine::Loss)) => None,
            (RefereeLine::Loss, Some(RefereeLine::Other)) => grounds
                .mv
                .filter(|_| came.is_some_and(|(line, _)| line.text == self.said)),
            (RefereeLine::Loss, _) => grounds.mv,
            (RefereeLine::Move(_), Some(RefereeLine::Loss)) if self.has_mover_left() => None,
            (RefereeLine::Move(_), Some(RefereeLine::Loss)) => grounds.mv.or(grounds.turn),
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
