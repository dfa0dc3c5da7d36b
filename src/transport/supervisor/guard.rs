use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::fd::{AsFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::below;
use super::orders::{Orders, Report};
use crate::transport::open_files;
use crate::transport::streams::leave_streams;

/// What urtext does where it is started as its own supervisor, with the arguments after [`super::ARGUMENT`].
#[must_use]
pub fn supervise(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let channel = Orders::from_arguments(arguments).and_then(|orders| {
        let channel = adopt(orders.channel)?;
        Some((orders, channel))
    });
    let Some((orders, channel)) = channel else {
        eprintln!("urtext starts this itself, to see to it that nothing of a subject stays behind");
        return ExitCode::from(2);
    };
    #[cfg(target_os = "linux")]
    if nix::sys::prctl::set_child_subreaper(true).is_err() {
        eprintln!("urtext: what leaves the process group of the subject may stay behind");
    }
    let mut teller = &channel;
    let subject = match start(&orders) {
        Ok(subject) => subject,
        Err(error) => {
            let report = Report::Failed(error.raw_os_error().unwrap_or(Errno::EINVAL as i32));
            drop(teller.write_all(report.to_line().as_bytes()));
            return ExitCode::from(3);
        }
    };
    drop(teller.write_all(Report::Started(subject.as_raw()).to_line().as_bytes()));
    let state = Arc::new(State::default());
    let listening = std::thread::spawn({
        let state = Arc::clone(&state);
        let channel = channel.try_clone();
        move || listen(channel.ok(), subject, &state)
    });
    // Nothing of the subject's streams may stay open here, or nobody would see that the subject has closed them.
    drop(leave_streams());
    let mut next = waitpid(None, None);
    loop {
        let report = match next {
            Ok(WaitStatus::Exited(pid, code)) => (pid == subject).then_some(Report::Exited(code)),
            Ok(WaitStatus::Signaled(pid, signal, _)) => {
                (pid == subject).then_some(Report::Signalled(signal as i32))
            }
            Ok(_) | Err(Errno::EINTR) => None,
            Err(_) => break,
        };
        // Where this was the last one, that is known before its end is told and the order to end comes back.
        let more = waitpid(None, Some(WaitPidFlag::WNOHANG));
        if more == Err(Errno::ECHILD) {
            state.is_clear.store(true, Ordering::SeqCst);
        }
        if let Some(report) = report {
            // Where nobody hears it, nobody is left to be told.
            drop(teller.write_all(report.to_line().as_bytes()));
        }
        if state.is_ending.load(Ordering::SeqCst) && more != Err(Errno::ECHILD) {
            below::kill_all(subject);
        }
        next = if more == Ok(WaitStatus::StillAlive) { waitpid(None, None) } else { more };
    }
    // Nothing is left below, so that nothing can come any more; what is to be removed waits for urtext's own end.
    let is_alone = listening.join().unwrap_or(true);
    if let Some(folder) = orders.remove.filter(|_| is_alone) {
        drop(std::fs::remove_dir_all(folder));
    }
    ExitCode::SUCCESS
}

/// What both threads of a supervisor know.
#[derive(Debug, Default)]
struct State {
    /// Everything has to end.
    is_ending: AtomicBool,
    /// Nothing is left below.
    is_clear: AtomicBool,
}

/// Hears what urtext wants until it wants the end; `true` where it is gone.
fn listen(channel: Option<UnixStream>, subject: Pid, state: &State) -> bool {
    let mut order = [0];
    let mut channel = channel.as_ref();
    let is_alone = loop {
        match channel.as_mut().map(|channel| channel.read(&mut order)) {
            Some(Ok(1)) if order[0] == b't' => below::ask_to_end(subject),
            Some(Ok(1)) => break false,
            Some(Err(error)) if error.kind() == std::io::ErrorKind::Interrupted => {}
            _ => break true,
        }
    };
    // From here on whoever reaps a child kills again, so that nothing forked meanwhile is missed.
    state.is_ending.store(true, Ordering::SeqCst);
    // Looking through all processes of the system takes longer than many a game.
    if !state.is_clear.load(Ordering::SeqCst) {
        below::kill_all(subject);
    }
    is_alone
}

/// Takes over the descriptor that urtext has left open for its supervisor.
fn adopt(descriptor: RawFd) -> Option<UnixStream> {
    if descriptor <= 2 {
        return None;
    }
    // SAFETY: urtext has made this descriptor, has let it through to this process by clearing its close-on-exec flag, and has named it in the
    // arguments; nothing else in this process, which has just begun, knows or owns it. A number that somebody else made up is
    // refused by the next call, or is a descriptor that this process inherited and that nobody in it owns either.
    #[allow(unsafe_code)]
    let channel = unsafe { OwnedFd::from_raw_fd(descriptor) };
    // The subject must not have it.
    if fcntl(channel.as_fd(), FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC)).is_err() {
        // It is no open descriptor, and is not to be closed.
        std::mem::forget(channel);
        return None;
    }
    Some(UnixStream::from(channel))
}

fn start(orders: &Orders) -> std::io::Result<Pid> {
    let (program, arguments) = orders.words.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).process_group(0);
    let restore = limit(orders)?;
    let spawned = command.spawn();
    if let Some((soft, hard)) = restore {
        let _ = setrlimit(Resource::RLIMIT_AS, soft, hard);
    }
    let child = spawned?;
    // The child is waited for by its number, like all the others.
    Ok(Pid::from_raw(child.id().cast_signed()))
}

/// Limits this process, and so what it starts. Returns the limit of memory to restore: this process has to go on with what it has.
fn limit(orders: &Orders) -> nix::Result<Option<(u64, u64)>> {
    let limits = &orders.limits;
    if let Some(cpu) = limits.cpu {
        // The signal at the first limit can be caught, and the one at the second cannot.
        lower(Resource::RLIMIT_CPU, cpu.as_secs(), 1)?;
    }
    match (limits.open_files, orders.files_before) {
        (Some(files), _) => lower(Resource::RLIMIT_NOFILE, files, 0)?,
        (None, Some(files)) => open_files::restore(files)?,
        (None, None) => {}
    }
    let Some(memory) = limits.memory else { return Ok(None) };
    let before = getrlimit(Resource::RLIMIT_AS)?;
    setrlimit(Resource::RLIMIT_AS, memory.min(before.1), before.1)?;
    Ok(Some(before))
}

fn lower(resource: Resource, soft: u64, margin: u64) -> nix::Result<()> {
    let (_, hard) = getrlimit(resource)?;
    setrlimit(resource, soft.min(hard), soft.saturating_add(margin).min(hard))
}
