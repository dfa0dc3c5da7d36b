//! Lag during games: how late this program is woken, and how long a subject's processes are runnable and do not run.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::event::{Lag, Processes};
use crate::transport::ProcessTree;

/// Interval of a thread's check for late wake-ups.
const TICK: Duration = Duration::from_millis(20);

/// Lag below this is not reported.
pub(super) const NOTABLE: Duration = Duration::from_millis(5);

/// The least time between two samples of a subject's processes.
pub(super) const SAMPLED_EVERY: Duration = Duration::from_millis(200);

/// Maximum number of late ticks that are kept.
const KEPT: usize = 1024;

/// Measures how late one thread that plays games is woken.
#[derive(Debug)]
pub(super) struct Meter(Mutex<Ticks>);

#[derive(Debug)]
struct Ticks {
    /// Time of the next tick.
    due: Instant,
    /// Ticks that came late, and by how much.
    late: VecDeque<(Instant, Duration)>,
}

impl Default for Meter {
    fn default() -> Meter {
        Meter(Mutex::new(Ticks {
            due: Instant::now() + TICK,
            late: VecDeque::new(),
        }))
    }
}

impl Meter {
    /// Measures for as long as it is polled.
    pub(super) async fn run(&self) -> std::convert::Infallible {
        loop {
            let due = self.with(|ticks| ticks.due);
            sleep_until(due).await;
            self.with(|ticks| ticks.tick(Instant::now()));
        }
    }

    /// Returns the longest delay of this thread's wake-ups since a time.
    pub(super) fn since(&self, from: Instant) -> Duration {
        self.with(|ticks| ticks.since(from, Instant::now()))
    }

    fn with<T>(&self, read: impl FnOnce(&mut Ticks) -> T) -> T {
        read(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Ticks {
    fn tick(&mut self, now: Instant) {
        let late = now.saturating_duration_since(self.due);
        if late >= NOTABLE {
            self.late.truncate(KEPT - 1);
            self.late.push_front((now, late));
        }
        self.due = now + TICK;
    }

    /// A tick that is due and has not come yet counts as well.
    fn since(&self, from: Instant, now: Instant) -> Duration {
        let late = self
            .late
            .iter()
            .take_while(|(at, _)| *at >= from)
            .map(|(_, late)| *late);
        late.fold(now.saturating_duration_since(self.due), Duration::max)
    }
}

/// Measures the lag in one game, from the start of its subject.
#[derive(Debug)]
pub(super) struct LagMeter<'m> {
    began: Instant,
    /// The time since then that lag has taken from the subject.
    pub(super) lost: Duration,
    meter: &'m Meter,
    /// Time of the last reading of this program's lag.
    read: Instant,
    /// Lag of this program before the game, which the next reading reports.
    before: Duration,
    processes: Option<ProcessTree>,
    /// Time of the last sample of the processes, and how long they had been runnable without running by then.
    sampled: (Instant, Duration),
}

impl LagMeter<'_> {
    /// Begins to measure.
    pub(super) fn new(meter: &Meter, processes: Option<ProcessTree>) -> LagMeter<'_> {
        let now = Instant::now();
        LagMeter {
            began: now,
            lost: Duration::ZERO,
            meter,
            read: now,
            before: Duration::ZERO,
            processes,
            sampled: (now, Duration::ZERO),
        }
    }

    /// The players came when the subject started them: it may have waited for the first move ever since it was started itself.
    pub(super) fn players_came_late(&mut self) {
        self.before = self.began.elapsed();
    }

    /// Returns what the subject's processes do, which shows what keeps it from answering.
    pub(super) fn processes(&self) -> Option<Processes> {
        self.processes.as_ref().and_then(ProcessTree::sample)
    }

    /// Returns true if the subject is a process that has ended or is ending.
    pub(super) fn subject_has_ended(&self) -> bool {
        self.processes.as_ref().is_some_and(ProcessTree::has_ended)
    }

    /// Returns true if there are processes to sample regularly.
    pub(super) fn has_processes(&self) -> bool {
        self.processes.is_some()
    }

    /// The lag since it was read last.
    pub(super) fn read(&mut self) -> Lag {
        let now = Instant::now();
        let mut lag = Lag {
            own: self
                .meter
                .since(self.read)
                .max(std::mem::take(&mut self.before)),
            ..Lag::default()
        };
        self.read = now;
        let (sampled, waited) = self.sampled;
        let passed = now - sampled;
        if let Some(tree) = self.processes.as_ref().filter(|_| passed >= SAMPLED_EVERY) {
            let delay = tree.run_delay();
            self.sampled = (now, delay);
            // Several threads can wait at once, and a process that has ended is not counted any more.
            lag.subject = delay.saturating_sub(waited).min(passed);
            self.lost += lag.subject;
        }
        lag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_tick_is_lag_of_the_time_in_which_it_came() {
        let start = Instant::now();
        let at = |milliseconds: u64| start + Duration::from_millis(milliseconds);
        let lag = Duration::from_millis;
        let mut ticks = Ticks {
            due: at(20),
            late: VecDeque::new(),
        };
        ticks.tick(at(22));
        assert_eq!(ticks.since(at(0), at(30)), lag(0), "2 ms are nothing");
        ticks.tick(at(342));
        ticks.tick(at(372));
        assert_eq!(ticks.since(at(0), at(380)), lag(300));
        assert_eq!(ticks.since(at(350), at(380)), lag(10));
        // The thread may be woken for a game before its own tick.
        assert_eq!(ticks.since(at(373), at(892)), lag(500));
    }
}
