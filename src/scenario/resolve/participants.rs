//! Participants during the dry run, and lines of players that nobody has read yet.

use std::time::Duration;

use super::matchup::Matchup;
use super::places::{ActPlaces, PlacedStep, Places};
use super::spot::Spot;
use super::world::Sent;
use crate::diagnostic::{Diagnostic, Faults};
use crate::protocol::{Framer, OffTurn};
use crate::rules::{PerSeat, Seat};
use crate::scenario::{
    Act, ActKind, Choice, Leaving, Participant, PlayerAction, SendPart, StepKind, Turn,
};

/// The participants of a game.
pub(super) struct Participants<'c> {
    matchup: &'c Matchup,
    spectators: Vec<Presence>,
    players: PerSeat<Player>,
    /// The first thing of which the specification leaves open what follows.
    open: Option<Spot>,
}

#[derive(Default)]
struct Player {
    /// Place of the disconnect.
    gone: Option<Spot>,
    /// Place of a line that the referee may read in this player's next turn.
    kept: Option<Spot>,
    framer: Framer,
}

/// Presence of a spectator.
enum Presence {
    There,
    /// It will be, from here on.
    Awaited(Spot),
    /// It was.
    Away(Spot),
}

impl<'c> Participants<'c> {
    /// Builds the state before the first turn: a spectator who joins later is not present yet.
    pub(super) fn new(
        matchup: &'c Matchup,
        spectators: u32,
        steps: &[Option<PlacedStep>],
    ) -> Participants<'c> {
        let mut there: Vec<Presence> = (0..spectators).map(|_| Presence::There).collect();
        for PlacedStep { step, places } in steps.iter().flatten() {
            let StepKind::Turn(turn) = &step.kind else {
                continue;
            };
            for (act, at) in turn.meanwhile.iter().zip(&places.acts) {
                if let (Participant::Spectator(number @ 1..), ActKind::Join) = (act.who, &act.what)
                    && let Some(presence @ Presence::There) = there.get_mut(number as usize - 1)
                {
                    *presence = Presence::Awaited(places.spot(at.act, "it joins only here"));
                }
            }
        }
        Participants {
            matchup,
            spectators: there,
            players: PerSeat::default(),
            open: None,
        }
    }

    /// Returns the place of the player's disconnect, if there was one.
    pub(super) fn gone(&self, seat: Seat) -> Option<&Spot> {
        self.players[seat].gone.as_ref()
    }

    /// Returns the place of a line that the referee may have buffered for the player's next turn.
    pub(super) fn kept(&self, seat: Seat) -> Option<&Spot> {
        self.players[seat].kept.as_ref()
    }

    /// The first thing of which the specification leaves open what follows.
    pub(super) fn open(&self) -> Option<&Spot> {
        self.open.as_ref()
    }

    /// Records that the rest of the game is open.
    pub(super) fn leave_open(&mut self, spot: &Spot) {
        self.open.get_or_insert_with(|| spot.clone());
    }

    /// Takes what happens beside a turn, and returns what a player sends by it.
    ///
    /// # Errors
    /// Returns the reason why the participant cannot act now.
    pub(super) fn act(
        &mut self,
        on_turn: Seat,
        act: &Act,
        at: &ActPlaces,
        places: &Places,
    ) -> Result<Option<Sent>, Diagnostic> {
        match act.who {
            Participant::Spectator(number) => {
                self.spectator(number, &act.what, at, places)?;
                Ok(None)
            }
            Participant::Player(seat) if seat == on_turn => {
                let title = format!(
                    "it is the turn of `{}`: what it does is not meanwhile",
                    self.matchup.key(seat)
                );
                let fault =
                    Diagnostic::error("turn/own-turn", title).at(&places.source, at.who, "");
                Err(fault.help("use the key `send` in the turn, or write it after the roll"))
            }
            Participant::Player(seat) => {
                let key = self.matchup.key(seat);
                if let Some(gone) = self.gone(seat) {
                    let fault =
                        Diagnostic::error("turn/gone", format!("`{key}` has gone away already"));
                    let fault = gone.context_of(fault.at(&places.source, at.who, ""));
                    return Err(fault.help("remove this"));
                }
                let sent = match &act.what {
                    ActKind::Send(parts) => self.hear(seat, parts, SendPart::leaving(parts)),
                    ActKind::Leave(how) => self.hear(seat, &[], Some(*how)),
                    ActKind::Join => unreachable!("a player does not join"),
                };
                let spot = |does: &str| places.spot(at.act, format!("here `{key}` {does}"));
                let is_open = matches!(self.matchup.dialect.off_turn(), OffTurn::Open(_));
                if is_open && !sent.lines.is_empty() {
                    self.keep(seat, spot("sends a line off turn"));
                }
                if sent.leaving.is_some() {
                    self.leaves(seat, spot("goes away"));
                }
                Ok(Some(sent))
            }
        }
    }

    /// Records that a player disconnected off turn: the time of its retirement is open.
    pub(super) fn leaves(&mut self, seat: Seat, spot: Spot) {
        self.leave_open(&spot);
        self.players[seat].gone = Some(spot);
    }

    /// Records that the referee may keep a line of the player.
    pub(super) fn keep(&mut self, seat: Seat, spot: Spot) {
        self.leave_open(&spot);
        self.players[seat].kept.get_or_insert(spot);
    }

    /// Returns the lines that these pieces complete, together with the partial line before them.
    pub(super) fn hear(
        &mut self,
        seat: Seat,
        parts: &[SendPart],
        leaving: Option<Leaving>,
    ) -> Sent {
        let framer = &mut self.players[seat].framer;
        let mut lines = Vec::new();
        for part in parts {
            if let SendPart::Bytes(bytes) = part {
                framer.push(bytes, |line| lines.push(line.text));
            }
        }
        let rest = framer.pending().to_vec();
        Sent {
            lines,
            rest,
            leaving,
        }
    }

    /// Returns the lines that the player sends in this turn; reports errors that do not depend on the
    /// position.
    pub(super) fn sent(
        &mut self,
        turn: &Turn,
        places: &Places,
        timeout: Option<Duration>,
        faults: &Faults<'_>,
    ) -> Sent {
        if let Err(fault) = self.begins_anew(turn, places) {
            faults.push(fault);
        }
        let parts = match &turn.action {
            PlayerAction::Send(parts) => parts,
            PlayerAction::Leave(how) => return self.hear(turn.seat, &[], Some(*how)),
            _ => return Sent::default(),
        };
        let delay = turn.action.delay();
        if let Some(timeout) = timeout.filter(|timeout| delay >= *timeout) {
            let shown = humantime::format_duration;
            let title = format!("the line is whole only after {}", shown(delay));
            let label = format!("the timeout is {}", shown(timeout));
            let fault = Diagnostic::error("turn/too-late", title).at(
                &places.source,
                places.action(),
                label,
            );
            let help =
                "to let the timeout pass, write `silent: until the timeout`, or send no line end";
            faults.push(fault.help(help));
        }
        self.hear(turn.seat, parts, SendPart::leaving(parts))
    }

    /// Refuses what somebody does who is not there any more.
    ///
    /// # Errors
    /// The player has disconnected before.
    pub(super) fn is_there(&self, turn: &Turn, places: &Places) -> Result<(), Diagnostic> {
        let (Some(gone), Some(span)) = (
            self.gone(turn.seat),
            places.action.and_then(|action| action.whole),
        ) else {
            return Ok(());
        };
        let title = format!(
            "`{}` has gone away, and can do nothing here",
            self.matchup.key(turn.seat)
        );
        let fault = Diagnostic::error("turn/gone", title).at(&places.source, span, "");
        Err(gone.context_of(fault).help(match turn.roll {
            Some(_) => format!(
                "write `{}` alone: with a possible move, the player is retired here at the latest",
                self.matchup.written(turn.roll, "")
            ),
            None => "leave this turn out: the player is retired here at the latest".to_owned(),
        }))
    }

    /// Refuses a line of a player who has sent half of another one before.
    ///
    /// # Errors
    /// There is such a half line.
    fn begins_anew(&self, turn: &Turn, places: &Places) -> Result<(), Diagnostic> {
        let sends = matches!(
            turn.action,
            PlayerAction::Move(Choice::This(_))
                | PlayerAction::Illegal(_)
                | PlayerAction::Ignored(_)
        );
        if !sends || self.players[turn.seat].framer.pending().is_empty() {
            return Ok(());
        }
        let title = format!(
            "`{}` has sent half a line before, and this would be its end",
            self.matchup.key(turn.seat)
        );
        let fault =
            Diagnostic::error("turn/half-line", title).at(&places.source, places.action(), "");
        Err(fault.help("use the key `send`, with the rest of that line"))
    }

    fn spectator(
        &mut self,
        number: u32,
        what: &ActKind,
        at: &ActPlaces,
        places: &Places,
    ) -> Result<(), Diagnostic> {
        let count = self.spectators.len();
        let Some(presence) = (number as usize)
            .checked_sub(1)
            .and_then(|index| self.spectators.get_mut(index))
        else {
            let title = match count {
                0 => "there is no spectator in this scenario".to_owned(),
                1 => "there is only spectator 1 in this scenario".to_owned(),
                _ => format!("there are only the spectators 1 to {count} in this scenario"),
            };
            let fault =
                Diagnostic::error("turn/unknown-spectator", title).at(&places.source, at.who, "");
            return Err(fault.help(match number {
                0 => "spectators are numbered from 1".to_owned(),
                _ => format!("write `spectators: {number}` above, those that join late included"),
            }));
        };
        let fault = |title: &str| {
            Diagnostic::error("turn/spectator", format!("spectator {number} {title}")).at(
                &places.source,
                at.act,
                "",
            )
        };
        match (&*presence, what) {
            (Presence::There, ActKind::Leave(_)) => {
                *presence = Presence::Away(places.spot(at.act, "here it leaves"));
            }
            (Presence::Awaited(_), ActKind::Join) => *presence = Presence::There,
            (Presence::There, _) => return Err(fault("is there already").help("remove this")),
            (Presence::Awaited(joins), _) => {
                return Err(joins
                    .context_of(fault("is not there yet"))
                    .help("let it join before"));
            }
            (Presence::Away(left), _) => {
                let help = "who comes later is another spectator: give it another number";
                return Err(left.context_of(fault("has left")).help(help));
            }
        }
        Ok(())
    }
}
