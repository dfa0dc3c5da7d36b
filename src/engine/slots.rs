//! Limits on the number of games at once; games that only wait for time to pass do not count as busy.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::Notify;

use super::run::Jobs;

/// The number of busy games at once on all threads, which the first start decides.
#[derive(Debug, Clone)]
pub(super) struct Crowd {
    jobs: Jobs,
    /// `None` inside the cell until a start was measured.
    shown: Arc<OnceLock<usize>>,
}

impl Crowd {
    pub(super) fn new(jobs: impl Into<Jobs>) -> Crowd {
        Crowd {
            jobs: jobs.into(),
            shown: Arc::default(),
        }
    }

    /// Returns true until a start was measured that decides something.
    pub(super) fn is_watching(&self) -> bool {
        self.jobs.least < self.jobs.most && self.shown.get().is_none()
    }

    /// A subject has started: it took so long, in which it computed so long.
    pub(super) fn starts(&self, took: Duration, computed: Duration) {
        // Another game may have shown it at the same time.
        let _ = self.shown.set(self.jobs.after_start(took, computed));
    }

    fn most(&self) -> usize {
        self.shown.get().copied().unwrap_or(self.jobs.least)
    }
}

/// The places for busy games on one thread.
#[derive(Debug)]
pub(super) struct Slots {
    /// Maximum number of busy games, on all threads.
    crowd: Crowd,
    /// The number of this thread, and the number of threads.
    thread: (usize, usize),
    /// Maximum number of open games, including those that wait.
    open_most: usize,
    busy: AtomicUsize,
    open: AtomicUsize,
    changed: Notify,
}

impl Slots {
    pub(super) fn new(crowd: Crowd, thread: (usize, usize), open_most: usize) -> Arc<Slots> {
        let (busy, open) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Arc::new(Slots {
            crowd,
            thread,
            open_most,
            busy,
            open,
            changed: Notify::new(),
        })
    }

    fn busy_most(&self) -> usize {
        let (number, threads) = self.thread;
        (self.crowd.most() + number) / threads
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
    /// The number of busy games at once.
    pub(super) fn crowd(&self) -> &Crowd {
        &self.slots.crowd
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

    /// One busy game at once, and so many open ones.
    fn slots(open_most: usize) -> Arc<Slots> {
        Slots::new(Crowd::new(1), (0, 1), open_most)
    }

    #[tokio::test]
    async fn there_is_more_room_once_a_start_has_shown_that_subjects_wait() {
        let crowd = Crowd::new(Jobs { least: 1, most: 2 });
        let slots = Slots::new(crowd.clone(), (0, 1), 2);
        let _first = slots.take().await;
        assert!(!has_room(&slots) && crowd.is_watching());
        crowd.starts(Duration::from_secs(10), Duration::from_secs(1));
        assert!(has_room(&slots) && !crowd.is_watching());
    }

    #[tokio::test]
    async fn a_game_that_waits_leaves_its_place_to_another() {
        let slots = slots(2);
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
        let slots = slots(2);
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
        let slots = slots(1);
        let first = slots.take().await;
        let waiting = tokio::spawn({
            let slots = Arc::clone(&slots);
            async move { drop(slots.take().await) }
        });
        tokio::task::yield_now().await;
        drop(first);
        waiting.await.unwrap();
    }
}
