//! Files with finished games, as the commands that read them take them.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::Status;
use super::batch::{Batch, Streams};
use super::server_matches::ServerMatches;
use crate::diagnostic::{self, Diagnostic, Diagnostics, Source};
use crate::pack::{self, Notation};
use crate::protocol::{Dialect, LaneKind};
use crate::transcript::bare::{self, BareGame, Games};
use crate::transcript::{self, LoggedGame, LoggedLane, Opened, golden, recording};
use crate::verify::{self, Records};

/// A file up to this size is judged by one thread, in bytes.
const LARGE: u64 = 1 << 20;

/// Number of bytes at the start of a file that identify move records.
const HEAD: u64 = 4096;

/// A file of records.
pub(super) struct NotatedFile {
    /// The notation of the records.
    pub(super) notation: &'static dyn Notation,
    source: Result<Source, Diagnostic>,
}

impl NotatedFile {
    /// Returns the text and its notation.
    pub(super) fn read(self) -> Result<(&'static dyn Notation, Source), Diagnostic> {
        Ok((self.notation, self.source?))
    }

    /// Judges the records.
    pub(super) fn judge(self) -> Result<Records, Diagnostics> {
        let (notation, source) = self.read()?;
        verify::judge_records(notation, &source)
    }
}

/// The records of a file, if `--dialect` or the first bytes name their notation. Standard input needs `--dialect`.
pub(super) fn records(file: &Path, dialect: Option<&str>) -> Option<NotatedFile> {
    match dialect {
        Some(name) => {
            let notation = notation(name)?;
            let source = match file == Path::new("-") {
                true => records_of_input(notation.size_limit()),
                false => Source::read(file, notation.size_limit()),
            };
            Some(NotatedFile { notation, source })
        }
        None => {
            let mut head = Vec::new();
            // What is read only once cannot be looked at, and a file that cannot be read is reported by whoever reads it whole.
            if !file.is_file() {
                return None;
            }
            diagnostic::open(file)
                .ok()?
                .take(HEAD)
                .read_to_end(&mut head)
                .ok()?;
            let is_stream = || pack::dialects().any(|dialect| bare::looks_like(&head, dialect));
            let notation = pack::notations().find(|notation| notation.is_records(&head))?;
            let source = || Source::read(file, notation.size_limit());
            (!is_stream()).then(|| NotatedFile {
                notation,
                source: source(),
            })
        }
    }
}

fn notation(name: &str) -> Option<&'static dyn Notation> {
    pack::notations().find(|notation| notation.name() == name)
}

fn records_of_input(limit: u64) -> Result<Source, Diagnostic> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().take(limit + 1).read_to_end(&mut bytes);
    read.map_err(|error| diagnostic::unreadable("-", &error))?;
    if bytes.len() as u64 > limit {
        let title = format!(
            "the input is larger than {} bytes, the most that is read",
            limit
        );
        return Err(Diagnostic::error("file/too-large", title).in_file("-"));
    }
    Ok(Source::from_bytes("-", bytes))
}

/// Returns true for a large file of streams, whose games are worth judging in parallel.
pub(super) fn has_many_games(file: &Path) -> bool {
    let mut head = Vec::new();
    let is_large = file
        .metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.len() > LARGE);
    is_large
        && diagnostic::open(file).is_ok_and(|file| file.take(HEAD).read_to_end(&mut head).is_ok())
        && !golden::is_golden(&head)
        && !recording::is_recording(&head)
}

/// The dialect of `--dialect`, where it is one of lanes.
///
/// # Errors
/// The status to exit with, after saying what is wrong.
pub(super) fn dialect(name: Option<&str>) -> Result<Option<&'static dyn Dialect>, Status> {
    let Some(name) = name.filter(|name| notation(name).is_none()) else {
        return Ok(None);
    };
    pack::dialect(name).map(Some).ok_or_else(|| {
        let known: Vec<_> = pack::dialects()
            .map(|dialect| dialect.name())
            .chain(pack::notations().map(|notation| notation.name()))
            .collect();
        super::output::usage(&format!(
            "there is no dialect {name:?}; dialects are: {}",
            known.join(", ")
        ))
    })
}

/// The files, each pair named once.
pub(super) fn without_second_halves(files: &[PathBuf]) -> Vec<&Path> {
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

/// The game of that number whose lanes the files are, from 1, and whether they hold others; the first where no number is given, with a
/// remark if there are others.
///
/// # Errors
/// Every fault of the files; that there is no such game.
pub(super) fn joined(
    files: &[&Path],
    number: Option<u64>,
    dialect: Option<&'static dyn Dialect>,
    server_matches: &ServerMatches,
) -> Result<(LoggedGame, bool), Diagnostics> {
    let mut joined = Joined::open(files, dialect, server_matches)?;
    super::output::say(&joined.warnings);
    let mut count = 0;
    while let Some(game) = joined.next_game()? {
        count += 1;
        if count == number.unwrap_or(1) {
            // A fault of a later game is none of this one.
            let is_one_of_several = count > 1 || matches!(joined.next_game(), Ok(Some(_)));
            if number.is_none() && is_one_of_several {
                super::output::say(&several_games(&joined.files[0].name));
            }
            return Ok((game, is_one_of_several));
        }
    }
    Err(no_such_game(
        &joined.files[0].name,
        number.unwrap_or(1),
        count,
    ))
}

/// The remark that a file holds several games, of which the first is taken.
pub(super) fn several_games(name: &str) -> Diagnostics {
    let remark = Diagnostic::remark("replay/several-games", "this file holds several games");
    remark
        .in_file(name)
        .note("this is the first; `--game-number NUMBER` takes another")
        .into()
}

/// The fault of asking for a game that is not there.
pub(super) fn no_such_game(name: &str, wanted: u64, count: u64) -> Diagnostics {
    if count == 0 {
        return Diagnostic::error("file/empty", "there is no game in this file")
            .in_file(name)
            .into();
    }
    let holds = if count == 1 {
        "1 game".to_owned()
    } else {
        format!("{count} games")
    };
    let title = format!("there is no game {wanted} in this file: it holds {holds}");
    Diagnostic::error("replay/no-such-game", title)
        .in_file(name)
        .into()
}

/// Files that hold each a lane of every game of a match, read side by side.
pub(super) struct Joined {
    files: Vec<Lanes>,
    /// Warnings about the files.
    pub(super) warnings: Diagnostics,
}

/// A file with lanes of games.
struct Lanes {
    name: String,
    dialect: &'static dyn Dialect,
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
    pub(super) fn open(
        files: &[&Path],
        dialect: Option<&'static dyn Dialect>,
        server_matches: &ServerMatches,
    ) -> Result<Joined, Diagnostics> {
        let mut opened: Vec<Lanes> = Vec::new();
        let (mut warnings, mut faults) = (Diagnostics::new(), Diagnostics::new());
        for file in files {
            let dialect = dialect.or(opened.first().map(|first| first.dialect));
            match Lanes::open(file, dialect, server_matches, &mut warnings) {
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

    /// The names of the files, and whether `>` marks what was sent in each; `None` where one of them is no file of streams.
    pub(super) fn streams(&self) -> Option<Streams> {
        let lanes = self.files.iter().map(|file| match &file.holds {
            Holds::One(_) => None,
            Holds::Many { marks_sent, .. } => Some((file.name.clone(), *marks_sent)),
        });
        let lanes: Vec<_> = lanes.collect::<Option<_>>()?;
        let names: Vec<_> = lanes.iter().map(|(name, _)| name.as_str()).collect();
        Some(Streams {
            name: names.join(" + "),
            dialect: self.files[0].dialect,
            lanes,
        })
    }

    /// The next game of the match.
    ///
    /// # Errors
    /// Every fault of its lanes; that a file has ended and another goes on.
    pub(super) fn next_game(&mut self) -> Result<Option<LoggedGame>, Diagnostics> {
        let mut lanes = Vec::new();
        let has_game = self.next_of_all(|file| {
            let more = file.next_lanes()?;
            let has_more = !more.is_empty();
            lanes.extend(more);
            Ok(has_more)
        })?;
        Ok(has_game.then(|| LoggedGame::new(self.files[0].dialect, lanes)))
    }

    /// Adds the next game of the match to a batch, where all files hold streams. Returns `false` where there is none.
    ///
    /// # Errors
    /// As [`Joined::next_game`].
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
    fn open(
        file: &Path,
        dialect: Option<&'static dyn Dialect>,
        server_matches: &ServerMatches,
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
        match server_matches.open(file, dialect)? {
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
                    dialect: game.dialect,
                    holds: Holds::One(Some(game.lanes)),
                })
            }
            Opened::Streams { games, marks_sent } => Ok(Lanes {
                name,
                dialect: games.dialect(),
                holds: Holds::Many { games, marks_sent },
            }),
        }
    }

    /// Its lanes of the next game; none where there is no further game.
    fn next_lanes(&mut self) -> Result<Vec<LoggedLane>, Diagnostics> {
        if let Holds::One(lanes) = &mut self.holds {
            return Ok(lanes.take().unwrap_or_default());
        }
        let (name, dialect) = (self.name.clone(), self.dialect);
        let marks_sent = matches!(
            self.holds,
            Holds::Many {
                marks_sent: true,
                ..
            }
        );
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
