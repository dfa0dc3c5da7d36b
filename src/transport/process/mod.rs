//! Subjects as processes: start, supervision and end.

#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod asleep;
mod echo;
mod ended;
mod launch;
mod observed;
mod serving;
mod stderr;
mod supervised;

pub use echo::{Echo, EchoedLine};
pub use ended::{Ended, Remains};
pub use launch::{Input, Launch};
pub(super) use observed::run_delay;
pub use observed::{ObservedProcess, ProcessSample, ProcessState, ProcessTree};
pub use serving::ServerProcess;
pub use stderr::Kept;

use std::io;
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::process::Child;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use supervised::{CLEARING, Supervised};

/// Errors on starting a process.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The command has no words.
    #[error("there is no command to start")]
    Empty,
    /// The program is not there, or may not be run.
    #[error("`{program}` cannot be started: {reason}")]
    Spawn {
        /// The program, as given.
        program: String,
        /// The system's error.
        reason: io::Error,
    },
    /// The process that is to watch over it is not there.
    #[error("the supervisor of `{program}` cannot be started: {reason}")]
    Supervisor {
        /// The program, as given.
        program: String,
        /// The system's error.
        reason: io::Error,
    },
}

/// A started subject in its own process group, which ends with it; with a supervisor everything that it has started ends with it.
#[derive(Debug)]
pub struct Process {
    /// `None` only while it is ended.
    watched: Option<Watched>,
    group: Option<Pid>,
    stdin: Option<Sender>,
    stdout: Option<Receiver>,
    stderr: Kept,
    reading: JoinHandle<()>,
    ended: Option<Ended>,
}

/// The process that waits for the subject.
#[derive(Debug)]
enum Watched {
    ByUs(Box<Child>),
    BySupervisor(Supervised),
}

impl Process {
    /// Starts a command (no shell) without a supervisor. Its standard input is a pipe.
    ///
    /// # Errors
    /// Fails if the program cannot be started.
    pub fn start(words: &[String]) -> Result<Process, StartError> {
        let launch = Launch {
            words: words.to_vec(),
            input: Input::Piped,
            ..Launch::default()
        };
        launch.start_alone()
    }

    /// Its standard input; once.
    pub fn take_stdin(&mut self) -> Option<Sender> {
        self.stdin.take()
    }

    /// Its standard output; once.
    pub fn take_stdout(&mut self) -> Option<Receiver> {
        self.stdout.take()
    }

    /// Returns the last part of the subject's standard error.
    #[must_use]
    pub fn stderr(&self) -> Kept {
        self.stderr.clone()
    }

    /// Its process id, where it was known before its end.
    #[must_use]
    pub fn id(&self) -> Option<i32> {
        self.group.map(Pid::as_raw)
    }

    /// The processes that belong to it, to be sampled while this value exists. `None` when it ended before its id was known.
    #[must_use]
    pub fn tree(&self) -> Option<ProcessTree> {
        let supervisor = match &self.watched {
            Some(Watched::BySupervisor(supervised)) => {
                Some((supervised.pid, supervised.reaped.clone()))
            }
            _ => None,
        };
        Some(ProcessTree::new(self.group?.as_raw(), supervisor))
    }

    /// Waits for its end. Safe to drop and call again.
    pub async fn ended(&mut self) -> Ended {
        if self.ended.is_none() {
            let ended = match &mut self.watched {
                Some(Watched::BySupervisor(supervised)) => supervised.ended().await,
                Some(Watched::ByUs(child)) => {
                    // Whoever reads to the end must not be waited for in vain.
                    self.stdin = None;
                    Ended::described(child.wait().await)
                }
                None => Ended::unknown("it was not waited for"),
            };
            if ended.is_lost {
                // Elsewhere than on Linux nobody else does it.
                self.signal(Signal::SIGKILL);
            }
            self.ended = Some(ended);
        }
        self.ended.clone().expect("it has just ended")
    }

    /// Ends everything: after `grace` with a signal that can be caught, and soon after with one that cannot. Returns what is known of
    /// the process then.
    pub async fn end(mut self, grace: Duration) -> Remains {
        let has_ended = self.ended.is_some() || timeout(grace, self.ended()).await.is_ok();
        if !has_ended {
            match &self.watched {
                Some(Watched::BySupervisor(supervised)) => supervised.ask_to_end().await,
                _ => self.signal(Signal::SIGTERM),
            }
            if timeout(Duration::from_millis(500), self.ended())
                .await
                .is_err()
            {
                self.signal(Signal::SIGKILL);
                drop(timeout(CLEARING, self.ended()).await);
            }
        }
        match self.watched.take() {
            Some(Watched::BySupervisor(supervised)) => {
                if !supervised.clear().await {
                    self.signal(Signal::SIGKILL);
                    self.ended = Some(Ended::lost());
                }
            }
            // What it has left behind in its group ends with it.
            _ => self.signal(Signal::SIGKILL),
        }
        // A grandchild that left the group can hold the pipe open for ever.
        drop(timeout(Duration::from_millis(100), &mut self.reading).await);
        self.reading.abort();
        Remains {
            ended: self.ended.clone(),
            stderr: self.stderr.bytes(),
        }
    }

    /// Signals the group, while the subject that it is called after has not been waited for.
    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            // The group may be gone already, and that is what is wanted.
            let _ = killpg(group, signal);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A supervisor sees the socket close and does the rest.
        if self.ended.is_none() {
            self.signal(Signal::SIGKILL);
        }
        self.reading.abort();
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    fn sh(script: &str) -> Process {
        Process::start(&["sh".to_owned(), "-c".to_owned(), script.to_owned()]).unwrap()
    }

    #[tokio::test]
    async fn tells_exits_from_signals() {
        assert_eq!(sh("exit 3").ended().await.status, "exit status 3");
        assert_eq!(
            sh("kill -9 $$").ended().await.status,
            "killed by signal 9 (SIGKILL)"
        );
    }

    #[tokio::test]
    async fn a_program_that_is_not_there_is_named() {
        let error = Process::start(&["/no/such/program".to_owned()]).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("`/no/such/program` cannot be started"),
            "{error}"
        );
    }

    #[tokio::test]
    async fn ends_a_group_that_ignores_the_gentle_signal_and_keeps_what_it_said() {
        let mut process = sh(
            "trap '' TERM; echo trapped >&2; echo ready; cat >/dev/null; while :; do read x; done",
        );
        let mut ready = [0; 6];
        process
            .take_stdout()
            .unwrap()
            .read_exact(&mut ready)
            .await
            .unwrap();
        let group = process.group.unwrap();
        let said = process.end(Duration::ZERO).await.stderr;
        assert_eq!(said, b"trapped\n");
        assert!(killpg(group, None).is_err(), "the group is still there");
    }
}
