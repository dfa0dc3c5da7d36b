//! The processes between urtext and the subjects that it starts: they see to it that nothing of a subject stays behind.
//!
//! For each game that is played at the same time urtext starts its own program as a *guard*, which starts it once more as a
//! *supervisor*. Both have one end of a pair of sockets as their standard input; urtext has the other end. The supervisor starts the
//! subject of one game after the other. While its socket is open, urtext lives and wants the subject. When it closes, however urtext
//! has ended, the supervisor kills everything below it and removes the folder that it was given. On Linux it is a subreaper: whatever
//! the subject has started becomes its child when its parents die, also out of a process group or a session of its own, so that it
//! finds everything. Elsewhere it kills the subject's process group, and what has left that group stays.
//!
//! The guard is a subreaper too. When its supervisor is killed, the subject's processes become children of the guard, which kills
//! them. It never reads the socket, but holds it until then: urtext sees the end of the socket when nothing of the game is left. When
//! the guard is killed, the supervisor goes on to the end of its game.
//!
//! A message is one line of JSON. The first one is the supervisor's process id.

mod game;
mod message;
mod pool;

use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use nix::errno::Errno;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::platform::restore_open_files;
pub use message::{ProcessLimits, Spawn};
pub use pool::Supervisors;
pub(super) use pool::{CLEARING, Supervisor};

/// The first argument by which urtext, started as its own supervisor, knows that it is one.
pub const ARGUMENT: &str = "supervise";

/// The second argument of a guard; the program of urtext follows, and the limit of open files for what it starts, if urtext has raised its own.
const GUARD: &str = "guard";

/// The second argument of a supervisor.
const GAME: &str = "game";

/// Runs urtext as its own supervisor, with the arguments after [`ARGUMENT`].
#[must_use]
pub fn supervise(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let role = arguments.next().unwrap_or_default();
    let result = match (role.to_str(), channel()) {
        (Some(GUARD), Some(_)) => guard(arguments),
        (Some(GAME), Some(channel)) => serve(channel),
        _ => {
            eprintln!(
                "urtext starts this itself, to end the processes that a subject leaves behind"
            );
            return ExitCode::from(2);
        }
    };
    if result.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(3)
    }
}

/// The end of the sockets that this process has; `None` where somebody else has started it.
fn channel() -> Option<UnixStream> {
    let channel = UnixStream::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    channel.local_addr().is_ok().then_some(channel)
}

/// Has the orphans among the descendants of this process become its children, where the system can do that.
fn take_orphans() {
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Starts a supervisor, and kills what it leaves behind if it is killed itself.
fn guard(mut arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    take_orphans();
    let program = arguments.next().ok_or(io::ErrorKind::InvalidInput)?;
    let files = arguments
        .next()
        .and_then(|files| files.to_str()?.parse().ok());
    files.map(restore_open_files).transpose()?;
    let mut command = Command::new(program);
    command
        .arg0("urtext")
        .args([ARGUMENT, GAME])
        .process_group(0);
    let supervisor = Pid::from_raw(command.spawn()?.id().cast_signed());
    loop {
        match waitpid(None, None) {
            // Nothing is left below a supervisor that has exited well.
            Ok(WaitStatus::Exited(pid, 0)) if pid == supervisor => {}
            // Called again for each orphan that is reaped, it misses nothing that was forked meanwhile.
            Ok(_) => game::kill_all(supervisor),
            Err(Errno::EINTR) => {}
            Err(_) => return Ok(()),
        }
    }
}

/// Serves urtext until it is gone, and nothing is left to do.
fn serve(channel: UnixStream) -> io::Result<()> {
    take_orphans();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    runtime.block_on(async { game::serve(message::Socket::new(channel)?).await })
}
