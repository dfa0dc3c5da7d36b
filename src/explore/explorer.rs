//! Choice of the next games to explore, by the coverage so far.

use std::sync::Arc;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::Coverage;
use super::hostile::{Hostile, hostile_turns};
use super::made_up::{made_up, move_on};
use crate::config::Subject;
use crate::event::Outcome;
use crate::mistake::{Ledger, MistakeState};
use crate::protocol::Dialect;
use crate::rules::{Seat, below};
use crate::scenario::{Deed, PlannedGame, Scenario, Side, Steering, StepKind};
use crate::yaml::Number;

/// The longest timeout that is waited for.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(5);
/// The timeout that a subject is started with where it takes one.
const TIMEOUT: Duration = Duration::from_secs(1);
/// Maximum number of turns before a game's hostile turn.
const MOST_BEFORE: usize = 16;
/// Number of games that tell no further mistake from the rules, after which the others are taken to be out of reach.
const WITHOUT_NEWS: usize = 100;

/// A game that is to be played.
#[derive(Debug, Clone)]
pub struct Planned {
    /// The scenario to play.
    pub scenario: Arc<Scenario>,
    /// Decides what urtext chooses in it.
    pub seed: u64,
    /// The number of its hostile turn, if it has one.
    pub hostile: Option<usize>,
}

/// Makes up games for a subject, by what earlier ones have shown.
#[derive(Debug)]
pub struct Explorer {
    dialect: &'static dyn Dialect,
    side: Side,
    seed: u64,
    /// Percentage of games that have a hostile turn.
    hostile_percent: u8,
    hostile: Vec<Hostile>,
    /// Number of tries of each hostile turn.
    tried: Vec<u64>,
    /// The timeout that a scenario in which a player is silent has to set.
    timeout: Option<Duration>,
    coverage: Coverage,
    ledger: Ledger,
    /// The number of games after the last one that told a mistake from the rules.
    last_news: usize,
    planned: u64,
}

impl Explorer {
    /// An explorer of this subject; `None` where it speaks lines without rules.
    #[must_use]
    pub fn new(subject: &Subject, seed: u64, hostile_percent: u8) -> Option<Explorer> {
        let (side, dialect) = (subject.side, subject.protocol.dialect()?);
        let hostile = hostile_turns(dialect, side);
        let is_timed = side == Side::Referee && subject.timeout.is_none();
        let timeout = is_timed.then_some(TIMEOUT);
        let coverage = Coverage::new(dialect, side, &hostile, |turn| {
            impossible(subject, dialect, turn, timeout)
        });
        let tried = vec![0; hostile.len()];
        Some(Explorer {
            dialect,
            side,
            seed,
            hostile_percent,
            hostile,
            tried,
            timeout,
            coverage,
            ledger: Ledger::of(dialect.game(), side),
            last_news: 0,
            planned: 0,
        })
    }

    /// The next games, as many as are wished: all of them by what is known now.
    pub fn plan(&mut self, number: usize) -> Vec<Planned> {
        let coverage = &self.coverage;
        let mut steering = Steering::towards(self.dialect.game(), |item| coverage.is_unseen(item));
        steering.mistakes = self.ledger.that_are(MistakeState::Untested);
        let steering = Arc::new(steering);
        (0..number).map(|_| self.next_game(&steering)).collect()
    }

    /// Takes what came of a game.
    pub fn take(&mut self, planned: &Planned, outcome: &Outcome) {
        if let Some(plan) = planned.scenario.game() {
            self.coverage.take(plan, outcome, planned.hostile);
            let number = self.ledger.games.len();
            let refuted = |ledger: &Ledger| ledger.that_are(MistakeState::Refuted).len();
            let before = refuted(&self.ledger);
            self.ledger.take(number, plan, outcome);
            if refuted(&self.ledger) == before {
                return;
            }
            self.last_news = self.ledger.games.len();
            // What has told mistakes from the rules can tell more of them.
            if let Some(turn) = planned.hostile {
                self.tried[turn] = self.tried[turn].saturating_sub(1);
            }
        }
    }

    /// Returns the mistakes in the rules after the games so far, which are numbered in the order in which they were taken.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Returns the coverage so far.
    #[must_use]
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    /// Returns true if every situation and hostile turn was seen, and every mistake in the rules was put to the test, or so many games
    /// have put no further one to the test that the others are out of reach.
    pub(super) fn has_seen_all(&self) -> bool {
        let is_stuck = self.ledger.games.len() >= self.last_news + WITHOUT_NEWS;
        let is_tested = || self.ledger.that_are(MistakeState::Untested).is_empty();
        self.coverage.is_complete() && (is_stuck || is_tested())
    }

    fn next_game(&mut self, steering: &Arc<Steering>) -> Planned {
        self.planned += 1;
        let seed = self.seed.wrapping_add(self.planned);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let is_hostile = below(random.next_u64(), 100) < usize::from(self.hostile_percent);
        let hostile = self.least_tried(&mut random).filter(|_| is_hostile);
        let (dialect, side) = (self.dialect, self.side);
        let mut scenario = match hostile {
            Some(number) => {
                self.tried[number] += 1;
                let title = format!("explored game {}, with a hostile turn", self.planned);
                let before = before(&mut random);
                let plan = self.hostile[number].game(dialect, side, self.timeout, before);
                placed(plan, &title)
            }
            None => {
                let title = format!("explored game {}", self.planned);
                let bot_seat = if side == Side::Bot {
                    Seat::BOTH[self.planned as usize % 2]
                } else {
                    Seat::First
                };
                let plan = made_up(dialect, side, bot_seat, &[]);
                placed(plan.with_steps([StepKind::PlayToTheEnd]), &title)
            }
        };
        scenario.name = format!("{}/explored/{}", self.dialect.game().name(), self.planned);
        if let Some(plan) = scenario.game_mut() {
            if hostile.is_none() {
                // It exists for no requirement, and what fails in it is not put down to one that it had to name.
                plan.checks.clear();
            }
            plan.keys.attempts = Some(Number(1));
            plan.steering = Some(Arc::clone(steering));
        }
        Planned {
            scenario: Arc::new(scenario),
            seed,
            hostile,
        }
    }

    /// A hostile turn that was tried least, of those that can be done.
    fn least_tried(&self, random: &mut ChaCha8Rng) -> Option<usize> {
        let can_be_done = |number: &usize| self.coverage.hostile[*number].impossible.is_none();
        let all: Vec<usize> = (0..self.hostile.len()).filter(can_be_done).collect();
        let least = all.iter().map(|&number| self.tried[number]).min()?;
        let least: Vec<usize> = all
            .into_iter()
            .filter(|&number| self.tried[number] == least)
            .collect();
        Some(least[below(random.next_u64(), least.len())])
    }
}

/// Returns the reason why a hostile turn is impossible with a subject, if it is.
fn impossible(
    subject: &Subject,
    dialect: &'static dyn Dialect,
    turn: &Hostile,
    timeout: Option<Duration>,
) -> Option<String> {
    if turn.turn.deed == Deed::Silent
        && subject.side == Side::Referee
        && let Some(timeout) = subject.timeout.filter(|&timeout| timeout > LONGEST_TIMEOUT)
    {
        return Some(format!("the timeout of {timeout:?} is not waited for"));
    }
    let plan = turn.game(dialect, subject.side, timeout, Vec::new());
    subject.missing_capability(&placed(plan, "a hostile turn"))
}

/// The turns before a hostile one, so that it is not always met in the same place.
fn before(random: &mut ChaCha8Rng) -> Vec<StepKind> {
    let turns = below(random.next_u64(), MOST_BEFORE + 1);
    std::iter::repeat_n(move_on(), turns).flatten().collect()
}

fn placed(plan: PlannedGame, title: &str) -> Scenario {
    let placed = plan.titled(title).placed(title);
    placed.unwrap_or_else(|problems| panic!("a scenario that was made up: {problems:?}"))
}
