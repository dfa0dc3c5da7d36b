//! `urtext run`: plays scenarios.

mod plan;
mod play;
mod watch;

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::Status;
use super::output::{self, on_disk, readable, write_file};
use super::repeat;
use super::replay_live::ReplayOptions;
use super::subject::{SubjectArgs, quote};
use crate::config::file::{self, BaselineFile, RunOptions};
use crate::config::{SubjectBudgets, duration};
use crate::diagnostic::{Diagnostics, visible};
use crate::engine::{GamePlan, Network};
use crate::report::{Baseline, Results};
use crate::scenario::PlannedGame;
use plan::Selection;

/// Arguments of `urtext run`.
#[derive(Debug, Clone, Args)]
#[command(after_help = MORE, after_long_help = EXAMPLES)]
pub(super) struct RunArgs {
    /// Scenarios, folders or finished games [default: shipped suites]
    #[arg(value_name = "PATH", conflicts_with = "suite")]
    paths: Vec<PathBuf>,

    /// A shipped suite, such as royalur/referee
    ///
    /// May be repeated.
    #[arg(long, value_name = "NAME")]
    suite: Vec<String>,

    /// Play N legal games with the referee instead
    #[arg(long, value_name = "N", conflicts_with_all = ["paths", "suite"])]
    free_games: Option<u32>,

    /// List the scenarios instead; start nothing
    #[arg(long)]
    list: bool,

    /// Play again whenever a file changes
    ///
    /// The files of the scenarios and of the subject's command count, and urtext.yaml. A --report holds what was played last.
    #[arg(long, conflicts_with_all = ["list", "debug"])]
    watch: bool,

    /// Write golden transcripts (refused under CI)
    ///
    /// Those of the scenarios that pass.
    #[arg(long, requires = "paths")]
    bless: bool,

    /// Record every game into this folder
    ///
    /// The files are NAME.jsonl, and NAME.again.jsonl for a second game.
    #[arg(long, value_name = "FOLDER", value_parser = on_disk())]
    record: Option<PathBuf>,

    #[command(flatten)]
    options: RunOptions,

    /// Show every scenario, and name everything
    #[arg(long, short)]
    verbose: bool,

    /// Show the report only if a scenario did not pass
    #[arg(long, short, conflicts_with = "verbose")]
    quiet: bool,

    #[command(flatten)]
    replayed: ReplayOptions,

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

    /// Seed of the moves and rolls that urtext chooses
    #[arg(long, value_name = "NUMBER", default_value_t = DEFAULT_SEED, hide_short_help = true)]
    seed: u64,

    #[command(flatten)]
    budgets: BudgetArgs,

    /// Report findings without their causes
    #[arg(long, hide_short_help = true)]
    no_diagnosis: bool,

    /// Play everything, even if the plain game at the start fails
    ///
    /// Before five scenarios or more, each subject plays a plain game of three turns. If its handshake, its first roll or a bot's first
    /// answer fails three times in the same way, or twice by silence, the scenarios for this subject are skipped.
    #[arg(long, hide_short_help = true)]
    no_gate: bool,

    /// Play slow scenarios too; a scenario named alone is always played
    #[arg(long, hide_short_help = true)]
    slow: bool,

    /// Count a choice that the specification leaves open as a failure
    #[arg(long, hide_short_help = true)]
    strict: bool,

    /// Show every line of the subject's standard error as it comes
    ///
    /// The last lines are always shown under a failure.
    #[arg(long, hide_short_help = true)]
    stderr: bool,

    /// Add each unexpected failure to the file with the known failures
    ///
    /// The run is judged with the new file. Existing lines stay as they are. The report names entries whose failure did not occur, so that you can
    /// delete them.
    #[arg(long, hide_short_help = true)]
    update_baseline: bool,

    /// End the run at the first failure
    ///
    /// Known failures do not count. If the failure is certain, running games are stopped. Unfinished scenarios are
    /// reported as skipped.
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
    /// The limits of --budget and the timeouts of the game still apply.
    #[arg(long, hide_short_help = true, conflicts_with_all = ["quiet", "stderr", "repeat", "retries", "limit"])]
    debug: bool,

    // Last, because their headings hold for all that follows them.
    #[command(flatten)]
    selection: Selection,

    #[command(flatten)]
    subject: SubjectArgs,
}

/// The seed where the user gives none: a run is the same from day to day.
const DEFAULT_SEED: u64 = 1;
const MORE: &str = "--help shows all options, and examples.";
const EXAMPLES: &str = "\
Examples:
  urtext run                              the shipped suites against the subjects of urtext.yaml, or the built-in ones
  urtext run scenarios --subject mine     your scenarios against one of them
  urtext run --suite royalur/bot --as bot -- python3 mybot.py
  urtext run --as referee --set rolls.environment=MY_ROLLS -- ./myreferee {port} {spectator_port} {spectators}
  urtext run --as referee --connect 127.0.0.1:4000 --set spectators=127.0.0.1:4001 --free-games 20
  urtext run own.yaml --debug             one game without time limits, for a debugger
  urtext run game.jsonl --from 12 --as bot -- python3 mybot.py

urtext starts a command once for every game. It replaces {port}, {spectator_port}, {spectators}, {timeout}, {pace}, {first}, {second}, \
{rolls}, {rolls_file}, {setup}, {deal}, {starter} and {seed}. Without {port}, a referee must print `listening players=HOST:PORT \
spectators=HOST:PORT`.

Under `run:`, urtext.yaml can set --jobs, --retries, --for, --allow, --report and --baseline. The command line wins.";

impl RunArgs {
    /// Plays scenarios and reports, once or again and again, or lists them.
    pub(super) fn run(self) -> Result<Status, Status> {
        if self.list {
            return self.list();
        }
        if self.watch {
            return self.play_and_watch();
        }
        let args = self.with_defaults();
        let plan = args.plan()?;
        args.play(plan)
    }

    /// Takes over the options under `run:`, if the subject comes from a file. Errors in the file are reported when its subjects are read.
    fn with_defaults(mut self) -> RunArgs {
        let Some(path) = self.subject.subject_file() else {
            return self;
        };
        let mut defaults = file::load(&path, false).run;
        if self.bless || self.repeat.is_some() || self.debug {
            defaults.retries = None;
        }
        if self.debug {
            defaults.limit = None;
        }
        self.options = self.options.or(defaults);
        self
    }

    /// Lists the scenarios that would be played, a line each.
    fn list(&self) -> Result<Status, Status> {
        let plan = self.plan()?;
        let names = plan.games.iter().map(|game| game.scenario.name.as_str());
        let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
        let line = |game: &GamePlan| {
            let (name, title) = (&game.scenario.name, &game.scenario.title);
            let name = visible::plain(name).to_string();
            format!("{name:<width$}  {}\n", visible::plain(title))
        };
        let lines: String = plan.games.iter().map(line).collect();
        anstream::eprint!("{}", plan.heading);
        output::print_text(&lines);
        Ok(Status::Conforms)
    }

    /// The command that plays this game again.
    fn repeated(&self, game: &GamePlan) -> String {
        let scenario = &game.scenario;
        let planned = scenario.game();
        let replayed = planned.and_then(|planned| planned.replayed.as_ref());
        let is_shipped =
            self.paths.is_empty() || !self.suite.is_empty() && !scenario.source.is_file();
        let what = match (self.free_games, is_shipped) {
            (Some(_), _) => "--free-games 1".to_owned(),
            (None, true) => format!("--suite {}", quote(&scenario.name)),
            (None, false) => quote(replayed.unwrap_or(&scenario.place())),
        };
        // Only where urtext chose something does the seed matter.
        let is_chosen = planned.is_some_and(PlannedGame::varies) || self.seed != DEFAULT_SEED;
        let seed = is_chosen.then(|| format!("--seed {}", game.seed));
        let words = [
            what,
            seed.unwrap_or_default(),
            game.subject.arguments.clone(),
        ];
        let of_finished_games = ["from", "seat", "game_number"];
        let except = if replayed.is_none() {
            &of_finished_games[..]
        } else {
            &[]
        };
        repeat::command("run", &words, except)
    }
}

/// Time limits of a subject.
#[derive(Debug, Clone, Args)]
pub(super) struct BudgetArgs {
    /// Time limit for a step, such as answer=10s; may be repeated
    ///
    /// start: to start and accept every connection [10s]; handshake: to complete it [as start]; answer: to send a line that is due, on top
    /// of pace and timeout [5s]; close: to end after the game [2s]; forfeit: to notice that a player is gone [2min]; whole: the game
    /// [10min]; wait: for a scenario that waits for chance, the time after which no further game begins [none].
    #[arg(long, value_name = "STEP=DURATION", value_parser = step, hide_short_help = true)]
    budget: Vec<(String, Duration)>,
}

impl BudgetArgs {
    /// The budgets that are given.
    pub(super) fn given(&self) -> SubjectBudgets {
        self.over(SubjectBudgets::default())
    }

    /// These budgets with those that are given.
    fn over(&self, mut budgets: SubjectBudgets) -> SubjectBudgets {
        for (step, budget) in budgets.by_word() {
            let mut given = self.budget.iter().rev();
            if let Some((_, time)) = given.find(|(word, _)| word == step) {
                *budget = Some(*time);
            }
        }
        budgets
    }
}

/// Reads the budget of one step.
fn step(text: &str) -> Result<(String, Duration), String> {
    let words = SubjectBudgets::default().by_word().map(|(word, _)| word);
    let due = "write STEP=DURATION, such as answer=10s";
    let (word, time) = text.split_once('=').ok_or(due)?;
    if !words.contains(&word) {
        let known = words.join(", ");
        return Err(format!("there is no step `{word}`; the steps are {known}"));
    }
    let time = duration(time).map_err(|_| due)?;
    Ok((word.to_owned(), time))
}

impl BaselineFile {
    /// The file that is named, or the one next to this `urtext.yaml`; without that, the one in this folder.
    fn path(&self, config: Option<&Path>) -> PathBuf {
        let usual = || {
            config
                .unwrap_or(Path::new(""))
                .with_file_name(Baseline::NAME)
        };
        self.baseline.clone().unwrap_or_else(usual)
    }

    /// Reads the file. `None`: there is none, and none is named or `is_new` allows that.
    ///
    /// # Errors
    /// Everything that is wrong with the file.
    fn read(&self, config: Option<&Path>, is_new: bool) -> Result<Option<Baseline>, Diagnostics> {
        let path = self.path(config);
        let is_due = file::is_there(&path) || self.baseline.is_some() && !is_new;
        is_due.then(|| Baseline::load(&path)).transpose()
    }

    /// Appends entries for the failures that no entry expects, and returns the file with them. Says on standard error how many they are.
    ///
    /// # Errors
    /// The exit status, after printing the reason.
    fn update(
        &self,
        config: Option<&Path>,
        known: Option<Baseline>,
        results: &Results,
    ) -> Result<Baseline, Status> {
        let path = self.path(config);
        let mut baseline = known.unwrap_or_else(|| Baseline::empty(&path));
        let added = readable(baseline.append(results))?;
        if added > 0 {
            write_file(&path, baseline.text().as_bytes())?;
        }
        anstream::eprintln!("{}: {added} added", path.display());
        Ok(baseline)
    }
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;

    use super::*;

    #[test]
    fn of_a_step_that_is_given_twice_the_later_budget_counts() {
        let command = BudgetArgs::augment_args(clap::Command::new("run"));
        let words = ["run", "--budget", "answer=1s", "--budget", "whole=1min"];
        let matches = command.get_matches_from([&words[..], &["--budget", "answer=2s"]].concat());
        let given = BudgetArgs::from_arg_matches(&matches).unwrap().given();
        let due = SubjectBudgets {
            answer: Some(Duration::from_secs(2)),
            whole: Some(Duration::from_secs(60)),
            ..SubjectBudgets::default()
        };
        assert_eq!(given, due);
    }
}
