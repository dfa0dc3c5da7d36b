//! Framing (bytes to lines, nothing lost), one dialect per wire protocol, and the model that predicts every lane. No I/O.

mod deviation;
mod dialect;
mod exercise;
mod facts;
pub mod formats;
mod framing;
pub mod hcur;
mod model;
pub mod lines;
pub mod onitama;
mod plays;
pub mod royalur;

pub use deviation::{Deviation, Expected, Grounds};
pub use dialect::{
    Cause, Closing, Dialect, Duty, GameEvent, Greeting, OffTurn, Open, OwedLine, Party, PlayerLine,
    RefereeLine, Slot,
};
pub use exercise::{Exercised, GameTerms};
pub use facts::Facts;
pub use framing::{Framer, LINE_LIMIT, Line, LineEnding};
pub use model::{Answered, LaneKind, Model, Received};
pub use plays::{Plays, WholeLines};

/// Every dialect there is; the first of a game is its usual one.
pub const ALL: &[&dyn Dialect] = &[
    &royalur::CodeColosseum,
    &onitama::OnitamaJudge,
    &lines::LinesDialect,
];

/// The dialect of that name, or the usual one of the game of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Dialect> {
    let by_game = || {
        let game = crate::games::find(name)?;
        ALL.iter()
            .copied()
            .find(|dialect| dialect.game().name() == game.name())
    };
    ALL.iter()
        .copied()
        .find(|dialect| dialect.name() == name)
        .or_else(by_game)
}
