//! A run: the plain games before it, its rounds and retries, and the explanation of what failed.
//!
//! Every command that plays games by a list plays them through [`Session`]. A command takes the [`Event`]s to show progress.

mod rounds;

use std::io;
use std::sync::Arc;

use tokio::sync::watch;

use crate::config::Subject;
use crate::engine::{self, EarlyEnd, Progress, Run, not_played};
use crate::event::Outcome;
use crate::explore::{closed_gates, skip_closed};
use crate::finding::Verdict;
use crate::hypothesis::{self, RunExplanation};
use crate::scenario::Scenario;

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
    /// Looks for causes of failures in all games together.
    pub is_explained: bool,
}

/// What a command learns of a session while it plays. A session may play several runs: plain games, rounds, retries.
#[derive(Debug)]
pub enum Event<'a> {
    /// These games begin.
    Begin(&'a Run),
    /// Something happened in one of them.
    Progress(Progress<'a>),
    /// They are over.
    End,
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
    pub explanations: Vec<RunExplanation>,
    /// Number of rounds that were played whole, if the time was over before the last.
    pub rounds: Option<u32>,
    /// True if the user has ended the run.
    pub is_interrupted: bool,
}

impl Session {
    /// A session that plays each game once and does nothing else.
    #[must_use]
    pub fn once(run: Run) -> Session {
        Session {
            run,
            failures: vec![Verdict::Fail, Verdict::Error],
            repeat: 1,
            retries: 0,
            has_gate: false,
            is_explained: false,
        }
    }

    /// Plays the run to its end, or until the user interrupts.
    ///
    /// # Errors
    /// Fails if the threads that play cannot be started.
    pub async fn play(
        mut self,
        interrupt: &watch::Receiver<bool>,
        report: &impl Fn(Event<'_>),
    ) -> io::Result<Played> {
        let play = async |run: Run| {
            report(Event::Begin(&run));
            let tell = |progress: Progress<'_>| report(Event::Progress(progress));
            let outcomes = engine::run(run, interrupt.clone(), tell).await;
            report(Event::End);
            outcomes
        };
        let games = self.run.games.iter();
        let games = games.map(|game| (Arc::clone(&game.scenario), Arc::clone(&game.subject)));
        let games: Vec<_> = games.collect();
        let mut closed = match self.has_gate && !self.run.order.is_over() {
            true => closed_gates(&self.run, &play).await?,
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
            _ => self.play_rounds(interrupt, &play).await?,
        };
        for (place, outcome) in skipped {
            outcomes.insert(place, outcome);
        }
        let is_interrupted = *interrupt.borrow();
        let mut explanations = Vec::new();
        if is_explained && !is_interrupted {
            let (scenarios, names): (Vec<_>, Vec<_>) = games
                .iter()
                .map(|(scenario, subject)| (Arc::clone(scenario), subject.name.clone()))
                .unzip();
            explanations = hypothesis::explain(&scenarios, &names, &mut outcomes);
        }
        let mut played = Played {
            outcomes,
            games,
            gates: closed.iter().map(|gate| gate.first).collect(),
            explanations,
            rounds,
            is_interrupted,
        };
        for (place, gate) in closed.into_iter().enumerate() {
            played.outcomes.insert(place, gate.outcome);
            played.games.insert(place, (gate.scenario, gate.subject));
        }
        Ok(played)
    }
}
