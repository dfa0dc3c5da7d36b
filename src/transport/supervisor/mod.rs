//! The processes between urtext and the subjects that it starts: they see to it that nothing of a subject stays behind.
//!
//! urtext starts its own program as the *supervisor of a run*, and this one starts a *supervisor of a game* for each game that is
//! played at the same time. Each of them has one end of a pair of sockets as its standard input; urtext has the other end. The
//! supervisor of a game starts the subject of one game after the other. While its socket is open, urtext lives and wants the
//! subject. When it closes, however urtext has ended, the supervisor kills everything below it and removes the folder that it was
//! given. On Linux it is a subreaper: whatever the subject has started becomes its child when its parents die, also out of a process
//! group or a session of its own, so that it finds everything. Elsewhere it kills the subject's process group, and what has left that
//! group stays.
//!
//! The supervisor of a run is a subreaper too. When a supervisor of a game is killed, the subject's processes become children of
//! the supervisor of the run, which kills them. It keeps a copy of each game's socket until then: urtext sees the end of the socket
//! when nothing of the game is left. When the supervisor of the run is killed, the others go on, and the next game has a new one.

mod below;
mod game;
mod message;
mod pool;
mod run;
mod socket;

use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

pub(super) use message::{Order, ProcessLimits, Report, Start};
pub use pool::Supervisors;
pub(super) use socket::Socket;

/// The first argument by which urtext, started as its own supervisor, knows that it is one.
pub const ARGUMENT: &str = "supervise";

/// The second argument of the supervisor of a run; the program of urtext follows.
const OF_RUN: &str = "run";

/// The second argument of the supervisor of a game.
const OF_GAME: &str = "game";

/// The second argument of a process that only writes a byte, to show how long a start takes.
pub(super) const PROBE: &str = "probe";

/// Runs urtext as its own supervisor, with the arguments after [`ARGUMENT`].
#[must_use]
pub fn supervise(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let role = arguments.next().unwrap_or_default();
    if role == PROBE {
        println!();
        return ExitCode::SUCCESS;
    }
    let result = match (channel(), arguments.next()) {
        (Some(channel), None) if role == OF_GAME => serve(channel, game::serve),
        (Some(channel), Some(program)) if role == OF_RUN => {
            serve(channel, |socket, _| run::serve(socket, program))
        }
        _ => {
            eprintln!(
                "urtext starts this itself, to see to it that nothing of a subject stays behind"
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

/// Our end of the sockets; `None` where somebody else has started this process.
fn channel() -> Option<UnixStream> {
    let channel = UnixStream::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    channel.local_addr().is_ok().then_some(channel)
}

/// Serves urtext until it is gone, and nothing is left to do. The server is told whether orphans come to this process.
fn serve<S: Future<Output = io::Result<()>>>(
    channel: UnixStream,
    serve: impl FnOnce(Socket, bool) -> S,
) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    let is_subreaper = nix::sys::prctl::set_child_subreaper(true).is_ok();
    #[cfg(not(target_os = "linux"))]
    let is_subreaper = false;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    runtime.block_on(async { serve(Socket::new(channel)?, is_subreaper).await })
}
