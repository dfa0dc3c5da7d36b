//! Files with the turns of a replay: JSON Lines, written by `urtext replay --json` and read as a finished game.

mod difference;
mod members;
mod playing;
mod reader;
mod record;

pub use reader::is_frames;
pub(in crate::verify) use reader::read;
pub use record::{
    CellRecord, EndRecord, GameRecord, LineRecord, PositionRecord, ReplayRecord, StockRecord,
    TurnRecord, VERSION, schema,
};

/// The name of the format, as the user writes it.
pub const NAME: &str = "frames";

/// The largest file that is read, in bytes.
pub const FILE_LIMIT: u64 = 64 << 20;

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
