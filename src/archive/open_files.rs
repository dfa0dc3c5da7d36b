//! Opened files, read game by game before anything is judged: one file, or several that hold the lanes of the same games.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::finished_game::{FinishedGame, Found};
use super::read::{Judging, ReadOptions};
use super::records::judge_records;
use crate::diagnostic::{self, Diagnostic, Diagnostics};
use crate::pack::Protocol;
use crate::transcript::bare::{self, BareGame, Games};
use crate::transcript::{LoggedGame, Opened, StoredGame, too_large};
use crate::verify::FastPath;

/// Files that hold each a lane of every game of a match, read side by side; or one file.
pub(super) struct OpenFiles {
    /// The names of the files, joined by ` + `.
    pub(super) name: Arc<str>,
    /// The protocol of the lanes.
    protocol: Protocol,
    files: Vec<(Arc<str>, Opened)>,
    /// Number of games that were read.
    pub(super) count: u64,
}

/// A game before its judgement, with what each file holds of it.
pub(super) struct RawGame {
    name: Arc<str>,
    protocol: Protocol,
    /// Its number in the files, from 1.
    number: u64,
    parts: Vec<(Arc<str>, StoredGame)>,
}

impl OpenFiles {
    /// Opens the files.
    ///
    /// # Errors
    /// Every fault of the files.
    pub(super) fn open(
        files: &[PathBuf],
        options: &ReadOptions<'_>,
    ) -> Result<OpenFiles, Diagnostics> {
        let (mut contents, mut faults) = (Vec::new(), Diagnostics::new());
        let mut protocol = options.read_as.protocol;
        for file in files {
            match options.opened(file, protocol, files.len() > 1) {
                Ok(opened) => {
                    protocol = protocol.or(opened.protocol);
                    contents.push((Arc::from(file.to_string_lossy()), opened));
                }
                Err(more) => faults.append(more),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let names: Vec<_> = contents.iter().map(|(name, _)| &**name).collect();
        Ok(OpenFiles {
            name: names.join(" + ").into(),
            protocol: protocol.unwrap_or(Protocol::Lines),
            files: contents,
            count: 0,
        })
    }

    /// The next game.
    ///
    /// # Errors
    /// A file cannot be read, or has ended and another goes on.
    pub(super) fn next(&mut self) -> Result<Option<RawGame>, Diagnostics> {
        let (mut parts, mut ended, mut faults) = (Vec::new(), None, Diagnostics::new());
        for (name, content) in &mut self.files {
            match content.games.next() {
                Some(Ok(part)) => parts.push((Arc::clone(name), part)),
                None => ended = ended.or(Some(name)),
                Some(Err(error)) => faults.push(diagnostic::unreadable(name, &error)),
            }
        }
        match ended {
            _ if !faults.is_empty() => Err(faults),
            Some(name) if !parts.is_empty() => {
                let title = "this file holds fewer games than another";
                let help =
                    "of the files of a match, each holds one lane of every game, in the same order";
                let fault = Diagnostic::error("lanes/fewer-games", title).in_file(&**name);
                Err(fault.help(help).into())
            }
            Some(_) => Ok(None),
            None => {
                self.count += 1;
                Ok(Some(RawGame {
                    name: Arc::clone(&self.name),
                    protocol: self.protocol,
                    number: self.count,
                    parts,
                }))
            }
        }
    }
}

impl ReadOptions<'_> {
    /// Opens a file, or a match of a server. `is_part`: the file is one of several, and holds no game of its own.
    fn opened(
        &self,
        file: &Path,
        protocol: Option<Protocol>,
        is_part: bool,
    ) -> Result<Opened, Diagnostics> {
        let name = file.to_string_lossy();
        if let Some((_, received)) = self.matches.iter().find(|(address, _)| address == file) {
            let dialect = bare::dialect_in(received, protocol).map_err(|_| {
                let title =
                    "this match is of a game that has no rules here, or has no line of a game";
                Diagnostic::error("server/game", title).in_file(name)
            })?;
            let received: Box<dyn io::Read + Send> = Box::new(io::Cursor::new(received.clone()));
            let games = Games::new(dialect, Vec::new(), received, false);
            return Ok(Opened::streams(games));
        }
        let notation = self.read_as.notation.filter(|_| !is_part);
        let opened = crate::transcript::open(file, protocol, notation)?;
        if is_part && opened.is_whole {
            let title = "this file holds a whole game, and not one lane of a game";
            let fault = Diagnostic::error("lanes/whole-game", title).in_file(name);
            return Err(fault.help("take it by itself").into());
        }
        Ok(opened)
    }
}

impl RawGame {
    /// Number of bytes of its streams.
    pub(super) fn size(&self) -> usize {
        self.streams().map(|game| game.text.len()).sum()
    }

    fn streams(&self) -> impl Iterator<Item = &BareGame> {
        self.parts.iter().filter_map(|(_, part)| match part {
            StoredGame::Stream(game) => Some(game),
            StoredGame::Records { .. } | StoredGame::Lanes(_) => None,
        })
    }

    /// Judges the game, by the fast path first if the options ask for that.
    pub(super) fn judge(
        self,
        options: &ReadOptions<'_>,
        fast_path: &mut Option<FastPath>,
    ) -> Found {
        if let [(_, StoredGame::Records { notation, source })] = self.parts.as_slice() {
            return judge_records(*notation, source);
        }
        if let Some(dialect) = self.protocol.dialect()
            && options.judging == Judging::Quick
            && self.streams().count() == self.parts.len()
        {
            let fast_path = fast_path.get_or_insert_with(|| FastPath::new(dialect));
            if let Some(clean) = fast_path.pass(self.streams()) {
                let logged = LoggedGame::new(self.protocol, Vec::new());
                return Ok(FinishedGame::new(self.name, self.number, logged, clean));
            }
        }
        let (name, number) = (Arc::clone(&self.name), self.number);
        options.judged(name, number, self.logged()?)
    }

    /// The lines of the game.
    fn logged(self) -> Result<LoggedGame, Diagnostics> {
        let is_alone = self.parts.len() == 1;
        let mut together = LoggedGame::new(self.protocol, Vec::new());
        for (file, part) in self.parts {
            match (part, self.protocol.dialect()) {
                (StoredGame::Lanes(game), _) if is_alone => return Ok(*game),
                (StoredGame::Lanes(game), _) => {
                    together.lanes.extend(game.lanes);
                    together.cut_off = together.cut_off.or(game.cut_off);
                }
                (StoredGame::Stream(game), _) if game.is_too_large => {
                    return Err(too_large(&file, game.first_line).into());
                }
                (StoredGame::Stream(game), Some(dialect)) => {
                    together.lanes.push(bare::lane(&file, &game, dialect));
                }
                (StoredGame::Records { .. } | StoredGame::Stream(_), _) => {
                    unreachable!("records tell a whole game, and streams have a dialect")
                }
            }
        }
        Ok(together)
    }
}
