//! Lag during games: how late this program is woken, how long a subject's processes are runnable and do not run, and how late processes
//! start.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::event::Lag;
use crate::transport::{ProcessSample, ProcessTree, StartProbe};

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

impl Meter {
    pub(super) fn new() -> Meter {
        Meter(Mutex::new(Ticks {
            due: Instant::now() + TICK,
            late: VecDeque::new(),
        }))
    }

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

/// The time that processes were runnable and did not run, of each process as far as it is known.
#[derive(Debug, Default)]
struct Waited(HashMap<i32, Duration>);

impl Waited {
    /// Returns how much was added since the last call, and whether a process has started since. A process that has ended takes nothing
    /// with it.
    fn add(&mut self, delays: impl IntoIterator<Item = (i32, Duration)>) -> (Duration, bool) {
        let (mut added, known) = (Duration::ZERO, self.0.len());
        for (process, delay) in delays {
            let known = self.0.entry(process).or_default();
            let before = std::mem::replace(known, delay.max(*known));
            added += delay.saturating_sub(before);
        }
        (added, self.0.len() > known)
    }

    /// Returns the lag of the subject and the lag of its start in the time that passed since the last call. `delays`: the run delay of
    /// each process, and true if one is blocked; `late`: how late other processes started meanwhile, which is lag of a subject that has
    /// answered only if it starts a process or is blocked. Otherwise the delays show all that it waited for.
    fn lag(
        &mut self,
        delays: Option<(Vec<(i32, Duration)>, bool)>,
        late: Duration,
        passed: Duration,
        has_answered: bool,
    ) -> [Duration; 2] {
        let is_shown = delays.is_some();
        let (delays, is_blocked) = delays.unwrap_or_default();
        let (waited, starts) = self.add(delays);
        let counts = starts || is_blocked || !has_answered || !is_shown;
        let start = if counts { late } else { Duration::ZERO };
        // Several threads can wait at once.
        [waited, start].map(|lag| lag.min(passed))
    }
}

/// Measures the lag in one game, from the start of its subject.
#[derive(Debug)]
pub(super) struct LagMeter<'m> {
    began: Instant,
    /// The time since then that lag has taken from the subject.
    pub(super) lost: Duration,
    meter: &'m Meter,
    probe: &'m StartProbe,
    /// Time of the last reading of this program's lag.
    read: Instant,
    /// Lag of this program before the game, which the next reading reports.
    before: Duration,
    processes: Option<ProcessTree>,
    /// True once the subject has written a line, so that it is no longer starting.
    pub(super) has_answered: bool,
    waited: Waited,
    /// Time of the last sample of the processes, and the total delay of starts until then.
    sampled: (Instant, Duration),
}

impl LagMeter<'_> {
    /// Begins to measure.
    pub(super) fn new<'m>(
        meter: &'m Meter,
        probe: &'m StartProbe,
        processes: Option<ProcessTree>,
    ) -> LagMeter<'m> {
        let now = Instant::now();
        // It has hardly started others by now; how long those have waited counts as lag of the first sample.
        let mut waited = Waited::default();
        let subject = processes
            .as_ref()
            .and_then(ProcessTree::run_delay_of_subject);
        waited.add(subject);
        let late = processes.as_ref().map_or(Duration::ZERO, |_| probe.late());
        LagMeter {
            began: now,
            lost: Duration::ZERO,
            meter,
            probe,
            read: now,
            before: Duration::ZERO,
            processes,
            has_answered: false,
            waited,
            sampled: (now, late),
        }
    }

    /// The players came when the subject started them: it may have waited for the first move ever since it was started itself.
    pub(super) fn players_came_late(&mut self) {
        self.before = self.began.elapsed();
    }

    /// Returns the time since the start of the subject, without what lag has taken.
    pub(super) fn without_lag(&self) -> Duration {
        self.began.elapsed().saturating_sub(self.lost)
    }

    /// Returns what the subject's processes do, which shows what keeps it from answering.
    pub(super) fn processes(&self) -> Option<ProcessSample> {
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

    /// The lag since it was read last, where it is notable.
    pub(super) fn read(&mut self) -> Option<Lag> {
        let now = Instant::now();
        let mut lag = Lag {
            own: self
                .meter
                .since(self.read)
                .max(std::mem::take(&mut self.before)),
            ..Lag::default()
        };
        self.read = now;
        let (sampled, late) = self.sampled;
        if let Some(tree) = self
            .processes
            .as_ref()
            .filter(|_| now.duration_since(sampled) >= SAMPLED_EVERY)
        {
            let passed = now - sampled;
            self.sampled = (now, self.probe.late());
            let late = self.sampled.1.saturating_sub(late);
            let delays = tree.run_delays();
            [lag.subject, lag.start] = self.waited.lag(delays, late, passed, self.has_answered);
        }
        self.lost += lag.subject.max(lag.start);
        let most = lag.own.max(lag.subject).max(lag.start);
        (most >= NOTABLE).then_some(lag)
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

    #[test]
    fn a_process_that_ends_takes_no_waiting_time_with_it() {
        let delays = |delays: &[(i32, u64)]| -> Vec<_> {
            let millis = |&(process, delay)| (process, Duration::from_millis(delay));
            delays.iter().map(millis).collect()
        };
        let mut waited = Waited::default();
        let mut add = |now: &[(i32, u64)]| {
            let (added, starts) = waited.add(delays(now));
            (added.as_millis(), starts)
        };
        // A shell, and the interpreter that it starts.
        assert_eq!(add(&[(1, 300), (2, 100)]), (400, true));
        assert_eq!(add(&[(2, 250)]), (150, false), "the shell has ended");
        // The supervisor has read what the shell had waited for before it was reaped.
        assert_eq!(add(&[(2, 260), (1, 340)]), (50, false));
        assert_eq!(add(&[(2, 260), (1, 340)]), (0, false));
    }

    /// Processes start 4 s late in a wait of 5 s.
    #[test]
    fn that_processes_start_late_is_no_excuse_for_a_subject_that_sleeps() {
        let seconds = Duration::from_secs;
        let mut waited = Waited::default();
        let mut lag = |delays: Option<(Vec<(i32, u64)>, bool)>, has_answered| {
            let delays = delays.map(|(delays, is_blocked)| {
                let delays = delays.into_iter();
                let delays = delays.map(|(process, delay)| (process, seconds(delay)));
                (delays.collect(), is_blocked)
            });
            let lag = waited.lag(delays, seconds(4), seconds(5), has_answered);
            lag.map(|lag| lag.as_secs())
        };
        let alone = |delay| Some((vec![(1, delay)], false));
        let two = || Some((vec![(1, 4), (2, 1)], false));
        assert_eq!(lag(alone(1), false), [1, 4], "it starts");
        assert_eq!(lag(alone(1), false), [0, 4], "it owes its first line");
        assert_eq!(lag(alone(1), true), [0, 0], "it sleeps in a read");
        assert_eq!(lag(alone(4), true), [3, 0], "it has waited itself");
        let blocked = Some((vec![(1, 4)], true));
        assert_eq!(lag(blocked, true), [0, 4], "it waits for its pages");
        assert_eq!(lag(two(), true), [1, 4], "it starts a helper");
        assert_eq!(lag(two(), true), [0, 0], "that runs now");
        assert_eq!(lag(None, true), [0, 4], "the system shows nothing");
    }
}
