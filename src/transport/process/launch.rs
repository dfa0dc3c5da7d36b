//! The start of a subject's process, with or without a supervisor.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::process::Stdio;

use nix::unistd::Pid;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::process::Command;

use super::supervised::{Answer, Supervised};
use super::{Echo, Kept, Process, StartError, Watched};
use crate::config::Limits;
use crate::transport::open_files;
use crate::transport::supervisor::{ProcessLimits, Start, Supervisors};

/// Number of supervisors that are tried: each may be killed before it has started the subject.
const SUPERVISORS: usize = 3;

/// A program to start, with its environment and limits.
#[derive(Debug, Clone, Default)]
pub struct Launch {
    /// The words of the command; there is no shell.
    pub words: Vec<String>,
    /// Variables beside those of urtext itself; `None`: not that one.
    pub environment: Vec<(String, Option<String>)>,
    /// Working directory; `None` is urtext's own.
    pub folder: Option<PathBuf>,
    /// Its standard input.
    pub input: Input,
    /// Resource limits, which the supervisor sets.
    pub limits: Limits,
    /// Supervisors to choose from; `None` starts the subject without a supervisor.
    pub supervisors: Option<Supervisors>,
    /// A folder that the supervisor removes should urtext be killed.
    pub remove: Option<PathBuf>,
    /// Takes what it says on standard error.
    pub echo: Option<Echo>,
}

/// The standard input of a subject.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Input {
    /// A pipe that urtext writes.
    Piped,
    /// Nothing to read.
    #[default]
    Nothing,
}

/// The pipes to and from a subject: our ends of them.
struct Streams {
    stdin: Option<Sender>,
    stdout: Receiver,
    stderr: Receiver,
}

/// The subject's ends, which nobody else may keep: its input, where it has one, then its output and standard error.
type FarEnds = Vec<OwnedFd>;

impl Launch {
    /// Starts it: with its supervisor where there is to be one.
    ///
    /// # Errors
    /// Fails if the program cannot be started.
    pub async fn start(&self) -> Result<Process, StartError> {
        let Some(supervisors) = &self.supervisors else {
            return self.start_alone();
        };
        let program = || self.words.first().cloned().unwrap_or_default();
        let broken = |reason: io::Error| StartError::Supervisor {
            program: program(),
            reason,
        };
        if self.words.is_empty() {
            return Err(StartError::Empty);
        }
        for _ in 0..SUPERVISORS {
            let (ours, theirs) = self.streams().map_err(broken)?;
            let ends: Vec<_> = theirs.iter().map(AsFd::as_fd).collect();
            let answer = Supervised::start(supervisors, self.order(), &ends)
                .await
                .map_err(broken)?;
            drop(theirs);
            match answer {
                Answer::Started(subject, supervised) => {
                    let group = Some(Pid::from_raw(subject));
                    return Ok(self.process(Watched::BySupervisor(supervised), group, ours));
                }
                Answer::Failed(reason) => {
                    return Err(StartError::Spawn {
                        program: program(),
                        reason,
                    });
                }
                Answer::Lost => {}
            }
        }
        Err(broken(io::Error::other("it ends at once")))
    }

    /// Starts it without a supervisor.
    pub(super) fn start_alone(&self) -> Result<Process, StartError> {
        let (program, arguments) = self.words.split_first().ok_or(StartError::Empty)?;
        let broken = |reason: io::Error| StartError::Spawn {
            program: program.clone(),
            reason,
        };
        let mut command = Command::new(program);
        command.args(arguments).process_group(0).kill_on_drop(true);
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        let (ours, mut theirs) = self.streams().map_err(broken)?;
        let mut next = || theirs.pop().map_or_else(Stdio::null, Stdio::from);
        let child = command
            .stderr(next())
            .stdout(next())
            .stdin(next())
            .spawn()
            .map_err(broken)?;
        let group = child
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .map(Pid::from_raw);
        Ok(self.process(Watched::ByUs(Box::new(child)), group, ours))
    }

    fn streams(&self) -> io::Result<(Streams, FarEnds)> {
        let mut far_ends = Vec::new();
        let mut stdin = None;
        if self.input == Input::Piped {
            let (reader, writer) = io::pipe()?;
            stdin = Some(Sender::from_owned_fd(writer.into())?);
            far_ends.push(reader.into());
        }
        let mut output = || {
            let (reader, writer) = io::pipe()?;
            far_ends.push(writer.into());
            Receiver::from_owned_fd(reader.into())
        };
        let streams = Streams {
            stdin,
            stdout: output()?,
            stderr: output()?,
        };
        Ok((streams, far_ends))
    }

    /// The order to a supervisor.
    fn order(&self) -> Start {
        let Limits {
            memory,
            cpu,
            open_files,
        } = self.limits;
        let files_before = open_files::before();
        Start {
            words: self.words.clone(),
            environment: self.environment.clone(),
            folder: self.folder.clone().map(Into::into),
            has_input: self.input == Input::Piped,
            limits: ProcessLimits {
                memory: memory.map(|bytes| bytes.0),
                cpu: cpu.map(|time| time.as_secs()),
                open_files: open_files.map(|files| files.0),
                files_before,
            },
            remove: self.remove.clone().map(Into::into),
        }
    }

    fn process(&self, watched: Watched, group: Option<Pid>, streams: Streams) -> Process {
        let stderr = self.echo.clone().map(Kept::echoing).unwrap_or_default();
        let reading = tokio::spawn(stderr.clone().keep(streams.stderr));
        let (watched, stdin, stdout) = (Some(watched), streams.stdin, Some(streams.stdout));
        Process {
            watched,
            group,
            stdin,
            stdout,
            stderr,
            reading,
            ended: None,
        }
    }
}
