//! Subjects as processes: start, supervision and end.

mod observed;
mod stderr;

pub use observed::{ProcessTree, ServerProcess};
pub use stderr::{Echo, Kept};

use std::fmt::Display;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::Breakdown;
use super::supervisor::{CLEARING, Spawn, Supervisor, Supervisors};

/// Number of supervisors that are tried: each may be killed before it has started the subject.
const SUPERVISORS: usize = 3;

/// A program to start, and who takes care of it.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The program.
    pub spawn: Spawn,
    /// True if its standard input is a pipe that urtext writes; otherwise it has nothing to read.
    pub has_input: bool,
    /// Supervisors to choose from.
    pub supervisors: Supervisors,
    /// Takes what it says on standard error.
    pub echo: Option<Echo>,
}

/// A started subject in its own process group; everything that it has started ends with it. Where it is dropped, its supervisor sees the
/// socket close, and ends it.
#[derive(Debug)]
pub struct Process {
    supervisor: Supervisor,
    group: Pid,
    stdin: Option<Sender>,
    stdout: Option<Receiver>,
    /// The end of its standard output, where that is no lane.
    printed: Kept,
    stderr: Kept,
    reading: JoinHandle<()>,
    ended: Option<Ended>,
}

impl Launch {
    /// Starts it.
    ///
    /// # Errors
    /// Fails if the program cannot be started.
    pub async fn start(&self) -> Result<Process, Breakdown> {
        let empty = || Breakdown::unstarted("there is no command to start");
        let program = self.spawn.words.first().ok_or_else(empty)?;
        let broken = |reason: io::Error| {
            let title = format!("the supervisor of `{program}` cannot be started: {reason}");
            Breakdown::unstarted(title)
        };
        for _ in 0..SUPERVISORS {
            let taken = self.supervisors.take().await;
            let Some(supervisor) = taken.map_err(broken)? else {
                continue;
            };
            match self.start_under(supervisor).await.map_err(broken)? {
                Some(Ok(process)) => return Ok(process),
                Some(Err(reason)) => return Err(Breakdown::no_program(program, &reason)),
                None => {}
            }
        }
        Err(broken(io::Error::other("it ends at once")))
    }

    /// Starts it under this supervisor, as [`Supervisor::start`] does. The supervisor gets the subject's ends of its streams, which nobody
    /// else may keep: its input, where it has one, then its output and standard error.
    async fn start_under(
        &self,
        mut supervisor: Supervisor,
    ) -> io::Result<Option<io::Result<Process>>> {
        let mut ends: Vec<OwnedFd> = Vec::new();
        let mut stdin = None;
        if self.has_input {
            let (reader, writer) = io::pipe()?;
            stdin = Some(Sender::from_owned_fd(writer.into())?);
            ends.push(reader.into());
        }
        let mut output = || {
            let (reader, writer) = io::pipe()?;
            ends.push(writer.into());
            Receiver::from_owned_fd(reader.into())
        };
        let (stdout, errors) = (output()?, output()?);
        let started = supervisor.start(&self.spawn, &ends).await?;
        let process = |subject| {
            let stderr = self.echo.clone().map(Kept::echoing).unwrap_or_default();
            Process {
                supervisor,
                group: Pid::from_raw(subject),
                stdin,
                stdout: Some(stdout),
                printed: Kept::default(),
                reading: tokio::spawn(stderr.clone().keep(errors)),
                stderr,
                ended: None,
            }
        };
        Ok(started.map(|started| started.map(process)))
    }
}

impl Process {
    /// Its standard input; once.
    pub fn take_stdin(&mut self) -> Option<Sender> {
        self.stdin.take()
    }

    /// Its standard output; once.
    pub fn take_stdout(&mut self) -> Option<Receiver> {
        self.stdout.take()
    }

    /// Keeps its standard output, which is no lane.
    pub fn keep_stdout(&mut self) {
        if let Some(stdout) = self.stdout.take() {
            tokio::spawn(self.printed.clone().keep(stdout));
        }
    }

    /// Returns the last part of its standard output, if that is kept.
    #[must_use]
    pub fn stdout(&self) -> Kept {
        self.printed.clone()
    }

    /// Returns the last part of the subject's standard error.
    #[must_use]
    pub fn stderr(&self) -> Kept {
        self.stderr.clone()
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> i32 {
        self.group.as_raw()
    }

    /// The processes that belong to it, to be sampled while this value exists.
    #[must_use]
    pub fn tree(&self) -> ProcessTree {
        let (root, subject) = (self.supervisor.pid, self.id());
        ProcessTree { root, subject }
    }

    /// Waits for its end. Safe to drop and call again.
    pub async fn ended(&mut self) -> Ended {
        if self.ended.is_none() {
            let status = self.supervisor.ended().await;
            if status.is_none() {
                // Elsewhere than on Linux nobody else does it.
                signal(self.group, Signal::SIGKILL);
            }
            self.ended = Some(status.map_or_else(Ended::lost, Ended::described));
        }
        self.ended.clone().expect("it has just ended")
    }

    /// Ends everything: after `grace` with a signal that can be caught, and soon after with one that cannot. Returns what is known of
    /// the process then.
    pub async fn end(mut self, grace: Duration) -> Remains {
        let has_ended = self.ended.is_some() || timeout(grace, self.ended()).await.is_ok();
        if !has_ended {
            signal(self.group, Signal::SIGTERM);
            if timeout(Duration::from_millis(500), self.ended())
                .await
                .is_err()
            {
                signal(self.group, Signal::SIGKILL);
                drop(timeout(CLEARING, self.ended()).await);
            }
        }
        if !self.supervisor.clear().await {
            signal(self.group, Signal::SIGKILL);
            self.ended = Some(Ended::lost());
        }
        // A grandchild that left the group can hold the pipe open for ever.
        drop(timeout(Duration::from_millis(100), &mut self.reading).await);
        self.reading.abort();
        Remains {
            is_lost: self.ended.as_ref().is_some_and(|ended| ended.is_lost),
            stderr: self.stderr.bytes(),
        }
    }
}

/// Signals a group, while the subject that it is called after has not been waited for. It may be gone already, and that is what is wanted.
fn signal(group: Pid, signal: Signal) {
    let _ = killpg(group, signal);
}

/// Exit status of a process, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// In words: `exit status 1`, `killed by signal 9 (SIGKILL)`.
    pub status: String,
    /// True for an exit with status 0.
    pub is_success: bool,
    /// True if the supervisor was killed, and all of the subject's processes with it.
    pub is_lost: bool,
}

/// Final state of a process that urtext ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remains {
    /// True if its supervisor was killed, and all of its processes with it.
    pub is_lost: bool,
    /// The end of what it wrote to standard error.
    pub stderr: Vec<u8>,
}

impl Ended {
    /// Converts the system's exit status.
    #[must_use]
    pub fn described(status: io::Result<ExitStatus>) -> Ended {
        let is_success = status.as_ref().is_ok_and(ExitStatus::success);
        let status = match status.map(|status| (status, status.code(), status.signal())) {
            Ok((_, Some(code), _)) => format!("exit status {code}"),
            Ok((_, _, Some(number))) => {
                let name = Signal::try_from(number).map(|signal| format!(" ({signal})"));
                format!("killed by signal {number}{}", name.unwrap_or_default())
            }
            Ok((status, ..)) => unknown(status),
            Err(error) => unknown(error),
        };
        Ended {
            status,
            is_success,
            is_lost: false,
        }
    }

    fn lost() -> Ended {
        Ended {
            status: unknown("its supervisor was killed"),
            is_success: false,
            is_lost: true,
        }
    }
}

fn unknown(why: impl Display) -> String {
    format!("its status is not known: {why}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_exits_from_signals() {
        let ended = |script: &str| {
            let status = std::process::Command::new("sh")
                .args(["-c", script])
                .status();
            Ended::described(status).status
        };
        assert_eq!(ended("exit 3"), "exit status 3");
        assert_eq!(ended("kill -9 $$"), "killed by signal 9 (SIGKILL)");
    }
}
