//! Finished games in any format: read as one type, written in other formats, counted.

mod files;
pub mod statistics;
mod told;

pub use files::{ArchiveFiles, each_game};
pub use told::{NotWritten, ToldGame, WrittenGame};
