//! The seat of a lane.

use crate::archive::FinishedGame;
use crate::protocol::{Dialect, LaneKind, Model, Party};
use crate::rules::{PerSeat, Seat};
use crate::transcript::{Direction, LoggedLane, LoggedLine};

/// The seat whose lane this is, as the handshake tells.
#[must_use]
pub fn seat_of(dialect: &'static dyn Dialect, lane: &LoggedLane) -> Option<Seat> {
    let mut model = Model::new(dialect, &[lane.kind], PerSeat([true, true]));
    let received = lane
        .lines
        .iter()
        .filter(|line| line.direction == Direction::Received);
    for LoggedLine { line, .. } in received.take(dialect.greeting(false).len()) {
        // What is wrong with a handshake is for others to say.
        let _ = model.receive(0, line);
    }
    match model.party(0) {
        Some(Party::Player(seat)) => Some(seat),
        _ => lane.seat,
    }
}

/// The seat of the only player whose lane is at hand; the first where that is nobody.
#[must_use]
pub fn seat_of_recorder(game: &FinishedGame) -> Seat {
    let mut players = game
        .logged
        .lanes
        .iter()
        .filter(|lane| lane.kind == LaneKind::Player);
    match (players.next(), players.next()) {
        (Some(only), None) => {
            let dialect = game.dialect();
            let seat = dialect.and_then(|dialect| seat_of(dialect, only));
            seat.unwrap_or(Seat::First)
        }
        _ => Seat::First,
    }
}
