//! Packs: one value for each game, with all that makes the game. No concrete game is defined here.
//!
//! The packs of the process are those that [`crate::main`] was given. A program that never calls it, such as a test, has the
//! shipped ones.

mod fault;
pub mod file_format;
pub mod formats;
mod installed;
mod notation;
mod parts;
mod protocol;
pub mod spoiler;

pub use fault::{FaultRow, row};
pub use file_format::FileFormat;
pub use installed::{
    add_catalogue, all, catalogues, dialect, dialects, find, game, games, gone_requirement,
    notations, requirement, usual,
};
pub use notation::{
    GamePart, NotatedGame, NotatedState, NotatedTurn, Notation, NotationWriter, StateNotation,
};
pub use parts::{Format, Pack, PeersRow};
pub use protocol::Protocol;
