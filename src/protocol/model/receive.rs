//! Lines from the referee: the handshake, what was due, and the first sign of what has happened.

use super::Model;
use crate::protocol::{Cause, Deviation, Duty, GameEvent, Greeting, Line, LineEnding, RefereeLine};
use crate::requirement::Role;
use crate::rules::Phase;

/// Meaning of a received line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Received {
    /// A line of the handshake.
    Greeting,
    /// A line that was due.
    Due,
    /// The first sign of a happening, which the other lanes are told of too.
    News(GameEvent),
    /// A line that the specification leaves open: id of the entry that says so.
    Open(&'static str),
    /// The first sign of what the referee made of something that the specification leaves open.
    Decided(&'static str),
    /// A line for which nothing is predicted: its lane joined late.
    Apart,
}

impl Model {
    /// Takes a line that a lane received from the referee.
    ///
    /// # Errors
    /// Returns the deviation from the prediction. The line is counted; the model does not advance.
    pub fn receive(&mut self, lane: usize, line: &Line) -> Result<Received, Box<Deviation>> {
        self.lanes[lane].received += 1;
        if self.lanes[lane].is_apart {
            return Ok(Received::Apart);
        }
        if line.ending != LineEnding::Newline {
            let mut deviation = self.deviation(lane, Some(line));
            deviation.requirement = self.dialect.id(Role::Newline);
            return Err(deviation);
        }
        if let Some(greeting) = self.next_greeting(lane) {
            return self.receive_greeting(lane, greeting, line);
        }
        if self.undecided.is_some() && self.lanes[lane].due.is_empty() {
            self.decide(lane, line);
        }
        while let Some((told, _)) = self.lanes[lane].due.front() {
            let (duty, requirement, is_it) = (told.duty, told.requirement, told.line == line.text);
            if is_it {
                self.lanes[lane].due.pop_front();
                let is_loss =
                    duty == Duty::Must && self.dialect.hear(&line.text) == RefereeLine::Loss;
                if let Some(requirement) = self.retired_on_turn.filter(|_| is_loss) {
                    self.retired_on_turn = None;
                    self.decisions.push((
                        requirement,
                        "the player was retired when its turn came".to_owned(),
                    ));
                }
                return Ok(if duty == Duty::May {
                    Received::Open(requirement)
                } else {
                    Received::Due
                });
            }
            if duty == Duty::Must {
                return Err(self.deviation(lane, Some(line)));
            }
            self.lanes[lane].due.pop_front();
        }
        let decided = self.concede(lane, line);
        let news = if decided.is_some() {
            None
        } else {
            self.learn(lane, line)
        };
        if news.is_none() && decided.is_none() {
            return Err(self.deviation(lane, Some(line)));
        }
        // This lane has just shown what the prediction would have it receive.
        if self.lanes[lane]
            .due
            .front()
            .is_some_and(|(told, _)| told.line == line.text)
        {
            let told = self.lanes[lane].due.pop_front().map(|(told, _)| told);
            if let Some(told) = told.filter(|told| told.duty == Duty::May) {
                return Ok(Received::Open(told.requirement));
            }
        }
        Ok(match (decided, news) {
            (Some(requirement), _) => Received::Decided(requirement),
            (None, Some(news)) => Received::News(news),
            (None, None) => unreachable!("a line that tells nothing is a deviation"),
        })
    }

    fn receive_greeting(
        &mut self,
        lane: usize,
        greeting: Greeting,
        line: &Line,
    ) -> Result<Received, Box<Deviation>> {
        let read = self
            .dialect
            .read_greeting(greeting.slot, &line.text, &mut self.facts);
        let seat = match read {
            Ok(seat) => seat,
            Err(requirement) => {
                let mut deviation = self.deviation(lane, Some(line));
                deviation.requirement = requirement;
                return Err(deviation);
            }
        };
        if let Some(seat) = seat {
            let taken = self.lane_of(seat).is_some_and(|other| other != lane);
            if taken || self.lanes[lane].seat.is_some_and(|known| known != seat) {
                return Err(self.deviation(lane, Some(line)));
            }
            if self.lanes[lane].seat.is_none() {
                self.assign(lane, seat);
            }
        }
        self.lanes[lane].greeted += 1;
        self.open_table();
        Ok(Received::Greeting)
    }

    /// Learns from a line that no prediction covers: a roll, or a move that no other lane has told.
    fn learn(&mut self, lane: usize, line: &Line) -> Option<GameEvent> {
        if self.is_over {
            return None;
        }
        let table = self.table.as_deref()?;
        let heard = self.dialect.hear(&line.text);
        match (table.phase(), heard) {
            (Phase::Roll, RefereeLine::Roll(roll)) => Some(self.roll(roll)),
            (Phase::Move, heard) => {
                let by = table.to_move();
                let may_tell = self.lanes[lane].seat != Some(by)
                    || self.dialect.find_id(Role::NoEcho).is_none();
                if self.sees_sent[by] || !may_tell {
                    return None;
                }
                match heard {
                    RefereeLine::Move(mv) if table.check(mv).is_ok() => Some(self.play(by, mv)),
                    RefereeLine::Loss => Some(self.lose(by, Cause::Unseen)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
