//! The files that a replay comes from: they may hold other games, and somebody may still write them.

use std::path::PathBuf;
use std::thread;

use super::Replay;
use crate::archive::{self, FinishedGame, ReadOptions};
use crate::diagnostic::Diagnostics;
use crate::transcript::{GrowingFile, LOOK};
use crate::verify::Ending;

/// Files with games, opened one by one.
pub struct ReplaySource<'a> {
    files: &'a [PathBuf],
    options: ReadOptions<'a>,
    growing: Option<GrowingFile>,
}

impl<'a> ReplaySource<'a> {
    /// Finished games of files.
    #[must_use]
    pub fn new(files: &'a [PathBuf], options: ReadOptions<'a>) -> ReplaySource<'a> {
        ReplaySource {
            files,
            options,
            growing: None,
        }
    }

    /// The first game of a file that somebody still writes; the file need not exist yet.
    #[must_use]
    pub fn following(file: &'a PathBuf, options: ReadOptions<'a>) -> ReplaySource<'a> {
        ReplaySource {
            growing: Some(GrowingFile::new(file.clone())),
            ..ReplaySource::new(std::slice::from_ref(file), options)
        }
    }

    /// Opens the game before (true) or after (false) this one.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    pub fn other(&self, shown: &Replay, is_before: bool) -> Result<Replay, String> {
        let at = shown.number_of_several().ok_or("the file holds one game")?;
        let wanted = match is_before {
            true if at == 1 => return Err("this is the first game of the file".to_owned()),
            true => at - 1,
            false => at + 1,
        };
        let game = archive::game(self.files, Some(wanted), &self.options)
            .map_err(|_| "this is the last game of the file".to_owned())?;
        Replay::new(game).ok_or_else(|| format!("game {wanted} cannot be shown"))
    }

    /// The game that is still written, if it has gone on since the last call and its first turn has begun.
    pub fn grown(&mut self) -> Option<Result<FinishedGame, Diagnostics>> {
        let read = |path: &_| archive::game_so_far(path, &self.options);
        let mut game = self.growing.as_mut()?.read(read)?.transpose()?;
        if let Ok(game) = &mut game {
            if game.judged.ending == Some(Ending::Unstarted) {
                return None;
            }
            game.explain();
        }
        Some(game)
    }

    /// Waits until the game that is still written has gone on.
    ///
    /// # Errors
    /// Every fault of the file.
    pub fn wait(&mut self) -> Result<FinishedGame, Diagnostics> {
        loop {
            if let Some(game) = self.grown() {
                return game;
            }
            thread::sleep(LOOK);
        }
    }
}
