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
    /// Another game that is shown instead.
    pub opened: Option<Replay>,
    /// A message.
    pub message: Option<String>,
    /// True if the viewer has to end.
    pub ends: bool,
    /// Number of games of the file.
    pub count: Option<GameCount>,
}
