//! Trials of a subject: scenarios that are played with it while it is explored, and their budgets.

use std::convert::Infallible;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::watch;

use crate::config::Subject;
use crate::engine::{
    self, Clock, Doubt, GamePlan, Jobs, Options, Placement, PlayOrder, Progress, Run,
};
use crate::event::{Outcome, Slowest};
use crate::finding::Verdict;
use crate::judge::Budgets;
use crate::scenario::{self, Scenario};

/// Minimum wait for a line while a game that fails by silence is shortened.
const HASTE: Duration = Duration::from_millis(500);
/// Factor on the subject's slowest answer, for the wait for a line.
const SLOWER: u32 = 4;

/// Number of retries of a game that a busy machine left inconclusive.
const LAGGED: usize = 2;

/// Number of games that run at once, unless most of them only wait for time to pass.
pub(in crate::explore) const AT_ONCE: usize = 8;
/// Maximum number of games that are planned with the same knowledge.
pub(in crate::explore) const MOST_TOGETHER: usize = 32;

/// Plays scenarios with one subject.
pub struct Trials {
    /// Folder of the recordings of explored games.
    recordings: Option<Arc<TempDir>>,
    /// The subject under test.
    pub subject: Arc<Subject>,
    options: Options,
    /// Number of games that run at once.
    jobs: usize,
    /// Maximum number of games that run at once while most of them only wait.
    most_jobs: usize,
    /// True if the user has not set these numbers.
    is_usual: bool,
    interrupted: watch::Receiver<bool>,
    /// Takes the names of games that begin.
    began: Rc<dyn Fn(String)>,
    doubt: Doubt,
}

impl Trials {
    /// Participants of games with this subject, so many at once. `began` takes the names of games that begin.
    #[must_use]
    pub fn new(
        options: Options,
        jobs: Option<NonZeroUsize>,
        subject: Subject,
        interrupted: watch::Receiver<bool>,
        began: Rc<dyn Fn(String)>,
    ) -> Trials {
        let usual = if subject.plays_alone() {
            [1, 1]
        } else {
            [AT_ONCE, MOST_TOGETHER]
        };
        let is_usual = jobs.is_none();
        let [jobs, most_jobs] = jobs.map_or(usual, |jobs| [jobs.get(); 2]);
        Trials {
            recordings: None,
            subject: Arc::new(subject),
            options,
            jobs,
            most_jobs,
            is_usual,
            interrupted,
            began,
            doubt: Doubt::PlayAgain,
        }
    }

    /// Returns these trials with short timeouts, by the subject's slowest answers in a game; their results
    /// have to be confirmed. `None` where no silence is awaited, or waiting takes no time.
    pub(in crate::explore) fn hasty(
        &self,
        awaits_silence: bool,
        slowest: Slowest,
    ) -> Option<Trials> {
        let mut hasty = Some(self.patient()).filter(|_| awaits_silence && !self.is_simulated())?;
        hasty.options.budgets = in_haste(hasty.options.budgets, slowest);
        Some(hasty)
    }

    /// Returns these trials without retries of failed games.
    pub(in crate::explore) fn patient(&self) -> Trials {
        Trials {
            recordings: None,
            subject: Arc::clone(&self.subject),
            options: Options {
                record: None,
                ..self.options.clone()
            },
            jobs: self.jobs,
            most_jobs: self.most_jobs,
            is_usual: self.is_usual,
            interrupted: self.interrupted.clone(),
            began: Rc::clone(&self.began),
            doubt: Doubt::Accept,
        }
    }

    /// Returns these trials with more games at once, if the games mostly wait.
    pub(in crate::explore) fn side_by_side(&self, awaits_silence: bool) -> Trials {
        let patient = self.patient();
        let jobs = if awaits_silence {
            self.most_jobs
        } else {
            self.jobs
        };
        Trials { jobs, ..patient }
    }

    /// Returns these trials with a recording of every game, as long as the trials exist.
    ///
    /// # Errors
    /// Fails if the folder cannot be created.
    pub fn recording(self) -> io::Result<Trials> {
        let folder = tempfile::Builder::new().prefix("urtext-").tempdir()?;
        let options = Options {
            record: Some(folder.path().to_owned()),
            ..self.options
        };
        Ok(Trials {
            recordings: Some(Arc::new(folder)),
            options,
            ..self
        })
    }

    /// The recording of the game of that name: of its second game, where it was played again.
    pub(in crate::explore) fn recording_of(&self, name: &str) -> Option<PathBuf> {
        let folder = self.recordings.as_ref()?.path();
        let paths = ["again.jsonl", "jsonl"].map(|ending| folder.join(format!("{name}.{ending}")));
        paths.into_iter().find(|path| path.is_file())
    }

    /// Returns true once the user has interrupted.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        *self.interrupted.borrow()
    }

    /// Returns the number of plays that shows if a game has a stable result: `most` in memory, else at most
    /// the number of jobs, so that all plays run at once.
    pub(in crate::explore) fn times(&self, most: usize) -> usize {
        if self.is_simulated() {
            most
        } else {
            most.min(self.jobs)
        }
    }

    /// Returns true if games run in memory, where waiting takes no real time.
    pub(in crate::explore) fn is_simulated(&self) -> bool {
        self.options.clock != Clock::Real
    }

    /// Returns true if the seed of a game decides the subject's random choices.
    pub(in crate::explore) fn is_seeded(&self) -> bool {
        self.subject.takes("seed") || self.is_simulated()
    }

    /// Plays scenarios, each with its seed, and returns what came of them in their order.
    pub(in crate::explore) async fn play(
        &self,
        games: Vec<(Arc<Scenario>, u64)>,
    ) -> io::Result<Vec<Outcome>> {
        self.run(games, self.jobs, self.interrupted.clone(), |_| {})
            .await
    }

    /// Plays a file as `urtext run` does, with each of these seeds.
    pub(in crate::explore) async fn play_file(&self, path: &Path, seeds: &[u64]) -> Vec<Outcome> {
        let (scenarios, _) = scenario::load_file(path);
        let mut games = Vec::new();
        for scenario in scenarios {
            let golden = scenario::golden_of(&scenario).ok().flatten().map(Arc::new);
            let game = GamePlan {
                scenario: Arc::new(scenario),
                subject: Arc::clone(&self.subject),
                golden,
                seed: 0,
            };
            games.extend(seeds.iter().map(|&seed| GamePlan {
                seed,
                ..game.clone()
            }));
        }
        self.run_games(games, self.jobs, self.interrupted.clone(), |_| {})
            .await
            .unwrap_or_default()
    }

    /// Plays scenarios, each of another name, until the first one of them is known that fails, as `fails` has it: those after it are broken
    /// off. So many as `waiting` are taken to wait most of the time and leave the processors to others.
    pub(in crate::explore) async fn first(
        &self,
        games: Vec<(Arc<Scenario>, u64)>,
        waiting: usize,
        fails: impl Fn(&Outcome) -> bool,
    ) -> io::Result<First> {
        let names: Vec<_> = games
            .iter()
            .map(|(scenario, _)| scenario.name.clone())
            .collect();
        let mut known: Vec<Option<bool>> = vec![None; names.len()];
        let (mut found, mut waited) = (None, 0);
        let (stop, stopped) = watch::channel(self.is_interrupted());
        let jobs = (self.jobs + waiting).min(self.most_jobs);
        let playing = self.run(games, jobs, stopped, |outcome| {
            if found.is_some() {
                return;
            }
            waited += usize::from(outcome.findings.iter().any(|finding| finding.by_silence));
            if let Some(place) = names.iter().position(|name| *name == outcome.name) {
                known[place] = Some(fails(outcome));
            }
            // What was not so promising and failed sooner waits for those before it, so that it does not depend on who is quick.
            let first = known.iter().position(|known| *known != Some(false));
            found = first.filter(|&place| known[place] == Some(true));
            if found.is_some() {
                stop.send_replace(true);
            }
        });
        let mut interrupted = self.interrupted.clone();
        let passed_on = async {
            if interrupted
                .wait_for(|is_interrupted| *is_interrupted)
                .await
                .is_ok()
            {
                stop.send_replace(true);
            }
            std::future::pending::<Infallible>().await
        };
        let outcomes = tokio::select! {
            outcomes = playing => outcomes?,
            never = passed_on => match never {},
        };
        // What one game alone cannot tell is known only now.
        let found = found.or_else(|| {
            outcomes
                .iter()
                .position(fails)
                .filter(|_| !self.is_interrupted())
        });
        Ok(First { found, waited })
    }

    /// Plays scenarios, and tells of each one that is over as they end.
    async fn run(
        &self,
        games: Vec<(Arc<Scenario>, u64)>,
        jobs: usize,
        interrupted: watch::Receiver<bool>,
        ended: impl FnMut(&Outcome),
    ) -> io::Result<Vec<Outcome>> {
        let game = |(scenario, seed): (Arc<Scenario>, u64)| GamePlan {
            scenario,
            subject: Arc::clone(&self.subject),
            golden: None,
            seed,
        };
        self.run_games(
            games.into_iter().map(game).collect(),
            jobs,
            interrupted,
            ended,
        )
        .await
    }

    /// Plays games. Those that a busy machine left undecided are played again, one at a time: they say nothing of the subject.
    async fn run_games(
        &self,
        games: Vec<GamePlan>,
        jobs: usize,
        interrupted: watch::Receiver<bool>,
        mut ended: impl FnMut(&Outcome),
    ) -> io::Result<Vec<Outcome>> {
        let is_undecided =
            |outcome: &Outcome| outcome.has_lagged && outcome.verdict == Verdict::Inconclusive;
        let mut run = Run {
            games: games.clone(),
            options: self.options.clone(),
            jobs: match self.is_usual {
                true => Jobs::usual(jobs, &self.subject),
                false => jobs.into(),
            },
            placement: Placement::Free,
            doubt: self.doubt,
            order: PlayOrder::default(),
        };
        let mut outcomes: Vec<Outcome> = Vec::new();
        let mut places: Vec<usize> = (0..games.len()).collect();
        for tries_left in (0..=LAGGED).rev() {
            let is_last = tries_left == 0;
            let played = engine::run(
                run.clone(),
                interrupted.clone(),
                |progress| match progress {
                    Progress::Began(scenario) => (self.began)(scenario.name.clone()),
                    Progress::Again(scenario) => {
                        (self.began)(format!("{} once more", scenario.name))
                    }
                    Progress::Ended(outcome) if is_last || !is_undecided(outcome) => ended(outcome),
                    Progress::Ended(_) | Progress::Silence(..) | Progress::News(..) => {}
                },
            )
            .await?;
            if outcomes.is_empty() {
                outcomes = played;
            } else {
                places
                    .iter()
                    .zip(played)
                    .for_each(|(&place, outcome)| outcomes[place] = outcome);
            }
            places.retain(|&place| is_undecided(&outcomes[place]));
            if places.is_empty() || *interrupted.borrow() {
                break;
            }
            run.games = places.iter().map(|&place| games[place].clone()).collect();
            run.jobs = 1.into();
        }
        Ok(outcomes)
    }
}

/// Budgets for a subject that is not waited for much longer than it was seen to take.
fn in_haste(usual: Budgets, slowest: Slowest) -> Budgets {
    let answer = HASTE.max(SLOWER * slowest.later);
    let start = 4 * HASTE + SLOWER * (slowest.first + slowest.later);
    Budgets {
        start: usual.start.min(start),
        handshake: usual.handshake.min(start),
        answer: usual.answer.min(answer),
        close: usual.close.min(answer),
        forfeit: usual.forfeit,
    }
}

/// Result of playing games until one fails.
pub(in crate::explore) struct First {
    /// The place of the first one that failed.
    pub(super) found: Option<usize>,
    /// Number of games, of those played to the end, that waited in vain.
    pub(super) waited: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn haste_leaves_a_slow_subject_the_time_that_it_takes() {
        let usual = Budgets::default();
        let milliseconds = Duration::from_millis;
        let quick = in_haste(usual, Slowest::default());
        assert_eq!((quick.answer, quick.close), (HASTE, HASTE));
        let slow = Slowest {
            first: milliseconds(2500),
            later: milliseconds(800),
        };
        let hasty = in_haste(usual, slow);
        assert!(
            hasty.answer >= 3 * slow.later && hasty.answer < usual.answer,
            "{hasty:?}"
        );
        assert!(hasty.handshake >= 3 * slow.first, "{hasty:?}");
        // It is never waited longer than usual.
        let never = Slowest {
            first: milliseconds(60_000),
            later: milliseconds(60_000),
        };
        assert_eq!(in_haste(usual, never), usual);
    }
}
