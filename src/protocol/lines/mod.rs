//! A dialogue that a scenario scripts line by line: a game without rules, and a dialect without a protocol.

mod dialect;
mod game;

pub use dialect::LinesDialect;
pub use game::LinesGame;
