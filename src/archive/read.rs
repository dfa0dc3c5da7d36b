//! Reads finished games: all games of files on several threads, in the order of the files, or one game by its number.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use super::files::{file_size, files, in_order, lanes, without_second_halves};
use super::finished_game::{FinishedGame, Found, RecordedGame};
use super::open::{OpenFiles, RawGame};
use crate::diagnostic::{Diagnostic, Diagnostics, counted};
use crate::pack::{self, Notation, Protocol};
use crate::protocol::Dialect;
use crate::transcript::LoggedGame;
use crate::verify::{self, Ending, Judged, Rejudged};

/// Size of the games that a thread judges at once, in bytes.
const BATCH: usize = 256 << 10;

/// A file up to this size is read and judged by one thread, in bytes.
const LARGE: u64 = 1 << 20;

/// Work of one thread.
type Work<'a> = Box<dyn FnOnce() -> Vec<Found> + Send + 'a>;

/// The format that the user names: the protocol of streams, or the notation of move records.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadAs {
    pub(super) protocol: Option<Protocol>,
    pub(super) notation: Option<&'static Notation>,
}

impl FromStr for ReadAs {
    type Err = String;

    fn from_str(name: &str) -> Result<ReadAs, String> {
        let protocol = Protocol::find(name);
        let notation = pack::notations().find(|notation| notation.name == name);
        if protocol.is_none() && notation.is_none() {
            let dialects = Protocol::all().map(Protocol::name);
            let notations = pack::notations().map(|notation| notation.name);
            let known: Vec<_> = dialects.chain(notations).collect();
            return Err(format!(
                "there is no such dialect; dialects are: {}",
                known.join(", ")
            ));
        }
        Ok(ReadAs { protocol, notation })
    }
}

impl From<Protocol> for ReadAs {
    fn from(protocol: Protocol) -> ReadAs {
        ReadAs {
            protocol: Some(protocol),
            notation: None,
        }
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
    /// As far as a game goes that somebody may still write. A recorded scenario is judged by the scenario once its verdict is there.
    SoFar,
}

/// Options for reading finished games.
#[derive(Clone, Copy)]
pub struct ReadOptions<'a> {
    /// The format that the user names.
    pub read_as: ReadAs,
    /// Addresses of matches, each with what spectators received there.
    pub matches: &'a [(PathBuf, Vec<u8>)],
    /// True if the files hold the lanes of one game, or of the games of one match, and so the files of each folder.
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
        let parts: Box<dyn Iterator<Item = _>> = match options.together {
            true => Box::new(lanes(&paths)),
            false => Box::new(files(&paths).map(|file| file.map(|file| vec![file]))),
        };
        for part in parts.take_while(|_| !(options.is_over)()) {
            match part {
                Ok(files) => options.give(files, give),
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
/// Judged whole, its failure is explained as far as it shows the reason by itself.
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
    let name = Arc::clone(&files.name);
    let mut raw = None;
    for before in 0..wanted {
        raw = files.next()?;
        if raw.is_none() {
            return Err(no_such_game(&name, wanted, before));
        }
    }
    // A fault of a later game is none of this one.
    let is_one_of_several = wanted > 1 || matches!(files.next(), Ok(Some(_)));
    let raw = raw.expect("numbers begin with 1");
    let mut game = raw.judge(options, &mut None)?;
    game.is_one_of_several = is_one_of_several;
    if is_one_of_several && number.is_none() {
        let remark = Diagnostic::remark("replay/several-games", "this file holds several games");
        let note = "this is the first; `--game-number NUMBER` takes another";
        game.warnings.push(remark.in_file(&*name).note(note));
    }
    if options.judging == Judging::Whole {
        game.explain();
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

/// Reads the first game of a file that somebody may still write, as far as it goes. `None` before its first line.
///
/// # Errors
/// Every fault of the file.
pub fn game_so_far(
    path: &Path,
    options: &ReadOptions<'_>,
) -> Result<Option<FinishedGame>, Diagnostics> {
    let options = ReadOptions {
        judging: Judging::SoFar,
        ..*options
    };
    let raw = OpenFiles::open(&[path.to_owned()], &options)?.next()?;
    raw.map(|raw| raw.judge(&options, &mut None)).transpose()
}

impl ReadOptions<'_> {
    /// Gives the games of a file, or of the files of lanes, to be judged. `give` takes the work with the size of the files that end with it.
    fn give<'a>(&'a self, files: Vec<PathBuf>, give: &mut dyn FnMut((Work<'a>, u64))) {
        let size = files.iter().map(|file| file_size(file)).sum();
        // Standard input is read in its turn, and the games of a large file are shared among the threads.
        let is_small = |file: &PathBuf| file.is_file() && file_size(file) <= LARGE;
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
        let mut goes_on = true;
        while goes_on {
            let (mut batch, mut size) = (Vec::new(), 0);
            while goes_on && size < BATCH {
                let next = files.next().transpose();
                goes_on = matches!(next, Some(Ok(_))) && !is_over();
                size += next.iter().flatten().map(RawGame::size).sum::<usize>();
                batch.extend(next);
            }
            if batch.is_empty() && files.count == 0 {
                batch.push(Err(no_such_game(&files.name, 1, 0)));
            }
            give(Box::new(move || {
                let mut fast_path = None;
                let judged = batch
                    .into_iter()
                    .map(|game| game?.judge(self, &mut fast_path));
                judged.collect()
            }));
        }
    }

    /// Judges a game by its lines.
    pub(super) fn judged(&self, file: Arc<str>, number: u64, logged: LoggedGame) -> Found {
        let played = logged
            .played
            .as_deref()
            .filter(|played| match self.judging {
                Judging::ByLanes => false,
                Judging::SoFar => played.verdict.is_some(),
                Judging::Quick | Judging::Whole => true,
            });
        let Some(played) = played else {
            let is_so_far = self.judging == Judging::SoFar && !logged.has_ended;
            let judged = match is_so_far {
                true => verify::judge_so_far(&logged)?,
                false => verify::judge(&logged)?,
            };
            let may_go_on = |ending| matches!(ending, Ending::Incomplete(_) | Ending::Unstarted);
            let goes_on = is_so_far && judged.ending.is_some_and(may_go_on);
            let game = FinishedGame::new(file, number, logged, judged);
            return Ok(FinishedGame { goes_on, ..game });
        };
        let subject = played.header.name.clone().unwrap_or_default();
        let Rejudged { scenario, outcome } = verify::rejudge(played);
        let rules = logged.protocol.dialect().map(<dyn Dialect>::game);
        let (names, history) = (outcome.names.clone(), outcome.history.clone());
        let judged = Judged::of(rules, names, outcome.setup, history);
        Ok(FinishedGame {
            outcome,
            recorded: Some(RecordedGame { scenario, subject }),
            ..FinishedGame::new(file, number, logged, judged)
        })
    }
}
