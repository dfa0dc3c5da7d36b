//! `urtext run`: plays scenarios.

mod debug;
mod filters;
mod games;
mod planned;
pub(super) mod play;
pub(super) mod progress;
mod selection;
mod told;
mod watch;

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::{Instant, SystemTime};

use super::Status;
use super::baseline::BaselineArgs;
use super::budget::BudgetArgs;
use super::output::{self, broken};
use super::repeat;
use super::replay_live;
use super::report_files::ReportOptions;
use super::subject::{SubjectArgs, quote};
use crate::config::file::{self, RunOptions};
use crate::diagnostic::{Paint, visible};
use crate::engine::{GamePlan, Network};
use crate::finding::Verdict;
use crate::pack::Protocol;
use crate::platform::{FolderLock, LockHolder, lock_folder};
use crate::report::{Baseline, Console, RunEnd, ScenarioResult, Standing};
use crate::scenario::{PlannedGame, Side};
use clap::{Args, ValueEnum};
use filters::FilterArgs;

/// Arguments of `urtext run`.
#[derive(Debug, Clone, Args)]
#[command(after_help = MORE, after_long_help = EXAMPLES)]
pub(super) struct RunArgs {
    /// Scenario files or folders, or finished games [default: the shipped suites]
    #[arg(value_name = "PATH", conflicts_with = "suite")]
    paths: Vec<PathBuf>,

    /// A shipped suite, such as royalur/referee; may be repeated
    #[arg(long, value_name = "NAME")]
    suite: Vec<String>,

    /// Play N games by the rules against the referee instead
    #[arg(long, value_name = "N", conflicts_with_all = ["paths", "suite", "bless"])]
    free_games: Option<u32>,

    /// List the scenarios instead; start nothing
    #[arg(long)]
    list: bool,

    /// Play again whenever a file changes
    ///
    /// Only the scenarios that the change touches are played. The files of the subject's command count as well. A --report holds what was
    /// played last.
    #[arg(long, conflicts_with_all = ["list", "debug"])]
    watch: bool,

    /// Write the golden transcripts of scenarios that pass (not under CI)
    #[arg(long)]
    bless: bool,

    /// Record every game into this folder
    ///
    /// The files are NAME.jsonl, and NAME.again.jsonl for a second game.
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,

    #[command(flatten)]
    options: RunOptions,

    /// Show a line for every scenario, and name everything
    #[arg(long, short)]
    verbose: bool,

    /// Show the report only if a scenario did not pass
    #[arg(long, short, conflicts_with = "verbose")]
    quiet: bool,

    #[command(flatten)]
    reports: ReportOptions,

    /// Go on live from turn N of a finished game
    #[arg(long, value_name = "N", conflicts_with_all = ["suite", "free_games", "bless"], hide_short_help = true)]
    from: Option<usize>,

    /// Whose moves in a finished game are the bot's [default: those of the player who recorded it, or the first]
    #[arg(long, value_name = "SEAT", conflicts_with_all = ["suite", "free_games"], hide_short_help = true)]
    seat: Option<String>,

    /// Which game of a file with several finished ones, from 1
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["suite", "free_games"], value_parser = clap::value_parser!(u64).range(1..), hide_short_help = true)]
    game_number: Option<u64>,

    /// Keep each game with its subject on one processor
    ///
    /// Faster for single-threaded subjects. Off by default: a multi-threaded subject gets one processor only.
    #[arg(long, hide_short_help = true)]
    pin: bool,

    /// The network to the built-in peers
    #[arg(
        long,
        value_name = "NETWORK",
        value_enum,
        default_value_t,
        hide_short_help = true
    )]
    network: Network,

    /// Decides the moves and rolls that urtext chooses
    #[arg(long, value_name = "NUMBER", default_value_t = DEFAULT_SEED, hide_short_help = true)]
    seed: u64,

    #[command(flatten)]
    budgets: BudgetArgs,

    /// Report what was seen, and no cause of it
    #[arg(long, hide_short_help = true)]
    no_diagnosis: bool,

    /// Play everything, even if the plain game before all others fails
    ///
    /// Before five scenarios or more, each subject plays a plain game of three turns. If its handshake, its first roll or a bot's first
    /// answer fails three times alike, the scenarios for this subject are skipped.
    #[arg(long, hide_short_help = true)]
    no_gate: bool,

    /// Play slow scenarios too; one that is named alone is always played
    #[arg(long, hide_short_help = true)]
    slow: bool,

    /// Count a choice that the specification leaves open as a failure
    #[arg(long, hide_short_help = true)]
    strict: bool,

    /// When the terminal shows the subject's standard error; a --report always holds its end
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        hide_short_help = true
    )]
    stderr: ShownStderr,

    #[command(flatten)]
    baseline: BaselineArgs,

    /// Add each unexpected failure to the file with the known failures
    ///
    /// The run is judged by the file as it is then. Existing lines stay as they are. The report names the entries to delete by hand, because
    /// their failure did not occur.
    #[arg(long, hide_short_help = true)]
    update_baseline: bool,

    /// End the run at the first failure
    ///
    /// A failure that the baseline names does not count. Games that have begun are stopped if the failure is certain. What was not played to
    /// its end is reported as skipped.
    #[arg(long)]
    fail_fast: bool,

    /// Play every scenario N times, in rounds
    ///
    /// A scenario is flaky if some of its games fail and others pass.
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "bless",
        hide_short_help = true
    )]
    repeat: Option<NonZeroU32>,

    /// Play one game without time budgets, for a debugger
    ///
    /// Shows how to attach a debugger to the subject, then its standard error and every line as they come: `>` is sent, `<` received.
    /// Budgets that are given still count, and timeouts of the game run on.
    #[arg(long, hide_short_help = true, conflicts_with_all = ["quiet", "stderr", "repeat", "retries", "limit"])]
    debug: bool,

    // Last, because their headings hold for all that follows them.
    #[command(flatten)]
    filters: FilterArgs,

    #[command(flatten)]
    subject: SubjectArgs,
}

/// Which of the subject's standard error is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum ShownStderr {
    /// None
    Never,
    /// Its last lines, under the finding of a scenario that did not pass
    #[default]
    Failed,
    /// The same, and before that every line as it comes, behind the name of the subject
    Live,
}

/// The seed where the user gives none: a run is the same from day to day.
const DEFAULT_SEED: u64 = 1;
const MORE: &str = "--help shows all options, and examples.";
const EXAMPLES: &str = "\
Examples:
  urtext run                              the shipped suites against the subjects of urtext.yaml, or the built-in ones
  urtext run scenarios --subject mine     your scenarios against one of them
  urtext run --suite royalur/bot --as bot -- python3 mybot.py
  urtext run --as referee --set rolls.environment=MY_ROLLS -- ./myreferee {port} {spectator_port}
  urtext run --as referee --connect 127.0.0.1:4000 --set spectators=127.0.0.1:4001 --free-games 20
  urtext run own.yaml --debug                    one game that no budget ends, with the subject in a debugger
  urtext run game.jsonl --from 12 --as bot -- python3 mybot.py   a recorded game, live from turn 12

A command is started once for every game. In its words, {port}, {spectator_port}, {spectators}, {timeout}, {pace}, {first}, {second}, \
{rolls}, {rolls_file}, {setup}, {deal}, {starter} and {seed} are filled in; without {port}, a referee has to print a line `listening \
players=HOST:PORT spectators=HOST:PORT`.

urtext.yaml can set --jobs, --retries, --for, --allow, --report and --baseline for its subjects, under `run:`. The \
command line wins.";

impl RunArgs {
    /// Ids of the arguments that select games, say how they are reported, or are said for one game in another way.
    pub(in crate::cli) const NOT_REPEATED: &[&str] = &[
        "paths",
        "suite",
        "free_games",
        "list",
        "watch",
        "seed",
        "subject",
        "only",
        "skip",
        "failed",
        "shard",
        "slow",
        "bless",
        "record",
        "jobs",
        "no_diagnosis",
        "allow",
        "stderr",
        "verbose",
        "quiet",
        "report",
        "baseline",
        "update_baseline",
        "debug",
        "retries",
        "repeat",
        "limit",
        "fail_fast",
    ];

    /// Returns the options that apply to finished games.
    fn again(&self, side: Side, protocol: Option<Protocol>) -> replay_live::Asked<'_> {
        let seat = self.seat.as_deref();
        replay_live::Asked {
            side,
            protocol,
            seat,
            from: self.from,
            number: self.game_number,
        }
    }
}

impl RunArgs {
    /// Takes over the options under `run:`, if the subject comes from a file. What is wrong with the file is said where its subjects
    /// are read.
    fn take_defaults(&mut self) {
        let Some(path) = self.subject.subject_file() else {
            return;
        };
        let mut defaults = file::run_defaults(&path);
        if self.bless || self.repeat.is_some() || self.debug {
            defaults.options.retries = None;
        }
        if self.debug {
            defaults.options.limit = None;
        }
        self.options.default_to(defaults.options);
        self.reports.default_to(&defaults.reports);
        self.baseline.default_to(defaults.baseline);
    }

    /// Keeps other runs from the folder of the recordings, as long as the result exists.
    fn lock_recordings(&self) -> Result<Option<FolderLock>, Status> {
        let Some(folder) = &self.record else {
            return Ok(None);
        };
        // A folder that cannot be made is reported with the recording that has no place.
        drop(std::fs::create_dir_all(folder));
        lock_folder(folder).map(Some).map_err(|holder| {
            let folder = visible::plain(folder.as_os_str().as_encoded_bytes());
            let holder = holder.map_or("another run".to_owned(), |LockHolder { pid, since }| {
                let since = humantime::format_rfc3339_seconds(since);
                format!("the run of process {pid}, which runs since {since},")
            });
            broken(&format!(
                "{holder} writes its recordings to {folder}; wait for its end, or give --record another folder"
            ))
        })
    }
}

/// Plays scenarios and reports, once or again and again, or lists them.
pub(super) fn run(args: RunArgs) -> Status {
    match (args.list, args.watch) {
        (true, _) => args.list().unwrap_or_else(|status| status),
        (_, true) => args.play_again_and_again(),
        _ => args.play_once(),
    }
}

impl RunArgs {
    /// Lists the scenarios that would be played, a line each.
    fn list(&self) -> Result<Status, Status> {
        let planned = self.planned()?;
        let names = planned.games.iter().map(|game| game.scenario.name.as_str());
        let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
        let line = |game: &GamePlan| {
            let (name, title) = (&game.scenario.name, &game.scenario.title);
            let name = visible::plain(name).to_string();
            format!("{name:<width$}  {}\n", visible::plain(title))
        };
        let lines: String = planned.games.iter().map(line).collect();
        anstream::eprint!("{}", planned.heading);
        output::print_text(&lines);
        Ok(Status::Conforms)
    }

    /// Plays scenarios and reports.
    fn play_once(self) -> Status {
        self.report().unwrap_or_else(|status| status)
    }

    /// # Errors
    /// The status to exit with, after saying why nothing is played or reported.
    fn report(mut self) -> Result<Status, Status> {
        self.take_defaults();
        let planned = self.planned()?;
        self.reports.probe()?;
        let _lock = self.lock_recordings()?;
        // An HTML report shows games, so it needs recordings.
        let workspace = match self.record {
            Some(_) => None,
            None => self.reports.workspace()?,
        };
        if let Some(workspace) = &workspace {
            self.record = Some(workspace.path().to_owned());
        }
        let reports = &self.reports;
        let is_in_memory = are_in_memory(&planned.games);
        let (began, began_at) = (Instant::now(), SystemTime::now());
        let is_silent = reports.replace_the_console();
        let spared = planned.spared();
        let [guard, end_of_guard] = reports.guards();
        let opening = guard + &planned.heading;
        // What is tested is said before it takes its time.
        print(&opening, is_silent || self.quiet);
        let played = self.play(planned.games, spared);
        let played = played.map_err(|error| broken(&format!("the run cannot begin: {error}")))?;
        let took = if is_in_memory {
            played.outcomes.iter().map(|outcome| outcome.took).sum()
        } else {
            began.elapsed()
        };
        let mut results = self.results(&played);
        results.run.heading = planned.heading.trim_end().to_owned();
        results.run.shard = planned.shard;
        results.run.began =
            (!is_in_memory).then(|| humantime::format_rfc3339_millis(began_at).to_string());
        results.end = results.end.map(|end| RunEnd {
            seconds: took.as_secs_f64(),
            slow_left_out: planned.left_out,
            ..end
        });
        let mut baseline = planned.baseline;
        if self.update_baseline {
            let config = self.subject.config_file();
            let updated = self.baseline.update(config.as_deref(), baseline, &results);
            baseline = Some(updated?);
        }
        let stale = baseline.map(|baseline| baseline.judge(&mut results, Baseline::today()));
        let stale = stale.unwrap_or_default();
        let console = Console {
            paint: Paint::Coloured,
            is_verbose: self.verbose,
            with_stderr: self.stderr != ShownStderr::Never,
        };
        let mut report = console.report(&results) + &end_of_guard;
        if !stale.is_empty() {
            report = format!("\n{}\n{report}", stale.draw(Paint::Coloured));
        }
        if self.quiet {
            let has_passed = |result: &ScenarioResult| {
                result.verdict <= Verdict::Lenient || result.expected.is_some()
            };
            let has_passed = results.scenarios.iter().all(has_passed);
            report = match has_passed && !self.strict && stale.is_empty() {
                true => String::new(),
                false => opening + &report,
            };
        }
        let standings = results.scenarios.iter().map(|scenario| scenario.standing);
        let mut status = standings
            .map(Status::from)
            .fold(Status::Conforms, Status::worse);
        print(&report, is_silent);
        status = output::printed(status);
        if played.is_interrupted {
            status = Status::Interrupted;
        }
        results.end = results.end.map(|end| RunEnd {
            status: status.code(),
            ..end
        });
        if workspace.is_some() {
            status = status.worse(reports.adopt(&mut results));
        }
        status = status.worse(reports.write(&results));
        if self.bless {
            let games = played
                .games
                .iter()
                .zip(&played.outcomes)
                .skip(played.gates.len());
            let games = games.map(|((scenario, _), outcome)| (scenario.as_ref(), outcome));
            status = status.worse(super::bless::bless(games));
        }
        Ok(status)
    }
}

/// Returns true if these are games of the built-in peers, which are played in memory.
fn are_in_memory(games: &[GamePlan]) -> bool {
    games.iter().all(|game| game.subject.built_in.is_some())
}

/// Prints a part of the report, unless another report is printed.
fn print(text: &str, is_silent: bool) {
    if !is_silent {
        output::print_text(text);
    }
}

/// The command that plays this game again.
fn repeated(args: &RunArgs, game: &GamePlan) -> String {
    let scenario = &game.scenario;
    let plan = scenario.game();
    let replayed = plan.and_then(|plan| plan.replayed.as_ref());
    let is_shipped = args.paths.is_empty() || !args.suite.is_empty() && !scenario.source.is_file();
    let what = match (&args.free_games, is_shipped) {
        (Some(_), _) => "--free-games 1".to_owned(),
        (None, true) => format!("--suite {}", quote(&scenario.name)),
        (None, false) => quote(replayed.unwrap_or(&scenario.place())),
    };
    // Only where urtext chose something does the seed matter.
    let is_chosen = plan.is_some_and(PlannedGame::varies) || args.seed != DEFAULT_SEED;
    let seed = is_chosen.then(|| format!("--seed {}", game.seed));
    let words = [
        what,
        seed.unwrap_or_default(),
        game.subject.arguments.clone(),
    ];
    let mut except = RunArgs::NOT_REPEATED.to_vec();
    if replayed.is_none() {
        except.extend(["from", "seat", "game_number"]);
    }
    repeat::command("run", &words, &except)
}

/// Returns the contribution of a verdict to the exit status.
fn standing(verdict: Verdict, args: &RunArgs) -> Standing {
    match verdict {
        Verdict::Lenient if args.strict => Standing::Deviates,
        verdict if args.options.allow.contains(&verdict) => Standing::Conforms,
        verdict => Standing::of(verdict),
    }
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;

    use super::*;

    #[test]
    fn what_is_open_is_4_unless_it_is_allowed() {
        let status = |found: &[Verdict], args: &[&str]| {
            let command = RunArgs::augment_args(clap::Command::new("run"));
            let args = [&["run"], args].concat();
            let args = RunArgs::from_arg_matches(&command.get_matches_from(args)).unwrap();
            found
                .iter()
                .map(|&verdict| Status::from(standing(verdict, &args)))
                .fold(Status::Conforms, Status::worse)
        };
        for (found, word) in [
            (Verdict::Flaky, "flaky"),
            (Verdict::Inconclusive, "inconclusive"),
            (Verdict::Unsupported, "unsupported"),
            (Verdict::Skipped, "skipped"),
        ] {
            assert_eq!(status(&[Verdict::Pass, found], &[]), Status::Open);
            assert_eq!(
                status(&[Verdict::Pass, found], &["--allow", word]),
                Status::Conforms
            );
            assert_eq!(
                status(&[found, Verdict::Fail], &["--allow", word]),
                Status::Deviates
            );
        }
        assert_eq!(
            status(&[Verdict::Flaky], &["--allow", "inconclusive"]),
            Status::Open
        );
    }
}
