//! The games of the files that the user named, for the viewer.

use std::path::Path;

use super::super::game_files;
use super::super::server_matches::ServerMatches;
use super::one_game;
use super::shown::ShownGame;
use crate::diagnostic::Diagnostics;
use crate::pack::Protocol;
use crate::replay::Replay;
use crate::transcript::{self, GameIndex, LoggedGame};
use crate::tui::{ViewerNews, ViewerSource};

/// A single game.
pub(super) struct NoOther;

impl ViewerSource for NoOther {
    fn other(&mut self, _is_before: bool) -> Result<Replay, String> {
        Err(ONE_GAME.to_owned())
    }

    fn is_settled(&self) -> bool {
        true
    }

    fn news(&mut self) -> ViewerNews {
        ViewerNews::default()
    }
}

const ONE_GAME: &str = "the file holds one game";

/// The games of files.
pub(super) struct FileSource<'a> {
    files: &'a [&'a Path],
    protocol: Option<Protocol>,
    server_matches: &'a ServerMatches,
    /// Number of the game that is shown, where there are several.
    number: Option<u64>,
    index: Option<GameIndex>,
    /// True if the viewer knows how many games there are.
    is_counted: bool,
}

impl<'a> FileSource<'a> {
    /// The games of these files, or of matches on servers.
    pub(super) fn new(
        files: &'a [&'a Path],
        protocol: Option<Protocol>,
        server_matches: &'a ServerMatches,
    ) -> FileSource<'a> {
        FileSource {
            files,
            protocol,
            server_matches,
            number: None,
            index: None,
            is_counted: true,
        }
    }

    /// The game of that number, and true if there are others; the first where no number is given.
    ///
    /// # Errors
    /// Every fault of the files; that there is no such game.
    pub(super) fn open(&self, number: Option<u64>) -> Result<(LoggedGame, bool), Diagnostics> {
        let (protocol, server_matches) = (self.protocol, self.server_matches);
        match self.files {
            [file] => one_game(file, number, protocol, server_matches),
            files => game_files::joined(files, number, protocol, server_matches),
        }
    }

    /// Takes the number of the game that is shown, where there are several, and begins to count the games of a file.
    pub(super) fn stand_at(&mut self, number: Option<u64>, protocol: Protocol) {
        self.number = number;
        // A file that is no plain file is read game by game, without a count.
        if let ([file], Some(_), Some(dialect)) = (self.files, number, protocol.dialect())
            && file.is_file()
        {
            self.index = GameIndex::begin(file, dialect).ok();
            self.is_counted = self.index.is_none();
        }
    }

    /// The game of that number by the index, if it has been found.
    fn indexed(&self, number: u64) -> Option<Result<LoggedGame, String>> {
        let [file] = self.files else { return None };
        let mut games = self.index.as_ref()?.games_from(number).ok()??;
        let name = file.to_string_lossy();
        let (dialect, marks_sent) = (games.dialect(), transcript::marks_sent(file));
        let game = games.next_game().ok()??;
        let game = game.logged(&name, dialect, marks_sent);
        Some(game.map_err(|fault| fault.title().to_owned()))
    }
}

impl ViewerSource for FileSource<'_> {
    fn other(&mut self, is_before: bool) -> Result<Replay, String> {
        let at = self.number.ok_or(ONE_GAME)?;
        let wanted = match is_before {
            true if at == 1 => return Err("this is the first game of the file".to_owned()),
            true => at - 1,
            false => at + 1,
        };
        let game = match self.indexed(wanted) {
            Some(game) => game?,
            None => {
                let last = |_| "this is the last game of the file".to_owned();
                self.open(Some(wanted)).map_err(last)?.0
            }
        };
        let shown = ShownGame::of_judged(crate::verify::judge(&game), &game, Some(wanted));
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
