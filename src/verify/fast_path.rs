//! Verdicts on streams of spectators without a fault, for large archives; all other games go to the model.

use super::{Ending, Judged};
use crate::protocol::{Cause, Dialect, Facts, LINE_LIMIT, RefereeLine, Slot, WholeLines};
use crate::requirement::Role;
use crate::rules::{Phase, Seat, Setup, Table};
use crate::transcript::bare::BareGame;

/// Passes games without a fault by the bytes of a spectator's stream, without copying lines.
///
/// Its rolls and moves are played. Everything else is left to [`judge`](super::judge): a fault, a line that the specification leaves open, the
/// stream of a player, several lanes, and dialects in which the mover receives his own move.
#[derive(Debug)]
pub struct FastPath {
    dialect: &'static dyn Dialect,
    /// `None`: the dialect is left to the full judge.
    table: Option<Box<dyn Table>>,
}

impl FastPath {
    /// A fast path for games in this dialect.
    #[must_use]
    pub fn new(dialect: &'static dyn Dialect) -> FastPath {
        let slots = dialect.greeting(false).iter().map(|greeting| greeting.slot);
        let is_known = slots.eq([
            Slot::Name(Seat::First),
            Slot::Name(Seat::Second),
            Slot::OwnSeat,
        ]) && dialect.greeting(true).len() == NAMES
            && dialect.find_id(Role::NoEcho).is_some();
        let table = is_known.then(|| dialect.game().table(Setup::default()));
        FastPath { dialect, table }
    }

    /// Passes a game by its stream; `None` leaves it to the full judge.
    pub fn pass(&mut self, stream: &BareGame) -> Option<Judged> {
        let table = self.table.as_deref_mut().filter(|_| !stream.is_too_large)?;
        let (mut facts, mut lines) = (Facts::default(), WholeLines { rest: &stream.text });
        for greeting in self.dialect.greeting(true) {
            let line = lines.next().filter(|line| line.len() <= LINE_LIMIT)?;
            let read = self.dialect.read_greeting(greeting.slot, line, &mut facts);
            read.ok()?;
        }
        let next = lines.clone().next().unwrap_or_default();
        let own_seat = self
            .dialect
            .read_greeting(Slot::OwnSeat, next, &mut Facts::default());
        if own_seat.is_ok() {
            return None;
        }
        table.restart();
        let (mut begun, mut lost) = (0, None);
        for line in lines.by_ref() {
            match (self.dialect.hear(line), table.phase()) {
                _ if lost.is_some() => return None,
                (RefereeLine::Roll(roll), Phase::Roll) => {
                    table.take_roll(roll);
                    begun += 1;
                }
                (RefereeLine::Move(mv), Phase::Move) => table.play(mv).ok()?,
                (RefereeLine::Loss, Phase::Move) => lost = Some(table.to_move()),
                _ => return None,
            }
        }
        if begun == 0 || !lines.rest.is_empty() {
            return None;
        }
        let ending = match lost {
            Some(by) => Ending::Lost {
                by,
                cause: Cause::Unseen,
            },
            None => Ending::at(table),
        };
        Some(Judged {
            names: facts.names,
            begun,
            ending: Some(ending),
            ..Judged::default()
        })
    }
}

/// Number of lines with names at the beginning of each lane.
const NAMES: usize = 2;
