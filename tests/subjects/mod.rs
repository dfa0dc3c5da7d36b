//! Subjects for games that a test plays through the engine.

use urtext::config::Subject;
use urtext::peers;
use urtext::scenario::Side;

/// The built-in subject of a game and a side, with a fault.
pub(crate) fn built_in(game: &str, side: Side, fault: Option<&str>) -> Subject {
    peers::find(game).expect("it has peers").subject(env!("CARGO_BIN_EXE_urtext"), side, fault)
}
