//! Framing (bytes to lines, nothing lost), the trait of a wire protocol, and the model that predicts every lane. No I/O.

mod deviation;
mod dialect;
mod exercise;
mod facts;
mod framing;
mod model;
mod plays;

pub use deviation::{Deviation, DueLine, Expected};
pub use dialect::{
    Cause, Closing, Dialect, Duty, GameEvent, Greeting, OffTurn, Open, OwedLine, Party, PlayerLine,
    RefereeLine, Slot,
};
pub use exercise::{Exercised, GameTerms};
pub use facts::Facts;
pub use framing::{Framer, LINE_LIMIT, Line, LineEnding};
#[cfg(test)]
pub(crate) use model::case_tests::history;
pub use model::{Answered, LaneKind, Model, Received};
pub use plays::{Plays, WholeLines};
