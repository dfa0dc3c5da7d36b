use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::unistd::Pid;
use tokio::net::UnixStream;
use tokio::process::{Child, Command};

use super::{Channel, Kept, Process, StartError};
use crate::config::Limits;
use crate::transport::open_files;
use crate::transport::supervisor::{self, Orders, Report};

/// What is to be started, and how.
#[derive(Debug, Clone, Default)]
pub struct Launch {
    /// The words of the command; there is no shell.
    pub words: Vec<String>,
    /// Variables beside those of urtext itself; `None`: not that one.
    pub environment: Vec<(String, Option<String>)>,
    /// Where it runs; `None`: where urtext does.
    pub folder: Option<PathBuf>,
    /// Its standard input.
    pub input: Input,
    /// What it may use up; held by the supervisor.
    pub limits: Limits,
    /// The program of urtext, which is started as the supervisor; `None`: the subject is started without one.
    pub supervisor: Option<PathBuf>,
    /// A folder that the supervisor removes should urtext be killed.
    pub remove: Option<PathBuf>,
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

/// One at a time: between clearing a descriptor's close-on-exec flag and the start of the supervisor that it is for, no other process
/// may be started that would inherit it.
static STARTING: Mutex<()> = Mutex::new(());

impl Launch {
    /// Starts it: with its supervisor where there is to be one.
    ///
    /// # Errors
    /// Where it cannot be started.
    pub async fn start(&self) -> Result<Process, StartError> {
        let Some(program) = &self.supervisor else { return self.start_alone() };
        let name = self.words.first().ok_or(StartError::Empty)?;
        let broken = |reason: io::Error| StartError::Supervisor { program: name.clone(), reason };
        let (ours, theirs) = std::os::unix::net::UnixStream::pair().map_err(broken)?;
        let orders = Orders {
            channel: theirs.as_raw_fd(),
            limits: self.limits,
            files_before: open_files::before(),
            remove: self.remove.clone(),
            words: self.words.iter().map(Into::into).collect(),
        };
        let mut command = Command::new(program);
        command.arg0("urtext").arg(supervisor::ARGUMENT).args(orders.to_arguments());
        // A kill would leave nobody to watch over the subject.
        self.prepare(&mut command).kill_on_drop(false);
        let child = {
            let _alone = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
            fcntl(theirs.as_fd(), FcntlArg::F_SETFD(FdFlag::empty()))
                .map_err(|errno| broken(errno.into()))?;
            let child = command.spawn().map_err(broken)?;
            drop(theirs);
            child
        };
        ours.set_nonblocking(true).map_err(broken)?;
        let stream = UnixStream::from_std(ours).map_err(broken)?;
        let mut channel = Channel { stream, heard: Vec::new() };
        match channel.next().await {
            Some(Report::Started(pid)) => Ok(process(child, Some(Pid::from_raw(pid)), Some(channel))),
            Some(Report::Failed(errno)) => {
                let reason = io::Error::from_raw_os_error(errno);
                Err(StartError::Spawn { program: name.clone(), reason })
            }
            _ => Err(broken(io::Error::other("it said nothing"))),
        }
    }

    /// Starts it without a supervisor.
    pub(super) fn start_alone(&self) -> Result<Process, StartError> {
        let (program, arguments) = self.words.split_first().ok_or(StartError::Empty)?;
        let mut command = Command::new(program);
        command.args(arguments);
        self.prepare(&mut command).kill_on_drop(true);
        let spawned = {
            let _alone = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
            command.spawn()
        };
        let child = spawned.map_err(|reason| StartError::Spawn { program: program.clone(), reason })?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw);
        Ok(process(child, group, None))
    }

    fn prepare<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command
            .stdin(if self.input == Input::Piped { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
    }
}

fn process(mut child: Child, group: Option<Pid>, supervisor: Option<Channel>) -> Process {
    let stderr = Kept::default();
    let stream = child.stderr.take().expect("standard error is a pipe");
    let reading = tokio::spawn(stderr.clone().keep(stream));
    Process { child, group, supervisor, stderr, reading, ended: None }
}
