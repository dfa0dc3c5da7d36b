//! The participants of a game on paper: their presence, and the lines that players send. Nothing of it depends on the position.

use crate::diagnostic::{Diagnostic, Mark, Source};
use crate::protocol::{Framer, OffTurn};
use crate::rules::{PerSeat, Seat};
use crate::scenario::{Act, Deed, Leaving, Participant, PlannedGame, SendPart, Turn};

/// The participants of a game.
pub(super) struct Participants<'p> {
    plan: &'p PlannedGame,
    /// The players by seat, then the spectators.
    presence: Vec<Presence>,
    framers: PerSeat<Framer>,
    /// The first act of which the specification leaves open what follows.
    pub(super) open: Option<Mark>,
}

enum Presence {
    Here,
    /// It joins only there.
    Awaited(Mark),
    /// It went away there.
    Gone(Mark),
}

/// Bytes that a player sends at once, after an unfinished line from before.
#[derive(Default)]
pub(super) struct Sent {
    pub(super) lines: Vec<Vec<u8>>,
    /// The part of a line that no newline has ended.
    pub(super) rest: Vec<u8>,
    /// The way in which the player goes away afterwards.
    pub(super) leaving: Option<Leaving>,
}

impl Sent {
    /// What these pieces complete, after what the framer holds.
    pub(super) fn of(parts: &[SendPart], framer: &mut Framer) -> Sent {
        let (lines, rest) = SendPart::lines_after(framer, parts);
        let leaving = SendPart::leaving(parts);
        Sent {
            lines,
            rest,
            leaving,
        }
    }
}

impl<'p> Participants<'p> {
    /// The participants before the first turn.
    pub(super) fn new(plan: &'p PlannedGame) -> Participants<'p> {
        let mut participants = Participants {
            plan,
            presence: (0..2 + plan.spectators).map(|_| Presence::Here).collect(),
            framers: PerSeat::default(),
            open: None,
        };
        for (_, acts, _, at) in plan.placed_deeds() {
            for act in acts {
                if act.deed == Deed::Join
                    && let Some(presence @ Presence::Here) = participants.presence_of(act.who)
                {
                    *presence =
                        Presence::Awaited(Mark::new(&at.source, act.span, "it joins only here"));
                }
            }
        }
        participants
    }

    fn presence_of(&mut self, who: Participant) -> Option<&mut Presence> {
        let number = match who {
            Participant::Player(seat) => seat.index(),
            Participant::Other => return None,
            Participant::Spectator(number) => number.checked_add(1).filter(|&at| at > 1)? as usize,
        };
        self.presence.get_mut(number)
    }

    /// The fault of a player who acts in its turn and has gone away before.
    pub(super) fn gone(&self, turn: &Turn) -> Option<Diagnostic> {
        let Presence::Gone(gone) = &self.presence[turn.seat.index()] else {
            return None;
        };
        if turn.deed == Deed::Skip {
            return None;
        }
        let title = format!("`{}` has gone away already", self.plan.key(turn.seat));
        let fault = turn.at.problem("turn/presence", title, "");
        Some(fault.explained_by(gone.clone()).help(match turn.roll {
            Some(_) => format!(
                "write `{}` alone: with a possible move, the player is retired here at the latest",
                self.plan.written(turn.roll, "")
            ),
            None => "leave this turn out: the player is retired here at the latest".to_owned(),
        }))
    }

    /// Takes what a participant does outside its turn, and returns the bytes that a player sends. Of a player who is known only as the
    /// game goes nothing is kept.
    ///
    /// # Errors
    /// The participant cannot do it now.
    pub(super) fn act(
        &mut self,
        on_turn: Option<Seat>,
        act: &Act,
        source: &Source,
    ) -> Result<Sent, Diagnostic> {
        let fault = |code, title| Diagnostic::error(code, title).at(source, act.span, "");
        let (key, number) = match act.who {
            Participant::Player(seat) => (self.plan.key(seat).to_owned(), None),
            Participant::Spectator(number) => (format!("spectator {number}"), Some(number)),
            Participant::Other => return Ok(Sent::default()),
        };
        if on_turn.map(Participant::Player) == Some(act.who) {
            let title = format!("it is the turn of `{key}`: what it does is not meanwhile");
            let help = "use the key `send` in the turn, or write it after the roll";
            return Err(fault("turn/own-turn", title).help(help));
        }
        let count = self.presence.len() - 2;
        let Some(presence) = self.presence_of(act.who) else {
            let title = format!("there is no `{key}` among the {count} of this scenario");
            let fault = fault("turn/unknown-spectator", title);
            return Err(match number.filter(|number| *number > 0) {
                None => fault.help("spectators are numbered from 1"),
                Some(number) => fault.help(format!(
                    "write `spectators: {number}` above, those that join late included"
                )),
            });
        };
        let wrong = |wrong: &str| fault("turn/presence", format!("`{key}` {wrong}"));
        match (&*presence, &act.deed) {
            (Presence::Here, Deed::Join) => {
                return Err(wrong("is here already").help("remove this"));
            }
            (Presence::Awaited(joins), deed) if *deed != Deed::Join => {
                let fault = wrong("is not here yet").explained_by(joins.clone());
                return Err(fault.help("let it join before"));
            }
            (Presence::Gone(gone), _) => {
                let fault = wrong("has gone away already").explained_by(gone.clone());
                return Err(fault.help(match number {
                    None => "remove this",
                    Some(_) => "who comes later is another spectator: give it another number",
                }));
            }
            _ => *presence = Presence::Here,
        }
        let leaving = act.deed.leaving();
        let gone = Mark::new(source, act.span, format!("here `{key}` goes away"));
        if leaving.is_some() {
            *presence = Presence::Gone(gone.clone());
        }
        let Participant::Player(seat) = act.who else {
            return Ok(Sent::default());
        };
        let parts = act.deed.sent(self.plan.dialect);
        let sent = Sent::of(&parts, &mut self.framers[seat]);
        if leaving.is_some() {
            self.open.get_or_insert(gone);
        } else if matches!(self.plan.dialect.off_turn(), OffTurn::Open(_)) && !sent.lines.is_empty()
        {
            let says = format!("here `{key}` sends a line off turn");
            self.open.get_or_insert(Mark::new(source, act.span, says));
        }
        Ok(sent)
    }

    /// Records that a player has gone away in its own turn, and goes on with the game.
    pub(super) fn leaves(&mut self, turn: &Turn) {
        let seat = turn.seat;
        let says = format!("here `{}` goes away", self.plan.key(seat));
        let gone = turn.at.says(says);
        self.presence[seat.index()] = Presence::Gone(gone.clone());
        self.open.get_or_insert(gone);
    }

    /// Returns true if this player has sent half a line; `None`: if one of both has.
    pub(super) fn has_begun_a_line(&self, seat: Option<Seat>) -> bool {
        let seats = Seat::BOTH.into_iter();
        let mut seats = seats.filter(|it| seat.is_none_or(|seat| seat == *it));
        seats.any(|seat| !self.framers[seat].pending().is_empty())
    }

    /// Takes what the player sends in its turn, and returns what it has sent of a line before.
    ///
    /// # Errors
    /// The line cannot be sent now, whatever the position is.
    pub(super) fn sent(&mut self, turn: &Turn) -> Result<Framer, Diagnostic> {
        let (seat, dialect) = (turn.seat, self.plan.dialect);
        let parts = turn.deed.sent_with_some_move(dialect);
        let is_line = turn.deed.parts().is_empty() && parts.iter().any(SendPart::is_text);
        if is_line && self.has_begun_a_line(Some(seat)) {
            let title = format!(
                "`{}` has sent half a line before, and this would be its end",
                self.plan.key(seat)
            );
            let fault = turn.at.problem("turn/half-line", title, "");
            return Err(fault.help("use the key `send`, with the rest of that line"));
        }
        let delay = turn.deed.delay();
        if let Some(timeout) = self.plan.timeout.filter(|timeout| delay >= *timeout) {
            let shown = humantime::format_duration;
            let title = format!("the line is whole only after {}", shown(delay));
            let label = format!("the timeout is {}", shown(timeout));
            let fault = turn.at.problem("turn/too-late", title, label);
            return Err(fault.help(
                "to let the timeout pass, write `silent: until the timeout`, or send no line end",
            ));
        }
        let before = self.framers[seat].clone();
        Sent::of(&parts, &mut self.framers[seat]);
        Ok(before)
    }
}
