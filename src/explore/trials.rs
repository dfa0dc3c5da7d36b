//! Trials of a subject: scenarios that are played with it while it is explored, and their budgets.

use std::cell::Cell;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::watch;

use crate::config::Subject;
use crate::engine::{self, Clock, Doubt, GamePlan, Options, Progress, Run, usual_jobs};
use crate::event::{Outcome, Slowest};
use crate::judge::Budgets;
use crate::scenario::Scenario;

/// Minimum wait for a line while a game that fails by silence is shortened.
const HASTE: Duration = Duration::from_millis(500);
/// Factor on the subject's slowest answer, for the wait for a line.
const SLOWER: u32 = 4;

/// Number of games that run at once, unless most of them only wait for time to pass.
pub(super) const AT_ONCE: usize = 8;
/// Maximum number of games that are planned with the same knowledge.
pub(super) const MOST_TOGETHER: usize = 32;

/// Plays scenarios with one subject.
#[derive(Clone)]
pub struct Trials {
    /// Folder of the recordings of explored games.
    recordings: Option<Arc<TempDir>>,
    /// The subject under test.
    pub subject: Arc<Subject>,
    options: Options,
    /// Number of games that run at once.
    jobs: usize,
    interrupted: watch::Receiver<bool>,
    /// Takes the progress of games.
    tell: Rc<dyn Fn(Progress<'_>)>,
    doubt: Doubt,
    /// True once the subject has spoken in a game.
    has_spoken: Rc<Cell<bool>>,
}

impl Trials {
    /// Participants of games with this subject, so many at once.
    #[must_use]
    pub fn new(
        options: Options,
        jobs: Option<NonZeroUsize>,
        subject: Subject,
        interrupted: watch::Receiver<bool>,
    ) -> Trials {
        let jobs = match jobs {
            _ if subject.plays_alone() => 1,
            Some(wanted) => wanted.get(),
            None => usual_jobs(AT_ONCE, &subject),
        };
        Trials {
            recordings: None,
            jobs,
            subject: Arc::new(subject),
            options,
            interrupted,
            tell: Rc::new(|_| {}),
            doubt: Doubt::PlayAgain,
            has_spoken: Rc::default(),
        }
    }

    /// Returns these trials with short timeouts, by the subject's slowest answers in a game; their results
    /// have to be confirmed. `None` where waiting takes no time.
    pub(super) fn hasty(&self, slowest: Slowest) -> Option<Trials> {
        let mut hasty = Some(self.patient()).filter(|_| !self.is_simulated())?;
        hasty.options.budgets = in_haste(hasty.options.budgets, slowest);
        Some(hasty)
    }

    /// Returns these trials without recordings, and without retries of failed games.
    pub(super) fn patient(&self) -> Trials {
        let mut patient = self.clone();
        patient.options.record = None;
        patient.doubt = Doubt::Accept;
        patient
    }

    /// Returns these trials with a recording of every game, as long as the trials exist.
    ///
    /// # Errors
    /// Fails if the folder cannot be created.
    pub fn recording(mut self) -> io::Result<Trials> {
        let folder = tempfile::Builder::new().prefix("urtext-").tempdir()?;
        self.options.record = Some(folder.path().to_owned());
        self.recordings = Some(Arc::new(folder));
        Ok(self)
    }

    /// Tells of the progress of games from now on.
    pub fn tell_by(&mut self, tell: Rc<dyn Fn(Progress<'_>)>) {
        self.tell = tell;
    }

    /// The recording of the game of that name: of its second game, where it was played again.
    pub(super) fn recording_of(&self, name: &str) -> Option<PathBuf> {
        let folder = self.recordings.as_ref()?.path();
        let paths = ["again.jsonl", "jsonl"].map(|ending| folder.join(format!("{name}.{ending}")));
        paths.into_iter().find(|path| path.is_file())
    }

    /// Returns true once the user has interrupted.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        *self.interrupted.borrow()
    }

    /// Returns true if games run in memory, where waiting takes no real time.
    fn is_simulated(&self) -> bool {
        self.options.clock != Clock::Real
    }

    /// Returns true if the seed of a game decides the subject's random choices.
    pub(super) fn is_seeded(&self) -> bool {
        self.subject.takes("seed") || self.is_simulated()
    }

    /// Plays scenarios as this subject can play them, each with its seed, and returns what came of them in their order.
    pub(super) async fn play(&self, games: Vec<(Arc<Scenario>, u64)>) -> io::Result<Vec<Outcome>> {
        let game = |(scenario, seed): (Arc<Scenario>, u64)| GamePlan {
            scenario: Arc::new(self.subject.as_played(Arc::unwrap_or_clone(scenario))),
            subject: Arc::clone(&self.subject),
            golden: None,
            seed,
        };
        let games = games.into_iter().map(game).collect();
        let run = Run {
            doubt: self.doubt,
            has_spoken: self.has_spoken.get(),
            ..Run::new(games, self.options.clone(), self.jobs)
        };
        let tell = |progress: Progress<'_>| {
            // Games that only shorten a failure, or confirm it, are not counted.
            if !matches!(progress, Progress::Ended(_)) || self.doubt == Doubt::PlayAgain {
                (self.tell)(progress);
            }
        };
        let outcomes = engine::run(run, self.interrupted.clone(), tell).await?;
        let speaks = |outcome| engine::speaks(self.subject.side, outcome);
        let speaks = self.has_spoken.get() || outcomes.iter().any(speaks);
        self.has_spoken.set(speaks);
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
