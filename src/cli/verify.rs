//! `urtext verify`: the options, and the report of what the files hold.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::Args;

use super::explained::Explained;
use super::interrupt::InterruptFlag;
use super::output::{broken, interrupted, print, say_format};
use super::report_files::ReportOptions;
use super::rows::RowsFile;
use super::server_matches::ServerMatches;
use super::tally::Tally;
use super::{Status, file_progress, game_files};
use crate::archive::{ArchiveFiles, Verification, Verified, verify_together};
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::pack::{self, FileFormat};
use crate::verify::{Joined, Rejudged, judge_records, records, without_second_halves};

/// Arguments of `urtext verify`.
#[derive(Debug, Args)]
#[command(
    after_help = "A file is a golden transcript, a recording, or a stream as one participant received it (`>` before \
    what it sent). NAME.received and NAME.sent are one stream: name either. Several games in one file of streams are \
    separated by an empty line, or by the line that tells a seat where games begin with it (`You are Top`). A notation of a game, such as hc-ur, is known by its first bytes. coco://HOST:PORT/ID is a match \
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
    /// How long a match on a server that is still played may send nothing
    #[arg(long = "for", value_name = "DURATION", default_value = "10min", value_parser = humantime::parse_duration)]
    silence: Duration,
    /// How many games are judged at once [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Say which wrong readings of the rules fit the games, however many there are, with the game that shows each best
    ///
    /// Of at most 300 games, those that explain wrong lines are named without it.
    #[arg(long, conflicts_with_all = ["together", "state", "json"])]
    explain: bool,
    /// Name the format of each file on standard error, and with `--explain` every reading that is still open
    #[arg(long, short)]
    verbose: bool,
    /// Write a table of the games without a wrong line, as CSV
    ///
    /// A row has the players, the winner, the end, the number of turns, and the slowest answer of each player if the file has times. Files of
    /// streams in one folder that are lanes of one game are one row. The table is summed up after the verdicts.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["together", "state", "as_recorded"])]
    rows: Option<PathBuf>,
    /// Print one JSON line for each game, and a last line with the counts
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reports: ReportOptions,
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
        let server_matches = match ServerMatches::fetch(&self.files, self.silence) {
            Ok(server_matches) => server_matches,
            Err(status) => return status,
        };
        if let Err(status) = self.reports.probe() {
            return status;
        }
        let has_address = |file: &PathBuf| {
            let name = file.to_string_lossy();
            name == "-" || name.starts_with("coco://")
        };
        if self.rows.is_some() && self.files.iter().any(has_address) {
            return super::output::usage("`--rows` takes files and folders: it reads each twice");
        }
        let table = self.rows.as_deref().map(RowsFile::create).transpose();
        let table = match table {
            Ok(table) => table,
            Err(status) => return status,
        };
        let mut tally = Tally::new(self.complete, self.json);
        let mut interrupt = InterruptFlag::default();
        if self.reports.are_asked_for() {
            // Reports are written of what was judged until then.
            interrupt = match InterruptFlag::listen() {
                Ok(flag) => flag,
                Err(error) => return broken(&format!("signals cannot be heard: {error}")),
            };
            let [guard, end] = self.reports.guards();
            if !guard.is_empty() {
                print(guard.trim_end());
            }
            tally.keep_cases(self.reports.replace_the_console(), end);
        }
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
                    verify_together(self.jobs(), games, &|| interrupt.has_come(), |results| {
                        self.report(results, &mut tally);
                    });
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
            let open = |file: &Path| server_matches.open(file, protocol);
            let verification = Verification {
                jobs: self.jobs(),
                as_recorded: self.as_recorded,
                notation: self.dialect.as_deref(),
                open: &open,
                is_over: &|| interrupt.has_come(),
            };
            self.each_file(&files, &verification, &mut tally);
        }
        // Beside games that were fetched, or joined lane by lane, there are no files to read again.
        let can_explain = !self.together
            && self.state.is_none()
            && !interrupt.has_come()
            && (self.explain || tally.is_to_be_explained());
        let explained = match can_explain {
            true => Explained::read(&self.files, protocol),
            false => Explained::default(),
        };
        let causes = match self.explain {
            true => explained.draw(self.verbose),
            false => explained.result.draw_causes(true),
        };
        let mut status = match interrupt.has_come() {
            true => interrupted("the files and games that were left are not judged"),
            false => server_matches.status(),
        };
        let dialect = self.dialect.as_deref();
        if let Some(table) = table.filter(|_| !interrupt.has_come()) {
            match table.write(&self.files, self.jobs(), dialect, protocol) {
                Ok(rows) => tally.add_rows(rows),
                Err(unwritten) => status = status.worse(unwritten),
            }
        }
        tally.finish(status, explained.result, &causes, &self.reports)
    }

    /// Judges the games of each file, and of each file below a folder.
    fn each_file(&self, files: &[&Path], verification: &Verification<'_>, tally: &mut Tally) {
        let files: Vec<_> = files.iter().map(|file| file.to_path_buf()).collect();
        let files = ArchiveFiles::new(&files);
        let bar = file_progress::bar(&files);
        let mark = |file: &Path| file.metadata().map_or(0, |metadata| metadata.len());
        verification.files(files, mark, |results| {
            // The lines of a report and the bar have the same terminal.
            bar.suspend(|| self.report(results, tally));
            bar.set_position(tally.size_done());
        });
        bar.finish_and_clear();
    }

    fn jobs(&self) -> usize {
        let usual = || thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(usual, usize::from)
    }

    fn report(&self, results: Vec<Verified<u64>>, tally: &mut Tally) {
        results
            .into_iter()
            .for_each(|result| self.report_one(result, tally));
    }

    fn report_one(&self, result: Verified<u64>, tally: &mut Tally) {
        match result {
            Verified::Begun(name, format) => tally.read_as(&name, format, self.verbose),
            Verified::Warnings(warnings) => tally.warn(&warnings),
            Verified::Clean(name, dialect, clean) => {
                tally.clean(&name, 1, dialect, &clean);
            }
            Verified::Judged(name, game) => tally.judged(&name, 1, &game.0, game.1),
            Verified::Batch(batch) => tally.batch(batch),
            Verified::Recorded(name, rejudged) => {
                let Rejudged {
                    outcome, stored, ..
                } = *rejudged;
                match (self.as_recorded, stored) {
                    (false, _) => tally.played(&name, &outcome),
                    (true, Some(stored)) => tally.played(&name, &stored.outcome(outcome)),
                    (true, None) => {
                        let title = "this recording holds no verdict";
                        let help =
                            "leave --as-recorded away, and its game is judged as far as it goes";
                        let fault = Diagnostic::error("recording/no-verdict", title);
                        tally.fault(fault.in_file(name).help(help));
                    }
                }
            }
            Verified::NoVerdict(name) => {
                let title = "this file holds no verdict: it is no recording of a scenario";
                let fault = Diagnostic::error("recording/no-verdict", title).in_file(name);
                tally.fault(fault.help("`urtext run --record FOLDER` writes such recordings"));
            }
            Verified::Records(name, records) => tally.records(&name, *records, None),
            Verified::Unreadable(faults) => tally.unreadable(&faults),
            Verified::Done(size) => tally.done(size),
        }
    }

    /// Judges records, and compares what they come to with a game state.
    fn against_state(&self, file: &Path, state: &Path, tally: &mut Tally) {
        let Some(records) = records(file, self.dialect.as_deref()) else {
            let fault = Diagnostic::error("verify/no-records", "this file holds no move records");
            let titles: Vec<_> = pack::notations().map(|notation| notation.title()).collect();
            let help = format!("`--state` goes with {}", titles.join(" or "));
            return tally.fault(fault.in_file(file.to_string_lossy()).help(help));
        };
        let (name, stated) = (file.to_string_lossy(), state.to_string_lossy());
        let notation = records.notation;
        tally.read_as(&name, Some(FileFormat::of_notation(notation)), self.verbose);
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
        match judge_records(notation, &source) {
            Ok(judged) => tally.records(&name, judged, Some((states, &stated, &state))),
            Err(faults) => tally.unreadable(&faults),
        }
    }
}
