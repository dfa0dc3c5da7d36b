//! Packs: one value for each game, with all that makes the game. No concrete game is defined here.
//!
//! The packs of the process are those that [`crate::main`] was given. A program that never calls it, such as a test, has the
//! shipped ones.

mod fault;
pub mod formats;
mod installed;
mod notation;
mod parts;
pub mod spoiler;
mod usual_faults;

pub use fault::{FaultRow, row};
pub use formats::FileFormat;
pub use installed::{
    Protocol, add_catalogue, all, catalogues, dialect, dialects, find, game, games,
    gone_requirement, notations, requirement, requirements_of, specified, usual,
};
pub use notation::{
    GamePart, NotatedGame, NotatedTurn, Notation, ReadState, StateNotation, WriteGame,
};
pub use parts::{Format, Pack, PeersRow};

pub use usual_faults::usual_faults;
