//! Games to play: their order, on which processors, the early end of a run, and what is told of them while they are played.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::options::{Clock, GameNews, Options};
use crate::config::Subject;
use crate::event::Outcome;
use crate::finding::{Finding, Verdict};
use crate::platform::{Processor, processors};
use crate::scenario::Scenario;
use crate::transcript::Transcript;

/// One game to play.
#[derive(Debug, Clone)]
pub struct GamePlan {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// The subject that it is played against.
    pub subject: Arc<Subject>,
    /// The golden transcript, where there is one.
    pub golden: Option<Arc<Transcript>>,
    /// Decides where urtext chooses in this game.
    pub seed: u64,
}

/// Games to play: each scenario with the subject it is played against.
#[derive(Debug, Clone)]
pub struct Run {
    /// The games.
    pub games: Vec<GamePlan>,
    /// Options of all games.
    pub options: Options,
    /// Number of games at once. Games that only wait for time to pass do not count.
    pub jobs: usize,
    /// On which processors they are played.
    pub placement: Placement,
    /// Reaction to a failure that load could have caused.
    pub doubt: Doubt,
    /// The order in which the games begin, and its early end.
    pub order: PlayOrder,
    /// True if games before have shown that the subject speaks.
    pub has_spoken: bool,
}

impl Run {
    /// These games, each played once, on any processor.
    #[must_use]
    pub fn new(games: Vec<GamePlan>, options: Options, jobs: usize) -> Run {
        Run {
            games,
            options,
            jobs,
            placement: Placement::Free,
            doubt: Doubt::Accept,
            order: PlayOrder::default(),
            has_spoken: false,
        }
    }
}

/// Returns how many games are played at once: as many as are wanted, or where the user does not say, a number that suits the subjects.
///
/// Games mostly wait, so there can be more of them than processors. A referee that runs already may seat whoever comes next: two games at
/// once would share a table, whoever wants that.
#[must_use]
pub fn jobs_for(games: &[GamePlan], wanted: Option<NonZeroUsize>) -> usize {
    if games.iter().any(|game| game.subject.plays_alone()) {
        return 1;
    }
    if let Some(wanted) = wanted {
        return wanted.get();
    }
    let most = 8 * processors_of_this_machine();
    let jobs = games.iter().map(|game| usual_jobs(most, &game.subject));
    jobs.min().unwrap_or(most)
}

/// Returns how many games with a subject are played at once: two for each processor if urtext starts a program, since interpreters that start
/// at once wait for each other; else `most`.
#[must_use]
pub fn usual_jobs(most: usize, subject: &Subject) -> usize {
    let is_program = subject.program.is_some() && subject.built_in.is_none();
    match is_program {
        true => most.min(2 * processors_of_this_machine()),
        false => most,
    }
}

fn processors_of_this_machine() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}

/// Waits until the user interrupts the run.
pub(super) async fn interrupted(mut interrupt: watch::Receiver<bool>) {
    if interrupt
        .wait_for(|&is_interrupted| is_interrupted)
        .await
        .is_err()
    {
        // Nobody is left who could interrupt.
        std::future::pending().await
    }
}

/// Reaction to a failure by a line that did not arrive in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// The game is played again, apart from the others.
    PlayAgain,
    /// It stands.
    Accept,
}

/// Round of a game: the first one of its scenario, or a retry after a failure by silence or lateness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    /// The first game.
    First,
    /// The second game.
    Again,
}

/// An event during a run.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A game has begun, for the first time or again.
    Began(&'a GamePlan),
    /// This has happened in a game, as far as [`super::Telling`] asks for it.
    News(&'a GamePlan, &'a GameNews),
    /// A game is over; told in the order in which games end.
    Ended(&'a Outcome),
}

/// The early end of a run. By default, all games are played.
#[derive(Debug, Clone, Default)]
pub struct PlayOrder {
    /// Verdicts after which no further game begins. If one is certain, games that have begun are stopped.
    pub fatal: Vec<Verdict>,
    /// Names of scenarios that end nothing, because their failure is known.
    pub spared: BTreeSet<String>,
    /// After which no further first game begins. A second game of one that failed still does.
    pub limit: Option<TimeLimit>,
}

/// The reason why a run ended before all its games had begun.
#[derive(Debug, Clone, Copy)]
pub enum EarlyEnd<'a> {
    /// The game of this name ended it.
    Failure(&'a str),
    /// Its time was over.
    Time(&'a TimeLimit),
}

impl PlayOrder {
    /// Returns true if the time is over in which games begin.
    pub fn is_over(&self) -> bool {
        self.limit.as_ref().is_some_and(TimeLimit::has_passed)
    }

    /// Returns true if no further game begins after this outcome.
    pub(super) fn is_fatal(&self, outcome: &Outcome) -> bool {
        self.fatal.contains(&outcome.verdict) && !self.spared.contains(&outcome.name)
    }
}

/// Returns the outcome of a game that did not begin.
#[must_use]
pub fn not_played(scenario: &Scenario, end: EarlyEnd<'_>) -> Outcome {
    let title = match end {
        EarlyEnd::Failure(failed) => {
            format!("not played: {failed} failed, and --fail-fast ends the run there")
        }
        EarlyEnd::Time(limit) => {
            format!("not played: the time of --for {limit} was over")
        }
    };
    Outcome::new(scenario).with(Finding::new(Verdict::Skipped, title))
}

/// The time after which no further game of a run begins, counted from when it was made. Its clones count together.
#[derive(Debug, Clone)]
pub struct TimeLimit {
    limit: Duration,
    counted: Counted,
}

#[derive(Debug, Clone)]
enum Counted {
    /// By the machine's clock, from here.
    From(Instant),
    /// The sum of the durations of all games.
    Games(Arc<Mutex<Duration>>),
}

impl TimeLimit {
    /// A limit by the clock of the games. A virtual clock counts one game after the other, so that the same games begin on every machine.
    #[must_use]
    pub fn new(limit: Duration, clock: Clock) -> TimeLimit {
        let counted = match clock {
            Clock::Real => Counted::From(Instant::now()),
            Clock::Virtual(_) => Counted::Games(Arc::default()),
        };
        TimeLimit { limit, counted }
    }

    /// Returns true if no further game begins.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        let spent = match &self.counted {
            Counted::From(began) => began.elapsed(),
            Counted::Games(spent) => *spent.lock().unwrap_or_else(PoisonError::into_inner),
        };
        spent >= self.limit
    }

    /// Counts a game that took so long.
    pub(super) fn count(&self, took: Duration) {
        if let Counted::Games(spent) = &self.counted {
            *spent.lock().unwrap_or_else(PoisonError::into_inner) += took;
        }
    }
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        humantime::format_duration(self.limit).fmt(f)
    }
}

/// Processors of the threads that play games, and of the subjects that they start.
///
/// Two processes that answer each other in turns never work at the same time. On one processor the wake-up of the other is a switch of
/// processes; between two it is an interrupt to a processor that has gone idle, which takes ten times as long. So a pinned run has one
/// thread for each processor, and what a thread starts stays on its processor as well, because children inherit the affinity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placement {
    /// The system chooses.
    #[default]
    Free,
    /// Each thread, with the subjects that it starts, on a processor of its own.
    Pinned,
}

impl Placement {
    /// Returns the processor of each thread of a run, if the thread has to stay on one.
    ///
    /// # Errors
    /// Fails if threads have to stay on processors and the system cannot pin them.
    pub(super) fn threads(self, most: usize) -> io::Result<Vec<Option<Processor>>> {
        Ok(match self {
            Placement::Free => {
                let processors = std::thread::available_parallelism().map_or(1, usize::from);
                vec![None; processors.min(most)]
            }
            Placement::Pinned => processors()?.into_iter().take(most).map(Some).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Network;

    #[test]
    fn a_virtual_limit_counts_the_games_of_all_its_clones() {
        let clock = Clock::Virtual(Network::Ideal);
        let limit = TimeLimit::new(Duration::from_secs(3600), clock);
        let clone = limit.clone();
        clone.count(Duration::from_secs(3599));
        assert!(!limit.has_passed());
        clone.count(Duration::from_secs(1));
        assert!(limit.has_passed());
        assert!(TimeLimit::new(Duration::ZERO, clock).has_passed());
    }

    #[test]
    fn a_real_limit_counts_no_games() {
        let limit = TimeLimit::new(Duration::from_secs(3600), Clock::Real);
        limit.count(Duration::from_secs(7200));
        assert!(!limit.has_passed());
        assert!(TimeLimit::new(Duration::ZERO, Clock::Real).has_passed());
    }

    #[test]
    fn there_are_never_more_threads_than_are_of_use() {
        assert_eq!(Placement::Free.threads(1).unwrap(), [None]);
        assert_eq!(Placement::Pinned.threads(1).unwrap().len(), 1);
    }
}
