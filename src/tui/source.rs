//! The side of the viewer towards files.

use crate::replay::Replay;

/// Gives the viewer other games, and the one that it shows as it goes on.
pub trait ViewerSource {
    /// The game before (true) or after (false) the one that is shown.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    fn other(&mut self, is_before: bool) -> Result<Replay, String>;

    /// Returns true if the game that is shown does not go on any more.
    fn is_settled(&self) -> bool {
        true
    }

    /// The game that is shown, if it has gone on since the last call.
    fn grown(&mut self) -> Option<Replay> {
        None
    }
}
