use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;

use nix::sys::signal::{self, kill};
use nix::unistd::Pid;
use tokio::signal::unix::{SignalKind, signal};

use super::super::Status;
use super::{Recording, Session, broken};
use crate::protocol::LaneKind;
use crate::transcript::Direction;
use crate::transport::{Ended, pass_pipe, take_streams};

/// Stands between a bot and whoever has started urtext in its place, and ends as the bot does.
pub(super) fn run(session: &Session, command: &[OsString]) -> Status {
    let mut recording = match session.begin(&[LaneKind::Player]) {
        Ok(recording) => recording,
        Err(status) => return status,
    };
    let status = match play(&recording, command) {
        Ok(status) => status,
        Err(broken) => {
            // Nothing was played, and a file that says so helps nobody.
            drop(std::fs::remove_file(recording.tape.path()));
            return broken;
        }
    };
    let judged = recording.finish();
    // As a shell says that a program was ended by a signal.
    match status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default()) {
        0 => judged,
        code => std::process::exit(code),
    }
}

fn play(recording: &Recording, command: &[OsString]) -> Result<ExitStatus, Status> {
    let began = |error| broken("the recording cannot begin", &error);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(began)?;
    let _inside = runtime.enter();
    let mut terminate = signal(SignalKind::terminate()).map_err(began)?;
    // Where it comes from the terminal, the bot hears of it as well, and ends or not.
    let _interrupt = signal(SignalKind::interrupt()).map_err(began)?;
    // Its own process group would be out of reach for whoever ends urtext's.
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| broken(&format!("`{}` cannot be started", command[0].display()), &error))?;
    let (input, output) = take_streams().map_err(began)?;
    let pid = i32::try_from(child.id()).ok().map(Pid::from_raw);
    let passing = pass(recording, &mut child, input, output);
    let ended = runtime.block_on(async {
        let mut ending = tokio::task::spawn_blocking(move || {
            let ended = child.wait();
            // What it said last is still on its way.
            drop(passing.join());
            ended
        });
        loop {
            tokio::select! {
                ended = &mut ending => return ended.map_err(std::io::Error::other).flatten(),
                _ = terminate.recv() => {
                    let _ = pid.map(|pid| kill(pid, signal::SIGTERM));
                }
            }
        }
    });
    let ended = ended.map_err(|error| broken("the end of the bot cannot be seen", &error))?;
    let described = Ended::described(Ok(ended));
    recording.tape.exited(&described.status, described.is_success);
    Ok(ended)
}

/// Passes both directions on; the thread of what the bot says. The other one may wait for ever, for a referee that says no more.
fn pass(
    recording: &Recording,
    child: &mut Child,
    input: OwnedFd,
    output: OwnedFd,
) -> std::thread::JoinHandle<()> {
    let tape = Arc::clone(&recording.tape);
    let lane = tape.open(LaneKind::Player);
    let (to, from) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
    let told = Arc::clone(&tape);
    std::thread::spawn(move || {
        pass_pipe(input, to.into(), |passing| told.take(lane, Direction::Received, passing));
    });
    std::thread::spawn(move || {
        pass_pipe(from.into(), output, |passing| tape.take(lane, Direction::Sent, passing))
    })
}
