use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use thiserror::Error;
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep};

use super::Lane;

/// How long a bot may take to end by itself once its lane is closed.
const GRACE: Duration = Duration::from_millis(500);

/// A bot as a child process in a process group of its own; dropping it kills the group.
#[derive(Debug)]
pub struct BotProcess {
    child: Child,
    /// `None` once the leader has been waited for: its number may then mean another process.
    group: Option<Pid>,
}

/// Why a bot cannot be started.
#[derive(Debug, Error)]
#[error("cannot start the bot `{program}`: {source}; check that the program exists and can be executed")]
pub struct SpawnError {
    /// The program.
    pub program: String,
    /// What the platform says.
    pub source: io::Error,
}

impl BotProcess {
    /// Starts a program with its arguments and opens a lane over its standard streams; its standard error is ours.
    ///
    /// # Errors
    /// Where the program cannot be started.
    ///
    /// # Panics
    /// Without a program.
    pub fn spawn(command: &[String]) -> Result<(Lane, BotProcess), SpawnError> {
        let (program, arguments) = command.split_first().expect("a command has a program");
        let spawned = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn();
        let mut child = spawned.map_err(|source| SpawnError { program: program.clone(), source })?;
        let stdin = child.stdin.take().expect("standard input is piped");
        let stdout = child.stdout.take().expect("standard output is piped");
        let group = child.id().map(|id| Pid::from_raw(id.cast_signed()));
        Ok((Lane::pipes(stdout, stdin), BotProcess { child, group }))
    }

    /// Gives the bot a short time to end by itself, then ends its whole group; returns how it ended if that was by itself.
    ///
    /// # Errors
    /// Where the platform cannot tell how it ended.
    pub async fn end(mut self) -> io::Result<Option<ExitStatus>> {
        let by_itself = self.ends_by_itself().await;
        self.kill_group();
        let status = self.child.wait().await?;
        self.group = None;
        Ok(by_itself.then_some(status))
    }

    /// Whether the bot ends within the time it is given. It is not waited for: that would give its number away while
    /// others of its group may live.
    async fn ends_by_itself(&self) -> bool {
        let Some(leader) = self.group else { return true };
        let until = Instant::now() + GRACE;
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        loop {
            match waitid(Id::Pid(leader), flags) {
                Ok(WaitStatus::StillAlive) | Err(Errno::EINTR) if Instant::now() < until => {
                    sleep(Duration::from_millis(2)).await;
                }
                Ok(WaitStatus::StillAlive) => return false,
                _ => return true,
            }
        }
    }

    fn kill_group(&self) {
        if let Some(group) = self.group {
            // Twice, since a process that was being forked as the first signal came can miss it.
            for _ in 0..2 {
                let _ = killpg(group, Signal::SIGKILL);
            }
        }
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.kill_group();
    }
}
