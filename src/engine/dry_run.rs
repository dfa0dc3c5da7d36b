//! A scenario played in memory with a subject that does everything right: what its golden transcript has to say.

use std::sync::Arc;
use std::time::Duration;

use super::play::Play;
use super::prepared::{conditions, first_lanes};
use super::record::Recorder;
use super::simulation::{Network, Simulation};
use crate::config::LateSpectator;
use crate::judge::{Budgets, Settings};
use crate::pack::row;
use crate::pack::spoiler::{Reading, Sort, Spoiler};
use crate::peers::{Bot, Farewell, Machine, Policy, Referee};
use crate::scenario::{Choice, Deed, PlannedGame, Scenario, Side};
use crate::transcript::Transcript;

/// Timeout of scenarios that set none.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Longest game, on the virtual clock.
const BUDGET: Duration = Duration::from_secs(24 * 3600);

/// Of what the specification leaves open, the subject takes for a move what may be one.
const LENIENT: &[Spoiler] = &[Spoiler::Reads(Sort::Open, Reading::Move)];

/// The game of a scenario whose every turn is determined, as the model predicts it; `None` where something is left open or to chance.
#[must_use]
pub fn dry_run(scenario: &Arc<Scenario>) -> Option<Transcript> {
    let plan = scenario.game()?;
    let is_dealt = plan.setup.is_some() || plan.dialect.game().setup_keys().is_empty();
    if !is_dealt || plan.is_adaptive() || plan.plays_to_the_end() {
        return None;
    }
    let settings = Settings {
        budgets: Budgets::default(),
        timeout: Some(plan.timeout.unwrap_or(TIMEOUT)),
        pace: Duration::ZERO,
        lag: Duration::ZERO,
        late_spectator: LateSpectator::Nothing,
        seed: 1,
    };
    let peer = (plan.side, subject(plan, &settings));
    let play = Play::new(scenario, settings, None, Recorder::default());
    let links = (1, Network::Ideal, plan.side == Side::Bot);
    let simulation = Simulation::new(play, peer, &first_lanes(scenario), links);
    let (play, ..) = simulation.play(BUDGET);
    play.judge.conclude().prediction
}

/// The subject; a bot gives the answers of the scenario.
fn subject(plan: &PlannedGame, settings: &Settings) -> Machine<'static, Farewell> {
    let conditions = conditions(plan, settings);
    match plan.side {
        Side::Referee => {
            let fault = row("reads-open-lines", "", "", LENIENT);
            let referee = Referee::new(plan.dialect, &conditions);
            referee
                .with_fault(Some(fault))
                .machine(conditions.spectators)
        }
        Side::Bot => {
            let of_bot = plan.turns().filter(|(_, turn)| turn.seat == plan.bot_seat);
            let answer = |deed: &Deed| match deed {
                Deed::Move(Choice::This(mv)) => Some(Some(*mv)),
                Deed::Move(Choice::Any { .. }) => Some(None),
                _ => None,
            };
            let answers = of_bot.filter_map(|(_, turn)| answer(&turn.deed)).collect();
            let bot = Bot::new(plan.dialect, Policy::First, settings.seed, Duration::ZERO);
            bot.with_answers(answers).machine()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::golden_of;
    use crate::scenario::suite;
    use crate::transcript::compare::compare;

    /// Returns true if no player is free in it.
    fn is_fixed(scenario: &Scenario) -> bool {
        let mut turns = scenario.game().unwrap().turns();
        turns.all(|(_, turn)| !matches!(turn.deed, Deed::Move(Choice::Any { .. })))
    }

    #[test]
    fn agrees_with_the_golden_transcripts_of_the_shipped_scenarios() {
        let (scenarios, problems) = suite::all();
        assert!(!problems.has_errors());
        let (mut agreeing, mut refused) = ([0, 0], Vec::new());
        for scenario in scenarios.into_iter().filter(is_fixed).map(Arc::new) {
            let Ok(Some(golden)) = golden_of(&scenario) else {
                continue;
            };
            match dry_run(&scenario) {
                Some(checked) => {
                    let comparison = compare(&golden, &checked);
                    assert!(comparison.is_empty(), "{}: {comparison:?}", scenario.name);
                    agreeing[usize::from(scenario.side() == Side::Bot)] += 1;
                }
                None => refused.push(scenario.name.clone()),
            }
        }
        assert!(
            agreeing[0] > 60 && agreeing[1] > 1,
            "{agreeing:?}, none of {refused:?}"
        );
    }
}
