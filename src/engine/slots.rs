//! Limits on the number of busy games at once; games that only wait for time to pass do not count.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

/// The places for busy games on one thread.
#[derive(Debug)]
pub(super) struct Slots {
    /// Maximum number of busy games.
    most: usize,
    busy: AtomicUsize,
    changed: Notify,
}

impl Slots {
    pub(super) fn new(most: usize) -> Arc<Slots> {
        Arc::new(Slots {
            most,
            busy: AtomicUsize::new(0),
            changed: Notify::new(),
        })
    }

    /// Waits until there is room for one more busy game, and takes it.
    pub(super) async fn take(self: &Arc<Slots>) -> Slot {
        while self.busy.load(Ordering::Relaxed) >= self.most {
            self.changed.notified().await;
        }
        self.busy.fetch_add(1, Ordering::Relaxed);
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
    async fn a_game_that_waits_leaves_its_place_to_another() {
        let slots = Slots::new(1);
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
    async fn whoever_waits_for_a_place_is_woken() {
        let slots = Slots::new(1);
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
