//! The games of the files that the user named, for the viewer.

use std::path::PathBuf;

use super::shown::ShownGame;
use crate::archive::{self, ReadOptions};
use crate::replay::Replay;
use crate::tui::ViewerSource;

/// The games of files.
pub(super) struct FileSource<'a> {
    pub(super) files: &'a [PathBuf],
    pub(super) options: ReadOptions<'a>,
    /// Number of the game that is shown, where there are several.
    pub(super) number: Option<u64>,
}

impl ViewerSource for FileSource<'_> {
    fn other(&mut self, is_before: bool) -> Result<Replay, String> {
        let at = self.number.ok_or("the file holds one game")?;
        let wanted = match is_before {
            true if at == 1 => return Err("this is the first game of the file".to_owned()),
            true => at - 1,
            false => at + 1,
        };
        let game = archive::game(self.files, Some(wanted), &self.options)
            .map_err(|_| "this is the last game of the file".to_owned())?;
        let shown = ShownGame::new(game);
        let shown = shown.map_err(|_| format!("game {wanted} cannot be shown"))?;
        self.number = Some(wanted);
        Ok(shown.replay)
    }
}
