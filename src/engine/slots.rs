//! Limits on the number of games at once; games that only wait for time to pass do not count as busy.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::Notify;

use crate::config::Subject;

/// Number of games at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jobs {
    /// Until a game has shown how much processor time the subject takes to start.
    pub least: usize,
    /// At most, where subjects mostly wait.
    pub most: usize,
}

impl From<usize> for Jobs {
    fn from(jobs: usize) -> Jobs {
        Jobs {
            least: jobs,
            most: jobs,
        }
    }
}

impl Jobs {
    /// Returns at most this number for a subject, and two games for each processor where urtext starts a program of which nothing is known:
    /// interpreters that start at once wait for each other.
    pub(crate) fn usual(most: usize, subject: &Subject) -> Jobs {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let is_known = subject.program.is_none() || subject.built_in.is_some();
        let least = if is_known { most } else { 2 * processors };
        Jobs {
            least: least.min(most),
            most,
        }
    }

    /// Returns the number for subjects that have so much processor time for their start, in a time that they did not have to wait for
    /// other programs.
    fn after_start(self, took: Duration, computed: Duration) -> usize {
        // Two games share a processor, where each computes half of the time.
        let share = took.as_secs_f64() / computed.as_secs_f64().max(f64::MIN_POSITIVE);
        ((self.least as f64 * share / 2.0) as usize).clamp(self.least, self.most)
    }
}

/// The places for busy games on one thread.
#[derive(Debug)]
pub(super) struct Slots {
    /// Maximum number of busy games.
    jobs: Jobs,
    /// That number, once the start of a subject has decided it.
    decided: OnceLock<usize>,
    /// Maximum number of open games, including those that wait.
    open_most: usize,
    busy: AtomicUsize,
    open: AtomicUsize,
    changed: Notify,
}

impl Slots {
    pub(super) fn new(jobs: impl Into<Jobs>, open_most: usize) -> Arc<Slots> {
        let (busy, open) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let jobs = jobs.into();
        Arc::new(Slots {
            jobs,
            decided: OnceLock::new(),
            open_most: open_most.max(jobs.least),
            busy,
            open,
            changed: Notify::new(),
        })
    }

    fn busy_most(&self) -> usize {
        self.decided.get().copied().unwrap_or(self.jobs.least)
    }

    /// Waits until there is room for one more game, and takes it.
    pub(super) async fn take(self: &Arc<Slots>) -> Slot {
        while self.busy.load(Ordering::Relaxed) >= self.busy_most()
            || self.open.load(Ordering::Relaxed) >= self.open_most
        {
            self.changed.notified().await;
        }
        self.busy.fetch_add(1, Ordering::Relaxed);
        self.open.fetch_add(1, Ordering::Relaxed);
        Slot {
            slots: Arc::clone(self),
            is_busy: true,
        }
    }
}

/// The place of one game; given back when it is dropped.
#[derive(Debug)]
pub(super) struct Slot {
    slots: Arc<Slots>,
    is_busy: bool,
}

impl Slot {
    /// Returns true until the start of a subject has decided how many games are busy at once.
    pub(super) fn is_undecided(&self) -> bool {
        self.slots.jobs.least < self.slots.jobs.most && self.slots.decided.get().is_none()
    }

    /// The subject has started: it took so long, in which it computed so long.
    pub(super) fn starts(&self, took: Duration, computed: Duration) {
        let decided = self.slots.jobs.after_start(took, computed);
        self.slots.decided.get_or_init(|| decided);
    }

    /// Says whether the game is busy. It never has to wait for that: for a moment more games can be busy than there are places.
    pub(super) fn set_busy(&mut self, is_busy: bool) {
        if is_busy == self.is_busy {
            return;
        }
        self.is_busy = is_busy;
        if is_busy {
            self.slots.busy.fetch_add(1, Ordering::Relaxed);
        } else {
            self.slots.busy.fetch_sub(1, Ordering::Relaxed);
            self.slots.changed.notify_one();
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.set_busy(false);
        self.slots.open.fetch_sub(1, Ordering::Relaxed);
        self.slots.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if a slot is free right now.
    fn has_room(slots: &Arc<Slots>) -> bool {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        std::pin::pin!(slots.take()).poll(&mut context).is_ready()
    }

    #[tokio::test]
    async fn there_is_more_room_once_a_start_has_shown_that_subjects_wait() {
        let slots = Slots::new(Jobs { least: 1, most: 2 }, 2);
        let first = slots.take().await;
        assert!(!has_room(&slots) && first.is_undecided());
        first.starts(Duration::from_secs(10), Duration::from_secs(1));
        assert!(has_room(&slots) && !first.is_undecided());
    }

    #[tokio::test]
    async fn a_game_that_waits_leaves_its_place_to_another() {
        let slots = Slots::new(1, 2);
        let mut first = slots.take().await;
        assert!(!has_room(&slots));
        first.set_busy(false);
        let second = slots.take().await;
        assert!(!has_room(&slots));
        drop(second);
        first.set_busy(true);
        assert!(!has_room(&slots));
        drop(first);
        assert!(has_room(&slots));
    }

    #[tokio::test]
    async fn no_more_games_are_open_than_allowed_however_idle() {
        let slots = Slots::new(1, 2);
        let mut first = slots.take().await;
        first.set_busy(false);
        let mut second = slots.take().await;
        second.set_busy(false);
        assert!(!has_room(&slots));
        drop(first);
        assert!(has_room(&slots));
    }

    #[tokio::test]
    async fn whoever_waits_for_a_place_is_woken() {
        let slots = Slots::new(1, 1);
        let first = slots.take().await;
        let waiting = tokio::spawn({
            let slots = Arc::clone(&slots);
            async move { drop(slots.take().await) }
        });
        tokio::task::yield_now().await;
        drop(first);
        waiting.await.unwrap();
    }

    #[test]
    fn more_games_are_played_at_once_where_subjects_mostly_wait() {
        let jobs = Jobs { least: 4, most: 16 };
        let at_once = |took, computed| {
            jobs.after_start(Duration::from_millis(took), Duration::from_millis(computed))
        };
        // An interpreter that computes all the time while it starts.
        assert_eq!(at_once(110, 100), 4);
        assert_eq!(at_once(400, 100), 8);
        assert_eq!(at_once(5000, 100), 16);
        assert_eq!(at_once(5, 0), 16, "a start that costs nothing");
        assert_eq!(Jobs::from(3).after_start(Duration::ZERO, Duration::ZERO), 3);
    }
}
