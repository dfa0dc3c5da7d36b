//! `urtext verify`: the options, and the walk through the files.

mod rows;
mod verdicts;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::Args;

use super::Status;
use super::interrupt::Interrupt;
use super::output::{broken, interrupted, usage};
use super::progress;
use super::report_files::ReportOptions;
use super::server::stored_matches;
use crate::archive::{self, ArchiveReadings, FinishedGame, Judging, ReadAs, ReadOptions};
use crate::diagnostic::{Diagnostics, Source};
use crate::pack;
use crate::report::{Results, SubjectReadings, draw_console};
use rows::GameTable;
use verdicts::Verdicts;

/// Maximum number of games whose complaints are explained: that takes less than a second.
const EXPLAINED: usize = 300;

/// The most bytes of files whose complaints are explained: that takes less than a second.
const EXPLAINED_SIZE: u64 = 4 * 1024 * 1024;

/// Time that an interrupted program has to end by itself.
const PATIENCE: Duration = Duration::from_secs(10);

/// Arguments of `urtext verify`.
#[derive(Debug, Args)]
#[command(
    after_help = "A file is a golden transcript, a recording, the stream of one participant (`>` before each line that it sent), or records of moves. \
    NAME.received and NAME.sent are one stream: name either. Several games in one file are separated by an empty line, or by the line that \
    tells a seat. coco://HOST:PORT/ID is a match that a Code Colosseum server has stored.\n\n\
    A recording of `urtext run --record` holds its scenario: its game is judged again as the run judged it.\n\n\
    Exit status: 0 every game conforms as far as it goes, 1 a line is wrong or a scenario failed, 2 a file cannot be read, \
    3 a server cannot be reached, or a recorded scenario broke, 4 nothing is wrong, but a game cannot be judged, or not wholly: a scenario is \
    inconclusive or unsupported, a file stops before the first turn or has no rules, records leave open whether a turn was skipped."
)]
pub(super) struct VerifyArgs {
    /// Files with finished games, folders of such files, or coco://HOST:PORT/ID; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read the files as the lanes of one game or match
    #[arg(long)]
    together: bool,
    /// Require that every game reaches its end
    #[arg(long)]
    complete: bool,
    /// Format of files whose content does not show it: a dialect, a game, or a notation such as hc-ur
    #[arg(long, value_name = "NAME")]
    dialect: Option<ReadAs>,
    /// Judge at most N games at once [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Say which wrong readings of the rules fit the games, however many there are
    ///
    /// Of at most 300 games, those that explain wrong lines are named without it.
    #[arg(long)]
    explain: bool,
    /// Name the format of each file on standard error, and with `--explain` every reading that is still open
    #[arg(long, short)]
    verbose: bool,
    /// Write a table of the games that do not fail, as CSV
    ///
    /// A row has the players, the winner, the end, the number of turns, and each player's slowest answer. Lanes of one game in one folder are
    /// one row. The table is summed up after the verdicts.
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
    #[command(flatten)]
    reports: ReportOptions,
    /// Require that move records reach this game state, a JSON file
    #[arg(long, value_name = "FILE", conflicts_with = "together")]
    state: Option<PathBuf>,
}

impl VerifyArgs {
    /// Judges the games.
    pub(super) fn run(&self) -> Result<Status, Status> {
        let matches = stored_matches(&self.files)?;
        self.reports.probe()?;
        if self.state.is_some() && self.files.len() > 1 {
            let message = "`--state` is the state of one game: give one file with its records";
            return Err(usage(message));
        }
        let interrupt = Interrupt::listen(Some(PATIENCE));
        let interrupt =
            interrupt.map_err(|error| broken(&format!("signals cannot be heard: {error}")))?;
        let rows = self.rows.as_deref().map(GameTable::new);
        let mut rows = rows.transpose()?;
        let size = archive::size(&self.files);
        let bar = progress::bar(
            size,
            "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
        );
        let has_input = self.files.iter().any(|file| file == Path::new("-"));
        // Should they have complaints: where the user asks for that, or the files are small.
        let may_explain = self.explain || !has_input && size <= EXPLAINED_SIZE;
        let usual = || thread::available_parallelism().map_or(1, usize::from);
        let options = ReadOptions {
            read_as: self.dialect.unwrap_or_default(),
            matches: &matches,
            together: self.together,
            judging: match self.rows.is_some() || may_explain {
                true => Judging::Whole,
                false => Judging::Quick,
            },
            jobs: self.jobs.map_or_else(usual, usize::from),
            is_over: &|| interrupt.has_come(),
            done: &|size| bar.inc(size),
        };
        let mut verdicts = Verdicts::new(self, &bar);
        // Games of which the readings of the rules may be asked, until they are too many for that.
        let (mut readings, mut kept) = (ArchiveReadings::default(), Vec::new());
        let mut see = |mut game: Result<FinishedGame, Diagnostics>| {
            verdicts.take(&mut game);
            let Ok(game) = game else { return };
            if let Some(table) = &mut rows
                && let Err(status) = table.add(&game)
            {
                verdicts.be(status);
                rows = None;
            }
            if self.explain {
                readings.take(&game);
            } else if may_explain && kept.len() <= EXPLAINED {
                kept.push(game);
            }
        };
        match &self.state {
            Some(state) => see(self.against_state(state, &options)),
            None => archive::games(&self.files, &options, &mut see),
        }
        bar.finish_and_clear();
        let mut explained = Vec::new();
        if interrupt.has_come() {
            verdicts.be(interrupted(
                "the files and games that were left are not judged",
            ));
        } else {
            if verdicts.counts.complaints > 0 && kept.len() <= EXPLAINED {
                kept.iter().for_each(|game| readings.take(game));
            }
            for games in readings.explain() {
                let parts = games.explanations.iter();
                explained
                    .extend(parts.map(|part| {
                        SubjectReadings::new(&part.ledger, &part.causes, &games.games)
                    }));
                games
                    .failed
                    .iter()
                    .for_each(|game| verdicts.cases.explain(game));
            }
        }
        let summary = rows.map_or(Ok(String::new()), GameTable::finish);
        let summary = summary.unwrap_or_else(|status| {
            verdicts.be(status);
            String::new()
        });
        Ok(self.finish(verdicts, explained, &summary))
    }

    /// Prints the verdicts, writes the reports, and returns the exit status.
    fn finish(
        &self,
        verdicts: Verdicts<'_>,
        explained: Vec<SubjectReadings>,
        rows: &str,
    ) -> Status {
        let (status, counts, summary) = (verdicts.status, verdicts.counts, verdicts.summary());
        let is_unexplained = counts.complaints > 0 && counts.games > EXPLAINED && !self.explain;
        let lines = verdicts.lines.iter().map(|line| format!("{line}\n"));
        let mut text: String = lines.collect();
        let cases = verdicts.cases.results();
        let mut results = Results::new("verify", summary, status.code(), cases);
        results.end.get_or_insert_default().readings = explained;
        let mut findings = results.scenarios.iter().flat_map(|case| &case.findings);
        if counts.games > 1 || findings.any(|finding| !finding.is_on_stderr) {
            text += draw_console(&results, self.verbose).trim_start_matches('\n');
        }
        if is_unexplained {
            text += "`--explain` says which wrong readings of the rules fit these games\n";
        }
        self.reports.print(&(text + rows));
        results.status().max(self.reports.write(&results))
    }

    /// Judges records, and compares their result with a game state.
    fn against_state(
        &self,
        state: &Path,
        options: &ReadOptions<'_>,
    ) -> Result<FinishedGame, Diagnostics> {
        let limits = pack::notations().map(|notation| notation.size_limit());
        let source = Source::read(state, limits.max().unwrap_or_default())?;
        let mut game = archive::game(&self.files, None, options)?;
        game.require_state(&source)?;
        Ok(game)
    }
}
