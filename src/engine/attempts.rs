//! Attempts at one scenario: on ports that nobody else has taken, and as often as its condition needs.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::lag::Meter;
use super::options::Options;
use super::run::{GamePlan, Round};
use super::server::{Servers, Visit};
use super::slots::{Slot, Slots};
use super::start::{PORT_TRIES, is_port_taken};
use super::start_budget::Starting;
use super::suspicion::{Lessons, Watch};
use super::telling::Teller;
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::transport::{StartProbe, Supervisors};

/// Plays one scenario against a subject. Whatever happens there is an outcome, and nothing is left running.
pub async fn play(game: &GamePlan, options: &Options, interrupt: watch::Receiver<bool>) -> Outcome {
    let mut slot = Slots::new(1, 1).take().await;
    let meter = Meter::new();
    let probe = StartProbe::new(options.program.clone());
    let servers = Servers::default();
    let watch = Lessons::default().watch(&game.subject, None);
    let supervisors = options.supervisors();
    let played = Played {
        round: Round::First,
        options,
        meter: &meter,
        probe: &probe,
        starting: &Starting::default(),
        servers: &servers,
        supervisors: supervisors.as_ref(),
        teller: None,
        interrupt,
    };
    let outcome = tokio::select! {
        outcome = played.play(&mut slot, (0, game), watch) => outcome,
        never = meter.run() => match never {},
    };
    if let Some(supervisors) = supervisors {
        supervisors.close().await;
    }
    outcome
}

/// Difference between the seeds of consecutive games of a scenario.
const NEXT_SEED: u64 = 1_000_003;

/// Settings for playing one scenario.
pub(super) struct Played<'p> {
    pub(super) round: Round,
    pub(super) options: &'p Options,
    pub(super) meter: &'p Meter,
    pub(super) probe: &'p StartProbe,
    pub(super) starting: &'p Starting,
    pub(super) servers: &'p Servers,
    pub(super) supervisors: Option<&'p Supervisors>,
    /// Takes what is told of the game.
    pub(super) teller: Option<&'p Teller>,
    pub(super) interrupt: watch::Receiver<bool>,
}

impl Played<'_> {
    /// Plays the game, by its number in the run, and frees its slot while it only waits for time to pass. If
    /// the scenario depends on the course of the game, plays further games until one meets its condition.
    pub(super) async fn play(
        &self,
        slot: &mut Slot,
        (number, game): (usize, &GamePlan),
        mut watch: Watch,
    ) -> Outcome {
        let varies = game.scenario.game().filter(|plan| plan.varies());
        let varies = varies.filter(|_| !self.options.tells.is_everything());
        let attempts = varies.map_or(1, |plan| plan.attempts);
        let mut took = Duration::ZERO;
        let mut attempt = 0;
        loop {
            attempt += 1;
            let seed = game
                .seed
                .wrapping_add(u64::from(attempt - 1).wrapping_mul(NEXT_SEED));
            let game = GamePlan {
                seed,
                ..game.clone()
            };
            let visit = self
                .servers
                .visit(number, &game, self.options, Instant::now());
            let mut outcome = self.play_on_own_port(slot, &game, visit, &mut watch).await;
            took += outcome.took;
            // Another game tells no more where a setting is missing.
            let needs_a_key = outcome
                .findings
                .first()
                .is_some_and(|finding| finding.settled_by.is_some());
            let is_last = attempt == attempts || needs_a_key || *self.interrupt.borrow();
            if outcome.verdict != Verdict::Inconclusive || is_last {
                outcome.took = took;
                let note = match outcome.verdict {
                    Verdict::Inconclusive if !needs_a_key => {
                        format!("so it was in each of {attempt} games")
                    }
                    _ => {
                        format!("this was game {attempt} of up to {attempts}, with the seed {seed}")
                    }
                };
                outcome
                    .findings
                    .iter_mut()
                    .take(1)
                    .filter(|_| attempt > 1)
                    .for_each(|first| first.notes.push(note.clone()));
                return outcome;
            }
        }
    }

    async fn play_on_own_port(
        &self,
        slot: &mut Slot,
        game: &GamePlan,
        mut visit: Visit,
        watch: &mut Watch,
    ) -> Outcome {
        let mut tries = 0;
        loop {
            let options = &visit.options(self.options, Instant::now());
            let once = Played {
                options,
                interrupt: self.interrupt.clone(),
                ..*self
            };
            let mut outcome = once.play_once(slot, game, &mut visit, watch).await;
            if !*self.interrupt.borrow() && visit.is_repeated(&outcome, Instant::now()) {
                tokio::time::sleep(visit.pause()).await;
                continue;
            }
            tries += 1;
            if tries == PORT_TRIES || !was_port_stolen(game, &outcome) {
                visit.end(&mut outcome, Instant::now());
                return outcome;
            }
        }
    }
}

/// Returns true if another program took the subject's port and urtext connected to that program: no byte was
/// received, and the subject complained.
fn was_port_stolen(game: &GamePlan, outcome: &Outcome) -> bool {
    let is_silent = outcome
        .transcript
        .lanes
        .iter()
        .all(|lane| lane.entries.is_empty());
    outcome.verdict == Verdict::Error
        && game.subject.is_told_a_port()
        && is_silent
        && is_port_taken(&outcome.stderr)
}
