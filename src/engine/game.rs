//! One game: what is known before it, and what is left to do after it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::attach::{Attached, Breakdown};
use super::attempts::Played;
use super::conclusion::{broken, conclude, take_judgement, unrecorded};
use super::hook;
use super::lag::LagMeter;
use super::lane_order::in_order;
use super::lanes::Lanes;
use super::live_game::{Entrance, LiveGame, directions};
use super::options::Clock;
use super::pauses::{Pauses, answers_within};
use super::record::{Recorder, file_name, in_micros};
use super::run::GamePlan;
use super::server::Visit;
use super::simulation::InMemory;
use super::slots::Slot;
use super::start::{Start, Started};
use super::suspicion::Watch;
use super::waiting::Waiting;
use crate::config::{Program, Subject};
use crate::event::{Event, Outcome, What};
use crate::finding::{Finding, Verdict};
use crate::judge::{Judge, Settings};
use crate::scenario::Scenario;
use crate::transport::{Patience, StartError, connect};

/// Time before a game in which lag counts.
const LAG_BEFORE: Duration = Duration::from_secs(1);

/// Longest time for the connection that checks if a server of matches still runs.
const PROBE: Duration = Duration::from_secs(1);

/// A game with what is known before it.
struct Prepared<'g> {
    game: &'g GamePlan,
    /// The scenario, with the spectators that the subject lets in.
    scenario: Arc<Scenario>,
    settings: Settings,
    /// The lanes that are open from the start, in the order of their connections.
    first_lanes: Vec<usize>,
    pauses: Pauses,
}

impl Played<'_> {
    /// Plays the game once.
    pub(super) async fn play_once(
        &self,
        slot: &mut Slot,
        game: &GamePlan,
        visit: &mut Visit,
        watch: &mut Watch,
    ) -> Outcome {
        let began = Instant::now();
        let mut outcome = Outcome::new(&game.scenario);
        let built_in = match self.options.clock {
            Clock::Real => None,
            Clock::Virtual(network) => {
                let built_in = game.subject.built_in.as_ref();
                built_in.map(|built_in| (built_in, network))
            }
        };
        if let Some(finding) = self.hindrance(game, built_in.is_some()) {
            return conclude(outcome, finding, began);
        }
        let lag = match built_in {
            Some(_) => Duration::ZERO,
            None => began
                .checked_sub(LAG_BEFORE)
                .map_or(Duration::ZERO, |from| self.meter.since(from)),
        };
        let prepared = self.prepared(game, lag);
        let (Some((built_in, network)), Some(plan)) = (built_in, prepared.scenario.game()) else {
            let live = self.play_live(prepared, slot, visit, watch, &mut outcome);
            if let Err(finding) = live.await {
                return conclude(outcome, *finding, began);
            }
            outcome.took = began.elapsed();
            return outcome;
        };
        let recorder = match self.recorder(&prepared, &mut outcome) {
            Ok(recorder) => recorder,
            Err(finding) => return conclude(outcome, *finding, began),
        };
        let in_memory = InMemory {
            game,
            scenario: &prepared.scenario,
            plan,
            settings: prepared.settings,
            first_lanes: prepared.first_lanes,
            recorder,
            network,
            budget: self.options.game_budget,
        };
        let outcome = in_memory.play(built_in, outcome, prepared.pauses);
        if let Some(teller) = self.teller {
            teller.echo().all(&outcome.stderr);
        }
        outcome
    }

    /// Returns the reason why the game cannot be played, if there is one.
    fn hindrance(&self, game: &GamePlan, is_built_in: bool) -> Option<Finding> {
        if *self.interrupt.borrow() {
            let title = "not played: the run was interrupted";
            return Some(Finding::new(Verdict::Inconclusive, title));
        }
        let reason = game.subject.missing_capability(&game.scenario)?;
        // Where nothing can be tested, a misspelt program would not show.
        let program = game.subject.program.as_ref().filter(|_| !is_built_in);
        Some(match program.and_then(Program::missing) {
            Some((program, reason)) => broken(
                &Breakdown::Start(StartError::Spawn { program, reason }).into(),
                true,
            ),
            None => Finding::new(Verdict::Unsupported, reason),
        })
    }

    /// Prepares the game. `lag`: that of this thread just before.
    fn prepared<'g>(&self, game: &'g GamePlan, lag: Duration) -> Prepared<'g> {
        let GamePlan { subject, seed, .. } = game;
        let scenario = subject.with_spectators(&game.scenario);
        let plan = scenario.game();
        let timeout = subject.timeout.or(plan.and_then(|plan| plan.timeout));
        let pace = plan.and_then(|plan| plan.pace);
        let pace = pace.or(subject.pace).unwrap_or(Duration::ZERO);
        let (players, spectators) = scenario.lanes();
        let present = (0..players + spectators).filter(|&lane| scenario.opens_at_start(lane));
        let order = plan.map_or(&[][..], |plan| &plan.connect);
        let first_lanes = in_order(order, players, present);
        let mut budgets = self.options.budgets;
        let answers_within = answers_within(&scenario, timeout, &budgets);
        if subject.program.is_none() {
            // A server that runs already does not start in a game.
            budgets.start = Duration::ZERO;
        }
        let [_, of_subject] = directions(scenario.side());
        Prepared {
            game,
            first_lanes,
            pauses: Pauses::new(of_subject, pace, timeout, answers_within),
            settings: Settings {
                budgets,
                timeout,
                pace,
                lag,
                forces_rolls: subject.roll_hook.is_some(),
                late_spectator: subject.late_spectator,
                seed: *seed,
            },
            scenario,
        }
    }

    fn recorder(
        &self,
        prepared: &Prepared<'_>,
        outcome: &mut Outcome,
    ) -> Result<Recorder, Box<Finding>> {
        let folder = self.options.record.as_deref();
        let file = folder.map(|folder| (folder, self.round));
        let (game, settings) = (prepared.game, &prepared.settings);
        let recorder = Recorder::open(file, &prepared.scenario, game, settings)
            .map_err(|error| Box::new(unrecorded(&error)))?;
        let name = |folder: &Path| folder.join(file_name(&prepared.scenario, self.round));
        outcome.recording = folder.map(name);
        Ok(recorder)
    }

    /// Plays the game against the subject's program or server.
    ///
    /// # Errors
    /// Returns the finding that says nothing about the subject's lines: it did not start, or the recording cannot be written.
    async fn play_live(
        &self,
        prepared: Prepared<'_>,
        slot: &mut Slot,
        visit: &mut Visit,
        watch: &mut Watch,
        outcome: &mut Outcome,
    ) -> Result<(), Box<Finding>> {
        let (attached, wires, lag) = self.start(&prepared, visit, outcome).await?;
        let Attached {
            mut process,
            endpoints,
            _workspace,
            ..
        } = attached;
        let recorder = match self.recorder(&prepared, outcome) {
            Ok(recorder) => recorder,
            Err(finding) => {
                if let Some(process) = process {
                    outcome.stderr = process.end(Duration::ZERO).await.stderr;
                }
                return Err(finding);
            }
        };
        let Prepared {
            game: GamePlan {
                subject, golden, ..
            },
            scenario,
            settings,
            first_lanes,
            pauses,
        } = prepared;
        let mut lanes = Lanes::new();
        let opened = first_lanes.iter().zip(wires);
        let [ours, _] = directions(scenario.side());
        opened.for_each(|(&lane, wire)| lanes.open(lane, wire, ours));
        let first = Instant::now();
        let budget = self.options.game_budget;
        let mut lag = lag.unwrap_or_else(|| LagMeter::new(self.meter, self.probe, None));
        if endpoints.has_seats() {
            lag.players_came_late();
        }
        let (mut lanes, endpoints, mut judge, mut recorder, pauses, mut broke_down) = {
            let mut live = LiveGame {
                side: scenario.side(),
                lanes,
                entrance: Entrance::new(endpoints),
                judge: Judge::new(Arc::clone(&scenario), settings, golden.clone()),
                recorder,
                pauses,
                lag,
                waiting: Waiting::new(process.as_mut(), self.interrupt.clone(), first + budget),
                teller: self.teller.filter(|_| self.options.tells.is_everything()),
                slot: &mut *slot,
                visit: &mut *visit,
                watch: &mut *watch,
                first,
                was_hurried: false,
                exit_by: None,
                broke_down: None,
            };
            live.play(budget).await;
            outcome.was_hurried = live.was_hurried;
            (
                live.lanes,
                live.entrance.endpoints,
                live.judge,
                live.recorder,
                live.pauses,
                live.broke_down,
            )
        };
        slot.set_busy(true);
        visit.given_up();
        self.part(subject, &mut lanes, visit).await;
        drop(lanes);
        outcome.empty_frames = endpoints.empty_frames();
        let mut is_unsupervised = false;
        if let Some(process) = process {
            let remains = process.end(Duration::from_millis(100)).await;
            outcome.stderr = remains.stderr;
            is_unsupervised = remains.ended.is_some_and(|ended| ended.is_lost);
        }
        let notices = endpoints.notices().into_iter();
        let notices = notices.map(|text| What::Notice { text });
        for what in notices.chain(is_unsupervised.then_some(What::Unsupervised)) {
            let event = Event {
                at: in_micros(first.elapsed()),
                what,
            };
            broke_down = broke_down.or(recorder.event(&event).err());
            judge.take(&event);
        }
        take_judgement(outcome, judge, &pauses);
        watch.learn(outcome);
        if let Some(plan) = scenario.game() {
            hook::explain(outcome, subject, plan);
        }
        if broke_down.is_none() {
            broke_down = recorder.conclude(outcome).err();
        }
        if let Some(error) = broke_down {
            return Err(Box::new(unrecorded(&error)));
        }
        probe(subject, outcome, visit).await;
        Ok(())
    }

    /// Waits until the lanes are closed, where a server seats the next players only then.
    async fn part(&self, subject: &Subject, lanes: &mut Lanes, visit: &mut Visit) {
        if subject.server().is_none() || !subject.plays_alone() || !visit.contact.has_heard() {
            return;
        }
        let mut interrupt = self.interrupt.clone();
        tokio::select! {
            () = lanes.part() => {}
            () = tokio::time::sleep(self.options.budgets.close) => {}
            _ = interrupt.wait_for(|&is_interrupted| is_interrupted) => {}
        }
        visit.contact.parted(lanes.open_count());
    }

    /// Starts the subject, and opens the first lanes.
    async fn start(
        &self,
        prepared: &Prepared<'_>,
        visit: &mut Visit,
        outcome: &mut Outcome,
    ) -> Result<Started<'_>, Box<Finding>> {
        let settings = &prepared.settings;
        let start = Start {
            subject: &prepared.game.subject,
            scenario: &prepared.scenario,
            timing: (settings.timeout, settings.pace),
            seed: settings.seed,
            budget: self.options.budgets.start,
            starting: self.starting,
            meters: (self.meter, self.probe),
            patience: visit.patience(),
            interrupt: &self.interrupt,
            program: self.options.program.as_ref(),
            supervisors: self.supervisors,
            teller: self.teller,
            tells: self.options.tells,
        };
        let mut unstarted = match start.start(&prepared.first_lanes).await {
            Ok(started) => return Ok(started),
            Err(unstarted) => unstarted,
        };
        outcome.stderr = std::mem::take(&mut unstarted.stderr);
        Err(Box::new(match &unstarted.breakdown {
            breakdown @ Breakdown::Interrupted => {
                Finding::new(Verdict::Inconclusive, breakdown.to_string())
            }
            breakdown => {
                visit.contact.unreached(breakdown);
                broken(&unstarted, start.subject.program.is_some())
            }
        }))
    }
}

/// Checks that a server of matches still runs after a game that went wrong.
async fn probe(subject: &Subject, outcome: &Outcome, visit: &mut Visit) {
    if let Some(server) = subject.server().filter(|_| subject.creates_matches())
        && outcome.verdict > Verdict::Lenient
        && visit.contact.is_over()
        && let Err(error) = connect(server, Patience::Once, Instant::now() + PROBE).await
    {
        visit.contact.gone(error.to_string());
    }
}
