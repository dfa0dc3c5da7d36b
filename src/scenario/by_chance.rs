//! A game as it is played where chance rolls and deals, for a referee that takes neither rolls nor a setup.
//!
//! What a scenario forces is mostly the way to its point: a turn that is no clean move, or a position in which a rule shows. By chance,
//! such a turn is waited for, with a move of the same kind, and a rule until the game has put it to the test. What a plain turn is does
//! not matter then, nor whether there is one.

mod walk;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use self::walk::Walk;
use super::{PlanKeys, PlannedGame, Side, Situation, StepKind};
use crate::protocol::GameEvent;
use crate::requirement::Role;
use crate::rules::{Game, Mistake, Phase, Setup, below};
use crate::yaml::Number;

/// The most games that are played until one goes as the scenario needs it.
const ATTEMPTS: u32 = 20;
/// The number of games on paper that show whether a mistake matters, and of their turns.
const SAMPLES: u64 = 4;
const SAMPLED_TURNS: usize = 60;
impl PlannedGame {
    /// The game without what it forces, which is waited for instead. `None` if it forces nothing, or if what it is about has to be forced.
    #[must_use]
    pub fn by_chance(&self) -> Option<PlannedGame> {
        let forces = self.setup.is_some() || !self.forced_rolls().is_empty();
        if !forces || self.side == Side::Bot {
            return None;
        }
        // The example is this one game.
        let checks = self.checks_but(self.dialect.ids(Role::ExampleGame))?;
        let mut walk = Walk::new(self);
        let is_clean = walk.go()?;
        walk.end(is_clean && self.tells_apart(&walk.history));
        Some(PlannedGame {
            checks,
            steps: walk.steps,
            setup: None,
            barrier: None,
            keys: PlanKeys {
                attempts: Some(Number(self.keys.attempts().max(ATTEMPTS).into())),
                ..self.keys.clone()
            },
            is_by_chance: true,
            ..self.clone()
        })
    }

    /// The game with the names that the players have anyway; `None` if it is about its names.
    #[must_use]
    pub fn without_names(&self) -> Option<PlannedGame> {
        Some(PlannedGame {
            checks: self.checks_but(self.dialect.ids(Role::ShownByOddName))?,
            keys: PlanKeys {
                names: None,
                ..self.keys.clone()
            },
            is_without_names: true,
            ..self.clone()
        })
    }

    /// Returns true if chance decides how the game starts.
    fn is_dealt(&self) -> bool {
        !self.dialect.game().setup_keys().is_empty()
    }

    /// Its requirements without these; `None` if one of them is what it exists for.
    fn checks_but(&self, ids: &[&'static str]) -> Option<Vec<&'static str>> {
        let mut checks = self.checks.clone();
        checks.retain(|id| !ids.contains(id));
        (checks.first() == self.checks.first()).then_some(checks)
    }

    /// Returns true if every turn that is to tell mistakes from the rules can come up in a game with this setup.
    #[must_use]
    pub fn may_show_its_mistakes(&self, setup: Setup) -> bool {
        let game = self.dialect.game();
        let rows = self.steps.iter().filter_map(|step| match &step.kind {
            StepKind::PlayUntil(until) => match &until.situation {
                Situation::CanTest(_, _, rows) => Some(rows),
                _ => None,
            },
            _ => None,
        });
        let mut needed = rows.filter(|rows| !rows.is_empty());
        needed.all(|rows| rows.iter().any(|row| shows_soon(game, setup, row)))
    }

    /// Returns true if these events tell a mistake from the rules that breaks a requirement of the scenario.
    fn tells_apart(&self, history: &[GameEvent]) -> bool {
        let mut broken = self.hypotheses();
        broken.any(|row| {
            let setup = self.setup.unwrap_or_default();
            let mut open = self.hold(setup, std::iter::once(row));
            open.catch_up(history);
            self.checks.contains(&row.breaks) && open.number() == 0
        })
    }
}

/// Returns true if in one of some games on paper with this setup, a subject that makes the mistake takes a turn otherwise than the rules do.
fn shows_soon(game: &dyn Game, setup: Setup, row: &Mistake) -> bool {
    (0..SAMPLES).any(|seed| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let Some(mut believed) = game.mistakes().table(setup, row.name) else {
            return false;
        };
        let mut rules = game.table(setup);
        (0..SAMPLED_TURNS).any(|_| {
            if rules.phase() == Phase::Roll {
                let roll = game.draw_roll(random.next_u64());
                let can_move = rules.take_roll(roll);
                if believed.take_roll(roll) != can_move || !can_move {
                    return can_move;
                }
            }
            let (legal, allowed) = (rules.legal_moves(), believed.legal_moves());
            if legal.is_empty() {
                return false;
            }
            if allowed.into_iter().any(|mv| rules.check(mv).is_err()) {
                return true;
            }
            let mv = legal[below(random.next_u64(), legal.len())];
            rules.play(mv).is_err() || believed.play(mv).is_err()
        })
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::case_files::assert_lines;
    use crate::scenario::{suite, write};

    #[test]
    fn what_a_scenario_forces_is_waited_for() {
        let (scenarios, _) = suite::all();
        let named = scenarios.into_iter().map(|one| (one.name.clone(), one));
        let named: BTreeMap<_, _> = named.collect();
        assert_lines("by-chance", |name| {
            let Some(scenario) = named.get(name) else {
                return "no such scenario".to_owned();
            };
            let by_chance = scenario.clone().by_chance();
            if !by_chance.is_by_chance() {
                return "as it is".to_owned();
            }
            let text = write(&by_chance);
            let (_, turns) = text.split_once("turns:\n").expect("it is a game");
            let dropped = scenario.checks().iter();
            let dropped = dropped.filter(|id| !by_chance.checks().contains(id));
            let dropped: String = dropped.map(|id| format!("\n  (not {id})")).collect();
            format!("\n{}{dropped}", turns.trim_end())
        });
    }

    #[test]
    fn nearly_every_shipped_scenario_for_a_referee_has_a_form_by_chance() {
        let (scenarios, _) = suite::all();
        let forces = |plan: &&crate::scenario::PlannedGame| {
            plan.side == crate::scenario::Side::Referee
                && (plan.setup.is_some() || !plan.forced_rolls().is_empty())
        };
        let games = scenarios.iter().filter_map(|one| one.game()).filter(forces);
        let (with, without): (Vec<_>, Vec<_>) = games.partition(|plan| plan.by_chance().is_some());
        assert!(
            without.len() <= 2,
            "{} without, {} with",
            without.len(),
            with.len()
        );
    }
}
