//! The start of a subject: what it is given, the ways to its lanes, and the first of them open.

mod doors;
mod exchange;
mod workspace;

use std::convert::Infallible;
use std::future::pending;
use std::pin::pin;
use std::time::Duration;

use tokio::time::{Instant, sleep, timeout};

pub(super) use doors::{Endpoints, Opening};
use exchange::{last_lines, ready};
pub(super) use workspace::{Given, Workspace};

use super::game::GamePlayer;
use super::lag::{LagMeter, SAMPLED_EVERY};
use super::live_lanes::LiveLanes;
use super::options::{GameNews, Teller};
use super::prepared::Prepared;
use super::run_plan::interrupted;
use super::server::Visit;
use crate::config::Captures;
use crate::event::Outcome;
use crate::finding::{Finding, Verdict};
use crate::scenario::Side;
use crate::transport::{Breakdown, Deadline, Kept, Launch, Process, Wire};

/// Longest time to read the remaining output of a subject that has ended.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// A subject that is reached: its first lanes are open, and others can be opened later.
pub(super) struct Attached<'m> {
    /// Its process, where urtext has started it.
    pub(super) process: Option<Process>,
    /// The ways to its lanes.
    pub(super) endpoints: Endpoints,
    /// Its lanes.
    pub(super) lanes: LiveLanes,
    /// The meter of its lag, from its start if urtext has started it.
    pub(super) lag: LagMeter<'m>,
    /// Files that were made for the game, kept as long as the subject may use them.
    pub(super) _workspace: Workspace,
}

impl GamePlayer {
    /// Starts the subject and opens the lanes that are there from the beginning, or says why the game could not begin.
    pub(super) async fn start(
        &self,
        prepared: &Prepared<'_>,
        visit: &mut Visit,
        outcome: &mut Outcome,
    ) -> Result<Attached<'_>, Box<Finding>> {
        let mut budget = StartBudget::begin(prepared.start_budget);
        let (mut given, mut process) = (Given::default(), None);
        let reached = self.reach(prepared, &mut budget, &mut given, &mut process);
        match reached.await {
            Ok((endpoints, wires)) => {
                let mut lanes = LiveLanes::new(prepared.scenario.side());
                for (&lane, wire) in prepared.first_lanes.iter().zip(wires) {
                    lanes.open(lane, wire);
                }
                let unstarted = || LagMeter::new(&self.meter, None);
                Ok(Attached {
                    process,
                    endpoints,
                    lanes,
                    lag: budget.lag.unwrap_or_else(unstarted),
                    _workspace: given.workspace,
                })
            }
            Err(mut broken) => {
                if let Some(process) = process {
                    broken.notes.extend(last_lines(&process.stdout()));
                    outcome.stderr = process.end(Duration::ZERO).await.stderr;
                }
                if self.is_interrupted() {
                    let interrupted = Finding::new(Verdict::Inconclusive, "interrupted");
                    return Err(Box::new(interrupted));
                }
                visit.contact.unreached(&broken);
                broken.notes.extend(budget.in_words());
                Err(Box::new(broken.finding()))
            }
        }
    }

    /// Starts the subject, if it does not run already, and opens its first lanes. The caller cleans up.
    async fn reach<'m>(
        &'m self,
        prepared: &Prepared<'_>,
        budget: &mut StartBudget<'m>,
        given: &mut Given,
        process: &mut Option<Process>,
    ) -> Result<(Endpoints, Vec<Wire>), Breakdown> {
        let subject = &prepared.game.subject;
        let deadline = budget.deadline.clone();
        prepared.give(given)?;
        let program = self.run.options.program.as_ref();
        let (lanes, patience) = (prepared.scenario.lanes(), prepared.patience);
        let mut endpoints = Endpoints::make(subject, lanes, patience, given, program).await?;
        if let Some(program) = &subject.program {
            let launch = Launch {
                has_input: endpoints.have_input(),
                supervisors: self
                    .supervisors
                    .clone()
                    .ok_or_else(Breakdown::unknown_program)?,
                echo: self.echoing().map(Teller::echo),
                spawn: prepared.spawn(program, given)?,
            };
            let started = deadline.limit(launch.start()).await;
            let started = started.ok_or_else(|| {
                Breakdown::too_late(
                    "the subject could not be started",
                    "run fewer games at once with --jobs",
                )
            });
            let started = process.insert(started??);
            // For whoever attaches a debugger.
            if let Some(teller) = self.debugger() {
                teller.tell(GameNews::Started(started.id()));
            }
            budget.lag = Some(LagMeter::new(&self.meter, Some(started.tree())));
        }
        let mut patterns = Vec::new();
        let mut streams = [Kept::default(), Kept::default()];
        if let Some(process) = process {
            if !endpoints.have_input() {
                patterns = exchange::patterns(subject);
            }
            endpoints.take_streams(process);
            streams = [process.stdout(), process.stderr()];
        }
        let has_to_print = !patterns.is_empty();
        let opening = async {
            let captures = match has_to_print {
                true => ready(&patterns, streams.each_ref(), &deadline).await?,
                false => Captures::new(),
            };
            endpoints
                .reach(subject, given, &captures, &deadline)
                .await?;
            let wires = endpoints.open_all(&prepared.first_lanes, &deadline).await?;
            Ok((endpoints, wires))
        };
        let grace = if has_to_print {
            LAST_WORDS
        } else {
            Duration::ZERO
        };
        let opening = unless_ended(process.as_mut(), (subject.side, grace), opening);
        tokio::select! {
            opened = opening => opened,
            () = interrupted(self.interrupt.clone()) => Err(Breakdown::new("interrupted", "run it again")),
            never = budget.extend() => match never {},
        }
    }
}

/// Does something for as long as a started subject of this side lives, and for `grace` after its end.
async fn unless_ended<T>(
    process: Option<&mut Process>,
    (side, grace): (Side, Duration),
    doing: impl Future<Output = Result<T, Breakdown>>,
) -> Result<T, Breakdown> {
    let Some(process) = process else {
        return doing.await;
    };
    let mut doing = pin!(doing);
    let ended = tokio::select! {
        // What was reached before the end is judged by what it says.
        biased;
        done = &mut doing => return done,
        ended = process.ended() => ended,
    };
    match timeout(grace, doing).await {
        Ok(Ok(done)) => Ok(done),
        _ => Err(Breakdown::ended(side.word(), &ended.status)),
    }
}

/// Longest time for a start to which the budget is extended.
const LONGEST: Duration = Duration::from_secs(60);

/// The time that the subject of one game may take to start, as the machine leaves it.
#[derive(Debug)]
struct StartBudget<'m> {
    began: Instant,
    budget: Duration,
    /// Measures lag once there is a process that urtext has started.
    lag: Option<LagMeter<'m>>,
    deadline: Deadline,
}

impl StartBudget<'_> {
    /// A game begins to start its subject.
    fn begin(budget: Duration) -> Self {
        let began = Instant::now();
        StartBudget {
            began,
            budget,
            lag: None,
            deadline: (began + budget).into(),
        }
    }

    /// Extends the deadline by what lag takes, for as long as it is polled.
    async fn extend(&mut self) -> Infallible {
        loop {
            let Some(lag) = &mut self.lag else {
                return pending().await;
            };
            lag.read();
            let time = (self.budget + lag.lost).min(LONGEST);
            self.deadline.extend(self.began + time);
            sleep(SAMPLED_EVERY).await;
        }
    }

    /// Says by what the budget was extended, where it was.
    fn in_words(&self) -> Option<String> {
        let time = self.deadline.at() - self.began;
        let lost = self.lag.as_ref()?.lost;
        (time > self.budget)
            .then(|| format!("the start budget was extended to {time:.1?}, by {lost:.1?} of lag"))
    }
}

#[cfg(test)]
mod tests {
    use tokio::task::yield_now;

    use super::super::lag::Meter;
    use super::*;

    #[tokio::test]
    async fn a_program_that_urtext_started_is_waited_for_in_the_time_that_the_machine_took() {
        let meter = Meter::default();
        // Its budget is over before it begins: only what extends it lets it be waited for.
        let mut budget = StartBudget::begin(Duration::ZERO);
        let deadline = budget.deadline.clone();
        let extend = async |budget: &mut StartBudget<'_>| {
            tokio::select! {
                biased;
                never = budget.extend() => match never {},
                () = yield_now() => {}
            }
        };
        extend(&mut budget).await;
        assert_eq!(deadline.at(), budget.began, "urtext has started nothing");
        assert_eq!(budget.in_words(), None);
        for (lost, extended) in [(25, "25.0s, by 25.0s"), (70, "60.0s, by 70.0s")] {
            let lag = budget.lag.insert(LagMeter::new(&meter, None));
            lag.lost = Duration::from_secs(lost);
            extend(&mut budget).await;
            let words = format!("the start budget was extended to {extended} of lag");
            assert_eq!(budget.in_words(), Some(words));
        }
        // A budget that is longer stays as it is.
        let mut budget = StartBudget::begin(Duration::from_secs(90));
        budget.lag = Some(LagMeter::new(&meter, None));
        extend(&mut budget).await;
        assert_eq!(budget.in_words(), None);
    }
}
