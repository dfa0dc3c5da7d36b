//! Plays the games of a run, and makes the results of them.

use std::collections::BTreeSet;
use std::io;

use super::super::interrupt::interruptible;
use super::super::replay_live;
use super::play::play;
use super::progress::Detail;
use super::{RunArgs, are_in_memory, repeated, standing};
use crate::config::file::RunOptions;
use crate::engine::{
    Clock, Doubt, GamePlan, Options, Placement, PlayOrder, Run, TimeLimit, usual_jobs,
};
use crate::finding::Verdict;
use crate::report::{ExplanationResult, Results, RunEnd, ScenarioResult};
use crate::session::{Part, Played, Session};

impl RunArgs {
    /// Plays the games, and tries to explain what failed. `spared`: names of scenarios whose failure is known.
    pub(super) fn play(
        &self,
        games: Vec<GamePlan>,
        spared: BTreeSet<String>,
    ) -> io::Result<Played> {
        let repeats = games.iter().map(|game| repeated(self, game));
        let repeats: Vec<_> = repeats.collect();
        let mut played = interruptible(async |interrupt| {
            let play = async |run, part| {
                let detail = match part {
                    Part::Gate => self.detail().min(Detail::Usual),
                    Part::Games => self.detail(),
                };
                play(run, interrupt, detail).await
            };
            let session = self.session(games, spared);
            session.play(&interrupt.told(), play).await
        })?;
        let gates = played.gates.len();
        let own = played.outcomes.iter_mut().zip(&played.games).skip(gates);
        for ((outcome, (scenario, _)), repeat) in own.zip(repeats) {
            outcome.repeat = repeat;
            if outcome.fails_later() {
                // One game alone passes.
                outcome.repeat = outcome.repeat.replacen(" run ", " run --repeat 2 ", 1);
            }
            replay_live::advise(outcome, scenario);
        }
        for (place, first) in played.gates.iter().enumerate() {
            // A scenario for the same subject begins in the same way.
            played.outcomes[place].repeat = played.outcomes[gates + first].repeat.clone();
        }
        if let (Some(rounds), Some(last)) = (played.rounds, self.repeat) {
            anstream::eprintln!(
                "urtext: the time of --for was over after {rounds} of {last} rounds"
            );
        }
        Ok(played)
    }

    fn detail(&self) -> Detail {
        match (self.quiet || self.debug, self.verbose) {
            (true, _) => Detail::Quiet,
            (_, true) => Detail::EachScenario,
            _ => Detail::Usual,
        }
    }

    /// Returns these games as a run with the options of the command line.
    fn session(&self, games: Vec<GamePlan>, spared: BTreeSet<String>) -> Session {
        let mut failures = vec![Verdict::Fail, Verdict::Error];
        failures.extend(self.strict.then_some(Verdict::Lenient));
        let subjects = games.iter().map(|game| game.subject.as_ref());
        let is_in_memory = are_in_memory(&games);
        let clock = match is_in_memory {
            true => Clock::Virtual(self.network),
            false => Clock::Real,
        };
        let RunOptions {
            jobs,
            limit,
            retries,
            ..
        } = self.options;
        let options = Options {
            record: self.record.clone(),
            tells: self.telling(),
            clock,
            ..Options::new(self.budgets(), subjects)
        };
        let run = Run {
            options,
            // By the real clock, other games begin meanwhile.
            jobs: match jobs {
                _ if is_in_memory && (self.fail_fast || limit.is_some()) => 1.into(),
                Some(jobs) => jobs.get().into(),
                None => usual_jobs(&games),
            },
            games,
            placement: match self.pin {
                true => Placement::Pinned,
                false => Placement::Free,
            },
            doubt: match self.debug {
                true => Doubt::Accept,
                false => Doubt::PlayAgain,
            },
            order: PlayOrder {
                fatal: failures
                    .iter()
                    .copied()
                    .filter(|_| self.fail_fast)
                    .collect(),
                spared,
                limit: limit.map(|limit| TimeLimit::new(limit, clock)),
            },
        };
        Session {
            run,
            failures,
            repeat: self.repeat.map_or(1, u32::from),
            retries: retries.unwrap_or_default(),
            // Free games are plain themselves.
            has_gate: !self.no_gate && self.free_games.is_none(),
            is_explained: !self.no_diagnosis,
        }
    }

    /// Returns the results of a run. Its status is still to be set.
    pub(super) fn results(&self, played: &Played) -> Results {
        let games = || played.games.iter().zip(&played.outcomes);
        let scenarios = games().map(|((scenario, subject), outcome)| {
            let standing = standing(outcome.verdict, self);
            ScenarioResult::new(scenario, subject, outcome, standing)
        });
        let named = games().skip(played.gates.len());
        let named = named.map(|((_, subject), outcome)| (&outcome.name, &subject.name));
        let mut results = Results::new("run", String::new(), 0, scenarios.collect());
        results.end = results.end.map(|end| RunEnd {
            interrupted: played.is_interrupted,
            explanation: ExplanationResult::new(&played.explanation, &named.collect::<Vec<_>>()),
            ..end
        });
        results
    }
}
