//! `urtext verify`: the options, and the spread of games over threads.

mod work;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use indicatif::ProgressBar;

use self::work::{Content, Give, Work, batches, one_file, one_together, streams, with_size};
use super::explain::explanation_of;
use super::output::{print, say, say_format};
use super::report_files::ReportOptions;
use super::server_matches::ServerMatches;
use super::tally::{Report, Tally};
use super::{Status, file_progress, game_files};
use crate::archive::ArchiveFiles;
use crate::diagnostic::{Diagnostic, Diagnostics, Source};
use crate::pack::{self, Protocol};
use crate::report::{ExplanationResult, VerifiedFile, VerifiedFiles};
use crate::transcript::Opened;
use crate::verify::{Batch, Joined, has_many_games, in_order, records, without_second_halves};

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
    /// Write down in FILE which files were verified, and pass over those that FILE has and that have not changed since
    ///
    /// An interrupted verification goes on when the command is given again. The counts and the status are those of all files; what was
    /// shown of a file is not shown again.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["together", "state"])]
    resume: Option<PathBuf>,
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
        let server_matches = match ServerMatches::fetch(&self.files) {
            Ok(server_matches) => server_matches,
            Err(status) => return status,
        };
        if let Err(status) = self.reports.probe() {
            return status;
        }
        let mut tally = Tally::new(self.complete, self.json);
        if self.reports.are_asked_for() {
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
            let known = match self.verified(&mut tally) {
                Ok(known) => known,
                Err(faults) => {
                    say(&faults);
                    return Status::Usage;
                }
            };
            self.each_file(&files, protocol, &server_matches, &known, &mut tally);
        }
        // Beside games that were fetched, or joined lane by lane, there are no files to read again.
        let can_explain = !self.together && self.state.is_none() && tally.is_to_be_explained();
        let explanation = match can_explain {
            true => explanation_of(&self.files, protocol),
            false => ExplanationResult::default(),
        };
        tally.finish(server_matches.status(), explanation, &self.reports)
    }

    /// The files that were verified before. From now on, others are written down.
    fn verified(&self, tally: &mut Tally) -> Result<VerifiedFiles, Diagnostics> {
        let Some(list) = &self.resume else {
            return Ok(VerifiedFiles::default());
        };
        let options = format!(
            "urtext {} complete={} as-recorded={} dialect={}",
            env!("CARGO_PKG_VERSION"),
            self.complete,
            self.as_recorded,
            self.dialect.as_deref().unwrap_or("-")
        );
        let (known, writer) = VerifiedFiles::open(list, &options)?;
        tally.write_down(writer);
        Ok(known)
    }

    /// Judges the games of each file, and of each file below a folder.
    fn each_file(
        &self,
        files: &[&Path],
        protocol: Option<Protocol>,
        server_matches: &ServerMatches,
        known: &VerifiedFiles,
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
                    let now = VerifiedFile::of(&file).filter(|_| self.resume.is_some());
                    if let Some(counts) = now.as_ref().and_then(|now| known.counts(now)).cloned() {
                        let name = file.to_string_lossy().into_owned();
                        let report: Report =
                            Box::new(move |tally| tally.known(&name, size, &counts));
                        give(Box::new(move || vec![report]));
                        continue;
                    }
                    // Standard input is read in its turn, and a large file is shared among the threads.
                    if file.is_file() && !has_many_games(&file) {
                        give(Box::new(move || {
                            let content = content(&file);
                            let mut reports = self.format_report(&file, &content);
                            reports.extend(one_file(&file, content, as_recorded));
                            with_size(reports, size, now)
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
                    give(Box::new(move || with_size(Vec::new(), size, now)));
                }
            },
            tally,
        );
        bar.finish_and_clear();
    }

    /// The report that names the format of a file.
    fn format_report(&self, file: &Path, content: &Content) -> Vec<Report> {
        let format = match content {
            Content::Records(records) => Some(records.format.file_format()),
            Content::Transcript(opened) => opened.as_ref().ok().map(Opened::format),
        };
        let name = file.to_string_lossy().into_owned();
        let is_told = self.verbose;
        vec![Box::new(move |tally| {
            tally.read_as(&name, format, is_told);
        })]
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
        tally.read_as(&name, Some(records.format.file_format()), self.verbose);
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
