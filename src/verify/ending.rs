//! Endings of finished games, and their wording.

use crate::diagnostic::visible;
use crate::pack;
use crate::protocol::{Cause, GameEvent};
use crate::rules::{Game, GameResult, PerSeat, Phase, Seat, Table};

/// End of a legal game, or the point at which it stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The rules end it so.
    Over(GameResult),
    /// This seat has lost before that.
    Lost {
        /// The seat that lost.
        by: Seat,
        /// Reason of the loss, as far as the lanes show it.
        cause: Cause,
    },
    /// The lanes stop before the end.
    Incomplete(Awaited),
    /// The lanes stop before the first turn, so that nothing of the game was seen.
    Unstarted,
}

/// The next expected line at the end of the lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaited {
    /// The roll of this seat.
    Roll(Seat),
    /// The move of this seat.
    Move(Seat),
    /// The referee's answer to the line that this seat sent.
    Answer(Seat),
}

impl Ending {
    /// Returns the end of these events, played from a table at the start of the game.
    #[must_use]
    pub fn of(history: &[GameEvent], mut table: Box<dyn Table>) -> Ending {
        for event in history {
            if let GameEvent::Lost { by, cause } = *event {
                return Ending::Lost { by, cause };
            }
            event.play_on(&mut *table);
        }
        match Ending::at(&*table) {
            Ending::Incomplete(_) if history.is_empty() => Ending::Unstarted,
            ending => ending,
        }
    }

    /// Returns the end of a game without a loss that has come to this table.
    pub(super) fn at(table: &dyn Table) -> Ending {
        match table.phase() {
            Phase::Over(result) => Ending::Over(result),
            Phase::Roll => Ending::Incomplete(Awaited::Roll(table.to_move())),
            Phase::Move => Ending::Incomplete(Awaited::Move(table.to_move())),
        }
    }

    /// It in words, with the players' names where they are known: `Alice has won`.
    #[must_use]
    pub fn describe(self, game: &dyn Game, names: &PerSeat<Option<Vec<u8>>>) -> String {
        let who = |seat| player(game, names, seat);
        match self {
            Ending::Over(GameResult::Won(seat)) => format!("{} has won", who(seat)),
            Ending::Over(GameResult::Drawn) => "the game is drawn".to_owned(),
            Ending::Lost { by, cause } => {
                format!(
                    "{} has lost, {} wins: {}",
                    who(by),
                    who(by.other()),
                    because(cause)
                )
            }
            Ending::Incomplete(Awaited::Roll(seat)) => {
                format!("incomplete: stops before the roll of {}", who(seat))
            }
            Ending::Incomplete(Awaited::Move(seat)) => {
                format!("incomplete: stops where {} has to move", who(seat))
            }
            Ending::Incomplete(Awaited::Answer(seat)) => {
                format!(
                    "incomplete: stops before the answer to what {} sent",
                    who(seat)
                )
            }
            Ending::Unstarted => {
                "stops before the first turn: there is nothing to judge".to_owned()
            }
        }
    }

    /// Returns true if the game was played to its end.
    #[must_use]
    pub fn is_complete(self) -> bool {
        matches!(self, Ending::Over(_) | Ending::Lost { .. })
    }
}

/// A player for messages: `Alice (first)`, or the seat alone where the name is not known.
pub(crate) fn player(game: &dyn Game, names: &PerSeat<Option<Vec<u8>>>, seat: Seat) -> String {
    match &names[seat] {
        Some(name) => format!(
            "{} ({})",
            visible::plain(name).at_most(60),
            game.seat_name(seat)
        ),
        None => game.seat_name(seat).to_owned(),
    }
}

/// Describes the reason of a loss.
pub(crate) fn because(cause: Cause) -> String {
    match cause {
        Cause::Invalid(id) => match pack::requirement(id) {
            Some(entry) => format!("{} ({id})", entry.summary),
            None => id.to_owned(),
        },
        Cause::Timeout => "no move within the timeout".to_owned(),
        Cause::HangUp => "hung up while a move was due".to_owned(),
        Cause::Resigned => "resigned".to_owned(),
        Cause::Unseen => "no valid move (this file does not show the reason)".to_owned(),
    }
}
