//! Reads finished games: all games of files on several threads, in the order of the files, or one game by its number.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use super::files::{file_size, files, without_second_halves};
use super::finished_game::{FinishedGame, Found};
use super::in_order::in_order;
use super::notated_file::has_many_games;
use super::open_files::OpenFiles;
use crate::diagnostic::{Diagnostic, Diagnostics, counted};
use crate::pack::{self, Notation, Protocol};
use crate::transcript::{self, GameIndex, LoggedGame, Opened, bare};
use crate::verify::{self, Ending, FastPath};

/// Size of the games that a thread judges at once, in bytes.
const BATCH: usize = 256 << 10;

/// Work of one thread.
type Work<'a> = Box<dyn FnOnce() -> Vec<Found> + Send + 'a>;

/// The format that the user names: the protocol of streams, or the notation of move records.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadAs {
    pub(super) protocol: Option<Protocol>,
    pub(super) notation: Option<&'static dyn Notation>,
}

#[cfg(test)]
impl ReadAs {
    /// Streams in a dialect.
    pub(super) fn of_streams(dialect: &'static dyn crate::protocol::Dialect) -> ReadAs {
        ReadAs {
            protocol: Some(Protocol::Game(dialect)),
            notation: None,
        }
    }
}

impl FromStr for ReadAs {
    type Err = String;

    fn from_str(name: &str) -> Result<ReadAs, String> {
        let protocol = Protocol::find(name);
        let notation = pack::notations().find(|notation| notation.name() == name);
        if protocol.is_none() && notation.is_none() {
            let dialects = Protocol::all().map(Protocol::name);
            let notations = pack::notations().map(|notation| notation.name());
            let known: Vec<_> = dialects.chain(notations).collect();
            return Err(format!(
                "there is no such dialect; dialects are: {}",
                known.join(", ")
            ));
        }
        Ok(ReadAs { protocol, notation })
    }
}

/// Depth of the judgement of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judging {
    /// A clean stream has no lanes and no events then; a recorded scenario is judged by the scenario.
    Quick,
    /// With lanes and events; a recorded scenario is judged by the scenario.
    Whole,
    /// With lanes and events; a recorded scenario is judged by its lanes alone.
    ByLanes,
    /// A recorded scenario has the verdict that it was recorded with. Other games are errors.
    AsRecorded,
}

/// Options for reading finished games.
#[derive(Clone, Copy)]
pub struct ReadOptions<'a> {
    /// The format that the user names.
    pub read_as: ReadAs,
    /// Addresses of matches, each with what spectators received there.
    pub matches: &'a [(PathBuf, Vec<u8>)],
    /// True if the files hold the lanes of one game, or of the games of one match.
    pub together: bool,
    /// Depth of the judgement of a game.
    pub judging: Judging,
    /// Number of threads.
    pub jobs: usize,
    /// Returns true once no further game is to be read.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
    /// Takes the size of each file whose games have been seen, in bytes.
    pub done: &'a (dyn Fn(u64) + Sync),
}

impl Default for ReadOptions<'_> {
    fn default() -> Self {
        ReadOptions {
            read_as: ReadAs::default(),
            matches: &[],
            together: false,
            judging: Judging::Whole,
            jobs: 1,
            is_over: &|| false,
            done: &|_| {},
        }
    }
}

/// Reads every game of these files and folders, and shows each, or what is wrong with a file, in the order of the files. `-` is standard
/// input. A file that holds many games is judged on all threads.
pub fn games<'a>(
    paths: &[PathBuf],
    options: &'a ReadOptions<'a>,
    see: &mut dyn FnMut(Result<FinishedGame, Diagnostics>),
) {
    let paths = without_second_halves(paths);
    let produce = |give: &mut dyn FnMut((Work<'a>, u64))| {
        if options.together {
            return options.give(paths.clone(), give);
        }
        for file in files(&paths).take_while(|_| !(options.is_over)()) {
            match file {
                Ok(file) => options.give(vec![file], give),
                Err(fault) => give((Box::new(move || vec![Err(fault.into())]), 0)),
            }
        }
    };
    let judge = |(work, size): (Work<'a>, u64)| (work(), size);
    in_order(options.jobs, produce, judge, |(found, size)| {
        found.into_iter().for_each(&mut *see);
        (options.done)(size);
    });
}

/// Reads the game of this number, from 1; the first if there is no number, with a remark if there are others. Several files hold its lanes.
///
/// # Errors
/// Every fault of the files; that there is no such game.
pub fn game(
    paths: &[PathBuf],
    number: Option<u64>,
    options: &ReadOptions<'_>,
) -> Result<FinishedGame, Diagnostics> {
    let wanted = number.unwrap_or(1);
    let mut files = OpenFiles::open(&without_second_halves(paths), options)?;
    let source = Arc::clone(&files.source);
    let first_name = &source.files[0].0;
    for before in 1..wanted {
        if files.next()?.is_none() {
            return Err(no_such_game(first_name, wanted, before - 1));
        }
    }
    let raw = files.next()?;
    let raw = raw.ok_or_else(|| no_such_game(first_name, wanted, wanted - 1))?;
    // A fault of a later game is none of this one.
    let is_one_of_several = wanted > 1 || matches!(files.next(), Ok(Some(_)));
    let mut game = raw.judge(&source, wanted, options, &mut None)?;
    game.warnings.append(files.warnings);
    game.is_one_of_several = is_one_of_several;
    if is_one_of_several && number.is_none() {
        let remark = Diagnostic::remark("replay/several-games", "this file holds several games");
        let note = "this is the first; `--game-number NUMBER` takes another";
        game.warnings.push(remark.in_file(first_name).note(note));
    }
    Ok(game)
}

/// The fault of asking for a game that is not there.
fn no_such_game(name: &str, wanted: u64, count: u64) -> Diagnostics {
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

/// Reads the first game of a file that somebody may still write, as far as it goes. `None` before its first line. A recorded scenario is judged
/// by the scenario once its verdict is there.
///
/// # Errors
/// Every fault of the file.
pub fn game_so_far(
    path: &Path,
    options: &ReadOptions<'_>,
) -> Result<Option<FinishedGame>, Diagnostics> {
    let mut files = OpenFiles::open(&[path.to_owned()], options)?;
    let Some(raw) = files.next()? else {
        return Ok(None);
    };
    let name = Arc::clone(&files.source.name);
    let logged = match raw.logged(&files.source) {
        Ok(logged) => logged?,
        Err(records) => return records.judge().map(Some),
    };
    let played = logged.played.as_ref();
    if played.is_some_and(|played| played.verdict.is_some()) {
        return options.judged(name, 1, logged).map(Some);
    }
    let judged = verify::judge_so_far(&logged);
    let mut game = FinishedGame::new(name, 1, logged.format(), logged).judged(judged)?;
    let may_go_on = |ending| matches!(ending, Ending::Incomplete(_) | Ending::Unstarted);
    game.goes_on = game.ending.is_some_and(may_go_on);
    Ok(Some(game))
}

/// Reads a game of a file of streams by its place in the index; `None` if the index has not found it yet.
pub fn indexed_game(
    index: &GameIndex,
    file: &Path,
    number: u64,
    options: &ReadOptions<'_>,
) -> Option<Result<FinishedGame, Diagnostics>> {
    let mut games = index.games_from(number).ok()??;
    let (dialect, name) = (games.dialect(), file.to_string_lossy());
    let logged = games.next_game().ok()??;
    let logged = logged.logged(&name, dialect, transcript::marks_sent(file));
    let game = logged
        .map_err(Diagnostics::from)
        .and_then(|logged| options.judged(Arc::from(&*name), number, logged));
    Some(game.map(|game| FinishedGame {
        is_one_of_several: true,
        ..game
    }))
}

impl ReadOptions<'_> {
    /// Gives the games of a file, or of the files of lanes, to be judged. `give` takes the work with the size of the files that end with it.
    fn give<'a>(&'a self, files: Vec<PathBuf>, give: &mut dyn FnMut((Work<'a>, u64))) {
        let size = files.iter().map(|file| file_size(file)).sum();
        // Standard input is read in its turn, and a large file is shared among the threads.
        let is_small = |file: &PathBuf| file.is_file() && !has_many_games(file);
        if files.iter().all(is_small) {
            let all = move || {
                let mut found = Vec::new();
                // A file that is read whole is reported whole.
                self.read(&files, &|| false, &mut |work| found.extend(work()));
                found
            };
            return give((Box::new(all), size));
        }
        self.read(&files, self.is_over, &mut |work| give((work, 0)));
        give((Box::new(Vec::new), size));
    }

    fn read<'a>(
        &'a self,
        files: &[PathBuf],
        is_over: &dyn Fn() -> bool,
        give: &mut dyn FnMut(Work<'a>),
    ) {
        let mut files = match OpenFiles::open(files, self) {
            Ok(files) => files,
            Err(faults) => return give(Box::new(move || vec![Err(faults)])),
        };
        let mut warnings = std::mem::take(&mut files.warnings);
        let (mut number, mut goes_on, mut faults) = (1, true, None);
        while goes_on {
            let (first, mut batch, mut size) = (number, Vec::new(), 0);
            while goes_on && size < BATCH {
                match files.next() {
                    Ok(Some(game)) => {
                        size += game.size();
                        batch.push(game);
                        number += 1;
                        // A recording is one game.
                        goes_on = self.judging != Judging::AsRecorded && !is_over();
                    }
                    Ok(None) => goes_on = false,
                    Err(more) => (goes_on, faults) = (false, Some(more)),
                }
            }
            let source = Arc::clone(&files.source);
            if number == 1 && faults.is_none() {
                faults = Some(no_such_game(&source.name, 1, 0));
            }
            let (warnings, faults) = (std::mem::take(&mut warnings), faults.take());
            give(Box::new(move || {
                let mut fast_path = None;
                let games = (first..).zip(batch);
                let judged =
                    games.map(|(number, game)| game.judge(&source, number, self, &mut fast_path));
                let mut found: Vec<_> = judged.collect();
                if let Some(Ok(game)) = found.first_mut() {
                    game.warnings.append(warnings);
                }
                found.extend(faults.map(Err));
                found
            }));
        }
    }

    /// Opens a file that is not in a notation.
    pub(super) fn opened(
        &self,
        file: &Path,
        protocol: Option<Protocol>,
    ) -> Result<Opened, Diagnostics> {
        let Some((_, received)) = self.matches.iter().find(|(address, _)| address == file) else {
            return transcript::open(file, protocol);
        };
        let Ok(dialect) = bare::dialect_in(received, protocol) else {
            let title = "this match is of a game that has no rules here, or has no line of a game";
            let fault = Diagnostic::error("server/game", title);
            return Err(fault.in_file(file.to_string_lossy()).into());
        };
        let received = std::io::Cursor::new(received.clone());
        let games = bare::Games::new(dialect, Vec::new(), Box::new(received) as Box<_>);
        Ok(Opened::Streams {
            games: Box::new(games),
            marks_sent: false,
        })
    }

    /// Judges a game.
    pub(super) fn judged(&self, file: Arc<str>, number: u64, mut logged: LoggedGame) -> Found {
        if self.judging == Judging::ByLanes {
            logged.played = None;
        }
        let rejudged = logged.played.as_deref().map(verify::rejudge);
        let name = Arc::clone(&file);
        let game = |logged: LoggedGame| FinishedGame::new(file, number, logged.format(), logged);
        match (self.judging, rejudged) {
            (Judging::AsRecorded, None) => Err(no_verdict(&name)),
            (Judging::AsRecorded, Some(rejudged)) => {
                let recorded = rejudged.as_recorded().ok_or_else(|| {
                    let title = "this recording holds no verdict";
                    let help = "leave --as-recorded away, and its game is judged as far as it goes";
                    Diagnostic::error("recording/no-verdict", title)
                        .in_file(&*name)
                        .help(help)
                })?;
                Ok(game(logged).rejudged(recorded))
            }
            (_, Some(rejudged)) => Ok(game(logged).rejudged(rejudged)),
            (judging, None) => {
                let dialect = logged.protocol.dialect();
                let clean = dialect
                    .filter(|_| judging == Judging::Quick)
                    .and_then(|dialect| FastPath::new(dialect).pass_logged(&logged));
                match clean {
                    Some(clean) => Ok(game(logged).clean(clean)),
                    None => {
                        let judged = verify::judge(&logged);
                        game(logged).judged(judged)
                    }
                }
            }
        }
    }
}

/// The fault of a file in which no scenario was recorded.
fn no_verdict(file: &str) -> Diagnostics {
    let title = "this file holds no verdict: it is no recording of a scenario";
    let fault = Diagnostic::error("recording/no-verdict", title).in_file(file);
    fault
        .help("`urtext run --record FOLDER` writes such recordings")
        .into()
}
