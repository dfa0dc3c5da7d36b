//! Points that the specification leaves open, until the referee's behaviour decides: answers, lines sent off
//! turn, disconnected players.

use super::{Answered, Model, Undecided};
use crate::protocol::{Cause, Duty, GameEvent, Line, Open, RefereeLine};
use crate::requirement::Role;
use crate::rules::{Move, Seat, Table};

impl Model {
    /// Takes a line that the specification leaves open from the player on turn.
    pub(super) fn open(&mut self, seat: Seat, text: &[u8], open: Open) -> Answered {
        let loss = Cause::Invalid(open.requirement);
        self.open_or(seat, text, open, loss)
    }

    /// The same for a line that, where it loses, does so by this cause.
    pub(super) fn open_or(
        &mut self,
        seat: Seat,
        text: &[u8],
        mut open: Open,
        loss: Cause,
    ) -> Answered {
        let refused = open.mv.and_then(|mv| self.check(mv).err());
        if let Some(requirement) = refused {
            if !open.may_be_ignored {
                return self.lost(seat, Cause::Invalid(requirement));
            }
            open = Open {
                mv: None,
                may_lose: true,
                ..open
            };
        }
        // Of several such lines the first one counts: each of them could be what decides.
        if self.undecided.is_none() {
            self.undecided = Some(Undecided {
                by: seat,
                text: text.to_vec(),
                open,
                loss,
                later: None,
            });
        }
        Answered::Open(open.requirement)
    }

    /// Takes a legal move that follows a line which may have been ignored.
    pub(super) fn move_after_open(&mut self, mv: Move) -> Answered {
        let undecided = self.undecided.as_mut().expect("the caller has seen it");
        undecided.later = Some(mv);
        Answered::Open(undecided.open.requirement)
    }

    /// The entry that leaves open what became of the last line, while nothing has decided it.
    #[must_use]
    pub fn undecided(&self) -> Option<Open> {
        self.undecided.as_ref().map(|undecided| undecided.open)
    }

    /// Returns the games that go on after the last line, one for each meaning that the specification leaves open.
    pub fn mistakes(&self) -> impl Iterator<Item = Model> {
        let undecided = self.undecided.iter();
        undecided.flat_map(|undecided| {
            let moves = undecided.open.mv.into_iter().chain(undecided.later);
            let moved = moves.map(|mv| {
                let mut model = self.clone();
                model.play(undecided.by, mv);
                model
            });
            let stayed = undecided.may_leave_the_turn().then(|| Model {
                undecided: None,
                ..self.clone()
            });
            moved.chain(stayed)
        })
    }

    /// Returns true if a line with exactly this text may arrive on the lane: a line that is due, or the open
    /// line as it was sent.
    #[must_use]
    pub fn may_show(&self, lane: usize, text: &[u8]) -> bool {
        let is_due = self.lanes[lane].due.iter().any(|(_, told)| told.is(text));
        is_due
            || self
                .undecided
                .as_ref()
                .is_some_and(|undecided| undecided.text == text)
    }

    /// Settles an open answer by what the referee made of it, as far as this line tells.
    pub(super) fn decide(&mut self, lane: usize, line: &Line) {
        let Some(undecided) = self.undecided.clone() else {
            return;
        };
        let Undecided {
            by,
            open,
            loss,
            later,
            ..
        } = undecided;
        let on_own_lane = self.lanes[lane].seat == Some(by);
        let may_show = self.may_show_move(lane, by);
        match (self.dialect.hear(&line.text), open.mv) {
            (RefereeLine::Loss, _) if open.may_lose => {
                match loss {
                    Cause::HangUp => {
                        self.retired_on_turn = Some(self.dialect.id(Role::GoneOffTurn))
                    }
                    _ => self.decisions.push(undecided.decision("taken as invalid")),
                }
                self.lose(by, loss);
            }
            (RefereeLine::Move(heard), Some(mv)) if heard == mv && may_show => {
                let how = match undecided.text == line.text {
                    true => "taken as the move",
                    false => "taken as the move, and passed on as the plain move",
                };
                self.decided(&undecided, how);
                self.play_open(&undecided, mv);
            }
            (RefereeLine::Move(heard), _) if later == Some(heard) && may_show => {
                self.decided(&undecided, "ignored");
                self.play(by, heard);
            }
            // A player who is told rolls and not his own move.
            (RefereeLine::Roll(_), Some(mv)) if on_own_lane => {
                self.decided(&undecided, "taken as the move");
                self.play_open(&undecided, mv);
            }
            (_, Some(mv)) if line.text == undecided.text && may_show => {
                self.play_open(&undecided, mv);
            }
            _ => {}
        }
    }

    /// Plays the move that an open line was taken for. Each lane may show the line as it was sent, whatever another lane shows first.
    fn play_open(&mut self, undecided: &Undecided, mv: Move) {
        self.play(undecided.by, mv);
        let (plain, sent) = (self.dialect.write_move(mv), &undecided.text);
        for lane in self.lanes.iter_mut().filter(|_| *sent != plain) {
            let mut due = lane.due.iter_mut().rev();
            if let Some((_, told)) = due.find(|(_, told)| told.line == plain) {
                told.as_sent = Some((sent.clone(), undecided.open.requirement));
            }
        }
    }

    /// Follows the referee where the specification leaves open what it makes of a line sent off turn, or when it takes notice
    /// of a player who has gone away. Returns the id of the entry that leaves it open.
    pub(super) fn concede(&mut self, lane: usize, line: &Line) -> Option<&'static str> {
        if self.is_over {
            return None;
        }
        match self.dialect.hear(&line.text) {
            RefereeLine::Loss => {
                let may_lose = |&seat: &Seat| self.may_lose[seat].is_some();
                // Of two the one on turn is meant: only its lines are read now.
                let on_turn = self.table().map(Table::to_move);
                let seat = on_turn.into_iter().chain(Seat::BOTH).find(may_lose)?;
                let (cause, requirement) = self.may_lose[seat]?;
                let is_on_turn = on_turn == Some(seat);
                let when = if is_on_turn {
                    "when its turn came"
                } else {
                    "before its turn came"
                };
                self.note(requirement, format!("the player was retired {when}"));
                self.lose(seat, cause);
                Some(requirement)
            }
            RefereeLine::Move(mv) => {
                let seat = self.awaits_move_of()?;
                let kept = self.kept[seat].front()?;
                let is_meant = self.meant(&kept.text) == Some(mv) && self.check(mv).is_ok();
                if !is_meant || !self.may_show_move(lane, seat) {
                    return None;
                }
                let requirement = kept.requirement;
                self.take_kept(seat, mv, requirement);
                Some(requirement)
            }
            // Who has sent a line in advance is not told of its own move, and the next that it sees is a roll.
            RefereeLine::Roll(_) => {
                let seat = self
                    .awaits_move_of()
                    .filter(|&seat| self.lanes[lane].seat == Some(seat))?;
                let kept = self.kept[seat].front()?;
                let mv = self.meant(&kept.text)?;
                let requirement = kept.requirement;
                self.check(mv).ok()?;
                self.take_kept(seat, mv, requirement);
                // The roll itself is news.
                None
            }
            _ => None,
        }
    }

    fn take_kept(&mut self, seat: Seat, mv: Move, requirement: &'static str) {
        self.kept[seat].pop_front();
        self.play(seat, mv);
        self.note(
            requirement,
            "the line was kept and taken when the turn came",
        );
    }

    /// The move that a line is, or may be.
    pub(super) fn meant(&self, text: &[u8]) -> Option<Move> {
        self.dialect.read_player_line(text).possible_move()
    }

    /// Returns true if a lane may show a move of this player.
    pub(super) fn may_show_move(&self, lane: usize, by: Seat) -> bool {
        self.lanes[lane].seat != Some(by) || self.dialect.find_id(Role::NoEcho).is_none()
    }

    /// Keeps what the referee made of a point that this entry leaves open.
    pub(super) fn note(&mut self, requirement: &'static str, seen: impl Into<String>) {
        self.decisions.push((requirement, seen.into()));
    }

    /// Takes the referee's decisions on open points since the last call: id of the entry, and the
    /// observation.
    pub fn take_decisions(&mut self) -> Vec<(&'static str, String)> {
        std::mem::take(&mut self.decisions)
    }

    /// Returns the entry that leaves open if the referee has buffered an off-turn line of this player; `None`
    /// if there is no such line.
    #[must_use]
    pub fn may_have_kept(&self, seat: Seat) -> Option<&'static str> {
        self.kept[seat].front().map(|kept| kept.requirement)
    }

    /// Returns true if the loss of another player than this one may be reported at any time.
    #[must_use]
    pub fn may_lose_but(&self, mover: Option<Seat>) -> bool {
        Seat::BOTH
            .into_iter()
            .any(|seat| Some(seat) != mover && self.may_lose[seat].is_some())
    }

    /// Records that nothing followed an open line within its wait. `true` where it may have been ignored:
    /// then it was, and the player is on turn.
    pub fn stay_silent(&mut self) -> bool {
        match self.undecided.clone() {
            Some(undecided) if undecided.may_leave_the_turn() => {
                self.decided(&undecided, "ignored");
                true
            }
            _ => false,
        }
    }

    /// Takes it that the referee has ended a lane in mid-game, where that is how a loss shows, and something that may have lost
    /// explains it: a line that the specification leaves open, or a player who has gone away.
    pub fn explain_end(&mut self) -> Option<GameEvent> {
        if let Some(undecided) = self
            .undecided
            .clone()
            .filter(|undecided| undecided.open.may_lose)
        {
            return self.end_by_loss(undecided.by, undecided.loss).inspect(|_| {
                let decision = undecided.decision("taken as invalid: the lanes ended");
                self.decisions.push(decision);
            });
        }
        Seat::BOTH.into_iter().find_map(|seat| {
            let (cause, requirement) = self.may_lose[seat]?;
            let loss = self.end_by_loss(seat, cause)?;
            self.note(requirement, "the lanes were ended before the turn came");
            Some(loss)
        })
    }

    fn end_by_loss(&mut self, by: Seat, cause: Cause) -> Option<GameEvent> {
        let loss = GameEvent::Lost { by, cause };
        let is_how_it_shows = self.dialect.closes_after(&loss).is_some() || !self.is_told(&loss);
        (is_how_it_shows && !self.is_over && self.is_greeted()).then(|| self.lose(by, cause))
    }

    /// Returns true if a participant who is still there has to be told of this.
    fn is_told(&self, happening: &GameEvent) -> bool {
        let mut told = (0..self.lanes.len()).flat_map(|lane| self.told(lane, happening));
        told.any(|told| told.duty == Duty::Must)
    }

    fn decided(&mut self, undecided: &Undecided, how: &str) {
        self.undecided = None;
        self.decisions.push(undecided.decision(how));
    }
}
