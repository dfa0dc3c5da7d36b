//! The files of an archive, and the threads that judge what they hold.

use std::collections::VecDeque;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{self, SyncSender};
use std::thread;

use crate::diagnostic::Diagnostic;
use crate::scenario;

/// The file with what a participant received, where this one has what it sent; else this one.
pub(super) fn received_of(path: &Path) -> PathBuf {
    match path.extension().is_some_and(|ending| ending == "sent") {
        true => path.with_extension("received"),
        false => path.to_owned(),
    }
}

/// The paths, each pair of NAME.received and NAME.sent named once.
pub(super) fn without_second_halves(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut kept: Vec<PathBuf> = Vec::new();
    for path in paths {
        let mut others = kept.iter();
        // The same stream twice is no second half, and is judged twice.
        if others.all(|other| other == path || received_of(other) != received_of(path)) {
            kept.push(path.clone());
        }
    }
    kept
}

/// Returns the files at these paths: those named, and those below folders in the order of their names, files first, or the fault of a folder that cannot be
/// read. Hidden files and scenarios are left out, and so is NAME.sent next to NAME.received. Only the names of one folder are in memory.
pub(super) fn files(paths: &[PathBuf]) -> impl Iterator<Item = Result<PathBuf, Diagnostic>> {
    paths.iter().flat_map(|path| files_at(path))
}

fn files_at(path: &Path) -> impl Iterator<Item = Result<PathBuf, Diagnostic>> + use<> {
    let found: Box<dyn Iterator<Item = _>> = match path.is_dir() {
        true => Box::new(below(path)),
        false => Box::new(iter::once(Ok(path.to_owned()))),
    };
    let mut found = found.peekable();
    let is_empty = found.peek().is_none();
    let fault = is_empty.then(|| {
        let fault = Diagnostic::error("file/empty", "this folder holds no file");
        Err(fault.in_file(path.to_string_lossy()))
    });
    found.chain(fault)
}

/// Returns the files that hold lanes of the same games: those named, and then those of each folder at these paths and below, or the fault of a
/// folder that cannot be read.
pub(super) fn lanes(paths: &[PathBuf]) -> impl Iterator<Item = Result<Vec<PathBuf>, Diagnostic>> {
    let (folders, named): (Vec<_>, Vec<_>) = paths.iter().cloned().partition(|path| path.is_dir());
    let below = folders.into_iter().flat_map(|folder| {
        let mut files = files_at(&folder).peekable();
        iter::from_fn(move || {
            let first = match files.next()? {
                Ok(first) => first,
                Err(fault) => return Some(Err(fault)),
            };
            let is_beside = |file: &Result<PathBuf, _>| {
                file.as_ref()
                    .is_ok_and(|file| file.parent() == first.parent())
            };
            let others: Vec<_> = iter::from_fn(|| files.next_if(is_beside))
                .flatten()
                .collect();
            Some(Ok(iter::once(first).chain(others).collect()))
        })
    });
    let named = (!named.is_empty()).then_some(Ok(named));
    named.into_iter().chain(below)
}

/// Returns the number of bytes of all files at these paths.
#[must_use]
pub fn size(paths: &[PathBuf]) -> u64 {
    files(paths).flatten().map(|file| file_size(&file)).sum()
}

/// Returns the size of a file in bytes; 0 where it is not known.
pub(super) fn file_size(file: &Path) -> u64 {
    file.metadata().map_or(0, |metadata| metadata.len())
}

fn below(folder: &Path) -> impl Iterator<Item = Result<PathBuf, Diagnostic>> + use<> {
    scenario::entries(folder).filter_map(|entry| {
        let entry = match entry {
            Ok(entry) => entry,
            Err(fault) => return Some(Err(fault)),
        };
        let path = entry.file_type().is_file().then(|| entry.into_path())?;
        let received = received_of(&path);
        let is_second_half = received != path && received.exists();
        let is_scenario = path
            .extension()
            .is_some_and(|ending| ending == "yaml" || ending == "yml");
        (!is_second_half && !is_scenario).then_some(Ok(path))
    })
}

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
