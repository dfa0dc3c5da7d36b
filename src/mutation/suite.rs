//! Suites that are measured, and the games that measure them: in memory, on a virtual clock.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::Matrix;
use crate::config::SubjectBudgets;
use crate::engine::{Clock, GamePlan, Network, Options, Run, jobs_for};
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::judge::Budgets;
use crate::pack::FaultRow;
use crate::peers;
use crate::scenario::{Scenario, Side};

/// The longest time for an answer, on the virtual clock.
const ANSWER: Duration = Duration::from_millis(1500);

/// The scenarios of one side of one game, and the faults that they have to catch.
#[derive(Debug)]
pub struct Suite {
    game: &'static str,
    side: Side,
    scenarios: Vec<Arc<Scenario>>,
    faults: Vec<FaultRow>,
    /// Seed of each game.
    seed: u64,
}

impl Suite {
    /// Returns the suites of these scenarios, for each side of each game that has built-in peers, with the faults of the peer. `with_slow`:
    /// slow scenarios belong to them, and the faults that only they can catch.
    #[must_use]
    pub fn all(scenarios: Vec<Scenario>, with_slow: bool) -> Vec<Suite> {
        let mut sides: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for scenario in scenarios {
            let game = scenario.protocol().game_name();
            if peers::find(game).is_some() {
                let side = sides.entry((game, scenario.side())).or_default();
                side.push(Arc::new(scenario));
            }
        }
        let suites = sides.into_iter().map(|((game, side), scenarios)| {
            let is_played = |scenario: &Arc<Scenario>| with_slow || !scenario.keys.is_slow;
            let (scenarios, left_out): (Vec<_>, Vec<_>) =
                scenarios.into_iter().partition(is_played);
            let mut faults = peers::faults_of(game, side);
            faults.retain(|fault| {
                let checks = |one: &Arc<Scenario>| one.checks().contains(&fault.breaks);
                scenarios.iter().any(checks) || !left_out.iter().any(checks)
            });
            Suite {
                game,
                side,
                scenarios,
                faults,
                seed: 1,
            }
        });
        suites.collect()
    }

    /// The suite with what its scenarios force left to chance, by this seed.
    #[must_use]
    pub fn by_chance(mut self, seed: u64) -> Suite {
        self.seed = seed;
        for scenario in &mut self.scenarios {
            *scenario = Arc::new(Scenario::clone(scenario).by_chance());
        }
        self
    }

    /// Names of the faults.
    pub fn faults(&self) -> impl Iterator<Item = &'static str> {
        self.faults.iter().map(|fault| fault.name)
    }

    /// Keeps the faults of these names.
    pub fn keep_faults(&mut self, names: &[String]) {
        let is_named = |fault: &FaultRow| names.iter().any(|name| name == fault.name);
        self.faults.retain(is_named);
    }

    /// Returns true if there is a scenario to play, and a fault to catch.
    #[must_use]
    pub fn has_games(&self) -> bool {
        !self.faults.is_empty() && !self.scenarios.is_empty()
    }

    /// The games of every scenario against the honest peer, then against a peer with each fault.
    #[must_use]
    pub fn run(&self) -> Run {
        let faults = std::iter::once(None).chain(self.faults().map(Some));
        let subjects = faults.filter_map(|fault| peers::subject(self.game, self.side, fault));
        let mut games = Vec::new();
        for subject in subjects.map(Arc::new) {
            games.extend(self.scenarios.iter().map(|scenario| GamePlan {
                scenario: Arc::clone(scenario),
                subject: Arc::clone(&subject),
                // The built-in peers choose as they like where the specification leaves it open; the model judges that.
                golden: None,
                seed: self.seed,
            }));
        }
        let usual = Options::new(SubjectBudgets::default(), std::iter::empty());
        let options = Options {
            // Shorter than the timeouts of scenarios: a peer that waits for one where it must answer is caught.
            budgets: Budgets {
                handshake: ANSWER,
                answer: ANSWER,
                forfeit: ANSWER,
                close: Duration::from_secs(1),
                ..usual.budgets
            },
            clock: Clock::Virtual(Network::Ideal),
            ..usual
        };
        let jobs = jobs_for(&games, None);
        let mut run = Run::new(games, options, jobs);
        // Their failures are no news.
        let names = self.scenarios.iter().map(|scenario| scenario.name.clone());
        run.order.spared = names.collect();
        run
    }

    /// The results of the games of [`Suite::run`], from their outcomes.
    #[must_use]
    pub fn matrix(&self, outcomes: &[Outcome]) -> Matrix {
        let mut played = outcomes.chunks(self.scenarios.len()).map(<[_]>::to_vec);
        let honest = played.next().unwrap_or_default();
        let mutants: Vec<_> = self.faults.iter().copied().zip(played).collect();
        let names = self.scenarios.iter().map(|scenario| scenario.name.clone());
        let mut matrix = Matrix::new(self.game, self.side, names.collect(), &honest, &mutants);
        // By chance, what a scenario waits for may never come up.
        let waits = |name: &str| {
            let mut waiting = self.scenarios.iter().filter(|one| one.is_by_chance());
            waiting.any(|one| one.name == name)
        };
        let alarms = &mut matrix.false_alarms;
        alarms.retain(|(name, verdict)| *verdict != Verdict::Inconclusive || !waits(name));
        matrix
    }
}
