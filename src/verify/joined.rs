//! Files that hold the lanes of the same games.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::batch::{Batch, Streams};
use super::notated_file::records;
use crate::diagnostic::{self, Diagnostic, Diagnostics, counted};
use crate::pack::Protocol;
use crate::protocol::LaneKind;
use crate::transcript::bare::{self, BareGame, Games};
use crate::transcript::{self, LoggedGame, LoggedLane, Opened};

/// The files, each pair named once.
#[must_use]
pub fn without_second_halves(files: &[PathBuf]) -> Vec<&Path> {
    let mut kept: Vec<&Path> = Vec::new();
    for file in files {
        let is_new = kept
            .iter()
            .all(|other| transcript::pair_key(other) != transcript::pair_key(file));
        // The same stream twice is no second half, and is judged twice.
        if is_new || kept.contains(&file.as_path()) {
            kept.push(file);
        }
    }
    kept
}

/// The remark that a file holds several games, of which the first is taken.
#[must_use]
pub fn several_games(name: &str) -> Diagnostics {
    let remark = Diagnostic::remark("replay/several-games", "this file holds several games");
    remark
        .in_file(name)
        .note("this is the first; `--game-number NUMBER` takes another".to_owned())
        .into()
}

/// The fault of asking for a game that is not there.
#[must_use]
pub fn no_such_game(name: &str, wanted: u64, count: u64) -> Diagnostics {
    if count == 0 {
        return Diagnostic::error("file/empty", "there is no game in this file")
            .in_file(name)
            .into();
    }
    let holds = counted(count, "game");
    let title = format!("there is no game {wanted} in this file: it holds {holds}");
    Diagnostic::error("replay/no-such-game", title)
        .in_file(name)
        .into()
}

/// Opens a file with finished games, in this protocol where one is named.
pub type OpenFile<'o> = &'o dyn Fn(&Path, Option<Protocol>) -> Result<Opened, Diagnostics>;

/// Files that hold each a lane of every game of a match, read side by side.
pub struct Joined {
    files: Vec<Lanes>,
    /// Warnings about the files.
    pub warnings: Diagnostics,
}

/// A file with lanes of games.
struct Lanes {
    name: String,
    protocol: Protocol,
    holds: Holds,
}

/// Content of a file of lanes.
enum Holds {
    /// The lanes of one game, as they were captured; `None` once they are handed out.
    One(Option<Vec<LoggedLane>>),
    /// A lane of any number of games.
    Many {
        games: Box<Games<Box<dyn Read + Send>>>,
        marks_sent: bool,
    },
}

impl Joined {
    /// Opens the files.
    ///
    /// # Errors
    /// Every fault of the files.
    pub fn open(
        files: &[&Path],
        protocol: Option<Protocol>,
        open: OpenFile<'_>,
    ) -> Result<Joined, Diagnostics> {
        let mut opened: Vec<Lanes> = Vec::new();
        let (mut warnings, mut faults) = (Diagnostics::new(), Diagnostics::new());
        for file in files {
            let protocol = protocol.or(opened.first().map(|first| first.protocol));
            match Lanes::open(file, protocol, open, &mut warnings) {
                Ok(lanes) => opened.push(lanes),
                Err(more) => faults.append(more),
            }
        }
        if faults.is_empty() {
            Ok(Joined {
                files: opened,
                warnings,
            })
        } else {
            Err(faults)
        }
    }

    /// The name of the first file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.files[0].name
    }

    /// The names of the files, and whether `>` marks what was sent in each; `None` where one of them is no file of streams.
    #[must_use]
    pub fn streams(&self) -> Option<Streams> {
        let lanes = self.files.iter().map(|file| match &file.holds {
            Holds::One(_) => None,
            Holds::Many { marks_sent, .. } => Some((file.name.clone(), *marks_sent)),
        });
        let lanes: Vec<_> = lanes.collect::<Option<_>>()?;
        let names: Vec<_> = lanes.iter().map(|(name, _)| name.as_str()).collect();
        Some(Streams {
            name: names.join(" + "),
            dialect: self.files[0].protocol.dialect()?,
            lanes,
        })
    }

    /// The next game of the match.
    ///
    /// # Errors
    /// Every fault of its lanes; that a file has ended and another goes on.
    pub fn next_game(&mut self) -> Result<Option<LoggedGame>, Diagnostics> {
        let mut lanes = Vec::new();
        let has_game = self.next_of_all(|file| {
            let more = file.next_lanes()?;
            let has_more = !more.is_empty();
            lanes.extend(more);
            Ok(has_more)
        })?;
        Ok(has_game.then(|| LoggedGame::new(self.files[0].protocol, lanes)))
    }

    /// Adds the next game of the match to a batch, where all files hold streams. Returns `false` where there is none.
    ///
    /// # Errors
    /// As [`Joined::next_game`].
    pub fn push_next_game(&mut self, batch: &mut Batch) -> Result<bool, Diagnostics> {
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
    fn open(
        file: &Path,
        protocol: Option<Protocol>,
        open: OpenFile<'_>,
        warnings: &mut Diagnostics,
    ) -> Result<Lanes, Diagnostics> {
        let name = file.to_string_lossy().into_owned();
        let whole = |title: &str| {
            let fault = Diagnostic::error("lanes/whole-game", title).in_file(&name);
            Err(Diagnostics::from(fault.help("take it by itself")))
        };
        if records(file, None).is_some() {
            return whole(
                "this file holds move records, which tell a whole game and no lane of one",
            );
        }
        match open(file, protocol)? {
            Opened::Game { game, .. } if holds_both_players(&game) => {
                whole("this file holds the lanes of both players, and so a game of its own")
            }
            Opened::Game {
                game,
                warnings: more,
            } => {
                warnings.append(more);
                Ok(Lanes {
                    name,
                    protocol: game.protocol,
                    holds: Holds::One(Some(game.lanes)),
                })
            }
            Opened::Streams { games, marks_sent } => Ok(Lanes {
                name,
                protocol: Protocol::Game(games.dialect()),
                holds: Holds::Many { games, marks_sent },
            }),
        }
    }

    /// Its lanes of the next game; none where there is no further game.
    fn next_lanes(&mut self) -> Result<Vec<LoggedLane>, Diagnostics> {
        let name = self.name.clone();
        let (dialect, marks_sent) = match &mut self.holds {
            Holds::One(lanes) => return Ok(lanes.take().unwrap_or_default()),
            Holds::Many { games, marks_sent } => (games.dialect(), *marks_sent),
        };
        let game = self.next_stream()?;
        Ok(game
            .map(|game| bare::lane(&name, game, dialect, marks_sent))
            .into_iter()
            .collect())
    }

    /// Its stream of the next game; `None` where there is no further game, and in a file that holds no streams.
    fn next_stream(&mut self) -> Result<Option<BareGame<'_>>, Diagnostics> {
        let Holds::Many { games, .. } = &mut self.holds else {
            return Ok(None);
        };
        let name = &self.name;
        let next = games.next_game();
        match next.map_err(|error| Diagnostics::from(diagnostic::unreadable(name, &error)))? {
            Some(game) if game.is_too_large => {
                Err(transcript::too_large(name, game.first_line).into())
            }
            game => Ok(game),
        }
    }
}

fn holds_both_players(game: &LoggedGame) -> bool {
    game.lanes
        .iter()
        .filter(|lane| lane.kind == LaneKind::Player)
        .nth(1)
        .is_some()
}
