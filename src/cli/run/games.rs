//! Plays the games of a run, from the plain games before them to the explanation of what failed.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::sync::Arc;

use tokio::runtime::Runtime;

use super::super::interrupt::Interrupt;
use super::super::replay_live;
use super::play::{play, play_whole};
use super::played::Played;
use super::progress::Detail;
use super::{RunArgs, are_in_memory, repeated};
use crate::engine::{
    Clock, Doubt, EarlyEnd, GamePlan, Options, Placement, PlayOrder, Run, TimeLimit, not_played,
    usual_jobs,
};
use crate::event::Outcome;
use crate::explore::{ClosedGate, closed_gates, skip_closed};
use crate::finding::{Finding, Verdict};
use crate::hypothesis::{self, RunExplanation};

impl RunArgs {
    /// Plays the games, and tries to explain what failed.
    /// `spared`: names of scenarios whose failure is known.
    pub(super) fn play(
        &self,
        runtime: &Runtime,
        games: Vec<GamePlan>,
        spared: &BTreeSet<String>,
    ) -> io::Result<Played> {
        let scenarios: Vec<_> = games
            .iter()
            .map(|game| Arc::clone(&game.scenario))
            .collect();
        let subjects: Vec<_> = games.iter().map(|game| Arc::clone(&game.subject)).collect();
        let repeats = games.iter().map(|game| (game.seed, repeated(self, game)));
        let repeats: Vec<_> = repeats.collect();
        let interrupt = runtime.block_on(async { Interrupt::listen() })?;
        let mut run = self.run_of(games);
        let detail = self.detail().min(Detail::Usual);
        let whole = async |run| play_whole(run, &interrupt, detail).await;
        // Free games are plain themselves.
        let order = self.order(spared, run.options.clock);
        let has_gate = !self.no_gate && self.free_games.is_none() && !order.is_over();
        let mut closed = match has_gate.then(|| runtime.block_on(closed_gates(&run, &whole))) {
            None => Vec::new(),
            Some(Err(error)) if error.kind() == ErrorKind::Interrupted => Vec::new(),
            Some(closed) => closed?,
        };
        let skipped = skip_closed(&mut run.games, &mut closed);
        let mut outcomes = runtime.block_on(self.rounds(run, &closed, order, &interrupt))?;
        for (place, outcome) in skipped {
            outcomes.insert(place, outcome);
        }
        let mut explanation = RunExplanation::default();
        if !interrupt.has_come() && !self.no_diagnosis {
            let names: Vec<_> = subjects
                .iter()
                .map(|subject| subject.name.clone())
                .collect();
            explanation = hypothesis::explain(&scenarios, &names, &mut outcomes);
        }
        for ((outcome, (seed, repeat)), scenario) in
            outcomes.iter_mut().zip(repeats).zip(&scenarios)
        {
            (outcome.seed, outcome.repeat) = (Some(seed), repeat);
            if outcome.fails_later() {
                // One game alone passes.
                outcome.repeat = outcome.repeat.replacen(" run ", " run --repeat 2 ", 1);
            }
            replay_live::advise(outcome, scenario);
        }
        let played = Played {
            outcomes,
            games: scenarios.into_iter().zip(subjects).collect(),
            gates: 0,
            explanation,
            is_interrupted: interrupt.has_come(),
        };
        let mut played = played.with_gates(closed);
        if self.no_diagnosis {
            let findings = played.outcomes.iter_mut();
            let findings = findings.flat_map(|outcome| &mut outcome.findings);
            findings.for_each(Finding::forget_cause);
        }
        Ok(played)
    }

    /// Plays the games in rounds, unless a plain game has failed and that ends the run.
    async fn rounds(
        &self,
        run: Run,
        closed: &[ClosedGate],
        order: PlayOrder,
        interrupt: &Interrupt,
    ) -> io::Result<Vec<Outcome>> {
        if let Some(gate) = closed.first().filter(|_| self.rounds.fail_fast) {
            let failed = EarlyEnd::Failure(&gate.outcome.name);
            let games = run.games.iter();
            return Ok(games
                .map(|game| not_played(&game.scenario, failed))
                .collect());
        }
        let failures = self.failures();
        let play = async |run| play(run, interrupt, self.detail()).await;
        let rounds = &self.rounds;
        rounds.play(run, &failures, order, interrupt, play).await
    }

    /// What ends the run before all its games have begun.
    fn order(&self, spared: &BTreeSet<String>, clock: Clock) -> PlayOrder {
        PlayOrder {
            fatal: match self.rounds.fail_fast {
                true => self.failures(),
                false => Vec::new(),
            },
            spared: spared.clone(),
            limit: self.rounds.limit.map(|limit| TimeLimit::new(limit, clock)),
        }
    }

    fn detail(&self) -> Detail {
        match (self.quiet || self.debug.debug, self.verbose) {
            (true, _) => Detail::Quiet,
            (_, true) => Detail::EachScenario,
            _ => Detail::Usual,
        }
    }

    /// Returns the verdicts that count as failures.
    fn failures(&self) -> Vec<Verdict> {
        let mut failures = vec![Verdict::Fail, Verdict::Error];
        failures.extend(self.strict.then_some(Verdict::Lenient));
        failures
    }

    /// Returns these games as a run with the options of the command line.
    fn run_of(&self, games: Vec<GamePlan>) -> Run {
        let subjects = games.iter().map(|game| game.subject.as_ref());
        let is_in_memory = are_in_memory(&games);
        let options = Options {
            record: self.record.clone(),
            tells: self.telling(),
            clock: if is_in_memory {
                Clock::Virtual(self.network)
            } else {
                Clock::Real
            },
            ..Options::new(self.budgets(), subjects)
        };
        Run {
            options,
            // By the real clock, other games begin meanwhile.
            jobs: match self.jobs {
                _ if is_in_memory && self.rounds.ends_early() => 1.into(),
                Some(jobs) => jobs.get().into(),
                None => usual_jobs(&games),
            },
            games,
            placement: if self.pin {
                Placement::Pinned
            } else {
                Placement::Free
            },
            doubt: match self.debug.debug {
                true => Doubt::Accept,
                false => Doubt::PlayAgain,
            },
            order: PlayOrder::default(),
        }
    }
}
