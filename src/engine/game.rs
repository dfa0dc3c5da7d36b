//! One game: what is known before it, how often it is tried, and what is left to do after it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::attach::Attached;
use super::lag::Meter;
use super::live_game::{LiveGame, Waiting};
use super::live_lanes::LiveLanes;
use super::options::{Clock, GameNews, Teller, Telling};
use super::patience::Lessons;
use super::play::{Play, unrecorded};
use super::prepared::{Prepared, conditions, explain_rolls, first_lanes};
use super::record::{Recorder, file_name, in_micros};
use super::run_plan::{GamePlan, Round, Run, interrupted};
use super::server::Visit;
use super::simulation::{Network, Simulation};
use super::slots::Slot;
use crate::config::{Program, Subject, Way};
use crate::diagnostic::{counted, visible};
use crate::event::{Event, Outcome, What};
use crate::finding::{Finding, Verdict};
use crate::judge::Settings;
use crate::peers;
use crate::scenario::Side;
use crate::transport::{Breakdown, Supervisors};

/// Number of starts of a referee that finds its port taken, each with another port.
const PORT_TRIES: usize = 3;

/// Difference between the seeds of consecutive games of a scenario.
const NEXT_SEED: u64 = 1_000_003;

/// Time before a game in which lag counts.
const LAG_BEFORE: Duration = Duration::from_secs(1);

/// Plays the games of one thread of a run.
#[derive(Debug, Clone)]
pub(super) struct GamePlayer {
    pub(super) run: Arc<Run>,
    pub(super) round: Round,
    /// Measures the lag of the thread.
    pub(super) meter: Arc<Meter>,
    /// The answers and failures of the subjects in other games; `None`: every silence gets its whole budget.
    pub(super) lessons: Option<Lessons>,
    pub(super) supervisors: Option<Supervisors>,
    /// Reports the progress of the game.
    pub(super) teller: Teller,
    pub(super) interrupt: watch::Receiver<bool>,
}

impl GamePlayer {
    /// Takes what the subject says on standard error, if the user asked for that.
    pub(super) fn echoing(&self) -> Option<&Teller> {
        let is_wanted = self.run.options.tells != Telling::Games;
        is_wanted.then_some(&self.teller)
    }

    /// Takes all news of the game, if the user debugs it.
    pub(super) fn debugger(&self) -> Option<&Teller> {
        let is_debugged = self.run.options.tells.is_everything();
        is_debugged.then_some(&self.teller)
    }

    pub(super) fn is_interrupted(&self) -> bool {
        *self.interrupt.borrow()
    }

    /// Plays the game, and frees its slot while it only waits for time to pass. If the scenario depends on the course of the game, plays further games until one meets its condition.
    pub(super) async fn play(&self, slot: &mut Slot, game: &GamePlan) -> Outcome {
        let options = &self.run.options;
        let varies = game.scenario.game().filter(|plan| plan.varies());
        let varies = varies.filter(|_| !options.tells.is_everything());
        let attempts = varies.map_or(1, |plan| plan.keys.attempts());
        let mut took = Duration::ZERO;
        let mut attempt = 0;
        loop {
            let step = u64::from(attempt).wrapping_mul(NEXT_SEED);
            let seed = game.seed.wrapping_add(step);
            let game = GamePlan {
                seed,
                ..game.clone()
            };
            attempt += 1;
            let mut outcome = self.play_on_own_port(slot, &game).await;
            took += outcome.took;
            let mut first = outcome.findings.first_mut();
            if let (Some(first), Some(link)) = (&mut first, &game.scenario.keys.link) {
                first.notes.push(format!("see {}", visible::plain(link)));
            }
            // Another game tells no more where a setting is missing.
            let needs_a_key = first.as_ref().is_some_and(|it| it.needs_setting);
            let is_over = took >= options.wait;
            let is_undecided = outcome.verdict == Verdict::Inconclusive;
            let is_last = attempt == attempts || is_over || needs_a_key || self.is_interrupted();
            if is_undecided && !is_last {
                self.teller.tell(GameNews::NextTry(attempt + 1, attempts));
                continue;
            }
            outcome.took = took;
            let note = if is_undecided && attempt < attempts && is_over {
                let games = counted(attempt as usize, "game");
                format!("so it was in {games}, and the budget `wait` was over")
            } else if attempt == 1 {
                return outcome;
            } else if is_undecided && !needs_a_key {
                format!("so it was in each of {attempt} games")
            } else {
                format!("this was game {attempt} of up to {attempts}, with the seed {seed}")
            };
            if let Some(first) = first {
                first.notes.push(note);
            }
            return outcome;
        }
    }

    async fn play_on_own_port(&self, slot: &mut Slot, game: &GamePlan) -> Outcome {
        let options = &self.run.options;
        let start = options.budgets.start;
        let (server, is_of_matches) = (game.subject.server(), game.subject.creates_matches());
        let mut visit = options
            .servers
            .visit(server, is_of_matches, start, Instant::now());
        let mut tries = 0;
        loop {
            let mut outcome = self.play_once(slot, game, &mut visit).await;
            if !self.is_interrupted() && visit.is_repeated(&outcome, Instant::now()) {
                tokio::time::sleep(visit.pause()).await;
                continue;
            }
            tries += 1;
            if tries == PORT_TRIES || !was_port_stolen(game, &outcome) {
                visit.end(&mut outcome).await;
                return outcome;
            }
        }
    }

    /// Plays the game once.
    async fn play_once(&self, slot: &mut Slot, game: &GamePlan, visit: &mut Visit) -> Outcome {
        let began = Instant::now();
        let mut outcome = Outcome::new(&game.scenario);
        let in_memory = match self.run.options.clock {
            Clock::Virtual(network) if game.subject.built_in.is_some() => Some(network),
            _ => None,
        };
        if let Some(finding) = self.hindrance(game, in_memory.is_some()) {
            return outcome.with(finding);
        }
        let lag = match in_memory {
            Some(_) => Duration::ZERO,
            None => began
                .checked_sub(LAG_BEFORE)
                .map_or(Duration::ZERO, |from| self.meter.since(from)),
        };
        let prepared = self.prepared(game, visit, lag);
        let played = match in_memory.filter(|_| prepared.scenario.game().is_some()) {
            Some(network) => self.play_in_memory(&prepared, network, &mut outcome),
            None => {
                let live = self.play_live(&prepared, slot, visit, &mut outcome);
                let played = live.await;
                outcome.took = began.elapsed();
                played
            }
        };
        match played {
            Ok(()) => outcome,
            Err(finding) => outcome.with(*finding),
        }
    }

    /// Returns the reason why the game cannot be played, if there is one.
    fn hindrance(&self, game: &GamePlan, is_built_in: bool) -> Option<Finding> {
        if self.is_interrupted() {
            let title = "not played: the run was interrupted";
            return Some(Finding::new(Verdict::Skipped, title));
        }
        let reason = game.subject.missing_capability(&game.scenario)?;
        // Where nothing can be tested, a misspelt program would not show.
        let program = game.subject.program.as_ref().filter(|_| !is_built_in);
        Some(match program.and_then(Program::missing) {
            Some((program, reason)) => Breakdown::no_program(&program, &reason).finding(),
            None => Finding::new(Verdict::Unsupported, reason),
        })
    }

    /// Prepares the game. `lag`: that of this thread just before.
    fn prepared<'g>(&self, game: &'g GamePlan, visit: &Visit, lag: Duration) -> Prepared<'g> {
        let GamePlan { subject, seed, .. } = game;
        let scenario = subject.with_spectators(&game.scenario);
        let plan = scenario.game();
        let timeout = subject.timeout.or(plan.and_then(|plan| plan.timeout));
        let pace = plan.and_then(|plan| plan.pace);
        let pace = pace.or(subject.pace).unwrap_or(Duration::ZERO);
        let mut budgets = visit.budgets(self.run.options.budgets, Instant::now());
        let start_budget = budgets.start;
        if subject.program.is_none() {
            // A server that runs already does not start in a game.
            budgets.start = Duration::ZERO;
        }
        Prepared {
            game,
            first_lanes: first_lanes(&scenario),
            start_budget,
            patience: visit.patience(),
            settings: Settings {
                budgets,
                timeout,
                pace,
                lag,
                late_spectator: subject.late_spectator,
                seed: *seed,
            },
            scenario,
        }
    }

    /// Begins to judge the game, and to record it where that is wanted.
    fn begin(&self, prepared: &Prepared<'_>, outcome: &mut Outcome) -> Result<Play, Box<Finding>> {
        let folder = self.run.options.record.as_deref();
        let file = folder.map(|folder| (folder, self.round));
        let Prepared {
            game,
            scenario,
            settings,
            ..
        } = prepared;
        let recorder = Recorder::open(file, scenario, game, settings).map_err(unrecorded)?;
        let name = |folder: &Path| folder.join(file_name(scenario, self.round));
        outcome.recording = folder.map(name);
        let golden = game.golden.clone();
        Ok(Play::new(scenario, settings.clone(), golden, recorder))
    }

    /// Plays the game against a built-in peer, in memory.
    fn play_in_memory(
        &self,
        prepared: &Prepared<'_>,
        network: Network,
        outcome: &mut Outcome,
    ) -> Result<(), Box<Finding>> {
        let play = self.begin(prepared, outcome)?;
        let GamePlan { subject, seed, .. } = prepared.game;
        let plan = prepared.scenario.game().expect("it has rules");
        let fault = subject
            .built_in
            .as_ref()
            .and_then(|peer| peer.fault.as_deref());
        let peers = peers::find(subject.protocol.game_name());
        let machine = peers.expect("the subject is a built-in peer").machine(
            plan.side,
            fault,
            &conditions(plan, &prepared.settings),
        );
        let are_pipes = plan.side == Side::Bot && !subject.is_told_a_port();
        let peer = (plan.side, machine);
        let links = (*seed, network, are_pipes);
        let simulation = Simulation::new(play, peer, &prepared.first_lanes, links);
        let (play, said, took) = simulation.play(self.run.options.game_budget);
        (outcome.stderr, outcome.took) = (said.into_bytes(), took);
        if let Some(teller) = self.echoing() {
            teller.echo().all(&outcome.stderr);
        }
        play.conclude(outcome, |_| {})
    }

    /// Plays the game against the subject's program or server.
    ///
    /// # Errors
    /// Returns the finding that says nothing about the subject's lines: it did not start, or the recording cannot be written.
    async fn play_live(
        &self,
        prepared: &Prepared<'_>,
        slot: &mut Slot,
        visit: &mut Visit,
        outcome: &mut Outcome,
    ) -> Result<(), Box<Finding>> {
        let Attached {
            mut process,
            endpoints,
            lanes,
            mut lag,
            _workspace,
        } = self.start(prepared, visit, outcome).await?;
        let play = match self.begin(prepared, outcome) {
            Ok(play) => play,
            Err(finding) => {
                if let Some(process) = process {
                    outcome.stderr = process.end(Duration::ZERO).await.stderr;
                }
                return Err(finding);
            }
        };
        let subject = &prepared.game.subject;
        let first = Instant::now();
        let budget = self.run.options.game_budget;
        if subject.players.way == Way::Seats {
            lag.players_came_late();
        }
        let patience = |lessons: &Lessons| lessons.patience(subject);
        let mut patience = self.lessons.as_ref().map(patience);
        let live = LiveGame {
            play,
            lanes,
            endpoints,
            joining: Vec::new(),
            lag,
            waiting: Waiting::new(process.as_mut(), self.interrupt.clone(), first, budget),
            teller: self.debugger(),
            waits: &self.teller,
            slot: &mut *slot,
            visit: &mut *visit,
            patience: patience.as_mut(),
            first,
            exit_by: None,
            put_off: Duration::ZERO,
        };
        let (mut play, mut lanes, endpoints) = live.play().await;
        slot.set_busy(true);
        self.part(subject, &mut lanes, visit).await;
        drop(lanes);
        outcome.empty_frames = endpoints.notices.empty_frames();
        let mut is_unsupervised = false;
        if let Some(process) = process {
            let remains = process.end(Duration::from_millis(100)).await;
            outcome.stderr = remains.stderr;
            is_unsupervised = remains.is_lost;
        }
        let notices = endpoints.notices.take().into_iter();
        let notices = notices.map(|text| What::Notice { text });
        for what in notices.chain(is_unsupervised.then_some(What::Unsupervised)) {
            let at = in_micros(first.elapsed());
            play.take(&Event { at, what });
        }
        play.conclude(outcome, |outcome| {
            if let Some(patience) = patience {
                patience.learn(outcome);
            }
            if let Some(plan) = prepared.scenario.game() {
                explain_rolls(outcome, subject, plan);
            }
        })?;
        if let Some(stored) = &endpoints.stored {
            stored.compare(&prepared.scenario, outcome).await;
        }
        Ok(())
    }

    /// Waits until the lanes are closed, where a server seats the next players only then.
    async fn part(&self, subject: &Subject, lanes: &mut LiveLanes, visit: &mut Visit) {
        if subject.server().is_none() || !subject.plays_alone() || !visit.contact.has_heard() {
            return;
        }
        tokio::select! {
            () = lanes.part() => {}
            () = tokio::time::sleep(self.run.options.budgets.close) => {}
            () = interrupted(self.interrupt.clone()) => {}
        }
        visit.contact.still_open = lanes.open_count();
    }
}

/// Returns true if another program took the subject's port between our choosing it and the subject's binding it: no byte was received,
/// also where urtext has connected to that program, and the subject complained.
fn was_port_stolen(game: &GamePlan, outcome: &Outcome) -> bool {
    let is_silent = outcome
        .transcript
        .lanes
        .iter()
        .all(|lane| lane.entries.is_empty());
    outcome.verdict == Verdict::Error
        && game.subject.is_told_a_port()
        && is_silent
        && String::from_utf8_lossy(&outcome.stderr)
            .to_lowercase()
            .contains("in use")
}
