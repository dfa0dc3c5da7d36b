//! Actions of the participants: lines from players, timeouts and disconnects.

use super::Model;
use super::undecided::Kept;
use crate::protocol::{Cause, GameEvent, OffTurn, Open, PlayerLine};
use crate::requirement::Role;
use crate::rules::{Move, Seat};

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
            let mv = self.dialect.read_player_line(unfinished).possible_move();
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
