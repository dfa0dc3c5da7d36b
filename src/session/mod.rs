//! A run: the plain games before it, its rounds and retries, and the explanation of what failed.

mod rounds;

use std::io;
use std::sync::Arc;

use tokio::sync::watch;

use crate::config::Subject;
use crate::engine::{EarlyEnd, Run, not_played};
use crate::event::Outcome;
use crate::explore::{ClosedGate, closed_gates, skip_closed};
use crate::finding::{Finding, Verdict};
use crate::hypothesis::{self, RunExplanation};
use crate::scenario::Scenario;
use rounds::Rounds;

/// A run to play.
#[derive(Debug)]
pub struct Session {
    /// The games and their options. The order says what ends the run early.
    pub run: Run,
    /// Verdicts that count as failures.
    pub failures: Vec<Verdict>,
    /// How often every scenario is played.
    pub repeat: u32,
    /// How often a failed scenario is played again until it passes.
    pub retries: u32,
    /// Plays a plain game with each subject first; without it, nothing is known to be in vain.
    pub has_gate: bool,
    /// Looks for the causes of failures.
    pub is_explained: bool,
}

/// A part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Plain games before all others.
    Gate,
    /// The games of the run.
    Games,
}

/// The games of a run that is over.
#[derive(Debug)]
pub struct Played {
    /// Outcomes. First those of plain games whose failure is the reason to skip others.
    pub outcomes: Vec<Outcome>,
    /// The scenario and the subject of each outcome.
    pub games: Vec<(Arc<Scenario>, Arc<Subject>)>,
    /// For each of those plain games, the place of the first game for its subject among the others.
    pub gates: Vec<usize>,
    /// What all games say of the subjects' readings of the rules. Its games are numbered without the plain ones.
    pub explanation: RunExplanation,
    /// Number of rounds that were played whole, if the time was over before the last.
    pub rounds: Option<u32>,
    /// True if the user has ended the run.
    pub is_interrupted: bool,
}

impl Session {
    /// Plays the run. `play` plays games, and ends them when the user interrupts.
    ///
    /// # Errors
    /// Fails if `play` fails.
    pub async fn play(
        mut self,
        interrupt: &watch::Receiver<bool>,
        play: impl AsyncFn(Run, Part) -> io::Result<Vec<Outcome>>,
    ) -> io::Result<Played> {
        let games = self.run.games.iter();
        let games = games.map(|game| (Arc::clone(&game.scenario), Arc::clone(&game.subject)));
        let games: Vec<_> = games.collect();
        let mut closed = match self.has_gate && !self.run.order.is_over() {
            true => self.gates(interrupt, &play).await?,
            false => Vec::new(),
        };
        let skipped = skip_closed(&mut self.run.games, &mut closed);
        let is_explained = self.is_explained;
        let (mut outcomes, rounds) = match closed.first() {
            // A plain game has failed, and a failure ends the run.
            Some(gate) if !self.run.order.fatal.is_empty() => {
                let failed = EarlyEnd::Failure(&gate.outcome.name);
                let games = self.run.games.iter();
                let outcomes = games.map(|game| not_played(&game.scenario, failed));
                (outcomes.collect::<Vec<_>>(), None)
            }
            _ => {
                let play = async |run| play(run, Part::Games).await;
                Rounds::new(self, interrupt, play).play().await?
            }
        };
        for (place, outcome) in skipped {
            outcomes.insert(place, outcome);
        }
        let is_interrupted = *interrupt.borrow();
        let mut explanation = RunExplanation::default();
        if is_explained && !is_interrupted {
            let names = games.iter().map(|(_, subject)| subject.name.clone());
            let scenarios = games.iter().map(|(scenario, _)| Arc::clone(scenario));
            let (names, scenarios) = (names.collect::<Vec<_>>(), scenarios.collect::<Vec<_>>());
            explanation = hypothesis::explain(&scenarios, &names, &mut outcomes);
        }
        let mut played = Played {
            outcomes,
            games,
            gates: closed.iter().map(|gate| gate.first).collect(),
            explanation,
            rounds,
            is_interrupted,
        };
        for (place, gate) in closed.into_iter().enumerate() {
            played.outcomes.insert(place, gate.outcome);
            played.games.insert(place, (gate.scenario, gate.subject));
        }
        if !is_explained {
            let findings = played.outcomes.iter_mut();
            let findings = findings.flat_map(|outcome| &mut outcome.findings);
            findings.for_each(Finding::forget_cause);
        }
        Ok(played)
    }

    /// The subjects with which a plain game fails; none if the user has interrupted.
    async fn gates(
        &self,
        interrupt: &watch::Receiver<bool>,
        play: &impl AsyncFn(Run, Part) -> io::Result<Vec<Outcome>>,
    ) -> io::Result<Vec<ClosedGate>> {
        let play = async |run| {
            let outcomes = play(run, Part::Gate).await?;
            match *interrupt.borrow() {
                true => Err(io::ErrorKind::Interrupted.into()),
                false => Ok(outcomes),
            }
        };
        match closed_gates(&self.run, &play).await {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(Vec::new()),
            closed => closed,
        }
    }
}
