//! The supervisors of a run, as urtext sees them.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::message::{Order, Report, Socket, Spawn};
use super::{ARGUMENT, GUARD};
use crate::platform::open_files_before;

/// Longest time for a supervisor to end leftover processes. On an overloaded machine it has taken more than 5 s.
pub(crate) const CLEARING: Duration = Duration::from_secs(20);
/// Longest time for a supervisor to begin, or to start a process. It is far more than that takes; a subject can stop its supervisor at once.
const STARTING: Duration = Duration::from_secs(30);
/// Longest time for supervisors to end.
const ENDING: Duration = Duration::from_secs(5);

/// The supervisors of the games of one run, or of one thread of it. A game borrows a supervisor, and gives it back when nothing of the
/// game is left, so that there are as many as games at once.
///
/// They are started where they are first needed, on the processors of the calling thread, and belong to the runtime that they are
/// first used in.
#[derive(Debug, Clone)]
pub struct Supervisors {
    /// The program of urtext.
    program: PathBuf,
    /// Those that have no game.
    idle: Arc<Mutex<Vec<Supervisor>>>,
}

/// A supervisor, and the game that it has.
#[derive(Debug)]
pub(crate) struct Supervisor {
    socket: Socket,
    pool: Supervisors,
    guard: Child,
    /// Its process id.
    pub(crate) pid: i32,
    /// True if it can watch over another game.
    is_reusable: bool,
}

impl Supervisors {
    /// No supervisors yet; they are started by this program, which is urtext.
    #[must_use]
    pub fn new(program: PathBuf) -> Supervisors {
        Supervisors {
            program,
            idle: Arc::default(),
        }
    }

    /// Returns a supervisor without a game, which can have been killed the moment before. `None`: it was killed as it began.
    pub(crate) async fn take(&self) -> io::Result<Option<Supervisor>> {
        // Nobody would clear up after a supervisor whose guard was killed, if it were killed as well: it is dropped, and ends.
        while let Some(mut idle) = self.idle().pop() {
            if matches!(idle.guard.try_wait(), Ok(None)) {
                return Ok(Some(idle));
            }
        }
        let (ours, theirs) = UnixStream::pair()?;
        let mut command = Command::new(&self.program);
        command
            .arg0("urtext")
            .args([ARGUMENT, GUARD])
            .arg(&self.program)
            .args(open_files_before().map(|files| files.to_string()))
            .process_group(0)
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let guard = command.spawn()?;
        drop(command);
        let mut socket = Socket::new(ours)?;
        let ready = timeout(STARTING, socket.next()).await;
        let Some(Report::Ready(pid)) = ready? else {
            return Ok(None);
        };
        Ok(Some(Supervisor {
            socket,
            pool: self.clone(),
            guard,
            pid,
            is_reusable: true,
        }))
    }

    /// Ends the supervisors, and waits for that.
    pub async fn close(&self) {
        let idle = std::mem::take(&mut *self.idle());
        // First tell all of them to end, then wait, so that they end at the same time.
        let ending = join_all(idle.into_iter().map(Supervisor::finish));
        drop(timeout(ENDING, ending).await);
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Supervisor>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Supervisor {
    /// Has a subject started, with its ends of its streams: its process id, or the system's reason why it cannot be started. `None`: the
    /// supervisor was killed.
    pub(crate) async fn start(
        &mut self,
        spawn: &Spawn,
        ends: &[OwnedFd],
    ) -> io::Result<Option<io::Result<i32>>> {
        self.is_reusable = spawn.limits.are_reversible();
        let ends: Vec<_> = ends.iter().map(AsFd::as_fd).collect();
        let order = Order::Start(Box::new(spawn.clone()));
        let report = match self.socket.send(&order, &ends).await {
            Ok(()) => timeout(STARTING, self.socket.next()).await,
            Err(_) => Ok(None),
        };
        match report {
            Ok(Some(Report::Started(subject))) => Ok(Some(Ok(subject))),
            Ok(Some(Report::Failed(errno))) => Ok(Some(Err(io::Error::from_raw_os_error(errno)))),
            Ok(_) => {
                // Those without a game may have been killed as well.
                self.pool.idle().clear();
                Ok(None)
            }
            Err(_) => {
                self.kill();
                Err(io::Error::other("it does not answer"))
            }
        }
    }

    /// Waits for the end of the subject itself: its status; `None` where the supervisor was killed. Safe to drop and call again, until it
    /// has ended.
    pub(crate) async fn ended(&mut self) -> Option<io::Result<ExitStatus>> {
        Some(match self.socket.next().await? {
            Report::Ended(status) => Ok(ExitStatus::from_raw(status)),
            _ => Err(io::Error::other("its supervisor is confused")),
        })
    }

    /// Kills what is left of the subject, and waits for it. The supervisor is free then for another game, or ends. A supervisor that does not
    /// answer was stopped: it is killed too. Returns whether it was there to the end.
    pub(crate) async fn clear(mut self) -> bool {
        let is_clear = timeout(CLEARING, self.kill_rest()).await;
        if is_clear == Ok(true) && self.is_reusable {
            let pool = self.pool.clone();
            pool.idle().push(self);
            return true;
        }
        if is_clear.is_err() {
            self.kill();
        }
        // Where it was killed, its end comes from its guard, when nothing is left.
        drop(timeout(CLEARING, self.finish()).await);
        is_clear.unwrap_or(false)
    }

    /// Returns false where the supervisor is gone.
    async fn kill_rest(&mut self) -> bool {
        // Where the supervisor is gone, its end comes when nothing is left.
        drop(self.socket.send(&Order::Kill, &[]).await);
        loop {
            match self.socket.next().await {
                Some(Report::Clear) => return true,
                Some(_) => {}
                None => return false,
            }
        }
    }

    /// Kills it, for its guard to clear up.
    fn kill(&self) {
        self.wake_guard();
        let _ = kill(Pid::from_raw(self.pid), Signal::SIGKILL);
    }

    /// Has the guard go on, if a subject has stopped it.
    fn wake_guard(&self) {
        if let Some(guard) = self.guard.id() {
            let _ = kill(Pid::from_raw(guard.cast_signed()), Signal::SIGCONT);
        }
    }

    /// Lets it end, and waits for that.
    async fn finish(mut self) {
        self.wake_guard();
        self.socket.finish().await;
        drop(self.guard.wait().await);
    }
}
