//! The supervisors of a run, as urtext sees them.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::socket::{Socket, is_open, send_blocking};
use super::{ARGUMENT, OF_RUN};

/// Longest time for supervisors to end.
const ENDING: Duration = Duration::from_secs(5);

/// The supervisors of the games of one run, or of one thread of it. A game borrows a supervisor, and gives it back when nothing of the
/// game is left, so that there are as many as games at once.
///
/// They are started where they are first needed, on the processors of the calling thread, and belong to the runtime that they are
/// first used in.
#[derive(Debug, Clone)]
pub struct Supervisors(Arc<Pool>);

#[derive(Debug)]
struct Pool {
    /// The program of urtext.
    program: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    run: Option<(UnixStream, Child)>,
    /// The supervisors of games that have no game.
    idle: Vec<Socket>,
}

impl State {
    fn wake(&self) {
        let of_run = self.run.as_ref().and_then(|(_, child)| child.id());
        if let Some(pid) = of_run.and_then(|pid| i32::try_from(pid).ok()) {
            // One that is gone has nobody left to wake.
            let _ = kill(Pid::from_raw(pid), Signal::SIGCONT);
        }
    }
}

impl Supervisors {
    /// No supervisors yet; they are started by this program, which is urtext.
    #[must_use]
    pub fn new(program: PathBuf) -> Supervisors {
        Supervisors(Arc::new(Pool {
            program,
            state: Mutex::default(),
        }))
    }

    /// Returns the socket of a supervisor without a game. It can have been killed the moment before.
    pub(in crate::transport) fn take(&self) -> io::Result<Socket> {
        let mut state = self.state();
        if state.run.as_ref().is_some_and(|(run, _)| !is_open(run)) {
            // Nobody would clear up after the others if they were killed as well.
            *state = State::default();
        }
        while let Some(socket) = state.idle.pop() {
            if socket.is_open() {
                return Ok(socket);
            }
        }
        let (ours, theirs) = UnixStream::pair()?;
        if state.run.is_none() {
            state.run = Some(self.start()?);
        }
        state.wake();
        if let Some((run, _)) = &state.run {
            send_blocking(run, &(), &[theirs.as_fd()])?;
        }
        Socket::new(ours)
    }

    /// Continues the supervisor of the run, if a subject has stopped it.
    pub(in crate::transport) fn wake(&self) {
        self.state().wake();
    }

    /// Takes a supervisor back, of whose game nothing is left.
    pub(in crate::transport) fn give_back(&self, socket: Socket) {
        self.state().idle.push(socket);
    }

    /// Ends the supervisors, and waits for that. Games that go on have theirs killed.
    pub async fn close(&self) {
        self.wake();
        let State { run, idle } = std::mem::take(&mut *self.state());
        let ending = async {
            // All of them are told before one is waited for.
            let idle: Vec<_> = idle
                .into_iter()
                .map(|socket| tokio::spawn(socket.finish()))
                .collect();
            for finishing in idle {
                drop(finishing.await);
            }
            if let Some((socket, mut child)) = run {
                drop(socket);
                drop(child.wait().await);
            }
        };
        drop(timeout(ENDING, ending).await);
    }

    fn start(&self) -> io::Result<(UnixStream, Child)> {
        let (ours, theirs) = UnixStream::pair()?;
        let mut command = Command::new(&self.0.program);
        command
            .arg0("urtext")
            .args([ARGUMENT, OF_RUN])
            .arg(&self.0.program)
            .process_group(0);
        command
            .stdin(OwnedFd::from(theirs))
            .stdout(std::process::Stdio::null());
        let child = command.stderr(std::process::Stdio::null()).spawn()?;
        Ok((ours, child))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0
            .state
            .lock()
            .expect("nothing panics while it holds the lock")
    }
}
