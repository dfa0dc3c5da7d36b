//! An exploration: games that are planned, played and learnt from until enough was seen or has failed.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::failure::FailedGame;
use super::trials::{AT_ONCE, MOST_TOGETHER, Trials};
use super::{Explorer, Planned};
use crate::event::{self, Outcome};
use crate::finding::Verdict;

/// Limits of an exploration, and where its failures are written.
#[derive(Debug, Clone)]
pub struct ExplorationLimits {
    /// Maximum number of games.
    pub games: usize,
    /// Maximum time until the last games begin.
    pub time: Option<Duration>,
    /// Number of different failures that end it.
    pub failures: usize,
    /// Maximum number of games that shorten a failed one.
    pub shrink: usize,
    /// The folder for scenarios of failed games.
    pub out: PathBuf,
}

/// An exploration that goes on, or is over.
pub struct Exploration {
    /// The limits.
    pub limits: ExplorationLimits,
    /// The plan of its games, and what they have shown.
    pub explorer: Explorer,
    /// The participants of its games.
    pub trials: Trials,
    /// The beginning.
    pub began: Instant,
    played: usize,
    /// The first game of each kind of failure.
    pub failures: Vec<FailedGame>,
    /// Outcome of a game that could not be played.
    pub error: Option<Outcome>,
    /// The first game that failed by silence and passed when played again.
    pub flaky: Option<Outcome>,
    /// Number of empty WebSocket frames on the lane that received the most of them.
    pub empty_frames: u64,
    /// Total duration of the games.
    pub took: Duration,
}

/// Returns the number of games planned with the same knowledge, after so many games. The number grows,
/// because later games tell less, and because a game that waits for a timeout then holds up fewer others. It
/// does not depend on the machine, so that a seed gives the same games everywhere.
fn together(played: usize) -> usize {
    (played / 2 / AT_ONCE * AT_ONCE).clamp(AT_ONCE, MOST_TOGETHER)
}

/// Returns the number of games that an exploration needs to come to this game: games are planned together, and those after it do not
/// change it.
#[must_use]
pub fn games_up_to(number: usize) -> usize {
    let mut games = 0;
    while games < number {
        games += together(games);
    }
    games
}

impl Exploration {
    /// Begins an exploration.
    #[must_use]
    pub fn new(limits: ExplorationLimits, explorer: Explorer, trials: Trials) -> Exploration {
        Exploration {
            limits,
            explorer,
            trials,
            began: Instant::now(),
            played: 0,
            failures: Vec::new(),
            error: None,
            flaky: None,
            empty_frames: 0,
            took: Duration::ZERO,
        }
    }

    /// Plays until a limit is reached or the user interrupts, then writes the failures down.
    ///
    /// # Errors
    /// Fails if the threads that play cannot be started.
    pub async fn play(&mut self) -> io::Result<()> {
        let most = self.limits.games;
        while self.played < most && !self.is_done() && !self.trials.is_interrupted() {
            let mut planned = self
                .explorer
                .plan(together(self.played).min(most - self.played));
            let mut outcomes = self.play_all(&planned).await?;
            if self.trials.is_interrupted() {
                // What was broken off says nothing.
                let is_whole = |outcome: &Outcome| outcome.verdict <= Verdict::Lenient;
                let whole = planned
                    .into_iter()
                    .zip(outcomes)
                    .filter(|(_, outcome)| is_whole(outcome));
                (planned, outcomes) = whole.unzip();
            }
            planned.truncate(outcomes.len());
            self.played += planned.len();
            self.take(planned, outcomes);
        }
        for failure in &mut self.failures {
            failure
                .settle(
                    &self.trials,
                    &self.explorer,
                    &self.limits.out,
                    self.limits.shrink,
                )
                .await;
        }
        Ok(())
    }

    /// Plays games that were planned together; only the first one where the subject cannot be reached at all.
    async fn play_all(&self, planned: &[Planned]) -> io::Result<Vec<Outcome>> {
        let games = |planned: &[Planned]| {
            planned
                .iter()
                .map(|planned| (Arc::clone(&planned.scenario), planned.seed))
                .collect()
        };
        let (mut outcomes, mut rest) = (Vec::new(), planned);
        if self.played == 0 {
            outcomes = self.trials.play(games(&planned[..1])).await?;
            match outcomes.first() {
                // Most of the others would wait as long for the same.
                Some(first) if self.limits.failures == 1 && first.failed_by_silence() => {
                    return Ok(outcomes);
                }
                Some(first) if first.verdict != Verdict::Error => rest = &planned[1..],
                Some(first) if first.transcript.lanes.is_empty() => return Ok(outcomes),
                // Whether one that does not speak could be started at all, its other games tell.
                _ => outcomes.clear(),
            }
        }
        if !rest.is_empty() {
            outcomes.extend(self.trials.play(games(rest)).await?);
        }
        Ok(outcomes)
    }

    fn is_done(&self) -> bool {
        let is_late = self
            .limits
            .time
            .is_some_and(|time| self.began.elapsed() >= time);
        is_late
            || self.error.is_some()
            || self.failures.len() >= self.limits.failures
            || self.explorer.has_seen_all()
    }

    fn take(&mut self, planned: Vec<Planned>, outcomes: Vec<Outcome>) {
        let first = self.played - planned.len() + 1;
        let known = self.failures.len();
        for (place, (planned, outcome)) in planned.into_iter().zip(outcomes).enumerate() {
            self.explorer.take(&planned, &outcome);
            self.took += outcome.took;
            self.empty_frames = self.empty_frames.max(outcome.empty_frames);
            match outcome.verdict {
                Verdict::Fail => {
                    self.take_failure(FailedGame::new(first + place, planned, outcome), known)
                }
                Verdict::Error if self.error.is_none() => self.error = Some(outcome),
                Verdict::Flaky if self.flaky.is_none() => self.flaky = Some(outcome),
                _ => {}
            }
        }
    }

    /// Keeps one failure of each kind: of those that were planned together, and are not among the first `known`, the shortest game.
    fn take_failure(&mut self, failure: FailedGame, known: usize) {
        let kind = |failure: &FailedGame| failure.outcome.failure().map(event::reason);
        let is_same = |other: &FailedGame| kind(other) == kind(&failure);
        let has_room = self.failures.len() < self.limits.failures;
        match self.failures.iter().position(is_same) {
            Some(place) if place >= known => {
                let length = |failure: &FailedGame| failure.outcome.history.len();
                if length(&failure) < length(&self.failures[place]) {
                    self.failures[place] = failure;
                }
            }
            None if has_room => self.failures.push(failure),
            Some(_) | None => {}
        }
    }
}
