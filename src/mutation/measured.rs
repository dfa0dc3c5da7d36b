//! Suites that are measured: played against the honest peer and against every mutant.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use super::Matrix;
use super::faulty_games::{play_mutants, run};
use crate::engine::Run;
use crate::event::Outcome;
use crate::pack::FaultRow;
use crate::peers;
use crate::scenario::{Scenario, Side};

/// The scenarios of one side of one game.
pub type Suites = BTreeMap<(&'static str, Side), Vec<Arc<Scenario>>>;

/// Returns the scenarios by side and game, of those games that have built-in peers.
#[must_use]
pub fn suites(scenarios: Vec<Scenario>) -> Suites {
    let mut suites = Suites::new();
    for scenario in scenarios {
        let game = scenario.protocol().game_name();
        if peers::find(game).is_some() {
            let suite = suites.entry((game, scenario.side())).or_default();
            suite.push(Arc::new(scenario));
        }
    }
    suites
}

/// A measurement of suites.
#[derive(Debug)]
pub struct Measurement<'a> {
    /// The names of the faults; without any, all.
    pub faults: &'a [String],
    /// Plays slow scenarios as well, and the faults that only they can catch.
    pub with_slow: bool,
}

impl Measurement<'_> {
    /// Measures each suite that a fault is for, and adds its matrix once it is whole. `play` plays a run.
    ///
    /// # Errors
    /// Those of `play`.
    pub async fn matrices(
        &self,
        suites: Suites,
        play: &impl AsyncFn(Run) -> io::Result<Vec<Outcome>>,
        matrices: &mut Vec<Matrix>,
    ) -> io::Result<()> {
        for ((game, side), scenarios) in suites {
            let is_played = |scenario: &Arc<Scenario>| self.with_slow || !scenario.is_slow;
            let (scenarios, left_out): (Vec<_>, Vec<_>) =
                scenarios.into_iter().partition(is_played);
            let faults: Vec<_> = peers::faults_of(game, side)
                .into_iter()
                .filter(|fault| self.takes(fault) && !needs(fault, &left_out, &scenarios))
                .collect();
            if faults.is_empty() || scenarios.is_empty() {
                continue;
            }
            let honest = peers::subject(game, side, None).into_iter().collect();
            let kept = play(run(&scenarios, honest)).await?;
            let mutants = play_mutants(&scenarios, faults, play).await?;
            let named = |scenario: &Arc<Scenario>| {
                (
                    scenario.name.clone(),
                    scenario.checks().first().copied().unwrap_or_default(),
                )
            };
            let named = scenarios.iter().map(named).collect();
            matrices.push(Matrix::new(game, side, named, &kept, &mutants));
        }
        Ok(())
    }

    fn takes(&self, fault: &FaultRow) -> bool {
        self.faults.is_empty() || self.faults.iter().any(|name| name == fault.name)
    }
}

/// Returns true if only scenarios that are left out check the requirement that the fault breaks.
fn needs(fault: &FaultRow, left_out: &[Arc<Scenario>], played: &[Arc<Scenario>]) -> bool {
    let checks = |scenario: &Arc<Scenario>| scenario.checks().contains(&fault.breaks);
    left_out.iter().any(checks) && !played.iter().any(checks)
}
