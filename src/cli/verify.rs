//! `urtext verify`: the options, and the spread of games over threads.

use std::io::Read;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use indicatif::ProgressBar;

use super::output::say_format;
use super::server_matches::ServerMatches;
use super::tally::{Report, Tally};
use super::{Status, file_progress, game_files};
use crate::archive::ArchiveFiles;
use crate::diagnostic::{self, Diagnostic, Diagnostics, Source};
use crate::pack::{self, Protocol};
use crate::transcript::bare::Games;
use crate::transcript::{LoggedGame, Opened, Played};
use crate::verify::{
    self, Batch, FastPath, Joined, JudgedBatch, NotatedFile, Rejudged, Streams, has_many_games,
    in_order, records, without_second_halves,
};

/// Arguments of `urtext verify`.
#[derive(Debug, Args)]
#[command(
    after_help = "A file is a golden transcript, a recording, or a stream as one participant received it (`>` before \
    what it sent). NAME.received and NAME.sent are one stream: name either. Several games in one file of streams are \
    separated by an empty line, or by the line that tells a seat where games begin with it (`You are Top`). A notation of a game, such as hc-ur or RGN, and turns of `urtext replay --json` are known by their first bytes. coco://HOST:PORT/ID is a match \
    that a Code Colosseum server has stored, as spectators received it.\n\n\
    A recording of `urtext run --record` holds its scenario: the game is judged again as it was judged when it was played, with the same \
    findings. What such a file lacks for that makes it inconclusive.\n\n\
    Exit status: 0 every game conforms as far as it goes, 1 a line is wrong or a scenario failed, 2 a file cannot be read as a transcript, \
    3 the server of a match cannot be reached, or a recorded scenario broke, \
    4 nothing is wrong, but a recorded scenario is inconclusive or unsupported, a file stops before the first turn of its game, has no rules to be judged by, or records leave open \
    whether a turn was skipped."
)]
pub(super) struct VerifyArgs {
    /// Files with finished games, folders of such files, or coco://HOST:PORT/ID; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Take the files for the lanes of one game, or of the games of one match
    #[arg(long)]
    together: bool,
    /// Demand that every game was played to its end
    #[arg(long)]
    complete: bool,
    /// Show the verdicts that recordings of scenarios hold, instead of judging these games again
    #[arg(long, conflicts_with_all = ["together", "state", "complete"])]
    as_recorded: bool,
    /// The dialect of streams, or their game, where their content does not tell; or a notation, such as `hc-ur`
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
    /// How many games are judged at once [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Name the format of each file on standard error
    #[arg(long, short)]
    verbose: bool,
    /// Print one JSON line for each game, and a last line with the counts
    #[arg(long)]
    json: bool,
    /// Demand that move records come to this game state, a JSON file
    #[arg(long, value_name = "FILE", conflicts_with = "together")]
    state: Option<PathBuf>,
}

impl VerifyArgs {
    /// Judges the games.
    pub(super) fn run(self) -> Status {
        let protocol = match game_files::protocol(self.dialect.as_deref()) {
            Ok(protocol) => protocol,
            Err(status) => return status,
        };
        let server_matches = match ServerMatches::fetch(&self.files) {
            Ok(server_matches) => server_matches,
            Err(status) => return status,
        };
        let mut tally = Tally::new(self.complete, self.json);
        let files = without_second_halves(&self.files);
        if self.together {
            match Joined::open(&files, protocol, &|file, protocol| {
                let opened = server_matches.open(file, protocol);
                opened.inspect(|opened| {
                    if self.verbose {
                        say_format(&file.to_string_lossy(), opened.format());
                    }
                })
            }) {
                Ok(games) => {
                    tally.warn(&games.warnings);
                    self.together(games, &mut tally);
                }
                Err(faults) => tally.unreadable(&faults),
            }
        } else if let Some(state) = &self.state {
            let [file] = files.as_slice() else {
                return super::output::usage(
                    "`--state` is the state of one game: give one file with its records",
                );
            };
            self.against_state(file, state, &mut tally);
        } else {
            self.each_file(&files, protocol, &server_matches, &mut tally);
        }
        tally.finish(server_matches.status())
    }

    /// Judges the games of each file, and of each file below a folder.
    fn each_file(
        &self,
        files: &[&Path],
        protocol: Option<Protocol>,
        server_matches: &ServerMatches,
        tally: &mut Tally,
    ) {
        let content = |file: &Path| match records(file, self.dialect.as_deref()) {
            Some(records) => Content::Records(records),
            None => Content::Transcript(server_matches.open(file, protocol)),
        };
        let content = &content;
        let as_recorded = self.as_recorded;
        let files: Vec<_> = files.iter().map(|file| file.to_path_buf()).collect();
        let files = ArchiveFiles::new(&files);
        let bar = file_progress::bar(&files);
        self.in_order(
            &bar,
            |give| {
                for file in files.iter() {
                    let file = match file {
                        Ok(file) => file,
                        Err(fault) => {
                            give(Box::new(move || vec![Box::new(|tally| tally.fault(fault))]));
                            continue;
                        }
                    };
                    let size = file.metadata().map_or(0, |metadata| metadata.len());
                    // Standard input is read in its turn, and a large file is shared among the threads.
                    if file.is_file() && !has_many_games(&file) {
                        give(Box::new(move || {
                            let content = content(&file);
                            let mut reports = self.format_report(&file, &content);
                            reports.extend(one_file(&file, content, as_recorded));
                            with_size(reports, size)
                        }));
                        continue;
                    }
                    let content = content(&file);
                    let format = self.format_report(&file, &content);
                    give(Box::new(move || format));
                    match content {
                        Content::Transcript(Ok(Opened::Streams { games, marks_sent }))
                            if !as_recorded =>
                        {
                            streams(&file.to_string_lossy(), *games, marks_sent, give);
                        }
                        content => give(Box::new(move || one_file(&file, content, as_recorded))),
                    }
                    give(Box::new(move || with_size(Vec::new(), size)));
                }
            },
            tally,
        );
        bar.finish_and_clear();
    }

    /// The report that names the format of a file, if the user asks for it.
    fn format_report(&self, file: &Path, content: &Content) -> Vec<Report> {
        let format = match content {
            Content::Records(records) => Some(records.format.file_format()),
            Content::Transcript(opened) => opened.as_ref().ok().map(Opened::format),
        };
        let name = file.to_string_lossy().into_owned();
        let report = |format| -> Report { Box::new(move |_| say_format(&name, format)) };
        let format = format.filter(|_| self.verbose);
        format.map(report).into_iter().collect()
    }

    /// Does the work that `produce` gives, on several threads, and reports it in its order.
    fn in_order<'a>(
        &self,
        bar: &ProgressBar,
        produce: impl FnOnce(Give<'_, 'a>),
        tally: &mut Tally,
    ) {
        let usual = || thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.map_or_else(usual, usize::from);
        in_order(
            jobs,
            produce,
            |work: Work<'a>| work(),
            |reports| {
                // The lines of a report and the bar have the same terminal.
                bar.suspend(|| reports.into_iter().for_each(|report| report(tally)));
                bar.set_position(tally.size_done());
            },
        );
    }

    /// Judges every game of a match, each with all its lanes.
    fn together(&self, mut games: Joined, tally: &mut Tally) {
        let Some(streams) = games.streams() else {
            return one_together(games, tally);
        };
        let next = |batch: &mut Batch| games.push_next_game(batch);
        self.in_order(
            &ProgressBar::hidden(),
            |give| batches(streams, "there is no game in these files", next, give),
            tally,
        );
    }
}

/// Work of one thread; returns its reports.
type Work<'a> = Box<dyn FnOnce() -> Vec<Report> + Send + 'a>;

/// Reports of a file, with its size once all of them are made.
fn with_size(mut reports: Vec<Report>, file_size: u64) -> Vec<Report> {
    reports.push(Box::new(move |tally| tally.done(file_size)));
    reports
}

/// Takes work that is to be done.
type Give<'g, 'a> = &'g mut dyn FnMut(Work<'a>);

/// Content of a file.
enum Content {
    Records(NotatedFile),
    Transcript(Result<Opened, Diagnostics>),
}

impl VerifyArgs {
    /// Judges records, and compares what they come to with a game state.
    fn against_state(&self, file: &Path, state: &Path, tally: &mut Tally) {
        let records = records(file, self.dialect.as_deref());
        let notated = records.and_then(|records| Some((records.format.notation()?, records)));
        let Some((notation, records)) = notated else {
            let fault = Diagnostic::error("verify/no-records", "this file holds no move records");
            let titles: Vec<_> = pack::notations().map(|notation| notation.title()).collect();
            let help = format!("`--state` goes with {}", titles.join(" or "));
            return tally.fault(fault.in_file(file.to_string_lossy()).help(help));
        };
        let (name, stated) = (file.to_string_lossy(), state.to_string_lossy());
        if self.verbose {
            say_format(&name, records.format.file_format());
        }
        let format = records.format;
        let Some(states) = notation.states() else {
            let title = format!("{} has no game states", notation.name());
            return tally.fault(Diagnostic::error("verify/no-states", title));
        };
        let read = Source::read(state, notation.size_limit()).map_err(Diagnostics::from);
        let (source, state) = match (records.read(), read.and_then(|source| states.read(&source))) {
            (Ok(source), Ok(state)) => (source, state),
            (source, state) => {
                source
                    .err()
                    .into_iter()
                    .for_each(|fault| tally.fault(fault));
                return state
                    .err()
                    .iter()
                    .for_each(|faults| tally.unreadable(faults));
            }
        };
        match format.judge(&source) {
            Ok(judged) => tally.records(&name, judged, Some((states, &stated, &state))),
            Err(faults) => tally.unreadable(&faults),
        }
    }
}

/// Judges the lanes of one game, some of which are in a recording or a golden transcript.
fn one_together(mut games: Joined, tally: &mut Tally) {
    match games.next_game() {
        Ok(Some(game)) => {
            let names: Vec<_> = game.lanes.iter().map(|lane| lane.name.as_str()).collect();
            tally.judged(&names.join(" + "), 1, &game, verify::judge(&game));
        }
        Ok(None) => unreachable!("a file that holds no streams holds a game"),
        Err(faults) => tally.unreadable(&faults),
    }
}

/// Gives the games of a match to be judged, in memory that does not depend on how many there are. `next` adds a game to a batch, or
/// returns `false` where there is none; `empty` is the fault where there is none at all.
fn batches(
    streams: Streams,
    empty: &str,
    mut next: impl FnMut(&mut Batch) -> Result<bool, Diagnostics>,
    give: Give<'_, '_>,
) {
    let name = streams.name.clone();
    let mut batch = Batch::new(streams);
    let mut faults = Diagnostics::new();
    loop {
        match next(&mut batch) {
            Ok(true) if batch.is_full() => {
                let following = batch.next();
                let full = std::mem::replace(&mut batch, following);
                give(Box::new(move || vec![batch_report(full.judge())]));
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
    give(Box::new(move || {
        let last = batch_report(batch.judge());
        match faults.is_empty() {
            true => vec![last],
            false => vec![last, Box::new(move |tally| tally.unreadable(&faults))],
        }
    }));
}

/// Gives the games of a file of streams to be judged.
fn streams(
    name: &str,
    mut games: Games<Box<dyn Read + Send>>,
    marks_sent: bool,
    give: Give<'_, '_>,
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
    batches(streams, "there is no game in this file", next, give);
}

/// Judges every game of a file.
fn one_file(file: &Path, content: Content, as_recorded: bool) -> Vec<Report> {
    let name = file.to_string_lossy().into_owned();
    let opened = match content {
        Content::Records(file) => return vec![records_report(name, file)],
        Content::Transcript(opened) => opened,
    };
    match opened {
        Ok(Opened::Game {
            game:
                LoggedGame {
                    played: Some(played),
                    ..
                },
            warnings,
        }) => {
            vec![recorded(name, &played, warnings, as_recorded)]
        }
        Ok(Opened::Game { .. } | Opened::Streams { .. }) if as_recorded => {
            let title = "this file holds no verdict: it is no recording of a scenario";
            let fault = Diagnostic::error("recording/no-verdict", title).in_file(name);
            let fault = fault.help("`urtext run --record FOLDER` writes such recordings");
            vec![Box::new(move |tally| tally.fault(fault))]
        }
        Ok(Opened::Game { game, warnings }) => {
            let quick = |dialect| Some((dialect, FastPath::new(dialect).pass_logged(&game)?));
            let clean = game.protocol.dialect().and_then(quick);
            let judged = clean.ok_or_else(|| verify::judge(&game));
            vec![Box::new(move |tally| {
                tally.warn(&warnings);
                match judged {
                    Ok((dialect, clean)) => tally.clean(&name, 1, dialect, &clean),
                    Err(judged) => tally.judged(&name, 1, &game, judged),
                }
            })]
        }
        Ok(Opened::Streams { games, marks_sent }) => {
            let mut reports = Vec::new();
            streams(&name, *games, marks_sent, &mut |work| {
                reports.extend(work())
            });
            reports
        }
        Err(faults) => vec![Box::new(move |tally| tally.unreadable(&faults))],
    }
}

/// Judges the game of a recorded scenario, or reports its recorded verdict.
fn recorded(name: String, played: &Played, warnings: Diagnostics, as_recorded: bool) -> Report {
    let Rejudged {
        outcome, stored, ..
    } = verify::rejudge(played);
    Box::new(move |tally| {
        tally.warn(&warnings);
        match (as_recorded, stored) {
            (false, _) => tally.played(&name, &outcome),
            (true, Some(stored)) => tally.played(&name, &stored.outcome(outcome)),
            (true, None) => {
                let fault =
                    Diagnostic::error("recording/no-verdict", "this recording holds no verdict");
                let help = "leave --as-recorded away, and its game is judged as far as it goes";
                tally.fault(fault.in_file(name).help(help));
            }
        }
    })
}

/// Judges the game of a file of move records.
fn records_report(name: String, file: NotatedFile) -> Report {
    let judged = file.judge();
    Box::new(move |tally| match judged {
        Ok(judged) => tally.records(&name, judged, None),
        Err(faults) => tally.unreadable(&faults),
    })
}

fn batch_report(batch: JudgedBatch) -> Report {
    Box::new(move |tally| tally.batch(batch))
}
