//! Verdicts on games without a fault, for large archives; all other games go to the model.

use super::{Ending, Judged};
use crate::protocol::{Cause, Dialect, Facts, LINE_LIMIT, Plays, Slot, WholeLines};
use crate::requirement::Role;
use crate::rules::{Phase, RollOrMove, Seat, Setup, Table};
use crate::transcript::bare::BareGame;

/// Passes games without a fault by the bytes of their streams, without copying lines.
///
/// The rolls and moves of a lane that shows the whole game are played; each other lane must show the same game. Everything else is left to
/// [`judge`](super::judge): a fault, a line that the specification leaves open, a line that comes early, lanes of unequal length, and
/// dialects in which the mover receives his own move.
#[derive(Debug)]
pub struct FastPath {
    dialect: &'static dyn Dialect,
    /// `None`: the dialect is left to the full judge.
    table: Option<Box<dyn Table>>,
    facts: Facts,
    lanes: Vec<Lane>,
    /// The mover of each roll and move.
    movers: Vec<Seat>,
}

/// One lane of a game.
#[derive(Debug, Default)]
struct Lane {
    /// `None`: a spectator.
    seat: Option<Seat>,
    plays: Plays,
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
        FastPath {
            dialect,
            table,
            facts: Facts::default(),
            lanes: Vec::new(),
            movers: Vec::new(),
        }
    }

    /// Passes a game by the streams of its lanes; `None` leaves it to the full judge.
    pub fn pass<'a>(&mut self, streams: impl IntoIterator<Item = &'a BareGame>) -> Option<Judged> {
        self.facts = Facts::default();
        let mut count = 0;
        for stream in streams {
            self.read(count, stream)?;
            count += 1;
        }
        self.play(count)
    }

    /// Reads the stream of the lane of this number.
    fn read(&mut self, number: usize, stream: &BareGame) -> Option<()> {
        self.table.as_ref().filter(|_| !stream.is_too_large)?;
        let dialect = self.dialect;
        let mut lines = WholeLines { rest: &stream.text };
        for greeting in dialect.greeting(true) {
            let line = lines.next().filter(|line| line.len() <= LINE_LIMIT)?;
            let read = dialect.read_greeting(greeting.slot, line, &mut self.facts);
            read.ok()?;
        }
        let mut after = lines.clone();
        let own_seat = |line| dialect.read_greeting(Slot::OwnSeat, line, &mut Facts::default());
        let seat = after.next().and_then(|line| own_seat(line).ok()?);
        let body = match seat {
            Some(_) => after.rest,
            None => lines.rest,
        };
        if self.lanes.len() == number {
            self.lanes.push(Lane::default());
        }
        let lane = &mut self.lanes[number];
        lane.seat = seat;
        lane.plays.clear();
        let mark = stream.marks_sent.then_some(b'>');
        dialect
            .read_plays(body, mark, &mut lane.plays)
            .then_some(())
    }

    /// Plays what the lanes show, of which there are so many.
    fn play(&mut self, count: usize) -> Option<Judged> {
        let table = self.table.as_deref_mut()?;
        let lanes = &self.lanes[..count];
        let whole = lanes
            .iter()
            .find(|lane| lane.seat.is_none() || lane.has_sent())?;
        let plays = &whole.plays.all;
        table.restart();
        self.movers.clear();
        // One lane without moves of its own is not compared with anything.
        let is_compared = count > 1 || whole.has_sent();
        if !table.play_all(plays, is_compared.then_some(&mut self.movers)) {
            return None;
        }
        let are_one_game = lanes.iter().all(|lane| {
            let is_same = std::ptr::eq(lane, whole) || lane.shows(plays, &self.movers);
            is_same && lane.has_sent_its_moves(plays, &self.movers)
        });
        let has_both_once = |seat| lanes.iter().filter(|lane| lane.seat == Some(seat)).count() <= 1;
        let turns = plays
            .iter()
            .filter(|play| matches!(play, RollOrMove::Roll(_)))
            .count();
        if !are_one_game || !Seat::BOTH.into_iter().all(has_both_once) || turns == 0 {
            return None;
        }
        let mut ending = Ending::at(table);
        if lanes.iter().any(|lane| lane.plays.is_lost) {
            // Whether the loser is told too is open.
            let (by, cause) = (table.to_move(), Cause::Unseen);
            let is_told = |lane: &Lane| lane.plays.is_lost || lane.seat == Some(by);
            if table.phase() != Phase::Move || !lanes.iter().all(is_told) {
                return None;
            }
            ending = Ending::Lost { by, cause };
        }
        Some(Judged {
            names: std::mem::take(&mut self.facts.names),
            begun: turns,
            ending: Some(ending),
            ..Judged::default()
        })
    }
}

/// Number of lines with names at the beginning of each lane.
const NAMES: usize = 2;

impl Lane {
    /// Returns true if the lane shows the moves of its own player.
    fn has_sent(&self) -> bool {
        !self.plays.sent.is_empty()
    }

    /// Returns true if this play is a move of the lane's own player.
    fn is_own(&self, play: RollOrMove, mover: Seat) -> bool {
        self.seat == Some(mover) && matches!(play, RollOrMove::Move(_))
    }

    /// Returns true if the lane shows this game; the moves of its own player may be missing if the lane does
    /// not show them.
    fn shows(&self, plays: &[RollOrMove], movers: &[Seat]) -> bool {
        if self.seat.is_none() || self.has_sent() {
            return self.plays.all == plays;
        }
        let received = plays
            .iter()
            .zip(movers)
            .filter(|(play, mover)| !self.is_own(**play, **mover));
        self.plays.all.iter().eq(received.map(|(play, _)| play))
    }

    /// Returns true if the lane's player sent exactly these moves, if the lane shows them.
    fn has_sent_its_moves(&self, plays: &[RollOrMove], movers: &[Seat]) -> bool {
        let is_own = |&index: &usize| self.is_own(plays[index], movers[index]);
        let own = (0..plays.len()).filter(is_own);
        !self.has_sent() || self.seat.is_some() && self.plays.sent.iter().copied().eq(own)
    }
}
