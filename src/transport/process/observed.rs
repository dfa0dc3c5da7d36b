//! The processes of one subject, as the platform shows them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The processes of one subject: the subject itself and all its descendants.
///
/// With a supervisor, this includes descendants whose parents have ended, and those that left the process group or the session.
#[derive(Debug, Clone)]
pub struct ProcessTree {
    /// The process whose descendants all belong to the subject: its supervisor, or the subject.
    root: i32,
    subject: i32,
    /// The run delays of processes that the supervisor has reaped.
    reaped: Reaped,
}

/// The run delays of processes that have ended, by their process ids.
pub(super) type Reaped = Arc<Mutex<Vec<(i32, Duration)>>>;

/// The processes of a subject at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProcessSample {
    /// The subject first, if it still exists; then its descendants, parents before children.
    pub processes: Vec<ObservedProcess>,
}

/// One process at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservedProcess {
    /// The process id.
    pub pid: i32,
    /// The name of the program, cut to 15 bytes by Linux.
    pub name: String,
    /// True for the process that urtext started; false for its descendants.
    pub is_subject: bool,
    /// The state of the main thread.
    pub state: ProcessState,
    /// Processor time used by all threads and by all children that were waited for, user and system. Resolution: 10 ms on Linux.
    pub cpu_time: Duration,
    /// Total time that its living threads were runnable but did not run, since each of them began. `None`
    /// where the platform does not show it.
    pub run_delay: Option<Duration>,
}

/// The state of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessState {
    /// Runs, or is runnable.
    Running,
    /// Waits for something.
    Sleeping,
    /// Waits for a disk, also for pages of its program or of its memory.
    Blocked,
    /// Was stopped by a signal (SIGSTOP, SIGTSTP) or by a debugger.
    Stopped,
    /// Has ended, and its parent has not waited for it.
    Zombie,
}

impl ProcessState {
    /// Converts Linux's letter for a state.
    #[cfg(target_os = "linux")]
    pub(super) fn of(letter: char) -> ProcessState {
        match letter {
            'R' => ProcessState::Running,
            'D' => ProcessState::Blocked,
            'T' | 't' => ProcessState::Stopped,
            'Z' | 'X' | 'x' => ProcessState::Zombie,
            _ => ProcessState::Sleeping,
        }
    }
}

impl ProcessTree {
    /// The tree of a subject with this process id, below a supervisor where it has one.
    pub(super) fn new(subject: i32, supervisor: Option<(i32, Reaped)>) -> ProcessTree {
        let (root, reaped) = supervisor.unwrap_or_else(|| (subject, Reaped::default()));
        ProcessTree {
            root,
            subject,
            reaped,
        }
    }

    /// Returns the run delay of each process, living and reaped, by its process id, and true if one is blocked. `None` where the platform
    /// shows nothing, or no process is left.
    #[must_use]
    pub fn run_delays(&self) -> Option<(Vec<(i32, Duration)>, bool)> {
        let sample = self.sample().unwrap_or_default();
        let living = sample.processes.into_iter();
        let is_blocked = |process: &ObservedProcess| process.state == ProcessState::Blocked;
        let is_blocked = living.as_slice().iter().any(is_blocked);
        let mut delays: Vec<_> = living
            .filter_map(|process| Some((process.pid, process.run_delay?)))
            .collect();
        delays.extend(
            self.reaped
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .iter(),
        );
        (!delays.is_empty()).then_some((delays, is_blocked))
    }

    /// Samples all processes now: about 0.1 ms for a subject of one process. Returns `None` where the platform shows nothing, or
    /// when no process is left.
    ///
    /// Call it only while the [`super::Process`] exists: later the process id may belong to another process.
    #[cfg(target_os = "linux")]
    #[must_use]
    pub fn sample(&self) -> Option<ProcessSample> {
        let mut pids = vec![self.root];
        let mut processes = Vec::new();
        let mut next = 0;
        while let Some(&pid) = pids.get(next) {
            next += 1;
            // A process can end at any moment.
            let Ok(process) = procfs::process::Process::new(pid) else {
                continue;
            };
            let mut run_delay = None;
            for task in process.tasks().into_iter().flatten().flatten() {
                let children = task.children().unwrap_or_default();
                pids.extend(
                    children
                        .into_iter()
                        .map(u32::cast_signed)
                        .filter(|pid| !pids.contains(pid))
                        .collect::<Vec<_>>(),
                );
                if let Ok(statistics) = task.schedstat() {
                    *run_delay.get_or_insert(Duration::ZERO) +=
                        Duration::from_nanos(statistics.run_delay);
                }
            }
            if pid == self.root && self.root != self.subject {
                continue;
            }
            let Ok(stat) = process.stat() else { continue };
            let ticks =
                stat.utime + stat.stime + (stat.cutime + stat.cstime).max(0).cast_unsigned();
            processes.push(ObservedProcess {
                pid,
                is_subject: pid == self.subject,
                state: ProcessState::of(stat.state),
                name: stat.comm,
                cpu_time: Duration::from_secs(ticks)
                    / u32::try_from(procfs::ticks_per_second()).unwrap_or(100),
                run_delay,
            });
        }
        processes.sort_by_key(|process| !process.is_subject);
        (!processes.is_empty()).then_some(ProcessSample { processes })
    }

    /// Returns true if the subject has ended or is ending: its streams may be closed already, and its exit status is on its way. False
    /// where the platform shows nothing.
    #[cfg(target_os = "linux")]
    #[must_use]
    pub fn has_ended(&self) -> bool {
        use procfs::process::{Process, StatFlags};
        let stat = Process::new(self.subject).and_then(|process| process.stat());
        stat.map_or(true, |stat| {
            let is_exiting = stat.flags & StatFlags::PF_EXITING.bits() != 0;
            is_exiting || ProcessState::of(stat.state) == ProcessState::Zombie
        })
    }

    /// Returns false: this platform shows nothing.
    #[cfg(not(target_os = "linux"))]
    #[must_use]
    pub fn has_ended(&self) -> bool {
        false
    }

    /// Returns the time that the subject's first thread was runnable but did not run, since it began: a few
    /// system calls instead of the dozens of a whole sample. `None` where the platform does not show it, or
    /// the subject has ended.
    #[must_use]
    pub fn run_delay_of_subject(&self) -> Option<(i32, Duration)> {
        Some((self.subject, run_delay(self.subject)?))
    }

    /// Returns `None`: this platform shows nothing.
    #[cfg(not(target_os = "linux"))]
    #[must_use]
    pub fn sample(&self) -> Option<ProcessSample> {
        None
    }
}

impl ProcessSample {
    /// The process that urtext started; `None` when it has ended and was waited for.
    #[must_use]
    pub fn subject(&self) -> Option<&ObservedProcess> {
        self.processes.iter().find(|process| process.is_subject)
    }

    /// Returns true if any process has not ended.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.processes
            .iter()
            .any(|process| process.state != ProcessState::Zombie)
    }

    /// Processor time used by all processes together.
    #[must_use]
    pub fn cpu_time(&self) -> Duration {
        self.processes.iter().map(|process| process.cpu_time).sum()
    }

    /// Returns `None`: here nothing shows what a process sleeps in.
    #[cfg(not(all(
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64")
    )))]
    #[must_use]
    pub fn asleep(&self, _lanes: &[(usize, crate::transport::FarEnd)]) -> Option<Vec<usize>> {
        None
    }
}

/// Returns the time that a process's first thread was runnable but did not run, until its parent has waited for it.
pub(in crate::transport) fn run_delay(process: i32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?;
    Some(Duration::from_nanos(text.split(' ').nth(1)?.parse().ok()?))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    use tokio::io::AsyncReadExt;

    use super::super::Process;
    use super::*;

    /// Starts a script that writes a byte when it is ready and then reads its input.
    async fn ready(script: &str) -> (Process, ProcessTree) {
        let words = ["sh".to_owned(), "-c".to_owned(), script.to_owned()];
        let mut process = Process::start(&words).unwrap();
        process
            .take_stdout()
            .unwrap()
            .read_exact(&mut [0; 2])
            .await
            .unwrap();
        let tree = process.tree().unwrap();
        (process, tree)
    }

    #[tokio::test]
    async fn shows_the_subject_and_its_descendants_and_what_they_have_used() {
        // The child works until it has used 50 ms of processor time, and then waits with its parent.
        let work = "n=0; while [ $n -lt 100000 ]; do n=$((n+1)); done; echo ok; read x <&3";
        let (process, tree) = ready(&format!("exec 3<&0; sh -c '{work}' & wait")).await;
        let sample = tree.sample().unwrap();
        let [subject, child] = &sample.processes[..] else {
            panic!("{sample:?}")
        };
        assert!(subject.is_subject && !child.is_subject, "{sample:?}");
        assert_eq!(subject.name, "sh");
        assert_eq!(sample.subject(), Some(subject));
        assert!(sample.is_alive());
        assert!(child.cpu_time >= Duration::from_millis(20), "{sample:?}");
        assert_eq!(sample.cpu_time(), subject.cpu_time + child.cpu_time);
        // Not every kernel counts it.
        if std::path::Path::new("/proc/self/schedstat").exists() {
            let (pid, delay) = tree.run_delay_of_subject().unwrap();
            assert!(pid == subject.pid && Some(delay) >= subject.run_delay);
            let (delays, _) = tree.run_delays().unwrap();
            assert_eq!(delays.len(), 2);
            assert!(delays.iter().any(|(pid, _)| *pid == child.pid));
        }
        process.end(Duration::ZERO).await;
        assert_eq!(tree.sample(), None);
    }

    #[tokio::test]
    async fn tells_a_stopped_process_and_one_that_has_ended() {
        let (process, tree) = ready("echo ok; read x").await;
        let state = || tree.sample().unwrap().subject().unwrap().state;
        let pid = Pid::from_raw(tree.subject);
        kill(pid, Signal::SIGSTOP).unwrap();
        // A signal is delivered a moment later.
        while state() != ProcessState::Stopped {
            tokio::task::yield_now().await;
        }
        kill(pid, Signal::SIGKILL).unwrap();
        while state() != ProcessState::Zombie {
            // No `await`: the runtime would wait for the process.
            std::thread::yield_now();
        }
        assert!(!tree.sample().unwrap().is_alive());
        drop(process);
    }
}
