//! `urtext explore`: random games, legal and hostile, towards what has not been seen yet.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;
use serde_json::json;
use tokio::sync::watch;

use super::Status;
use super::run::{broken, default_jobs, progress_bar};
use super::subject::{SubjectArgs, built_in};
use crate::config::Subject;
use crate::diagnostic::{Diagnostic, Diagnostics, Paint};
use crate::engine::{self, Doubt, Game, Options, Placement, Progress, Run};
use crate::event::{Outcome, Verdict};
use crate::explore::{Explorer, Planned};
use crate::judge::Budgets;
use crate::report;
use crate::scenario::Side;

/// How many games are planned by the same knowledge. It does not depend on the machine, so that a seed gives the same games everywhere.
const AT_ONCE: usize = 8;

/// Arguments of `urtext explore`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct ExploreArgs {
    /// Plays at most so many games
    #[arg(long, value_name = "N", default_value = "100")]
    games: u32,

    /// Begins no further game after so long
    #[arg(long = "for", value_name = "DURATION", value_parser = humantime::parse_duration)]
    time: Option<Duration>,

    /// Decides which games are played, as far as the subject leaves that to urtext [default: another one each time]
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    /// How many of a hundred games have a hostile turn: an illegal move, a line that is no move, silence, a hang-up
    #[arg(long, value_name = "PERCENT", default_value = "50", value_parser = clap::value_parser!(u8).range(0..=100))]
    hostile: u8,

    /// Stops once so many different failures were found
    #[arg(long, value_name = "N", default_value = "1")]
    failures: NonZeroUsize,

    /// How many games are played at once [default: all that are planned together, one with --connect]
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// How long a line that is due may take, on top of pace and timeout [default: 5s]
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    answer_budget: Option<Duration>,

    /// How long a whole game may take [default: 10min]
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    game_budget: Option<Duration>,

    /// Names every situation and every hostile turn, those that were seen too
    #[arg(long, short)]
    verbose: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    // Last, because its heading holds for all that follows it.
    #[command(flatten)]
    subject: SubjectArgs,
}

const HELP: &str = "\
The moves of urtext lead towards situations that no game has shown yet, and hostile turns are those tried least. Every line on every
lane is judged. It ends when everything was seen that can be, when so many failures were found, or when --games or --for is spent.

Exit status: 0 no game failed; 1 one did; 2 a fault in what you wrote; 3 the subject could not be played with; 4 no game came to a
verdict; 130 interrupted.

Examples:
  urtext explore                                       the built-in referee
  urtext explore --game onitama --games 500 --for 2min --as referee -- ./judge --port {port}
  urtext explore --as bot -- python3 mybot.py";

/// A game that failed.
struct Failure {
    number: usize,
    outcome: Outcome,
}

/// An exploration that goes on.
struct Exploration<'e> {
    args: &'e ExploreArgs,
    subject: Arc<Subject>,
    explorer: Explorer,
    options: Options,
    jobs: usize,
    began: Instant,
    failures: Vec<Failure>,
    /// What kept a game from being played.
    error: Option<Outcome>,
}

impl ExploreArgs {
    /// Explores, and says what was seen.
    pub(super) fn run(self) -> Status {
        let mut faults = Diagnostics::new();
        let subject = self.the_subject(&mut faults);
        let seed = self.seed.unwrap_or_else(|| super::random_seed() % 1_000_000);
        let explorer = subject.as_ref().and_then(|subject| Explorer::new(subject, seed, self.hostile));
        if faults.is_empty() && explorer.is_none() {
            faults.push(Diagnostic::error("explore/game", "there is no model of this game to explore it by"));
        }
        let (Some(subject), Some(explorer), true) = (subject, explorer, faults.is_empty()) else {
            anstream::eprintln!("{}", faults.draw(Paint::Coloured));
            return Status::Usage;
        };
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return broken(&format!("the run cannot begin: {error}")),
        };
        let exploration = Exploration::new(&self, subject, explorer);
        runtime.block_on(exploration.explore(seed))
    }

    /// The subject, or the built-in referee.
    fn the_subject(&self, faults: &mut Diagnostics) -> Option<Subject> {
        let subject = self.subject.subject(faults);
        if subject.is_some() || !faults.is_empty() {
            return subject;
        }
        built_in(self.subject.game(faults)?, Side::Referee)
    }
}

impl Exploration<'_> {
    fn new(args: &ExploreArgs, subject: Subject, explorer: Explorer) -> Exploration<'_> {
        let said = subject.budgets;
        let usual = Budgets::default();
        let options = Options {
            start_budget: said.start.unwrap_or(Duration::from_secs(10)),
            budgets: Budgets {
                handshake: said.handshake.or(said.start).unwrap_or(usual.handshake),
                answer: args.answer_budget.or(said.answer).unwrap_or(usual.answer),
                close: said.close.unwrap_or(usual.close),
            },
            game_budget: args.game_budget.or(said.whole).unwrap_or(Duration::from_secs(600)),
            record: None,
            program: std::env::current_exe().ok(),
        };
        Exploration {
            args,
            jobs: args.jobs.map_or(if subject.plays_alone() { 1 } else { AT_ONCE }, usize::from),
            subject: Arc::new(subject),
            explorer,
            options,
            began: Instant::now(),
            failures: Vec::new(),
            error: None,
        }
    }

    async fn explore(mut self, seed: u64) -> Status {
        let (interrupt, interrupted) = watch::channel(false);
        let listener = tokio::spawn(async move {
            if tokio::signal::ctrl_c().await.is_ok() {
                let _ = interrupt.send(true);
            }
            // The channel stays open as long as games listen to it.
            std::future::pending::<()>().await;
        });
        let bar = progress_bar(self.args.games as usize);
        let mut played = 0;
        while played < self.args.games as usize && !self.is_done() && !*interrupted.borrow() {
            let planned = self.explorer.plan(AT_ONCE.min(self.args.games as usize - played));
            let outcomes = match self.play(&planned, &interrupted, &bar).await {
                Ok(outcomes) => outcomes,
                Err(error) => return broken(&format!("the run cannot begin: {error}")),
            };
            if *interrupted.borrow() {
                break;
            }
            played += planned.len();
            self.take(&planned, outcomes, played);
        }
        bar.finish_and_clear();
        listener.abort();
        let status = self.report(seed, played);
        if *interrupted.borrow() { Status::Interrupted } else { status }
    }

    fn is_done(&self) -> bool {
        let is_late = self.args.time.is_some_and(|time| self.began.elapsed() >= time);
        is_late
            || self.error.is_some()
            || self.failures.len() >= self.args.failures.get()
            || self.explorer.coverage().is_complete()
    }

    async fn play(
        &self,
        planned: &[Planned],
        interrupted: &watch::Receiver<bool>,
        bar: &ProgressBar,
    ) -> std::io::Result<Vec<Outcome>> {
        let game = |planned: &Planned| Game {
            scenario: Arc::clone(&planned.scenario),
            subject: Arc::clone(&self.subject),
            golden: None,
            seed: planned.seed,
        };
        let games: Vec<_> = planned.iter().map(game).collect();
        let jobs = self.jobs.min(default_jobs(&games));
        let options = self.options.clone();
        let run = Run { games, options, jobs, placement: Placement::Free, doubt: Doubt::PlayAgain };
        engine::run(run, interrupted.clone(), |progress| match progress {
            Progress::Began(scenario) => bar.set_message(scenario.name.clone()),
            Progress::Again(scenario) => bar.set_message(format!("{} once more", scenario.name)),
            Progress::Ended(_) => bar.inc(1),
        })
        .await
    }

    fn take(&mut self, planned: &[Planned], outcomes: Vec<Outcome>, played: usize) {
        let first = played - planned.len() + 1;
        for (place, (planned, outcome)) in planned.iter().zip(outcomes).enumerate() {
            self.explorer.take(planned, &outcome);
            let is_new = || self.failures.iter().all(|known| reason(&known.outcome) != reason(&outcome));
            match outcome.verdict {
                Verdict::Fail if is_new() => self.failures.push(Failure { number: first + place, outcome }),
                Verdict::Error if self.error.is_none() => self.error = Some(outcome),
                _ => {}
            }
        }
    }

    fn report(&self, seed: u64, played: usize) -> Status {
        let coverage = self.explorer.coverage();
        if self.args.json {
            let mut told = report::coverage_as_json(coverage);
            told["seed"] = json!(seed);
            told["failures"] = self.failures.iter().map(Failure::as_json).collect();
            super::print_line(&serde_json::to_string_pretty(&told).expect("a table is plain data"));
            if let Some(finding) = self.error.iter().find_map(|outcome| outcome.findings.first()) {
                anstream::eprintln!(
                    "{}",
                    Diagnostic::error("explore/broken", &finding.title).draw(Paint::Coloured)
                );
            }
        } else {
            let told = self.failures.iter().map(|failure| &failure.outcome).chain(&self.error);
            for outcome in told {
                for (number, finding) in outcome.findings.iter().enumerate() {
                    let drawn = report::draw_finding(outcome, finding, number == 0, Paint::Coloured);
                    anstream::println!("{drawn}\n");
                }
            }
            super::print_line(&format!(
                "{}, seed {seed}, {:.1} s",
                report::draw_coverage(coverage, self.args.verbose),
                self.began.elapsed().as_secs_f64()
            ));
        }
        let has_passed = |verdict| coverage.games.get(&verdict).is_some_and(|number| *number > 0);
        if !self.failures.is_empty() {
            Status::Deviates
        } else if self.error.is_some() {
            Status::Broken
        } else if played > 0 && !has_passed(Verdict::Pass) && !has_passed(Verdict::Lenient) {
            Status::Open
        } else {
            Status::Conforms
        }
    }
}

impl Failure {
    fn as_json(&self) -> serde_json::Value {
        let finding = self.outcome.findings.first();
        json!({
            "game": self.number,
            "requirement": finding.and_then(|finding| finding.requirement),
            "title": finding.map(|finding| finding.title.clone()),
        })
    }
}

/// Under which requirement a game failed, and in which words, whatever the numbers in them.
fn reason(outcome: &Outcome) -> Option<(Option<&'static str>, String)> {
    let failed = outcome.findings.iter().find(|finding| finding.verdict == Verdict::Fail)?;
    let words = failed.title.chars().filter(|c| !c.is_ascii_digit()).collect();
    Some((failed.requirement, words))
}
