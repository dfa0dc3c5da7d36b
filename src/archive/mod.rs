//! Finished games in any format: read as one type, written in other formats, compared.

mod told;

pub use told::{NotWritten, ToldGame, WrittenGame};
