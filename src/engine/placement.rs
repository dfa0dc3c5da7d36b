//! On which processors games are played.
//!
//! Two processes that answer each other in turns never work at the same time. On one processor the wake-up of the other is a switch of
//! processes; between two it is an interrupt to a processor that has gone idle, which takes ten times as long. So a pinned run has one
//! thread for each processor, and what a thread starts stays on its processor as well, because children inherit the affinity.

use std::io;

/// Processors of the threads that play games, and of the subjects that they start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placement {
    /// The system chooses.
    #[default]
    Free,
    /// Each thread, with the subjects that it starts, on a processor of its own.
    Pinned,
}

/// One of the processors that this process may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Processor(usize);

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

#[cfg(any(target_os = "linux", target_os = "android"))]
mod affinity {
    use std::io;

    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;

    use super::Processor;

    /// The calling thread.
    const THIS: Pid = Pid::from_raw(0);

    /// The processors that this process may use.
    pub(in crate::engine) fn processors() -> io::Result<Vec<Processor>> {
        let allowed = sched_getaffinity(THIS)?;
        Ok((0..CpuSet::count())
            .filter(|&number| allowed.is_set(number) == Ok(true))
            .map(Processor)
            .collect())
    }

    impl Processor {
        /// Keeps the calling thread on this processor, and what it starts from now on.
        pub(in crate::engine) fn keep(self) -> io::Result<()> {
            let mut only = CpuSet::new();
            only.set(self.0)?;
            Ok(sched_setaffinity(THIS, &only)?)
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod affinity {
    use std::io;

    use super::Processor;

    pub(in crate::engine) fn processors() -> io::Result<Vec<Processor>> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "this system does not keep threads on processors",
        ))
    }

    impl Processor {
        pub(in crate::engine) fn keep(self) -> io::Result<()> {
            processors().map(|_| ())
        }
    }
}

use affinity::processors;

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn keeps_a_thread_and_what_it_starts_on_one_processor() {
        let processor = *processors().unwrap().last().unwrap();
        let kept = std::thread::spawn(move || {
            processor.keep().unwrap();
            let shown = std::process::Command::new("cat")
                .arg("/proc/self/status")
                .output()
                .unwrap();
            let text = String::from_utf8(shown.stdout).unwrap();
            text.lines()
                .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))
                .unwrap()
                .trim()
                .to_owned()
        });
        assert_eq!(kept.join().unwrap(), processor.0.to_string());
    }

    #[test]
    fn there_are_never_more_threads_than_are_of_use() {
        assert_eq!(Placement::Free.threads(1).unwrap(), [None]);
        assert_eq!(Placement::Pinned.threads(1).unwrap().len(), 1);
    }
}
