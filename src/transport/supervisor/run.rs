//! The supervisor of a run: it starts the supervisors of games, and clears up after those that are killed.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use nix::errno::Errno;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use tokio::signal::unix::{SignalKind, signal};

use super::socket::Socket;
use super::{ARGUMENT, OF_GAME, below};

/// The supervisors of games.
#[derive(Debug, Default)]
struct Games {
    /// Those that live, with a copy of each one's socket.
    living: HashMap<Pid, OwnedFd>,
    /// The sockets of those that were killed, while processes of their subjects may be left.
    killed: Vec<OwnedFd>,
}

/// Starts a supervisor of a game, by this program, for every socket that comes, until urtext is gone and nothing is left.
pub(super) async fn serve(mut socket: Socket, program: OsString) -> io::Result<()> {
    let mut ended = signal(SignalKind::child())?;
    let mut games = Games::default();
    let (mut is_alone, mut has_children) = (false, false);
    while !is_alone || has_children {
        tokio::select! {
            come = socket.next(), if !is_alone => match come {
                // A supervisor that cannot be started closes its socket, and urtext sees that.
                Some(()) => {
                    if let Some(end) = socket.next_descriptor() {
                        drop(games.start(&program, end));
                    }
                }
                None => is_alone = true,
            },
            _ = ended.recv() => {}
        }
        has_children = games.reap();
    }
    Ok(())
}

impl Games {
    fn start(&mut self, program: &OsStr, end: OwnedFd) -> io::Result<()> {
        let mut command = Command::new(program);
        command
            .arg0("urtext")
            .args([ARGUMENT, OF_GAME])
            .process_group(0);
        command
            .stdin(Stdio::from(end.try_clone()?))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let child = command.spawn()?;
        self.living
            .insert(Pid::from_raw(child.id().cast_signed()), end);
        Ok(())
    }

    /// Waits for all that has ended, and kills the orphans of supervisors that were killed. Returns whether a child is left.
    fn reap(&mut self) -> bool {
        let has_children = loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::StillAlive) => break true,
                // Nothing is left below a supervisor that has exited well.
                Ok(WaitStatus::Exited(pid, 0)) => drop(self.living.remove(&pid)),
                Ok(WaitStatus::Exited(pid, _) | WaitStatus::Signaled(pid, ..)) => {
                    self.killed.extend(self.living.remove(&pid));
                }
                Ok(_) | Err(Errno::EINTR) => {}
                Err(_) => break false,
            }
        };
        if !self.killed.is_empty() {
            let is_known = |pid| self.living.contains_key(&pid);
            // The last orphan is reaped before none is found any more.
            let has_orphans = has_children && below::kill_orphans(is_known);
            if !has_orphans {
                self.killed.clear();
            }
        }
        has_children
    }
}
