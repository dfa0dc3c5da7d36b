//! A move of the scenario, kept with the game before it until a finding describes it.

use crate::diagnostic::Span;
use crate::rules::{Game, Move, Seat, Table};

/// A move at a step, with the game before it. It is put into words only where a finding needs them: most are never told.
#[derive(Debug, Clone)]
pub(super) struct Narrated {
    pub(super) span: Span,
    pub(super) seat: Seat,
    pub(super) mv: Move,
    pub(super) before: Box<dyn Table>,
}

impl Narrated {
    /// The step, and what the move does there; `None` where it is not legal.
    pub(super) fn tell(&self, game: &dyn Game) -> Option<(Span, String)> {
        self.before.check(self.mv).ok()?;
        let told = format!(
            "{}: {}",
            game.seat_name(self.seat),
            self.before.describe_move(self.mv)
        );
        Some((self.span, told))
    }
}
