//! The games of the files that the user named, for the viewer.

use std::path::PathBuf;

use super::shown::ShownGame;
use crate::archive::{self, FinishedGame, ReadOptions};
use crate::replay::Replay;
use crate::transcript::GameIndex;
use crate::tui::{ViewerNews, ViewerSource};

/// The games of files.
pub(super) struct FileSource<'a> {
    files: &'a [PathBuf],
    options: ReadOptions<'a>,
    /// Number of the game that is shown, where there are several.
    number: Option<u64>,
    index: Option<GameIndex>,
    /// True if the viewer knows how many games there are.
    is_counted: bool,
}

impl<'a> FileSource<'a> {
    /// The games next to this one, which is shown. Begins to count the games of a file.
    pub(super) fn new(
        game: &FinishedGame,
        files: &'a [PathBuf],
        options: ReadOptions<'a>,
    ) -> FileSource<'a> {
        let number = game.is_one_of_several.then_some(game.number);
        // A file that is no plain file is read game by game, without a count.
        let index = match (files, number, game.dialect()) {
            ([file], Some(_), Some(dialect)) if file.is_file() => {
                GameIndex::begin(file, dialect).ok()
            }
            _ => None,
        };
        FileSource {
            files,
            options,
            number,
            is_counted: index.is_none(),
            index,
        }
    }

    /// The game of that number by the index, if it has been found.
    fn indexed(&self, number: u64) -> Option<Result<FinishedGame, String>> {
        let ([file], Some(index)) = (self.files, &self.index) else {
            return None;
        };
        let game = archive::indexed_game(index, file, number, &self.options)?;
        Some(game.map_err(|_| format!("game {number} cannot be shown")))
    }
}

impl ViewerSource for FileSource<'_> {
    fn other(&mut self, is_before: bool) -> Result<Replay, String> {
        let at = self.number.ok_or("the file holds one game")?;
        let wanted = match is_before {
            true if at == 1 => return Err("this is the first game of the file".to_owned()),
            true => at - 1,
            false => at + 1,
        };
        let game = match self.indexed(wanted) {
            Some(game) => game?,
            None => archive::game(self.files, Some(wanted), &self.options)
                .map_err(|_| "this is the last game of the file".to_owned())?,
        };
        let shown = ShownGame::new(game);
        let shown = shown.map_err(|_| format!("game {wanted} cannot be shown"))?;
        self.number = Some(wanted);
        Ok(shown.replay)
    }

    fn is_settled(&self) -> bool {
        self.is_counted
    }

    fn news(&mut self) -> ViewerNews {
        let count = self.index.as_ref().map(GameIndex::count);
        self.is_counted = count.is_none_or(|count| count.is_complete);
        ViewerNews {
            count,
            ..ViewerNews::default()
        }
    }
}
