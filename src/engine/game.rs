//! One game: the judge asks, the engine does.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::time::Instant;

use super::attach::{Attached, Breakdown, Opening};
use super::attempts::Played;
use super::conclusion::{broken, conclude, take_judgement, unrecorded, unsupervised};
use super::evidence::processes;
use super::hook;
use super::lag::{Lag, SAMPLED_EVERY};
use super::lane_order::in_order;
use super::lanes::Lanes;
use super::options::Clock;
use super::pauses::{Pauses, answers_within};
use super::record::{Recorder, in_micros};
use super::run::GamePlan;
use super::server::Visit;
use super::simulation::InMemory;
use super::slots::Slot;
use super::start::Start;
use super::suspicion::Watch;
use super::waiting::{Waiting, Woken};
use crate::config::Program;
use crate::event::{Event, Frames, Outcome, What};
use crate::finding::{Finding, Verdict};
use crate::judge::{Command, Judge, Settings};
use crate::scenario::{Leaving, Side};
use crate::transcript::Direction;
use crate::transport::{Patience, Process, ProcessSample, StartError, Wire, connect};

/// Longest time that recorded lines stay in the buffer, so that not every line needs its own write.
const RECORDED_WITHIN: Duration = Duration::from_millis(50);

/// After how many events the budget and the interrupt are looked at, whatever else there is to tell.
const UNHEARD: u64 = 64;

/// Longest time that a late participant retries: the subject listens already, or does not any more.
const JOINING: Duration = Duration::from_secs(1);

/// Time before a game in which lag counts.
const LAG_BEFORE: Duration = Duration::from_secs(1);

/// Longest time for the connection that checks if a server of matches still runs.
const PROBE: Duration = Duration::from_secs(1);

/// Returns true for a line from the subject.
fn is_said(what: &What, of_subject: Direction) -> bool {
    matches!(what, What::Line { direction, .. } if *direction == of_subject)
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
        let Played {
            round,
            options,
            meter,
            supervisors,
            ref interrupt,
            ..
        } = *self;
        let interrupt = interrupt.clone();
        let GamePlan {
            scenario,
            subject,
            golden,
            seed,
        } = game;
        let began = Instant::now();
        let mut outcome = Outcome::new(scenario);
        if *interrupt.borrow() {
            let title = "not played: the run was interrupted";
            return conclude(outcome, Finding::new(Verdict::Inconclusive, title), began);
        }
        let built_in = match options.clock {
            Clock::Real => None,
            Clock::Virtual(network) => subject
                .built_in
                .as_ref()
                .map(|built_in| (built_in, network)),
        };
        if let Some(reason) = subject.missing_capability(scenario) {
            // Where nothing can be tested, a misspelt program would not show.
            let program = subject.program.as_ref().filter(|_| built_in.is_none());
            if let Some((program, reason)) = program.and_then(Program::missing) {
                let breakdown = Breakdown::Start(StartError::Spawn { program, reason });
                return conclude(outcome, broken(&breakdown), began);
            }
            return conclude(outcome, Finding::new(Verdict::Unsupported, reason), began);
        }
        let scenario = subject.with_spectators(scenario);
        let plan = scenario.game();
        let timeout = subject.timeout.or(plan.and_then(|plan| plan.timeout));
        let pace = plan.and_then(|plan| plan.pace);
        let pace = pace.or(subject.pace).unwrap_or(Duration::ZERO);
        let lag = match built_in {
            Some(_) => Duration::ZERO,
            None => began
                .checked_sub(LAG_BEFORE)
                .map_or(Duration::ZERO, |from| meter.since(from)),
        };
        let (players, spectators) = scenario.lanes();
        let present = (0..players + spectators).filter(|&lane| scenario.opens_at_start(lane));
        let order = plan.map_or(&[][..], |plan| &plan.connect);
        let first_lanes = in_order(order, players, present);
        let settings = Settings {
            budgets: options.budgets,
            timeout,
            pace,
            lag,
            forces_rolls: subject.roll_hook.is_some(),
            late_spectator: subject.late_spectator,
            seed: *seed,
        };
        let [ours, of_subject] = match scenario.side() {
            Side::Referee => [Direction::Sent, Direction::Received],
            Side::Bot => [Direction::Received, Direction::Sent],
        };
        let answers_within = answers_within(&scenario, timeout, &options.budgets);
        let mut pauses = Pauses::new(of_subject, pace, timeout, answers_within);
        let file = options.record.as_deref().map(|folder| (folder, round));
        if let (Some((built_in, network)), Some(plan)) = (built_in, plan) {
            let recorder = Recorder::open(file, &scenario, game, &settings);
            let recorder = match recorder {
                Ok(recorder) => recorder,
                Err(error) => return conclude(outcome, unrecorded(&error), began),
            };
            let budget = options.game_budget;
            let in_memory = InMemory {
                game,
                scenario: &scenario,
                plan,
                settings,
                first_lanes,
                recorder,
                network,
                budget,
            };
            return in_memory.play(built_in, outcome, pauses);
        }
        let start = Start {
            subject,
            scenario: &scenario,
            timing: (timeout, pace),
            seed: *seed,
            budget: options.start_budget,
            patience: visit.patience(),
            interrupt: &interrupt,
            program: options.program.as_ref(),
            supervisors,
        };
        let (
            Attached {
                mut process,
                mut endpoints,
                _workspace,
                ..
            },
            wires,
        ) = match start.start(&first_lanes).await {
            Ok(started) => started,
            Err((breakdown @ Breakdown::Interrupted, stderr)) => {
                outcome.stderr = stderr;
                return conclude(
                    outcome,
                    Finding::new(Verdict::Inconclusive, breakdown.to_string()),
                    began,
                );
            }
            Err((breakdown, stderr)) => {
                visit.contact.unreached(&breakdown);
                outcome.stderr = stderr;
                return conclude(outcome, broken(&breakdown), began);
            }
        };
        let mut recorder = match Recorder::open(file, &scenario, game, &settings) {
            Ok(recorder) => recorder,
            Err(error) => {
                if let Some(process) = process {
                    outcome.stderr = process.end(Duration::ZERO).await.stderr;
                }
                return conclude(outcome, unrecorded(&error), began);
            }
        };
        let mut lanes = Lanes::new();
        first_lanes
            .iter()
            .zip(wires)
            .for_each(|(&lane, wire)| lanes.open(lane, wire, ours));
        let mut judge = Judge::new(Arc::clone(&scenario), settings, golden.clone());
        let first = Instant::now();
        let end = first + options.game_budget;
        let mut lag = Lag::new(meter, process.as_ref().and_then(|process| process.tree()));
        // What keeps a subject from answering, its processes show.
        let tree = process.as_ref().and_then(Process::tree);
        let sample = || tree.and_then(|tree| tree.sample());
        let mut interrupted = interrupt.clone();
        let mut waiting = Waiting::new(process.as_mut(), interrupt, end);
        let mut broke_down = None;
        // Who joins late is let in, or not, while the game goes on.
        let mut joining: Vec<(usize, Opening)> = Vec::new();
        let mut events: u64 = 0;
        let mut reopened: Vec<usize> = Vec::new();
        while !judge.is_finished() && broke_down.is_none() {
            // Lanes that always have something to tell keep neither the budget nor a signal from being heard.
            events += 1;
            let looks_up = events.is_multiple_of(UNHEARD);
            if looks_up {
                tokio::task::yield_now().await;
            }
            // What came is judged before the time that it was waited for.
            let woken = poll_fn(|context| {
                if looks_up && let Poll::Ready(woken) = waiting.poll_end(context) {
                    return Poll::Ready(Err(woken));
                }
                joining.retain_mut(|(lane, opening)| match opening.as_mut().poll(context) {
                    Poll::Ready(Ok(wire)) => {
                        lanes.open(*lane, wire, ours);
                        false
                    }
                    // Who is not let in receives nothing, and whether that is meant is for the judge to say.
                    Poll::Ready(Err(_)) => {
                        lanes.open(*lane, Wire::closed(), ours);
                        false
                    }
                    Poll::Pending => true,
                });
                match lanes.poll(context) {
                    Poll::Ready(what) => Poll::Ready(Ok(what)),
                    Poll::Pending => {
                        waiting.set_suspicion(watch.looks_at(&judge).map(|at| first + at));
                        waiting.poll(context).map(Err)
                    }
                }
            });
            let what = match woken.await {
                Ok(what) => Some(what),
                Err(Woken::Exited(ended)) => Some(What::Exited {
                    status: ended.status,
                    is_success: ended.is_success,
                }),
                Err(Woken::Alarm) => {
                    let is_due = judge.awaits_what_is_due();
                    let sample = (is_due || scenario.side() == Side::Bot)
                        .then(sample)
                        .flatten();
                    lanes.alarm(
                        sample.map(|sample| processes(&sample, &lanes, is_due)),
                        What::Alarm,
                    );
                    continue;
                }
                Err(Woken::Suspicion) => {
                    let sample = sample();
                    let computed = sample.as_ref().map(ProcessSample::cpu_time);
                    if watch.look(in_micros(first.elapsed()), computed, &judge) {
                        outcome.was_hurried = true;
                        let processes = sample.map(|sample| processes(&sample, &lanes, true));
                        lanes.alarm(processes, What::Hurried);
                    }
                    slot.set_busy(!judge.is_biding() && !watch.is_waiting);
                    continue;
                }
                Err(Woken::Record) => {
                    broke_down = recorder.write_out().err().map(|error| unrecorded(&error));
                    continue;
                }
                Err(Woken::Sample) => None,
                Err(Woken::Interrupted) => Some(What::Interrupted),
                Err(Woken::TooLong) => Some(What::OutOfTime {
                    budget: options.game_budget,
                }),
            };
            if let Some(What::Closed { lane, .. }) = what
                && what
                    .as_ref()
                    .is_some_and(|what| visit.is_turned_away(what, of_subject, Instant::now()))
            {
                lanes.forget(lane);
                joining.push((lane, visit.reopen(lane, &mut endpoints)));
                reopened.push(lane);
                continue;
            }
            if let Some(What::Opened { lane }) = what
                && let Some(place) = reopened.iter().position(|&reopened| reopened == lane)
            {
                reopened.swap_remove(place);
                continue;
            }
            let is_event = what.is_some();
            // Lag is reported before an event that it can have delayed.
            for what in lag.read().into_iter().chain(what) {
                let what = match what {
                    What::Lag { own, subject } => What::Lag {
                        own: in_micros(own),
                        subject: in_micros(subject),
                    },
                    what => what,
                };
                let event = Event {
                    at: in_micros(first.elapsed()),
                    what,
                };
                if let Err(error) = recorder.event(&event) {
                    broke_down = Some(unrecorded(&error));
                    break;
                }
                if recorder.is_behind() {
                    waiting.set_record(|| Instant::now() + RECORDED_WITHIN);
                }
                pauses.take(&event, judge.is_biding());
                visit.contact.take(&event.what, of_subject, Instant::now());
                if is_said(&event.what, of_subject) {
                    watch.heard(event.at, &judge);
                }
                for action in judge.take(&event) {
                    match action {
                        Command::Send { lane, bytes } => lanes.send(lane, &bytes),
                        Command::Close { lane } => lanes.leave(lane, Leaving::HalfClose),
                        Command::Leave { lane, how } => lanes.leave(lane, how),
                        Command::Open { lane } => {
                            joining.push((lane, endpoints.open(lane, Instant::now() + JOINING)));
                        }
                        Command::Read { lane, pace } => lanes.read_at(lane, pace),
                        Command::WakeAt(at) => waiting.set_alarm(first + at),
                        Command::Finish => {}
                    }
                }
            }
            if is_event && lag.has_processes() {
                waiting.set_sample(|| Instant::now() + SAMPLED_EVERY);
            }
            slot.set_busy(!judge.is_biding() && !watch.is_waiting);
        }
        slot.set_busy(true);
        watch.learn();
        drop(waiting);
        visit.given_up();
        if subject.server().is_some() && subject.plays_alone() && visit.contact.has_heard() {
            // Whoever plays one game after the other may seat the next players only when these connections are closed.
            tokio::select! {
                () = lanes.part() => {}
                () = tokio::time::sleep(options.budgets.close) => {}
                _ = interrupted.wait_for(|&is_interrupted| is_interrupted) => {}
            }
            visit.contact.parted(lanes.open_count());
        }
        drop(lanes);
        let frames = endpoints.frames();
        outcome.frames = Frames::of_lanes(frames.iter().map(|(_, frames)| frames));
        let mut is_unsupervised = false;
        if let Some(process) = process {
            let remains = process.end(Duration::from_millis(100)).await;
            outcome.stderr = remains.stderr;
            is_unsupervised = remains.ended.is_some_and(|ended| ended.is_lost);
        }
        for text in endpoints.notices() {
            let event = Event {
                at: in_micros(first.elapsed()),
                what: What::Notice { text },
            };
            broke_down =
                broke_down.or(recorder.event(&event).err().map(|error| unrecorded(&error)));
            judge.take(&event);
        }
        take_judgement(&mut outcome, judge, &pauses);
        if let Some(plan) = plan {
            hook::explain(&mut outcome, subject, plan);
        }
        if is_unsupervised {
            outcome = outcome.with(unsupervised(scenario.side()));
        }
        if broke_down.is_none() {
            let at = in_micros(first.elapsed());
            let told = recorder
                .frames(at, &frames)
                .and_then(|()| recorder.conclude(at, &outcome));
            broke_down = told.err().map(|error| unrecorded(&error));
        }
        if let Some(finding) = broke_down {
            return conclude(outcome, finding, began);
        }
        if let Some(server) = subject.server().filter(|_| subject.creates_matches())
            && outcome.verdict > Verdict::Lenient
            && visit.contact.is_over()
            && let Err(error) = connect(server, Patience::Once, Instant::now() + PROBE).await
        {
            visit.contact.gone(error.to_string());
        }
        outcome.took = began.elapsed();
        outcome
    }
}
