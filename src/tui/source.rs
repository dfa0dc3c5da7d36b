//! The side of the viewer towards files.

use crate::replay::Replay;
use crate::transcript::GameCount;

/// Gives the viewer other games, and news of the one that it shows.
pub trait ViewerSource {
    /// The game before (true) or after (false) the one that is shown.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    fn other(&mut self, is_before: bool) -> Result<Replay, String>;

    /// Returns true if there are no news any more.
    fn is_settled(&self) -> bool;

    /// The news since the last call.
    fn news(&mut self) -> ViewerNews;
}

/// News for the viewer.
#[derive(Debug, Default)]
pub struct ViewerNews {
    /// The game that is shown, where it has gone on.
    pub grown: Option<Replay>,
    /// Number of games of the file.
    pub count: Option<GameCount>,
}
