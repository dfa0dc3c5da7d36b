//! The model of one game: it advances on what is observed, and predicts every lane.

mod attribution;
#[cfg(test)]
pub(super) mod case_tests;
mod lane;
mod lines;
mod open;
mod turn;

use std::collections::VecDeque;

use super::{Cause, Dialect, Facts, GameEvent, Open, Slot};
use crate::rules::{Mistake, Move, PerSeat, Seat, Setup, Table};
use lane::Lane;
pub use lane::LaneKind;
pub use lines::{Answered, Received};

/// One game as it must look on every lane.
#[derive(Debug, Clone)]
pub struct Model {
    dialect: &'static dyn Dialect,
    table: Option<Box<dyn Table>>,
    /// The mistake in the rules that the game is played by.
    mistake: Option<&'static Mistake>,
    facts: Facts,
    lanes: Vec<Lane>,
    history: Vec<GameEvent>,
    /// Beside each move and loss, the requirement by which a line before it had to be ignored.
    ignored_grounds: Vec<Option<&'static str>>,
    is_over: bool,
    undecided: Option<Undecided>,
    sees_sent: PerSeat<bool>,
    /// Players that may be told to have lost at any time: why, and id of the entry that leaves the time open.
    may_lose: PerSeat<Option<(Cause, &'static str)>>,
    /// Players that have gone away.
    is_gone: PerSeat<bool>,
    /// Id of the entry that leaves open when a player is retired who has gone away, where that has to be seen on its turn now.
    retired_on_turn: Option<&'static str>,
    /// Lines sent off turn that the referee may have kept.
    kept: PerSeat<VecDeque<Kept>>,
    /// Requirement by which a line since the player's last move was ignored.
    ignored: PerSeat<Option<&'static str>>,
    decisions: Vec<(&'static str, String)>,
    /// The line that a player on turn sent last.
    said: Vec<u8>,
}

impl Model {
    /// A game before its handshake. `sees_sent`: whether what a seat sends is reported by [`Model::sent`]; where it is
    /// not, moves are learnt from the lanes that they are relayed to.
    #[must_use]
    pub fn new(
        dialect: &'static dyn Dialect,
        lanes: &[LaneKind],
        sees_sent: PerSeat<bool>,
    ) -> Model {
        let mut model = Model {
            dialect,
            table: None,
            mistake: None,
            facts: Facts::default(),
            lanes: lanes.iter().copied().map(Lane::new).collect(),
            history: Vec::new(),
            ignored_grounds: Vec::new(),
            is_over: false,
            undecided: None,
            sees_sent,
            may_lose: PerSeat([None, None]),
            is_gone: PerSeat([false, false]),
            retired_on_turn: None,
            kept: PerSeat([VecDeque::new(), VecDeque::new()]),
            ignored: PerSeat([None, None]),
            decisions: Vec::new(),
            said: Vec::new(),
        };
        let has_setup = dialect
            .greeting(false)
            .iter()
            .any(|greeting| matches!(greeting.slot, Slot::Setup(_)));
        if !has_setup {
            model.facts.setup = Some(Setup::default());
        }
        model.open_table();
        model
    }

    /// A game whose facts are known from the start: forced names, or urtext being the referee itself.
    #[must_use]
    pub fn with_facts(mut self, facts: Facts) -> Model {
        let setup = facts.setup.or(self.facts.setup);
        self.facts = Facts { setup, ..facts };
        self.open_table();
        self
    }

    /// Sets whether [`Model::sent`] reports the seat's lines; changes when a lane turns out to include or
    /// omit them.
    pub fn set_sees_sent(&mut self, seat: Seat, sees: bool) {
        self.sees_sent[seat] = sees;
    }

    /// A game by a mistake in the rules, before its first event. A mistake that the game does not know changes nothing.
    #[must_use]
    pub fn read_by(mut self, mistake: &'static Mistake) -> Model {
        self.mistake = Some(mistake);
        self.table = None;
        self.open_table();
        self
    }

    fn open_table(&mut self) {
        if self.table.is_none() {
            self.table = self.first_table();
        }
    }

    /// The game before its first event, by the same mistake in the rules; `None` while the handshake has not told how it starts.
    #[must_use]
    pub fn first_table(&self) -> Option<Box<dyn Table>> {
        let (game, setup) = (self.dialect.game(), self.facts.setup?);
        let mistake = self
            .mistake
            .and_then(|row| game.mistakes().table(setup, row.name));
        Some(mistake.unwrap_or_else(|| game.table(setup)))
    }

    /// The game after so many of its events; `None` while the handshake has not told how it starts.
    #[must_use]
    pub fn table_after(&self, events: usize) -> Option<Box<dyn Table>> {
        let mut table = self.first_table()?;
        for event in &self.history[..events] {
            event.play_on(&mut *table);
        }
        Some(table)
    }

    /// The dialect that predicts.
    #[must_use]
    pub fn dialect(&self) -> &'static dyn Dialect {
        self.dialect
    }

    /// The game so far; `None` while the handshake has not told how it starts.
    #[must_use]
    pub fn table(&self) -> Option<&dyn Table> {
        self.table.as_deref()
    }

    /// Returns the facts from the handshake.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Returns the events so far, in order.
    #[must_use]
    pub fn history(&self) -> &[GameEvent] {
        &self.history
    }

    /// Returns true if the game has ended, by a win or a loss.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over
    }
}

/// A line of the player on turn that may be taken in several ways.
#[derive(Debug, Clone)]
struct Undecided {
    by: Seat,
    /// Text as sent, which may be relayed unchanged.
    text: Vec<u8>,
    open: Open,
    /// Reason of the loss, if it loses.
    loss: Cause,
    /// A legal move that the player sent after it, for the case that it was ignored.
    later: Option<Move>,
}

impl Undecided {
    /// Returns true if no line has to follow: if the line was ignored, the player is still on turn.
    fn may_leave_the_turn(&self) -> bool {
        self.open.may_be_ignored && self.later.is_none()
    }
}

/// A line that was sent off turn, and id of the entry that leaves open what becomes of it.
#[derive(Debug, Clone)]
struct Kept {
    text: Vec<u8>,
    requirement: &'static str,
}
