//! `urtext explore`: random games, legal and hostile, towards what has not been seen yet.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::Status;
use super::output::{broken, checked};
use super::progress::SessionProgress;
use super::repeat;
use super::run::BudgetArgs;
use super::subject::{Origin, SubjectArgs, quote};
use crate::config::file::Reports;
use crate::config::{Subject, duration, file};
use crate::diagnostic::{Diagnostic, Diagnostics, counted, visible};
use crate::engine::{Clock, Network, Options};
use crate::explore::{
    self, Exploration, ExplorationLimits, Explorer, FailedGame, Trials, Written, unwritable,
};
use crate::finding::Verdict;
use crate::pack::{self, Protocol};
use crate::platform::probe_folder;
use crate::report::{Results, ScenarioResult, SubjectMistakes, coverage_notes, summarize_coverage};
use crate::scenario::Side;
use crate::session;

/// Arguments of `urtext explore`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ExploreArgs {
    /// Play at most N games
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Begin no further game after this time, such as 30m
    #[arg(long = "for", value_name = "DURATION", value_parser = duration)]
    time: Option<Duration>,

    /// Seed of the games that urtext chooses [default: a new one each time]
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    /// Stop after N different failures
    #[arg(long, value_name = "N", default_value = "1")]
    failures: NonZeroUsize,

    /// Play at most N games at once [default: two for each processor, at most 8; 1 with --connect]
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    #[command(flatten)]
    budgets: BudgetArgs,

    /// Folder for the scenarios that reproduce failures
    #[arg(long, value_name = "FOLDER", default_value = "explored")]
    out: PathBuf,

    /// Play at most N games to shorten a failure; 0 writes the failed game as it is
    ///
    /// Shortening needs control of the rolls or the deal; against a bot, urtext always has it.
    #[arg(long, value_name = "N", default_value = "200")]
    shrink: usize,

    /// List what was not reached: requirements, situations, hostile turns, mistakes in the rules
    #[arg(long, short)]
    verbose: bool,

    #[command(flatten)]
    reports: Reports,

    // Last, because its heading holds for all that follows it.
    #[command(flatten)]
    subject: SubjectArgs,
}

const HELP: &str = "\
urtext steers towards situations that no game has shown yet and the illegal moves tried least often, and judges every line. It stops \
after --failures, --games or --for, when nothing new can be tested, or when 100 games in a row have tested nothing new.

Examples:
  urtext explore                                       the built-in referee, in memory
  urtext explore --game onitama --games 500 --for 2min --as referee -- ./judge --port {port}
  urtext explore --as bot -- python3 mybot.py";

/// So many of a hundred games have a hostile turn: an illegal move, a line that is no move, silence, a hang-up.
const HOSTILE: u8 = 50;

impl ExploreArgs {
    /// Explores and reports.
    ///
    /// # Errors
    /// The status to exit with, after printing why nothing is played.
    pub(super) fn run(&self) -> Result<Status, Status> {
        self.reports.probe()?;
        let mut problems = Diagnostics::new();
        let subject = self.the_subject(&mut problems);
        let seed = self
            .seed
            .unwrap_or_else(|| super::referee::random_seed() % 1_000_000);
        let explorer = subject
            .as_ref()
            .and_then(|subject| Explorer::new(subject, seed, HOSTILE));
        if explorer.is_none() && !problems.has_errors() {
            let title = "there is no model of this game to explore it by";
            problems.push(Diagnostic::error("explore/game", title));
        }
        checked(&problems)?;
        let (subject, explorer) = subject.zip(explorer).ok_or(Status::Usage)?;
        probe_folder(&self.out).map_err(|error| {
            let unwritable = unwritable(&self.out, &error);
            broken(&format!(
                "{unwritable}; give --out a folder that you can write to"
            ))
        })?;
        let exploration = SessionProgress::of(false, async |interrupt, report| {
            let options = self.options(&subject);
            let trials = Trials::new(options, self.jobs, subject, interrupt.signal());
            let limits = ExplorationLimits {
                games: self.games as usize,
                time: self.time,
                failures: self.failures.get(),
                shrink: self.shrink,
                out: self.out.clone(),
            };
            let exploration = Exploration::new(limits, explorer, trials.recording()?);
            session::explore(exploration, report).await
        })?;
        let results = self.results(seed, &exploration);
        Ok(self.reports.finish(&results, self.verbose))
    }

    /// The subject, or the built-in referee.
    fn the_subject(&self, problems: &mut Diagnostics) -> Option<Subject> {
        let tested = self.subject.tested(None, problems)?;
        let game = self
            .subject
            .game
            .map_or(pack::usual().game.name(), Protocol::game_name);
        let usual = |side| file::usual(&tested.subjects, side, game).ok();
        let subject = match &tested.origin {
            Origin::File(_) => usual(Side::Referee).or_else(|| usual(Side::Bot)),
            _ => tested.subjects.first(),
        };
        if subject.is_none() {
            let title = format!("it is open which subject of {game} is meant");
            let problem = Diagnostic::error("explore/subject", title);
            problems
                .push(problem.help("name one with --subject; `built-in` is the built-in referee"));
        }
        problems.extend(
            subject
                .iter()
                .flat_map(|subject| subject.unset_parameters()),
        );
        subject.map(|subject| Subject::clone(subject))
    }

    /// Returns the options of every game.
    fn options(&self, subject: &Subject) -> Options {
        let clock = if subject.built_in.is_some() {
            Clock::Virtual(Network::Ideal)
        } else {
            Clock::Real
        };
        Options {
            clock,
            ..Options::new(self.budgets.given(), std::iter::once(subject))
        }
    }

    /// The exploration as a case, and each failure as one.
    fn results(&self, seed: u64, exploration: &Exploration) -> Results {
        let subject = &exploration.trials.subject;
        let coverage = exploration.explorer.coverage();
        let mut games = ScenarioResult {
            name: format!("{}/{}", coverage.game(), coverage.side().word()),
            title: "games that urtext made up".to_owned(),
            game: Some(coverage.game().to_owned()),
            notes: coverage_notes(coverage),
            empty_frames: exploration.empty_frames,
            ..ScenarioResult::default()
        };
        for outcome in exploration.error.iter().chain(&exploration.flaky) {
            games.add_outcome(outcome);
        }
        let mut scenarios = vec![games];
        for failed in &exploration.failures {
            let (scenario, outcome) = (&failed.planned.scenario, &failed.outcome);
            let standing = Status::of(outcome.verdict);
            let mut result = ScenarioResult::new(scenario, subject, outcome, standing);
            // The command that plays the same games, up to this one.
            let games = explore::games_up_to(failed.number).min(self.games as usize);
            let words = [
                format!("--seed {seed}"),
                format!("--games {games}"),
                subject.arguments.clone(),
            ];
            let again = repeat::command("explore", &words, &[]);
            (result.notes, result.repeat) = described(failed, &subject.arguments, again);
            let recording = failed.recording.as_ref();
            result.recording = recording.map(|path| path.to_string_lossy().into_owned());
            scenarios.push(result);
        }
        let counts = format!("{}, seed {}", summarize_coverage(coverage), seed);
        let mut results = Results::new("explore", counts, status(exploration).code(), scenarios);
        let took = match subject.built_in {
            Some(_) => exploration.took,
            None => exploration.began.elapsed(),
        };
        let end = results.end.get_or_insert_default();
        end.seconds = took.as_secs_f64();
        if !coverage.is_blank() {
            let ledger = exploration.explorer.ledger();
            end.mistakes = vec![SubjectMistakes::new::<&str>(ledger, &[])];
        }
        results
    }
}

/// The exit status of an exploration without a failure.
fn status(exploration: &Exploration) -> Status {
    let games = &exploration.explorer.coverage().games;
    let have_passed = [Verdict::Pass, Verdict::Lenient]
        .iter()
        .any(|verdict| games.contains_key(verdict));
    match exploration.trials.is_interrupted() {
        true => Status::Interrupted,
        false if !have_passed => Status::Open,
        false => Status::Conforms,
    }
}

/// Returns the remarks about what was written, and the command that repeats the failure: it plays the scenario, or else explores up to the
/// game again. `subject`: the arguments that name the subject.
fn described(failure: &FailedGame, subject: &str, explore: String) -> (Vec<String>, String) {
    let mut notes = Vec::new();
    if let Some(written) = &failure.written {
        notes.push(describe(failure, written));
        notes.push(format!("explore again: {explore}"));
        return (notes, played_again(written, subject));
    }
    if let Some(recording) = &failure.recording {
        let path = visible::path(recording);
        notes.push(format!("written {path}: the recording of the game"));
    }
    if let Some(why) = &failure.unwritten {
        notes.push(format!("no scenario is written: {why}"));
    }
    (notes, explore)
}

/// Describes the scenario that was written: its file, its length, and how it fails.
fn describe(failure: &FailedGame, written: &Written) -> String {
    let Written {
        turns,
        failed,
        of,
        requirement,
        ..
    } = *written;
    let fails = match requirement {
        _ if of == 0 => "the failed game, not shortened".to_owned(),
        _ if failed < of => format!("failed {failed} of {of} games"),
        Some(requirement) if failure.requirement() != Some(requirement) => {
            format!("fails the same way, which shows as {requirement} there")
        }
        _ => "fails the same way".to_owned(),
    };
    let golden = match written.golden {
        Some(_) => ", with its golden transcript",
        None => "",
    };
    format!(
        "written {}, {turns} of {}: {fails}{golden}",
        visible::path(&written.path),
        counted(written.before, "turn")
    )
}

/// The command that plays a scenario.
fn played_again(written: &Written, subject: &str) -> String {
    let seed = written.seed.map(|seed| format!("--seed {seed}"));
    let words = [
        quote(&written.path.to_string_lossy()),
        seed.unwrap_or_default(),
        subject.to_owned(),
    ];
    repeat::command("run", &words, &[])
}
