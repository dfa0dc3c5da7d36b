//! The turns: rolls, moves and losses as they happen, and the requirement by which the turn is whose it is.

use super::{Kept, Model};
use crate::protocol::{Cause, GameEvent, Open};
use crate::requirement::Role;
use crate::rules::{Move, Phase, Roll, Seat};

impl Model {
    /// The seat that has to move now, if the game waits for a move.
    #[must_use]
    pub fn awaits_move_of(&self) -> Option<Seat> {
        let table = self.table()?;
        // A line that may be no move leaves him on turn as long as nothing tells otherwise.
        let may_be_on_turn = self
            .undecided
            .as_ref()
            .is_none_or(|open| open.may_leave_the_turn() && open.open.mv.is_none());
        let waits = !self.is_over && may_be_on_turn && table.phase() == Phase::Move;
        waits.then(|| table.to_move())
    }

    /// Returns true if the game waits for a roll.
    #[must_use]
    pub fn awaits_roll(&self) -> bool {
        !self.is_over
            && self.undecided.is_none()
            && self
                .table()
                .is_some_and(|table| table.phase() == Phase::Roll)
    }

    pub(super) fn check(&self, mv: Move) -> Result<(), &'static str> {
        self.table()
            .expect("a game that awaits a move has a table")
            .check(mv)
            .map_err(|refusal| refusal.requirement)
    }

    /// Takes the roll of the turn that begins, and predicts it on every lane.
    ///
    /// # Panics
    /// Panics if no roll is awaited.
    pub fn roll(&mut self, roll: Roll) -> GameEvent {
        let table = self
            .table
            .as_deref_mut()
            .expect("a game that awaits a roll has a table");
        let by = table.to_move();
        let skipped = !table.take_roll(roll);
        let happening = GameEvent::Rolled { by, roll, skipped };
        self.predict(happening, None);
        self.retire_gone();
        happening
    }

    /// A player who has gone away loses once a move of his is due, unless the referee has kept one that was sent before.
    fn retire_gone(&mut self) {
        if let Some(seat) = self.awaits_move_of().filter(|&seat| self.is_gone[seat]) {
            if let Some(Kept { text, requirement }) = self.kept[seat].pop_front() {
                let mv = self.meant(&text).filter(|&mv| self.check(mv).is_ok());
                let open = Open {
                    mv,
                    may_lose: true,
                    may_be_ignored: false,
                    requirement,
                };
                if mv.is_some() {
                    self.open_or(seat, &text, open, Cause::HangUp);
                    return;
                }
            }
            self.lose(seat, Cause::HangUp);
            self.retired_on_turn = Some(self.dialect.id(Role::GoneOffTurn));
        }
    }

    pub(super) fn play(&mut self, by: Seat, mv: Move) -> GameEvent {
        let ignored = self.ignored_ground();
        self.undecided = None;
        self.ignored[by] = None;
        let table = self
            .table
            .as_deref_mut()
            .expect("a game that awaits a move has a table");
        table.play(mv).expect("the move was checked");
        let result = table.phase().result();
        self.is_over |= result.is_some();
        if self.is_gone[by] {
            self.may_lose[by] = Some((Cause::HangUp, self.dialect.id(Role::GoneOffTurn)));
        }
        let happening = GameEvent::Moved { by, mv, result };
        self.predict(happening, ignored);
        self.retire_gone();
        happening
    }

    pub(super) fn lose(&mut self, by: Seat, cause: Cause) -> GameEvent {
        let ignored = self.ignored_ground();
        self.undecided = None;
        self.is_over = true;
        let happening = GameEvent::Lost { by, cause };
        self.predict(happening, ignored);
        happening
    }

    /// Returns the line by which the game was just lost.
    #[must_use]
    pub fn losing_line(&self) -> Option<&[u8]> {
        match self.history.last()? {
            GameEvent::Lost {
                cause: Cause::Invalid(_),
                ..
            } => Some(&self.said),
            _ => None,
        }
    }

    /// Returns the move that the line names by which the game was just lost.
    #[must_use]
    pub fn losing_move(&self) -> Option<Move> {
        self.meant(self.losing_line()?)
    }

    /// Returns the requirement that decides the player on turn: that of an ignored line, if there was one.
    pub(super) fn turn_ground(&self) -> Option<&'static str> {
        self.ignored_ground().or(self.table()?.turn_ground())
    }

    /// Returns the requirement by which a line had to be ignored that was sent since its sender's last move.
    pub(super) fn ignored_ground(&self) -> Option<&'static str> {
        let on_turn = self.table()?.to_move();
        self.ignored[on_turn].or(self.ignored[on_turn.other()])
    }

    /// Returns true if a line that had to be ignored was sent since its sender's last move.
    #[must_use]
    pub fn has_ignored(&self) -> bool {
        self.ignored_ground().is_some()
    }

    /// Returns the requirement by which a line had to be ignored between the last two moves, if there was
    /// one.
    #[must_use]
    pub fn ignored_before_last_move(&self) -> Option<&'static str> {
        let is_move = |&number: &usize| matches!(self.history[number], GameEvent::Moved { .. });
        let last = (0..self.history.len()).rev().find(is_move)?;
        self.ignored_grounds[last]
    }

    /// Id of the requirement that makes the last move more than an ordinary step, if one does.
    #[must_use]
    pub fn ground_of_last_move(&self) -> Option<&'static str> {
        let last = self.history.len().checked_sub(1)?;
        self.grounds_of(last).mv
    }

    /// Returns true if the previous turn was a player's second in a row, and was skipped.
    #[must_use]
    pub fn is_extra_turn_skipped(&self) -> bool {
        let is_before_turn =
            |&at: &usize| matches!(self.history[at], GameEvent::Rolled { skipped: true, .. });
        let Some(at) = (0..self.history.len()).rev().take(3).find(is_before_turn) else {
            return false;
        };
        let before = at.checked_sub(1).map(|at| self.history[at]);
        matches!(before, Some(GameEvent::Moved { by, .. }) if by == self.history[at].by())
    }
}
