//! Work on several threads whose results are reported in order.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::mpsc::{self, SyncSender};
use std::thread;

/// Hands each piece of work that `produce` gives to one of `jobs` threads, and passes the results to `finish` in the order of the work.
///
/// At most two pieces for each thread exist at a time: `produce` waits for the oldest result.
///
/// # Panics
/// Panics if `work` panics.
pub(super) fn in_order<W: Send, R: Send>(
    jobs: usize,
    produce: impl FnOnce(&mut dyn FnMut(W)),
    work: impl Fn(W) -> R + Sync,
    mut finish: impl FnMut(R),
) {
    if jobs == 1 {
        return produce(&mut |piece| finish(work(piece)));
    }
    let (give, take) = mpsc::sync_channel::<(W, SyncSender<R>)>(2 * jobs);
    let take = Mutex::new(take);
    let run = || {
        loop {
            let next = take
                .lock()
                .expect("no thread panics while it holds the lock")
                .recv();
            let Ok((piece, back)) = next else { return };
            // The result is not awaited any more only where the whole run panics.
            drop(back.send(work(piece)));
        }
    };
    thread::scope(|scope| {
        // Moved here, so that it is dropped before the scope waits for the threads.
        let give = give;
        (0..jobs).for_each(|_| drop(scope.spawn(run)));
        let mut awaited = VecDeque::new();
        let mut finish_oldest = |awaited: &mut VecDeque<mpsc::Receiver<R>>| {
            let oldest = awaited.pop_front();
            oldest.map(|result| finish(result.recv().expect("a thread that judges does not panic")))
        };
        produce(&mut |piece| {
            if awaited.len() == 2 * jobs {
                finish_oldest(&mut awaited);
            }
            let (back, result) = mpsc::sync_channel(1);
            give.send((piece, back))
                .expect("the threads take work until there is no more");
            awaited.push_back(result);
        });
        while finish_oldest(&mut awaited).is_some() {}
    });
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::in_order;

    #[test]
    fn results_come_in_the_order_of_the_work_whichever_thread_is_first() {
        for jobs in [1, 2, 5] {
            let mut results = Vec::new();
            let produce = |give: &mut dyn FnMut(usize)| (0..100).for_each(give);
            // Every other piece takes longer.
            let work = |piece: usize| {
                (0..piece % 2 * 10_000).fold(piece, |kept, _| std::hint::black_box(kept))
            };
            in_order(jobs, produce, work, |result| results.push(result));
            assert_eq!(results, (0..100).collect::<Vec<_>>());
        }
    }

    #[test]
    fn no_more_pieces_are_made_than_twice_the_threads_can_take() {
        let finished = AtomicUsize::new(0);
        let produce = |give: &mut dyn FnMut(usize)| {
            for piece in 0..100 {
                assert!(
                    piece - finished.load(Ordering::SeqCst) <= 6,
                    "piece {piece}"
                );
                give(piece);
            }
        };
        let finish = |_| finished.store(finished.load(Ordering::SeqCst) + 1, Ordering::SeqCst);
        in_order(3, produce, |piece| piece, finish);
        assert_eq!(finished.into_inner(), 100);
    }
}
