//! Finished games of files judged on several threads, with the results in the order of the files.

use std::io::Read;
use std::path::Path;

use super::ArchiveFiles;
use crate::diagnostic::{self, Diagnostic, Diagnostics};
use crate::pack::FileFormat;
use crate::protocol::Dialect;
use crate::transcript::bare::Games;
use crate::transcript::{LoggedGame, Opened};
use crate::verify::{
    self, Batch, Clean, FastPath, Joined, Judged, JudgedBatch, NotatedFile, Records, Rejudged,
    Streams,
};

/// One result of judging a file; the results of a file come in order. `M`: what the caller wants to have back with the last one.
pub enum Verified<M> {
    /// The results of this file come next. The format is `None` if the file cannot be read.
    Begun(String, Option<FileFormat>),
    /// Remarks that are not errors.
    Warnings(Diagnostics),
    /// A game without a complaint, by the name of its file.
    Clean(String, &'static dyn Dialect, Clean),
    /// A game that was judged by its lanes, or a dialogue, which was not.
    Judged(String, Box<(LoggedGame, Option<Judged>)>),
    /// Games of a match.
    Batch(JudgedBatch),
    /// The game of a recorded scenario, by the name of its file.
    Recorded(String, Box<Rejudged>),
    /// A file without a recorded verdict, where only recorded verdicts are asked for.
    NoVerdict(String),
    /// A game told by move records, by the name of its file.
    Records(String, Box<Records>),
    /// Something that cannot be read.
    Unreadable(Diagnostics),
    /// The file with this mark is done.
    Done(M),
}

/// Content of a file.
enum Content {
    Records(NotatedFile),
    Transcript(Result<Opened, Diagnostics>),
}

/// Work of one thread.
type Work<'a, M> = Box<dyn FnOnce() -> Vec<Verified<M>> + Send + 'a>;
/// Takes work that is to be done.
type Give<'g, 'a, M> = &'g mut dyn FnMut(Work<'a, M>);

/// Settings for judging finished games.
#[derive(Clone, Copy)]
pub struct Verification<'a> {
    /// Number of threads.
    pub jobs: usize,
    /// True if recordings of scenarios are not judged anew.
    pub as_recorded: bool,
    /// Name of the notation of files whose content does not tell it.
    pub notation: Option<&'a str>,
    /// Opens a file that is not in a notation.
    pub open: &'a (dyn Fn(&Path) -> Result<Opened, Diagnostics> + Sync),
    /// Returns true once no further game is to be read.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
}

impl Verification<'_> {
    /// Judges the games of each file, and reports results together that come together. `mark` gives the mark of a file.
    pub fn files<'a, M: Send + 'a>(
        &'a self,
        files: ArchiveFiles<'_>,
        mark: impl Fn(&Path) -> M,
        report: impl FnMut(Vec<Verified<M>>),
    ) {
        let produce = |give: Give<'_, 'a, M>| {
            for file in files.iter().take_while(|_| !(self.is_over)()) {
                match file {
                    Ok(file) => self.give_file(&file, mark(&file), give),
                    Err(fault) => give(Box::new(|| vec![unreadable(fault)])),
                }
            }
        };
        verify::in_order(self.jobs, produce, |work: Work<'_, M>| work(), report);
    }

    fn give_file<'a, M: Send + 'a>(&'a self, file: &Path, mark: M, give: Give<'_, 'a, M>) {
        let file = file.to_path_buf();
        // Standard input is read in its turn, and a large file is shared among the threads.
        if file.is_file() && !verify::has_many_games(&file) {
            return give(Box::new(move || {
                let content = self.content(&file);
                let mut results = vec![begun(&file, &content)];
                results.extend(self.judge(&file, content));
                results.push(Verified::Done(mark));
                results
            }));
        }
        let content = self.content(&file);
        let begun = begun(&file, &content);
        give(Box::new(move || vec![begun]));
        match content {
            Content::Transcript(Ok(Opened::Streams { games, marks_sent })) if !self.as_recorded => {
                give_streams(
                    &file.to_string_lossy(),
                    *games,
                    marks_sent,
                    self.is_over,
                    give,
                );
                if (self.is_over)() {
                    return;
                }
            }
            content => give(Box::new(move || self.judge(&file, content))),
        }
        give(Box::new(move || vec![Verified::Done(mark)]));
    }

    fn content(&self, file: &Path) -> Content {
        match verify::records(file, self.notation) {
            Some(records) => Content::Records(records),
            None => Content::Transcript((self.open)(file)),
        }
    }

    /// Judges every game of a file.
    fn judge<M>(&self, file: &Path, content: Content) -> Vec<Verified<M>> {
        let name = file.to_string_lossy().into_owned();
        let opened = match content {
            Content::Records(file) => {
                return vec![match file.judge() {
                    Ok(judged) => Verified::Records(name, Box::new(judged)),
                    Err(faults) => Verified::Unreadable(faults),
                }];
            }
            Content::Transcript(opened) => opened,
        };
        match opened {
            Ok(Opened::Game { game, warnings }) => {
                let result = match &game.played {
                    Some(played) => {
                        let rejudged = Box::new(verify::rejudge(played));
                        Verified::Recorded(name, rejudged)
                    }
                    None if self.as_recorded => return vec![Verified::NoVerdict(name)],
                    None => judge_game(name, game),
                };
                vec![Verified::Warnings(warnings), result]
            }
            Ok(Opened::Streams { .. }) if self.as_recorded => {
                vec![Verified::NoVerdict(name)]
            }
            Ok(Opened::Streams { games, marks_sent }) => {
                let mut results = Vec::new();
                let mut work = |work: Work<'_, M>| results.extend(work());
                // A file that is read whole is reported whole.
                give_streams(&name, *games, marks_sent, &|| false, &mut work);
                results
            }
            Err(faults) => vec![Verified::Unreadable(faults)],
        }
    }
}

/// Judges the games of a match whose files hold a lane each, on so many threads, until `is_over` returns true.
pub fn verify_together<M: Send>(
    jobs: usize,
    mut games: Joined,
    is_over: &dyn Fn() -> bool,
    mut report: impl FnMut(Vec<Verified<M>>),
) {
    let Some(streams) = games.streams() else {
        return report(vec![match games.next_game() {
            Ok(Some(game)) => {
                let names: Vec<_> = game.lanes.iter().map(|lane| lane.name.as_str()).collect();
                let (name, judged) = (names.join(" + "), verify::judge(&game));
                Verified::Judged(name, Box::new((game, judged)))
            }
            Ok(None) => unreachable!("a file that holds no streams holds a game"),
            Err(faults) => Verified::Unreadable(faults),
        }]);
    };
    let next = |batch: &mut Batch| games.push_next_game(batch);
    let empty = "there is no game in these files";
    let produce = |give: Give<'_, '_, M>| batches(streams, empty, is_over, next, give);
    verify::in_order(jobs, produce, |work: Work<'_, M>| work(), report);
}

fn unreadable<M>(fault: Diagnostic) -> Verified<M> {
    Verified::Unreadable(fault.into())
}

fn begun<M>(file: &Path, content: &Content) -> Verified<M> {
    let format = match content {
        Content::Records(records) => Some(FileFormat::of_notation(records.notation)),
        Content::Transcript(opened) => opened.as_ref().ok().map(Opened::format),
    };
    Verified::Begun(file.to_string_lossy().into_owned(), format)
}

fn judge_game<M>(name: String, game: LoggedGame) -> Verified<M> {
    let quick = |dialect| Some((dialect, FastPath::new(dialect).pass_logged(&game)?));
    match game.protocol.dialect().and_then(quick) {
        Some((dialect, clean)) => Verified::Clean(name, dialect, clean),
        None => {
            let judged = verify::judge(&game);
            Verified::Judged(name, Box::new((game, judged)))
        }
    }
}

/// Gives the games of a match to be judged, in memory that does not depend on how many there are. `next` adds a game to a batch, or
/// returns `false` where there is none; `empty` is the fault where there is none at all. `is_over` is asked before each game but the first.
fn batches<M>(
    streams: Streams,
    empty: &str,
    is_over: &dyn Fn() -> bool,
    mut next: impl FnMut(&mut Batch) -> Result<bool, Diagnostics>,
    give: Give<'_, '_, M>,
) {
    let name = streams.name.clone();
    let mut batch = Batch::new(streams);
    let mut faults = Diagnostics::new();
    while batch.next_number() == 1 || !is_over() {
        match next(&mut batch) {
            Ok(true) if batch.is_full() => {
                let following = batch.next();
                let full = std::mem::replace(&mut batch, following);
                give(Box::new(|| vec![Verified::Batch(full.judge())]));
            }
            Ok(true) => {}
            Ok(false) => break,
            Err(more) => {
                faults = more;
                break;
            }
        }
    }
    if batch.next_number() == 1 && faults.is_empty() {
        faults = Diagnostic::error("file/empty", empty).in_file(name).into();
    }
    give(Box::new(|| {
        let mut results = vec![Verified::Batch(batch.judge())];
        if !faults.is_empty() {
            results.push(Verified::Unreadable(faults));
        }
        results
    }));
}

/// Gives the games of a file of streams to be judged, until `is_over` returns true.
fn give_streams<M>(
    name: &str,
    mut games: Games<Box<dyn Read + Send>>,
    marks_sent: bool,
    is_over: &dyn Fn() -> bool,
    give: Give<'_, '_, M>,
) {
    let lanes = vec![(name.to_owned(), marks_sent)];
    let streams = Streams {
        name: name.to_owned(),
        dialect: games.dialect(),
        lanes,
    };
    let next = |batch: &mut Batch| {
        let game = games
            .next_game()
            .map_err(|error| diagnostic::unreadable(name, &error))?;
        Ok(game.map(|game| batch.push(game)).is_some())
    };
    batches(
        streams,
        "there is no game in this file",
        is_over,
        next,
        give,
    );
}
