//! Threads that are kept on one processor.

/// One of the processors that this process may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Processor(usize);

pub use of_system::processors;

#[cfg(any(target_os = "linux", target_os = "android"))]
mod of_system {
    use std::io;

    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;

    use super::Processor;

    /// The calling thread.
    const THIS: Pid = Pid::from_raw(0);

    /// The processors that this process may use.
    pub fn processors() -> io::Result<Vec<Processor>> {
        let allowed = sched_getaffinity(THIS)?;
        Ok((0..CpuSet::count())
            .filter(|&number| allowed.is_set(number) == Ok(true))
            .map(Processor)
            .collect())
    }

    impl Processor {
        /// Keeps the calling thread on this processor, and what it starts from now on.
        pub fn keep(self) -> io::Result<()> {
            let mut only = CpuSet::new();
            only.set(self.0)?;
            Ok(sched_setaffinity(THIS, &only)?)
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod of_system {
    use std::io;

    use super::Processor;

    pub fn processors() -> io::Result<Vec<Processor>> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "this system does not keep threads on processors",
        ))
    }

    impl Processor {
        pub fn keep(self) -> io::Result<()> {
            processors().map(|_| ())
        }
    }
}

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
}
