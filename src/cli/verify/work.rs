//! What a thread does for `urtext verify`: games are judged, and reports of them made.

use std::io::Read;
use std::path::Path;

use super::super::tally::{Report, Tally};
use crate::diagnostic::{self, Diagnostic, Diagnostics};
use crate::report::VerifiedFile;
use crate::transcript::bare::Games;
use crate::transcript::{LoggedGame, Opened, Played};
use crate::verify::{self, Batch, FastPath, Joined, JudgedBatch, NotatedFile, Rejudged, Streams};

/// Work of one thread; returns its reports.
pub(super) type Work<'a> = Box<dyn FnOnce() -> Vec<Report> + Send + 'a>;

/// Reports of a file, and that it is done once all of them are made. `verified` is the file as it was before it was read.
pub(super) fn with_size(
    mut reports: Vec<Report>,
    file_size: u64,
    verified: Option<VerifiedFile>,
) -> Vec<Report> {
    reports.push(Box::new(move |tally| tally.done(file_size, verified)));
    reports
}

/// Takes work that is to be done.
pub(super) type Give<'g, 'a> = &'g mut dyn FnMut(Work<'a>);

/// Content of a file.
pub(super) enum Content {
    Records(NotatedFile),
    Transcript(Result<Opened, Diagnostics>),
}

/// Judges the lanes of one game, some of which are in a recording or a golden transcript.
pub(super) fn one_together(mut games: Joined, tally: &mut Tally) {
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
pub(super) fn batches(
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
pub(super) fn streams(
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
pub(super) fn one_file(file: &Path, content: Content, as_recorded: bool) -> Vec<Report> {
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
