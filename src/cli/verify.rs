//! `urtext verify`: the options, and the walk through the files.

mod rows;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;

use super::Status;
use super::interrupt::Interrupt;
use super::output::{OrBroken, interrupted, say, say_format, usage};
use super::progress;
use super::server::{is_on_server, stored_matches, with_all_matches};
use crate::archive::{self, ArchiveMistakes, FinishedGame, Judging, ReadAs, ReadOptions};
use crate::config::file::Reports;
use crate::diagnostic::{Diagnostics, Source, counted};
use crate::finding::{Finding, Verdict};
use crate::pack::Notation;
use crate::platform::is_standard_output;
use crate::report::{Cases, Results, SubjectMistakes, draw_console, draw_line};
use crate::verify::Ending;
use rows::GameTable;

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
    NAME.received and NAME.sent are one stream: name either. Several games in one file are separated by an empty line or by the line with \
    the seat. coco://HOST:PORT/ID is a stored match on a Code Colosseum server, and coco://HOST:PORT/ means all of them.\n\n\
    A recording of `urtext run --record` holds its scenario: its game is judged again as the run judged it."
)]
pub(super) struct VerifyArgs {
    /// Files with finished games, folders of such files, coco://HOST:PORT/ID, or a server, coco://HOST:PORT/; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Treat the files as the lanes of one game or match, and so the files of each folder
    #[arg(long)]
    together: bool,
    /// Require that every game reaches its end
    #[arg(long)]
    complete: bool,
    /// Format, if the content does not show it: a dialect, a game, or a notation such as hc-ur
    #[arg(long, value_name = "NAME")]
    dialect: Option<ReadAs>,
    /// Judge at most N games at once [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Name the mistakes in the rules that fit the games, however many games there are
    ///
    /// Wrong lines of up to 300 games are explained without this option.
    #[arg(long)]
    explain: bool,
    /// Print the format of each file on standard error; with --explain, also every mistake that is not ruled out
    #[arg(long, short)]
    verbose: bool,
    /// Write a table of the games as CSV
    ///
    /// A row has the players, the winner, the end, the number of turns, and each player's slowest answer. The table is summed up after the
    /// verdicts.
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
    #[command(flatten)]
    reports: Reports,
    /// Compare the last position with this game state, a JSON file (move records only)
    #[arg(long, value_name = "FILE", conflicts_with = "together")]
    state: Option<PathBuf>,
}

impl VerifyArgs {
    /// Judges the games.
    pub(super) fn run(&self) -> Result<Status, Status> {
        let files = with_all_matches(&self.files)?;
        let matches = stored_matches(&files)?;
        self.reports.probe()?;
        if self.state.is_some() && files.len() > 1 {
            let message = "`--state` is the state of one game: give one file with its records";
            return Err(usage(message));
        }
        let interrupt = Interrupt::listen(Some(PATIENCE));
        let interrupt = interrupt.or_broken("signals cannot be heard")?;
        let rows = self.rows.as_deref().map(GameTable::new);
        let mut rows = rows.transpose()?;
        let size = archive::size(&files);
        let bar = progress::bar(
            size,
            "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
        );
        let has_input = files.iter().any(|file| file == Path::new("-"));
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
        // Games of which the mistakes in the rules may be asked, until they are too many for that.
        let (mut mistakes, mut kept) = (ArchiveMistakes::default(), Vec::new());
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
                mistakes.take(&game);
            } else if may_explain && kept.len() <= EXPLAINED {
                kept.push(game);
            }
        };
        match &self.state {
            Some(state) => see(against_state(state, &files, &options)),
            None => archive::games(&files, &options, &mut see),
        }
        bar.finish_and_clear();
        let mut explained = Vec::new();
        if interrupt.has_come() {
            verdicts.be(interrupted(
                "the files and games that were left are not judged",
            ));
        } else {
            if verdicts.counts.complaints > 0 && kept.len() <= EXPLAINED {
                kept.iter().for_each(|game| mistakes.take(game));
            }
            for games in mistakes.explain() {
                let parts = games.explanations.iter();
                explained.extend(parts.map(|part| SubjectMistakes::new(part, &games.games)));
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
        explained: Vec<SubjectMistakes>,
        rows: &str,
    ) -> Status {
        let (status, counts, summary) = (verdicts.status, verdicts.counts, verdicts.summary());
        let is_unexplained = counts.complaints > 0 && counts.games > EXPLAINED && !self.explain;
        let lines = verdicts.lines.iter().map(|line| format!("{line}\n"));
        let mut text: String = lines.collect();
        let cases = verdicts.cases.results();
        let mut results = Results::new("verify", summary, status.code(), cases);
        results.end.get_or_insert_default().mistakes = explained;
        let mut findings = results.scenarios.iter().flat_map(|case| &case.findings);
        if counts.games > 1 || findings.any(|finding| !finding.is_on_stderr) {
            text += draw_console(&results, self.verbose).trim_start_matches('\n');
        }
        if is_unexplained {
            text += "`--explain` names the mistakes in the rules that fit these games\n";
        }
        if !self.rows.as_deref().is_some_and(is_standard_output) {
            self.reports.print(&(text + rows));
        }
        results.status().max(self.reports.write(&results))
    }
}

/// Judges records, and compares their result with a game state.
fn against_state(
    state: &Path,
    files: &[PathBuf],
    options: &ReadOptions<'_>,
) -> Result<FinishedGame, Diagnostics> {
    let source = Source::read(state, Notation::SIZE_LIMIT)?;
    let mut game = archive::game(files, None, options)?;
    game.require_state(&source)?;
    Ok(game)
}

/// So many good games have a line each. More are only counted.
const FEW: usize = 20;

/// Judged games. Good ones are only counted.
struct Verdicts<'a> {
    args: &'a VerifyArgs,
    /// The progress bar on the same terminal.
    bar: &'a ProgressBar,
    cases: Cases,
    counts: Counts,
    status: Status,
    /// Lines of good games, as long as these are few.
    lines: Vec<String>,
}

/// Numbers of games.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    /// Games that were judged.
    games: usize,
    complaints: usize,
    /// Games without a complaint that stop before their end.
    incomplete: usize,
    /// Games that neither conform nor deviate.
    undecided: usize,
}

impl<'a> Verdicts<'a> {
    /// Those of no game yet.
    fn new(args: &'a VerifyArgs, bar: &'a ProgressBar) -> Verdicts<'a> {
        Verdicts {
            args,
            bar,
            cases: Cases::default(),
            counts: Counts::default(),
            status: Status::Conforms,
            lines: Vec::new(),
        }
    }

    /// Takes a status.
    fn be(&mut self, status: Status) {
        self.status = self.status.max(status);
    }

    /// Takes a game, or what is wrong with a file.
    fn take(&mut self, game: &mut Result<FinishedGame, Diagnostics>) {
        match game {
            Ok(game) => self.game(game),
            Err(faults) => {
                if self.args.reports.are_asked_for() {
                    self.cases.add_faults(faults, Verdict::Error, "");
                }
                self.be(Status::Usage);
                self.bar.suspend(|| say(faults));
            }
        }
    }

    fn game(&mut self, game: &mut FinishedGame) {
        if game.number == 1 && self.args.verbose {
            let print = || say_format(&game.file, game.format);
            self.bar.suspend(print);
        }
        if !game.warnings.is_empty() {
            self.bar.suspend(|| say(&game.warnings));
        }
        if let Some(title) = self.demand(game) {
            let finding = Finding::new(Verdict::Fail, title);
            game.add(finding.noted(game.end()));
        }
        let verdict = game.outcome.verdict;
        if self.args.reports.are_asked_for() || verdict != Verdict::Pass {
            self.cases.add_game(game);
        }
        if verdict == Verdict::Unsupported && game.dialect().is_none() {
            return;
        }
        let counts = &mut self.counts;
        counts.games += 1;
        let standing = Status::of(verdict);
        match standing {
            Status::Deviates => counts.complaints += 1,
            Status::Conforms => {
                let is_complete = game.ending.is_some_and(Ending::is_complete);
                counts.incomplete += usize::from(!is_complete && game.recorded.is_none());
            }
            _ => counts.undecided += 1,
        }
        // Of other games, a report has the findings.
        let is_open = verdict != Verdict::Fail && game.recorded.is_none();
        if standing == Status::Conforms || is_open && !game.outcome.findings.is_empty() {
            self.good(game);
        }
    }

    /// The demand that a legal game does not meet.
    fn demand(&self, game: &mut FinishedGame) -> Option<String> {
        let ending = game.ending;
        let is_short = ending.is_some_and(|ending| !ending.is_complete());
        let title = match is_on_server(Path::new(&*game.file)) {
            true => "the server has stored no end of this match",
            false => "the game was not played to its end",
        };
        let title = (self.args.complete && is_short).then(|| title.to_owned());
        let demand = game.left_off.take().or(title);
        demand.filter(|_| game.outcome.failure().is_none())
    }

    /// Takes a game without a wrong line.
    fn good(&mut self, game: &FinishedGame) {
        match self.counts.games > FEW {
            true => self.lines.clear(),
            false => self.lines.push(draw_line(game)),
        }
    }

    /// The counts in words.
    fn summary(&self) -> String {
        let Counts {
            games,
            complaints,
            incomplete,
            undecided,
        } = self.counts;
        let complaints = counted(complaints, "complaint");
        let mut text = format!("{}, {complaints}", counted(games, "game"));
        if incomplete > 0 {
            text += &format!(", {incomplete} incomplete");
        }
        if undecided > 0 {
            text += &format!(", {undecided} neither pass nor fail");
        }
        text
    }
}
