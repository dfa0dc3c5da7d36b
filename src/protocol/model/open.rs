//! Points that the specification leaves open, until the referee's behaviour decides: answers, lines sent off
//! turn, disconnected players.

use super::{Answered, Model, Undecided};
use crate::diagnostic::visible;
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

    /// The meanings that the specification leaves open now: of a line of the player on turn, of one that was kept for its turn, and of a player
    /// who may have lost.
    fn meanings(&self) -> Vec<Meaning> {
        let mut all = Vec::new();
        let mut add = |by, fate, requirement, how: String| {
            all.push(Meaning {
                by,
                fate,
                requirement,
                how,
            });
        };
        if let Some(undecided) = &self.undecided {
            let (by, open, loss) = (undecided.by, undecided.open, undecided.loss);
            let text = visible::quoted(&undecided.text).at_most(40);
            let mut was = |fate, how| add(by, fate, open.requirement, format!("{text} was {how}"));
            if let Some(mv) = open.mv {
                was(Fate::Moves(mv), "taken as the move");
            }
            if let Some(mv) = undecided.later {
                was(Fate::Moves(mv), "ignored");
            }
            if undecided.may_leave_the_turn() {
                was(Fate::Ignored, "ignored");
            }
            if open.may_lose && loss == Cause::HangUp {
                let how = "the player was retired when its turn came";
                add(
                    by,
                    Fate::Loses(loss),
                    self.dialect.id(Role::GoneOffTurn),
                    how.to_owned(),
                );
            } else if open.may_lose {
                was(Fate::Loses(loss), "taken as invalid");
            }
        }
        let kept = self
            .awaits_move_of()
            .and_then(|seat| Some((seat, self.kept[seat].front()?)));
        if let Some((seat, kept)) = kept
            && let Some(mv) = self.meant(&kept.text).filter(|mv| self.check(*mv).is_ok())
        {
            let how = "the line was kept and taken when the turn came";
            add(seat, Fate::Moves(mv), kept.requirement, how.to_owned());
        }
        // Of two the one on turn is meant: only its lines are read now.
        let on_turn = self.table().map(Table::to_move);
        for seat in on_turn.into_iter().chain(Seat::BOTH) {
            if let Some((cause, requirement)) = self.may_lose[seat].filter(|_| !self.is_over) {
                let when = if on_turn == Some(seat) {
                    "when"
                } else {
                    "before"
                };
                let how = format!("the player was retired {when} its turn came");
                add(seat, Fate::Loses(cause), requirement, how);
            }
        }
        all
    }

    /// The game in which a meaning is the right one.
    fn after(&self, meaning: Meaning) -> Model {
        let Meaning {
            by,
            fate,
            requirement,
            how,
        } = meaning;
        let mut model = self.clone();
        let undecided = model.undecided.take();
        model.note(requirement, how);
        match fate {
            Fate::Ignored => {}
            Fate::Loses(cause) => drop(model.lose(by, cause)),
            Fate::Moves(mv) => {
                // A line of the player on turn is no kept one.
                if undecided.is_none() {
                    model.kept[by].pop_front();
                }
                model.play(by, mv);
                if let Some(open) = undecided.filter(|undecided| undecided.open.mv == Some(mv)) {
                    model.pass_on(mv, &open);
                }
            }
        }
        model
    }

    /// Says that each lane may show the move as the line was sent that is taken for it, whatever another lane shows first.
    fn pass_on(&mut self, mv: Move, undecided: &Undecided) {
        let (plain, sent) = (self.dialect.write_move(mv), &undecided.text);
        for lane in self.lanes.iter_mut().filter(|_| *sent != plain) {
            let mut due = lane.due.iter_mut().rev();
            if let Some((_, told)) = due.find(|(_, told)| told.line == plain) {
                told.as_sent = Some((sent.clone(), undecided.open.requirement));
            }
        }
    }

    /// Returns the games that go on after the last line, one for each meaning that the specification leaves open.
    pub fn games_of_meanings(&self) -> impl Iterator<Item = Model> {
        let meanings = self.undecided.iter().flat_map(|_| self.meanings());
        let going_on = meanings.filter(|meaning| !matches!(meaning.fate, Fate::Loses(_)));
        going_on.map(|meaning| self.after(meaning))
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

    /// Settles what the specification leaves open by what the referee made of it, as far as this line tells, on a lane that is due nothing: it
    /// would be due by a meaning, or is a roll, which shows to the player who is not sent its own move that the move was taken.
    pub(super) fn decide(&mut self, lane: usize, line: &Line) {
        let is_roll = || matches!(self.dialect.hear(&line.text), RefereeLine::Roll(_));
        let is_next = |after: &Model| match after.lanes[lane].due.front() {
            Some((_, told)) => told.is(&line.text),
            None => after.awaits_roll() && is_roll(),
        };
        let mut games = self.meanings().into_iter().map(|it| self.after(it));
        if let Some(after) = games.find(is_next) {
            *self = after;
        }
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
        let mut meanings = self.meanings().into_iter();
        let ignored = meanings.find(|meaning| matches!(meaning.fate, Fate::Ignored));
        let Some(ignored) = ignored else { return false };
        *self = self.after(ignored);
        true
    }

    /// Takes it that the referee has ended a lane in mid-game, where that is how a loss shows, and something that may have lost
    /// explains it: a line that the specification leaves open, or a player who has gone away.
    pub fn explain_end(&mut self) -> Option<GameEvent> {
        let shown = self.meanings().into_iter().find_map(|meaning| {
            let Fate::Loses(cause) = meaning.fate else {
                return None;
            };
            let loss = GameEvent::Lost {
                by: meaning.by,
                cause,
            };
            let is_shown = self.dialect.closes_after(&loss).is_some() || !self.is_told(&loss);
            (is_shown && self.is_greeted()).then_some((loss, meaning))
        });
        let (loss, meaning) = shown?;
        let how = meaning.how + ": the lanes ended";
        *self = self.after(Meaning { how, ..meaning });
        Some(loss)
    }

    /// Returns true if a participant who is still there has to be told of this.
    fn is_told(&self, happening: &GameEvent) -> bool {
        let mut told = (0..self.lanes.len()).flat_map(|lane| self.told(lane, happening));
        told.any(|told| told.duty == Duty::Must)
    }
}

/// A meaning of something that the specification leaves open.
struct Meaning {
    by: Seat,
    fate: Fate,
    /// Id of the entry that leaves it open.
    requirement: &'static str,
    /// The meaning in words, for the report.
    how: String,
}

/// What happens to the player if the line has this meaning.
enum Fate {
    Loses(Cause),
    Moves(Move),
    Ignored,
}
