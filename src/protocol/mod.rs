//! Framing (bytes to lines, nothing lost), the trait of a wire protocol, and the model that predicts every lane. No I/O.

mod deviation;
mod dialect;
mod event;
mod handshake;
mod lines;
mod meaning;
mod model;

pub use deviation::{Deviation, DueLine, Expected, Grounds};
pub use dialect::{Dialect, DialectData};
pub use event::{Cause, Duty, GameEvent, OwedLine, Party};
pub use handshake::{Facts, Greeting, SetupLine, Slot};
pub use lines::{Framer, LINE_LIMIT, Line, LineEnding, Plays, WholeLines, single_spaced};
pub use meaning::{Closing, OffTurn, Open, PlayerLine, RefereeLine};
#[cfg(test)]
pub(crate) use model::case_tests::history;
pub use model::{Answered, LaneKind, Model, Received};
