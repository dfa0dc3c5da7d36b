//! On which processors games are played.
//!
//! Two processes that answer each other in turns never work at the same time. On one processor the wake-up of the other is a switch of
//! processes; between two it is an interrupt to a processor that has gone idle, which takes ten times as long. So a pinned run has one
//! thread for each processor, and what a thread starts stays on its processor as well, because children inherit the affinity.

use std::io;

use crate::platform::{Processor, processors};

/// Processors of the threads that play games, and of the subjects that they start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placement {
    /// The system chooses.
    #[default]
    Free,
    /// Each thread, with the subjects that it starts, on a processor of its own.
    Pinned,
}

impl Placement {
    /// Returns the processor of each thread of a run, if the thread has to stay on one.
    ///
    /// # Errors
    /// Fails if threads have to stay on processors and the system cannot pin them.
    pub(super) fn threads(self, most: usize) -> io::Result<Vec<Option<Processor>>> {
        Ok(match self {
            Placement::Free => {
                let processors = std::thread::available_parallelism().map_or(1, usize::from);
                vec![None; processors.min(most)]
            }
            Placement::Pinned => processors()?.into_iter().take(most).map(Some).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_never_more_threads_than_are_of_use() {
        assert_eq!(Placement::Free.threads(1).unwrap(), [None]);
        assert_eq!(Placement::Pinned.threads(1).unwrap().len(), 1);
    }
}
