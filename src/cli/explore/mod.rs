//! `urtext explore`: random games, legal and hostile, towards what has not been seen yet.

mod failure;
mod report;

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use clap::Args;

use super::Status;
use super::budget::BudgetArgs;
use super::interrupt::interruptible;
use super::output::{broken, checked};
use super::progress::progress_bar;
use super::repeat;
use super::report_files::ReportOptions;
use super::subject::{Origin, SubjectArgs};
use crate::config::{Subject, file};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::engine::{Clock, Network, Options};
use crate::explore::{self, Exploration, ExplorationLimits, Explorer, Trials, unwritable};
use crate::pack::{self, Protocol};
use crate::platform::probe_folder;
use crate::scenario::Side;

/// Arguments of `urtext explore`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ExploreArgs {
    /// Play at most N games
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Begin no further game after this time, such as 30m
    #[arg(long = "for", value_name = "DURATION", value_parser = humantime::parse_duration)]
    time: Option<Duration>,

    /// Seed of the games that urtext chooses [default: a new one each time]
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    /// Stop after N different failures
    #[arg(long, value_name = "N", default_value = "1")]
    failures: NonZeroUsize,

    /// Play at most N games at once [default: 8, or fewer until the first start; one with --connect]
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

    /// Name what was never reached: requirements, situations, hostile turns, wrong readings of the rules
    #[arg(long, short)]
    verbose: bool,

    #[command(flatten)]
    reports: ReportOptions,

    // Last, because its heading holds for all that follows it.
    #[command(flatten)]
    subject: SubjectArgs,
}

const HELP: &str = "\
urtext steers towards situations that no game has shown yet and illegal moves that it has tried least, and judges every line. It stops \
after --failures, --games or --for, when nothing new can be tested, or when 100 games in a row have tested nothing new.

Exit status: 0 no game failed; 1 a game failed; 2 an error in what you wrote; 3 the subject cannot be played with; 4 no game reached a \
verdict; 130 interrupted.

Examples:
  urtext explore                                       the built-in referee, in memory
  urtext explore --game onitama --games 500 --for 2min --as referee -- ./judge --port {port}
  urtext explore --as bot -- python3 mybot.py";

/// So many of a hundred games have a hostile turn: an illegal move, a line that is no move, silence, a hang-up.
const HOSTILE: u8 = 50;

/// An exploration that is over, to be reported.
struct Explored<'e> {
    args: &'e ExploreArgs,
    seed: u64,
    exploration: Exploration,
}

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
            .unwrap_or_else(|| super::seed::random_seed() % 1_000_000);
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
        let explored: io::Result<_> = interruptible(async |interrupt| {
            let bar = progress_bar(self.games as usize);
            let (options, shown) = (self.options(&subject), bar.clone());
            let began = Rc::new(move |name| shown.set_message(name));
            let trials = Trials::new(options, self.jobs, subject, interrupt.signal(), began);
            let limits = ExplorationLimits {
                games: self.games as usize,
                time: self.time,
                failures: self.failures.get(),
                shrink: self.shrink,
                out: self.out.clone(),
            };
            let mut exploration = Exploration::new(limits, explorer, trials.recording()?);
            let played = exploration.play(|games| bar.inc(games as u64)).await;
            bar.finish_and_clear();
            played.map(|()| exploration)
        });
        let exploration =
            explored.map_err(|error| broken(&format!("the run cannot begin: {error}")))?;
        let explored = Explored {
            args: self,
            seed,
            exploration,
        };
        Ok(explored.report())
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
}

impl Explored<'_> {
    /// The command that plays the same games, up to one.
    fn again(&self, number: usize) -> String {
        let games = explore::games_up_to(number).min(self.args.games as usize);
        let words = [
            format!("--seed {}", self.seed),
            format!("--games {games}"),
            self.subject().to_owned(),
        ];
        repeat::command("explore", &words, &[])
    }

    /// The arguments that name the subject, if an option names it.
    fn subject(&self) -> &str {
        &self.exploration.trials.subject.arguments
    }
}
