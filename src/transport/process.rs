use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How much of a subject's standard error is kept, in bytes: its end.
const STDERR_KEPT: usize = 16 * 1024;

/// Why a process did not come about.
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
        /// What the system says.
        reason: io::Error,
    },
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// In words: `exit status 1`, `killed by signal 9 (SIGKILL)`.
    pub status: String,
    /// Whether it was an exit with status 0.
    pub is_success: bool,
}

/// A started subject in its own process group, which ends with it.
#[derive(Debug)]
pub struct Process {
    child: Child,
    group: Option<Pid>,
    stderr: Arc<Mutex<Vec<u8>>>,
    reading: JoinHandle<()>,
    ended: Option<Ended>,
}

impl Process {
    /// Starts a command (no shell) with further environment variables. Its standard input is a pipe where `has_input`.
    ///
    /// # Errors
    /// Where it cannot be started.
    pub fn start(
        words: &[String],
        environment: &[(String, String)],
        has_input: bool,
    ) -> Result<Process, StartError> {
        let (program, arguments) = words.split_first().ok_or(StartError::Empty)?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .stdin(if has_input { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let spawned = command.spawn();
        let mut child = spawned.map_err(|reason| StartError::Spawn { program: program.clone(), reason })?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw);
        let stderr = Arc::new(Mutex::new(Vec::new()));
        let stream = child.stderr.take().expect("standard error is a pipe");
        let reading = tokio::spawn(keep_the_end(stream, Arc::clone(&stderr)));
        Ok(Process { child, group, stderr, reading, ended: None })
    }

    /// Its standard input; once.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Its standard output; once.
    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Waits for its end. Safe to drop and call again.
    pub async fn ended(&mut self) -> Ended {
        if self.ended.is_none() {
            let status = self.child.wait().await;
            self.ended = Some(describe(status));
        }
        self.ended.clone().expect("it has just ended")
    }

    /// Ends the whole group: after `grace` with a signal that can be caught, and soon after with one that cannot.
    /// Returns what standard error said last.
    pub async fn end(mut self, grace: Duration) -> Vec<u8> {
        let has_ended = self.ended.is_some() || timeout(grace, self.ended()).await.is_ok();
        if !has_ended {
            self.signal(Signal::SIGTERM);
            if timeout(Duration::from_millis(500), self.ended()).await.is_err() {
                self.signal(Signal::SIGKILL);
                self.ended().await;
            }
        }
        // What it has left behind in its group ends with it.
        self.signal(Signal::SIGKILL);
        // A grandchild that left the group can hold the pipe open for ever.
        drop(timeout(Duration::from_millis(100), &mut self.reading).await);
        self.reading.abort();
        let said = self.stderr.lock().expect("nothing panics while it holds the lock");
        said.clone()
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            // The group may be gone already, and that is what is wanted.
            let _ = killpg(group, signal);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.signal(Signal::SIGKILL);
        }
        self.reading.abort();
    }
}

async fn keep_the_end(mut stream: impl AsyncRead + Unpin, kept: Arc<Mutex<Vec<u8>>>) {
    let mut buffer = vec![0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut buffer).await {
        let mut kept = kept.lock().expect("nothing panics while it holds the lock");
        kept.extend_from_slice(&buffer[..count]);
        if kept.len() > STDERR_KEPT {
            let surplus = kept.len() - STDERR_KEPT;
            kept.drain(..surplus);
        }
    }
}

fn describe(status: io::Result<ExitStatus>) -> Ended {
    let (status, is_success) = match status {
        Ok(status) => match (status.code(), status.signal()) {
            (Some(code), _) => (format!("exit status {code}"), code == 0),
            (None, Some(number)) => {
                let name =
                    Signal::try_from(number).map_or_else(|_| String::new(), |signal| format!(" ({signal})"));
                (format!("killed by signal {number}{name}"), false)
            }
            (None, None) => (status.to_string(), false),
        },
        Err(error) => (format!("its status is not known: {error}"), false),
    };
    Ended { status, is_success }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Process {
        Process::start(&["sh".to_owned(), "-c".to_owned(), script.to_owned()], &[], true).unwrap()
    }

    #[tokio::test]
    async fn tells_exits_from_signals() {
        assert_eq!(sh("exit 3").ended().await.status, "exit status 3");
        assert_eq!(sh("kill -9 $$").ended().await.status, "killed by signal 9 (SIGKILL)");
    }

    #[tokio::test]
    async fn a_program_that_is_not_there_is_named() {
        let error = Process::start(&["/no/such/program".to_owned()], &[], false).unwrap_err();
        assert!(error.to_string().starts_with("`/no/such/program` cannot be started"), "{error}");
    }

    #[tokio::test]
    async fn ends_a_group_that_ignores_the_gentle_signal_and_keeps_what_it_said() {
        let mut process =
            sh("trap '' TERM; echo trapped >&2; echo ready; cat >/dev/null; while :; do read x; done");
        let mut ready = [0; 6];
        process.take_stdout().unwrap().read_exact(&mut ready).await.unwrap();
        let group = process.group.unwrap();
        let said = process.end(Duration::ZERO).await;
        assert_eq!(said, b"trapped\n");
        assert!(killpg(group, None).is_err(), "the group is still there");
    }
}
