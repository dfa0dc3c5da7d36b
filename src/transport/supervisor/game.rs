//! The supervisor of a game, and of the next one when nothing of that game is left.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use tokio::signal::unix::{SignalKind, signal};

use super::below;
use super::message::{Order, ProcessLimits, Report, Start};
use super::socket::Socket;
use crate::transport::open_files;

/// The supervisor's state.
#[derive(Debug)]
struct Game {
    is_subreaper: bool,
    /// The subject of the game that is played now. It may have ended while its descendants have not.
    subject: Option<Pid>,
    /// True if all processes have to end.
    is_ending: bool,
    /// The folder to remove if urtext is gone.
    remove: Option<OsString>,
}

/// Starts the subjects of one game after the other, until urtext is gone and nothing is left.
pub(super) async fn serve(mut socket: Socket, is_subreaper: bool) -> io::Result<()> {
    let mut ended = signal(SignalKind::child())?;
    let mut game = Game {
        is_subreaper,
        subject: None,
        is_ending: false,
        remove: None,
    };
    let mut is_alone = false;
    while !is_alone || game.subject.is_some() {
        let reports = tokio::select! {
            order = socket.next(), if !is_alone => match order {
                Some(Order::Start(start)) => {
                    // Before anything of the subject runs, which can stop this process.
                    let this = std::process::id().cast_signed();
                    drop(socket.send(&[Report::Starting(this)], &[]).await);
                    vec![game.start(&start, &mut socket)]
                }
                Some(order) => {
                    game.end(order);
                    Vec::new()
                }
                None => {
                    is_alone = true;
                    game.end(Order::Kill);
                    Vec::new()
                }
            },
            _ = ended.recv() => game.reap(),
        };
        // Where nobody hears it, nobody is left to be told.
        drop(socket.send(&reports, &[]).await);
    }
    if let Some(folder) = game.remove {
        // urtext has removed it already, unless it was killed.
        drop(std::fs::remove_dir_all(folder));
    }
    Ok(())
}

impl Game {
    fn start(&mut self, start: &Start, socket: &mut Socket) -> Report {
        self.remove.clone_from(&start.remove);
        self.is_ending = false;
        let mut next = || {
            socket
                .next_descriptor()
                .ok_or(io::Error::from(Errno::EBADF))
        };
        let started = (|| {
            let input = if start.has_input {
                next()?
            } else {
                File::open("/dev/null")?.into()
            };
            self.spawn(start, [input, next()?, next()?])
        })();
        match started {
            Ok(subject) => {
                self.subject = Some(subject);
                Report::Started(subject.as_raw())
            }
            Err(error) => Report::Failed(error.raw_os_error().unwrap_or(Errno::EINVAL as i32)),
        }
    }

    /// Starts a subject. When this returns, nobody but the subject has the far ends of its streams.
    fn spawn(&self, start: &Start, [input, output, errors]: [OwnedFd; 3]) -> io::Result<Pid> {
        let (program, arguments) = start
            .words
            .split_first()
            .ok_or(io::ErrorKind::InvalidInput)?;
        let mut errors = File::from(errors);
        if cfg!(target_os = "linux") && !self.is_subreaper {
            drop(writeln!(
                errors,
                "urtext: what leaves the process group of the subject may stay behind"
            ));
        }
        let mut command = Command::new(program);
        command.args(arguments).process_group(0);
        command
            .stdin(Stdio::from(input))
            .stdout(Stdio::from(output))
            .stderr(Stdio::from(errors));
        for (name, value) in &start.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(folder) = &start.folder {
            command.current_dir(folder);
        }
        let restore = limit(&start.limits)?;
        let spawned = command.spawn();
        if let Some((soft, hard)) = restore {
            let _ = setrlimit(Resource::RLIMIT_AS, soft, hard);
        }
        // The child is waited for by its number, like all the others.
        Ok(Pid::from_raw(spawned?.id().cast_signed()))
    }

    /// Ends the game, gently or at once; nothing, where there is none.
    fn end(&mut self, order: Order) {
        let Some(subject) = self.subject else { return };
        if order == Order::Ask {
            return below::ask_to_end(subject);
        }
        // From here on whoever reaps a child kills again, so that nothing forked meanwhile is missed.
        self.is_ending = true;
        below::kill_all(subject);
    }

    /// Waits for all that has ended.
    fn reap(&mut self) -> Vec<Report> {
        let mut reports = Vec::new();
        loop {
            reports.extend(below::waited());
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::Exited(pid, code)) if Some(pid) == self.subject => {
                    reports.push(Report::Exited(code));
                }
                Ok(WaitStatus::Signaled(pid, signal, _)) if Some(pid) == self.subject => {
                    reports.push(Report::Signalled(signal as i32));
                }
                Ok(WaitStatus::StillAlive) => {
                    if let Some(subject) = self.subject.filter(|_| self.is_ending) {
                        below::kill_all(subject);
                    }
                    return reports;
                }
                Ok(_) | Err(Errno::EINTR) => {}
                Err(_) => {
                    reports.extend(self.subject.take().map(|_| Report::Clear));
                    return reports;
                }
            }
        }
    }
}

/// Limits this process, and so what it starts. Returns the limit of memory to restore: this process has to go on with what it has.
fn limit(limits: &ProcessLimits) -> nix::Result<Option<(u64, u64)>> {
    if let Some(cpu) = limits.cpu {
        // The signal at the first limit can be caught, and the one at the second cannot.
        lower(Resource::RLIMIT_CPU, cpu, 1)?;
    }
    match (limits.open_files, limits.files_before) {
        (Some(files), _) => lower(Resource::RLIMIT_NOFILE, files, 0)?,
        (None, Some(files)) => open_files::restore(files)?,
        (None, None) => {}
    }
    let Some(memory) = limits.memory else {
        return Ok(None);
    };
    let before = getrlimit(Resource::RLIMIT_AS)?;
    setrlimit(Resource::RLIMIT_AS, memory.min(before.1), before.1)?;
    Ok(Some(before))
}

fn lower(resource: Resource, soft: u64, margin: u64) -> nix::Result<()> {
    let (_, hard) = getrlimit(resource)?;
    setrlimit(
        resource,
        soft.min(hard),
        soft.saturating_add(margin).min(hard),
    )
}
