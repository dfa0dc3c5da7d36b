//! The supervisor of a game, and of the next one when nothing of that game is left.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;

use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use tokio::signal::unix::{SignalKind, signal};

use super::message::{Order, ProcessLimits, Report, Socket, Spawn};

/// The supervisor's state.
#[derive(Debug, Default)]
struct Game {
    /// The subject of the game that is played now. It may have ended while its descendants have not.
    subject: Option<Pid>,
    /// True if all processes have to end.
    is_ending: bool,
    /// The folder to remove if urtext is gone.
    remove: Option<OsString>,
}

/// Starts the subjects of one game after the other, until urtext is gone and nothing is left.
pub(super) async fn serve(mut socket: Socket) -> io::Result<()> {
    let mut ended = signal(SignalKind::child())?;
    let mut game = Game::default();
    let mut reports = vec![Report::Ready(std::process::id().cast_signed())];
    let mut is_alone = false;
    while !is_alone || game.subject.is_some() {
        for report in std::mem::take(&mut reports) {
            // Where nobody hears it, nobody is left to be told.
            drop(socket.send(&report, &[]).await);
        }
        tokio::select! {
            order = socket.next(), if !is_alone => match order {
                Some(Order::Start(spawn)) => reports.push(game.start(*spawn, socket.descriptors())),
                Some(Order::Kill) => game.kill(),
                None => {
                    is_alone = true;
                    game.kill();
                }
            },
            _ = ended.recv() => reports = game.reap(),
        }
    }
    if let Some(folder) = game.remove {
        // urtext has removed it already, unless it was killed.
        drop(std::fs::remove_dir_all(folder));
    }
    Ok(())
}

impl Game {
    fn start(&mut self, spawn: Spawn, ends: Vec<OwnedFd>) -> Report {
        self.is_ending = false;
        let started = (|| {
            let mut command = spawn.command(ends)?;
            let restore = spawn.limits.set()?;
            let spawned = command.spawn();
            if let Some((soft, hard)) = restore {
                let _ = setrlimit(Resource::RLIMIT_AS, soft, hard);
            }
            // The child is waited for by its number, like all the others.
            io::Result::Ok(spawned?.id().cast_signed())
        })();
        self.remove = spawn.remove;
        match started {
            Ok(subject) => {
                self.subject = Some(Pid::from_raw(subject));
                Report::Started(subject)
            }
            Err(error) => Report::Failed(error.raw_os_error().unwrap_or(Errno::EINVAL as i32)),
        }
    }

    /// Ends the game, if there is one.
    fn kill(&mut self) {
        // From here on whoever reaps a child kills again, so that nothing forked meanwhile is missed.
        self.is_ending = true;
        if let Some(subject) = self.subject {
            kill_all(subject);
        }
    }

    /// Waits for all that has ended.
    fn reap(&mut self) -> Vec<Report> {
        let mut reports = Vec::new();
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::Exited(pid, code)) if Some(pid) == self.subject => {
                    reports.push(Report::Ended(code << 8));
                }
                Ok(WaitStatus::Signaled(pid, signal, _)) if Some(pid) == self.subject => {
                    reports.push(Report::Ended(signal as i32));
                }
                Ok(WaitStatus::StillAlive) => {
                    if self.is_ending {
                        self.kill();
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

impl ProcessLimits {
    /// Returns true if nothing of these limits remains on a supervisor that has set them: a hard limit cannot be raised again.
    pub(super) fn are_reversible(&self) -> bool {
        self.cpu.is_none() && self.open_files.is_none()
    }

    /// Limits this process, and so what it starts. Returns the limit of memory to restore: this process has to go on with what it has.
    fn set(&self) -> nix::Result<Option<(u64, u64)>> {
        if let Some(cpu) = self.cpu {
            // The signal at the first limit can be caught, and the one at the second cannot.
            lower(Resource::RLIMIT_CPU, cpu, 1)?;
        }
        if let Some(files) = self.open_files {
            lower(Resource::RLIMIT_NOFILE, files, 0)?;
        }
        let Some(memory) = self.memory else {
            return Ok(None);
        };
        let before = getrlimit(Resource::RLIMIT_AS)?;
        setrlimit(Resource::RLIMIT_AS, memory.min(before.1), before.1)?;
        Ok(Some(before))
    }
}

fn lower(resource: Resource, soft: u64, margin: u64) -> nix::Result<()> {
    let (_, hard) = getrlimit(resource)?;
    setrlimit(
        resource,
        soft.min(hard),
        soft.saturating_add(margin).min(hard),
    )
}

/// Kills what is below this process as far as it can be seen now. Called again after each child that was reaped, until there is none, it
/// misses nothing: what was forked meanwhile has become a child of this process by then.
#[cfg(target_os = "linux")]
pub(super) fn kill_all(_subject: Pid) {
    for pid in linux::descendants(std::process::id().cast_signed()) {
        // It may have ended already, and that is what is wanted.
        let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
    }
}

/// Kills the subject's process group: what has left it is not found here.
#[cfg(not(target_os = "linux"))]
pub(super) fn kill_all(subject: Pid) {
    let _ = nix::sys::signal::killpg(subject, Signal::SIGKILL);
    let _ = kill(subject, Signal::SIGKILL);
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashMap;

    use procfs::process::all_processes;

    /// All processes below one, parents before their children.
    pub(super) fn descendants(root: i32) -> Vec<i32> {
        let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
        let processes = all_processes().into_iter().flatten().flatten();
        for stat in processes.filter_map(|process| process.stat().ok()) {
            children.entry(stat.ppid).or_default().push(stat.pid);
        }
        let mut found = children.remove(&root).unwrap_or_default();
        let mut next = 0;
        while let Some(&pid) = found.get(next) {
            next += 1;
            found.extend(children.remove(&pid).unwrap_or_default());
        }
        found
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn finds_children_and_their_children() {
            use std::io::{BufRead, BufReader, Write};
            let mut child = std::process::Command::new("sh")
                .args(["-c", "exec 3<&0; sh -c 'echo $$; read x <&3' & wait"])
                .stdin(std::process::Stdio::piped())
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            let mut line = String::new();
            BufReader::new(child.stdout.take().unwrap())
                .read_line(&mut line)
                .unwrap();
            let grandchild: i32 = line.trim().parse().unwrap();
            let found = descendants(std::process::id().cast_signed());
            let place = |pid: i32| found.iter().position(|&found| found == pid);
            assert!(
                place(child.id().cast_signed()).unwrap() < place(grandchild).unwrap(),
                "{found:?}"
            );
            let _ = child.stdin.take().unwrap().write_all(b"\n");
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}
