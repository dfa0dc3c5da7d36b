//! Files with lanes, read game by game: one file, or several that hold the lanes of the same games.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::batch::{Batch, Streams};
use super::notated_file::records;
use crate::diagnostic::{self, Diagnostic, Diagnostics, counted};
use crate::pack::Protocol;
use crate::protocol::LaneKind;
use crate::transcript::bare::{self, BareGame, Games};
use crate::transcript::{self, LoggedGame, LoggedLane, Opened};

/// The remark that a file holds several games, of which the first is taken.
pub(super) fn several_games(name: &str) -> Diagnostic {
    let remark = Diagnostic::remark("replay/several-games", "this file holds several games");
    remark
        .in_file(name)
        .note("this is the first; `--game-number NUMBER` takes another".to_owned())
}

/// The fault of asking for a game that is not there.
pub(super) fn no_such_game(name: &str, wanted: u64, count: u64) -> Diagnostics {
    let fault = match count {
        0 => Diagnostic::error("file/empty", "there is no game in this file"),
        _ => {
            let holds = counted(count, "game");
            let title = format!("there is no game {wanted} in this file: it holds {holds}");
            Diagnostic::error("replay/no-such-game", title)
        }
    };
    fault.in_file(name).into()
}

/// Opens a file in this protocol, where one is named.
type OpenFile<'o> = &'o dyn Fn(&Path, Option<Protocol>) -> Result<Opened, Diagnostics>;

/// Files that hold each a lane of every game of a match, read side by side; or one file.
pub(super) struct OpenGames {
    files: Vec<Lanes>,
    /// Warnings about the files.
    pub(super) warnings: Diagnostics,
}

/// A file with lanes of games.
struct Lanes {
    name: String,
    protocol: Protocol,
    holds: Holds,
}

/// Content of a file of lanes.
enum Holds {
    /// One game, as it was captured; `None` once it is handed out.
    One(Option<LoggedGame>),
    /// A lane of any number of games.
    Many {
        games: Box<Games<Box<dyn Read + Send>>>,
        marks_sent: bool,
    },
}

impl OpenGames {
    /// Opens the files.
    ///
    /// # Errors
    /// Every fault of the files.
    pub(super) fn open(
        files: &[PathBuf],
        protocol: Option<Protocol>,
        open: OpenFile<'_>,
    ) -> Result<OpenGames, Diagnostics> {
        let mut opened: Vec<Lanes> = Vec::new();
        let (mut warnings, mut faults) = (Diagnostics::new(), Diagnostics::new());
        for file in files {
            let protocol = protocol.or(opened.first().map(|first| first.protocol));
            let is_part = files.len() > 1;
            match Lanes::open(file, is_part, &|file| open(file, protocol), &mut warnings) {
                Ok(lanes) => opened.push(lanes),
                Err(more) => faults.append(more),
            }
        }
        let files = opened;
        match faults.is_empty() {
            true => Ok(OpenGames { files, warnings }),
            false => Err(faults),
        }
    }

    /// The names of the files, joined by ` + `.
    pub(super) fn name(&self) -> Arc<str> {
        let names: Vec<_> = self.files.iter().map(|file| file.name.as_str()).collect();
        names.join(" + ").into()
    }

    /// The name of the first file.
    pub(super) fn first_name(&self) -> &str {
        &self.files[0].name
    }

    /// The names of the files, and whether `>` marks what was sent in each; `None` where one of them is no file of streams.
    pub(super) fn streams(&self) -> Option<Streams> {
        let lanes = self.files.iter().map(|file| match &file.holds {
            Holds::One(_) => None,
            Holds::Many { marks_sent, .. } => Some((file.name.clone(), *marks_sent)),
        });
        Some(Streams {
            name: self.name(),
            dialect: self.files[0].protocol.dialect()?,
            lanes: lanes.collect::<Option<_>>()?,
        })
    }

    /// The next game of the match.
    ///
    /// # Errors
    /// Every fault of its lanes; that a file has ended and another goes on.
    pub(super) fn next_game(&mut self) -> Result<Option<LoggedGame>, Diagnostics> {
        if let [file] = self.files.as_mut_slice()
            && let Holds::One(game) = &mut file.holds
        {
            return Ok(game.take());
        }
        let mut lanes = Vec::new();
        let has_game = self.next_of_all(|file| {
            let more = file.next_lanes()?;
            let has_more = !more.is_empty();
            lanes.extend(more);
            Ok(has_more)
        })?;
        Ok(has_game.then(|| LoggedGame::new(self.files[0].protocol, lanes)))
    }

    /// Passes over the next game of the match; returns false where there is none.
    ///
    /// # Errors
    /// As [`OpenGames::next_game`].
    pub(super) fn skip(&mut self) -> Result<bool, Diagnostics> {
        self.next_of_all(|file| match &mut file.holds {
            Holds::One(game) => Ok(game.take().is_some()),
            Holds::Many { .. } => Ok(file.next_stream()?.is_some()),
        })
    }

    /// Adds the next game of the match to a batch, where all files hold streams. Returns `false` where there is none.
    ///
    /// # Errors
    /// As [`OpenGames::next_game`].
    pub(super) fn push_next_game(&mut self, batch: &mut Batch) -> Result<bool, Diagnostics> {
        self.next_of_all(|file| Ok(file.next_stream()?.map(|game| batch.push(game)).is_some()))
    }

    /// Takes the next game from each file by `take`, which says whether there is one.
    fn next_of_all(
        &mut self,
        mut take: impl FnMut(&mut Lanes) -> Result<bool, Diagnostics>,
    ) -> Result<bool, Diagnostics> {
        let mut faults = Diagnostics::new();
        let (mut has_game, mut ended) = (false, None);
        for file in &mut self.files {
            match take(file) {
                Ok(true) => has_game = true,
                Ok(false) => ended = ended.or(Some(&file.name)),
                Err(more) => faults.append(more),
            }
        }
        match ended {
            _ if !faults.is_empty() => Err(faults),
            Some(name) if has_game => {
                let fault = Diagnostic::error(
                    "lanes/fewer-games",
                    "this file holds fewer games than another",
                );
                let help =
                    "of the files of a match, each holds one lane of every game, in the same order";
                Err(fault.in_file(name).help(help).into())
            }
            _ => Ok(has_game),
        }
    }
}

impl Lanes {
    /// Opens a file. `is_part`: it is one of several, and holds no game of its own.
    fn open(
        file: &Path,
        is_part: bool,
        open: &dyn Fn(&Path) -> Result<Opened, Diagnostics>,
        warnings: &mut Diagnostics,
    ) -> Result<Lanes, Diagnostics> {
        let name = file.to_string_lossy().into_owned();
        let whole_game = |title: &str| {
            let fault = Diagnostic::error("lanes/whole-game", title).in_file(&name);
            Err(Diagnostics::from(fault.help("take it by itself")))
        };
        if is_part && records(file, None).is_some() {
            return whole_game(
                "this file holds move records, which tell a whole game and no lane of one",
            );
        }
        let is_player = |lane: &&LoggedLane| lane.kind == LaneKind::Player;
        let (protocol, holds) = match open(file)? {
            Opened::Game { game, .. }
                if is_part && game.lanes.iter().filter(is_player).nth(1).is_some() =>
            {
                return whole_game(
                    "this file holds the lanes of both players, and so a game of its own",
                );
            }
            Opened::Game {
                game,
                warnings: more,
            } => {
                warnings.append(more);
                (game.protocol, Holds::One(Some(game)))
            }
            Opened::Streams { games, marks_sent } => (
                Protocol::Game(games.dialect()),
                Holds::Many { games, marks_sent },
            ),
        };
        Ok(Lanes {
            name,
            protocol,
            holds,
        })
    }

    /// Its lanes of the next game; none where there is no further game.
    fn next_lanes(&mut self) -> Result<Vec<LoggedLane>, Diagnostics> {
        let name = self.name.clone();
        let (dialect, marks_sent) = match &mut self.holds {
            Holds::One(game) => return Ok(game.take().map_or(Vec::new(), |game| game.lanes)),
            Holds::Many { games, marks_sent } => (games.dialect(), *marks_sent),
        };
        match self.next_stream()? {
            Some(game) if game.is_too_large => {
                Err(transcript::too_large(&name, game.first_line).into())
            }
            game => Ok(game
                .map(|game| bare::lane(&name, game, dialect, marks_sent))
                .into_iter()
                .collect()),
        }
    }

    /// Its stream of the next game; `None` where there is no further game, and in a file that holds no streams.
    fn next_stream(&mut self) -> Result<Option<BareGame<'_>>, Diagnostics> {
        let Holds::Many { games, .. } = &mut self.holds else {
            return Ok(None);
        };
        let name = &self.name;
        let next = games.next_game();
        next.map_err(|error| Diagnostics::from(diagnostic::unreadable(name, &error)))
    }
}
