//! Clock for the moves of a built-in referee's players, with its faults.

use std::time::Duration;

use crate::pack::spoiler::ClockFault;
use crate::rules::{PerSeat, Seat};

/// The time for a move, as a referee measures it. Times are those of its desk.
#[derive(Debug)]
pub(super) struct MoveClock {
    timeout: Duration,
    fault: Option<ClockFault>,
    greeted: Duration,
    /// Start of each player's clock, if the fault is that the clock never stops.
    started: PerSeat<Option<Duration>>,
    /// Time that each player used in its earlier turns.
    used: PerSeat<Duration>,
    /// Start of each player's last turn.
    began: PerSeat<Option<Duration>>,
}

impl MoveClock {
    /// A clock of a game whose greeting is sent now.
    pub(super) fn new(timeout: Duration, fault: Option<ClockFault>, now: Duration) -> MoveClock {
        let (started, used) = (PerSeat([None; 2]), PerSeat([Duration::ZERO; 2]));
        MoveClock {
            timeout,
            fault,
            greeted: now,
            started,
            used,
            began: PerSeat([None; 2]),
        }
    }

    /// The turn of a player begins: when its time is over; `None`: never. `keeps`: its time runs on from its turn before.
    pub(super) fn start(&mut self, by: Seat, keeps: bool, now: Duration) -> Option<Duration> {
        let before = self.began[by].filter(|_| keeps);
        self.began[by] = Some(before.unwrap_or(now));
        let time = match self.fault {
            Some(ClockFault::Never) => return None,
            Some(ClockFault::Half) => self.timeout / 2,
            Some(ClockFault::Late) => self.timeout + Duration::from_millis(1500),
            Some(ClockFault::OneSum) => self.timeout.saturating_sub(self.used[by]),
            _ => self.timeout,
        };
        let start = match self.fault {
            Some(ClockFault::FromGreeting) => self.greeted,
            Some(ClockFault::RunsOn) => self.run(by, now),
            _ => self.started[by].or(before).unwrap_or(now),
        };
        start.checked_add(time)
    }

    /// Starts a player's clock without ever stopping it, unless that has been done before; when that was.
    fn run(&mut self, by: Seat, now: Duration) -> Duration {
        *self.started[by].get_or_insert(now)
    }

    /// The turn of a player is skipped.
    pub(super) fn skip(&mut self, by: Seat, now: Duration) {
        if self.fault == Some(ClockFault::RunsWhenSkipped) {
            self.run(by, now);
        }
    }

    /// The time of a turn that begins anew.
    pub(super) fn restart(&self, now: Duration) -> Option<Duration> {
        now.checked_add(self.timeout)
    }

    /// The player has moved.
    pub(super) fn stop(&mut self, by: Seat, now: Duration) {
        self.used[by] += now.saturating_sub(self.began[by].unwrap_or(now));
    }
}
