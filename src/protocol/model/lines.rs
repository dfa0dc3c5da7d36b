//! Lines from the referee: the handshake, what was due, and the first sign of what has happened. Lines of the players, and who goes away.

use super::{Kept, Model};
use crate::diagnostic::visible;
use crate::protocol::{
    Cause, Deviation, Duty, GameEvent, Greeting, Line, LineEnding, OffTurn, Open, OwedLine,
    PlayerLine, RefereeLine,
};
use crate::requirement::Role;
use crate::rules::{Move, Phase, Seat};

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
        if self.lanes[lane].due.is_empty() {
            self.decide(lane, line);
        }
        while let Some((_, told)) = self.lanes[lane].due.front() {
            let (duty, requirement, is_it) = (told.duty, told.requirement, told.is(&line.text));
            if is_it {
                self.take_front(lane, line);
                let is_loss =
                    duty == Duty::Must && self.dialect.hear(&line.text) == RefereeLine::Loss;
                if let Some(requirement) = self.retired_on_turn.filter(|_| is_loss) {
                    self.retired_on_turn = None;
                    self.note(requirement, "the player was retired when its turn came");
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
        let Some(news) = self.learn(lane, line) else {
            return Err(self.deviation(lane, Some(line)));
        };
        // This lane has just shown what the prediction would have it receive.
        let due = self.lanes[lane].due.front();
        let is_due = due.is_some_and(|(_, told)| told.is(&line.text));
        let told = is_due.then(|| self.take_front(lane, line)).flatten();
        Ok(match told.filter(|told| told.duty == Duty::May) {
            Some(told) => Received::Open(told.requirement),
            None => Received::News(news),
        })
    }

    /// Takes the line that is due next on the lane, and has come.
    fn take_front(&mut self, lane: usize, line: &Line) -> Option<OwedLine> {
        let (_, told) = self.lanes[lane].due.pop_front()?;
        if let Some((sent, requirement)) = told.as_sent.as_ref().filter(|_| told.line != line.text)
        {
            let sent = visible::quoted(sent).at_most(40);
            let how = format!("{sent} was passed on as it was sent");
            self.note(requirement, how);
        }
        Some(told)
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
                if self.sees_sent[by] || !self.may_show_move(lane, by) {
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

/// Meaning of a line from a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// A legal move, played.
    Moved(Move),
    /// It lost the game.
    Lost(Cause),
    /// It is ignored: id of the requirement that says so.
    Ignored(&'static str),
    /// The specification leaves open what it is, and what the referee does next decides: id of the entry that says so.
    Open(&'static str),
    /// It was not this player's turn.
    OffTurn,
}

impl Model {
    /// Takes a line that the participant of a lane sent, without its newline.
    pub fn sent(&mut self, lane: usize, text: &[u8]) -> Answered {
        match self.lanes[lane].seat {
            Some(seat) => self.said(seat, text),
            None => Answered::OffTurn,
        }
    }

    /// Takes a line that a player sent, without its newline.
    pub fn said(&mut self, seat: Seat, text: &[u8]) -> Answered {
        if self.awaits_move_of() != Some(seat) {
            // Who is told his own move knows by that that his turn is over.
            let is_told = |lane: usize| {
                self.dialect.find_id(Role::NoEcho).is_none() && self.lanes[lane].due.is_empty()
            };
            let is_second = self.undecided.as_ref().is_some_and(|open| open.by == seat)
                || matches!(self.history.last(), Some(&GameEvent::Moved { by, .. }) if by == seat)
                    && !self.lane_of(seat).is_some_and(is_told);
            let becomes = if is_second {
                self.dialect.second_line()
            } else {
                self.dialect.off_turn()
            };
            match becomes {
                _ if self.is_over => {}
                OffTurn::Open(requirement) => {
                    self.kept[seat].push_back(Kept {
                        text: text.to_vec(),
                        requirement,
                    });
                    self.may_lose[seat] = Some((Cause::Invalid(requirement), requirement));
                }
                OffTurn::Ignored(requirement) => self.ignored[seat] = Some(requirement),
            }
            return Answered::OffTurn;
        }
        self.use_turn(seat);
        text.clone_into(&mut self.said);
        match self.dialect.read_player_line(text) {
            PlayerLine::Move(mv) => match self.check(mv) {
                Ok(()) => self.moved(mv),
                Err(requirement) => self.lost(seat, Cause::Invalid(requirement)),
            },
            PlayerLine::Invalid(requirement) => self.lost(seat, Cause::Invalid(requirement)),
            PlayerLine::Ignored(requirement) => {
                self.ignored[seat] = Some(requirement);
                Answered::Ignored(requirement)
            }
            PlayerLine::Open(open) => self.open(seat, text, open),
        }
    }

    /// Takes a legal move of the player on turn, as if the line had come that names it.
    ///
    /// # Panics
    /// Panics if no move is awaited, or the move is not legal.
    pub fn moved(&mut self, mv: Move) -> Answered {
        let seat = self.awaits_move_of().expect("a move is awaited");
        self.use_turn(seat);
        if self.undecided.is_some() {
            return self.move_after_open(mv);
        }
        self.play(seat, mv);
        Answered::Moved(mv)
    }

    /// Forgets what the player sent off turn, which was not used for this turn.
    fn use_turn(&mut self, seat: Seat) {
        self.kept[seat].clear();
        self.may_lose[seat] = None;
    }

    pub(super) fn lost(&mut self, by: Seat, cause: Cause) -> Answered {
        self.lose(by, cause);
        Answered::Lost(cause)
    }

    /// Records that the player on turn timed out or disconnected.
    ///
    /// # Panics
    /// Panics if the seat is not on turn.
    pub fn forfeit(&mut self, seat: Seat, cause: Cause) {
        assert_eq!(
            self.awaits_move_of(),
            Some(seat),
            "only the player on turn can forfeit"
        );
        self.lose(seat, cause);
    }

    /// Records that a participant disconnected. A player who was on turn forfeits; another one loses when his
    /// turn comes, or earlier: that is open. `still_reads`: the lane goes on receiving. `unfinished`: the
    /// line that was begun and not ended; the dialect may leave open whether it counts.
    pub fn leave(&mut self, lane: usize, still_reads: bool, unfinished: &[u8]) {
        if !still_reads {
            self.set_apart(lane);
        }
        let Some(seat) = self.lanes[lane].seat else {
            return;
        };
        self.is_gone[seat] = true;
        if self.awaits_move_of() == Some(seat) {
            let mv = self.meant(unfinished);
            match (
                mv.filter(|&mv| self.check(mv).is_ok()),
                self.dialect.find_id(Role::UnfinishedLine),
            ) {
                (Some(_), Some(requirement)) => {
                    self.open(
                        seat,
                        unfinished,
                        Open {
                            mv,
                            may_lose: true,
                            may_be_ignored: false,
                            requirement,
                        },
                    );
                }
                _ => drop(self.lose(seat, Cause::HangUp)),
            }
        } else if !self.is_over {
            self.may_lose[seat] = Some((Cause::HangUp, self.dialect.id(Role::GoneOffTurn)));
        }
    }

    /// Returns true if the player has disconnected.
    #[must_use]
    pub fn is_gone(&self, seat: Seat) -> bool {
        self.is_gone[seat]
    }
}
