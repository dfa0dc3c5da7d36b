//! Signals: those that tell this program to end, and those that it gives to others.

use std::fs::File;
use std::future::pending;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nix::sys::signal::{self, kill, raise};
use nix::unistd::{Pid, getpgrp, tcgetpgrp};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// A signal that tells a program to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndSignal {
    /// SIGINT: Ctrl-C.
    Interrupt,
    /// SIGTERM.
    Terminate,
    /// SIGHUP: the terminal was closed.
    HangUp,
}

/// All signals that tell this program to end.
#[derive(Debug)]
pub struct EndSignals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: HangUp,
}

impl EndSignals {
    /// Listens from this call on. Belongs to the runtime that it is called in.
    ///
    /// # Errors
    /// Fails if the system accepts no signal handler.
    pub fn listen() -> io::Result<EndSignals> {
        Ok(EndSignals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: HangUp::listen()?,
        })
    }

    /// Waits for the next one.
    pub async fn next(&mut self) -> EndSignal {
        tokio::select! {
            _ = self.interrupt.recv() => EndSignal::Interrupt,
            _ = self.terminate.recv() => EndSignal::Terminate,
            () = self.hang_up.come() => EndSignal::HangUp,
        }
    }
}

/// A closed terminal, unless the program was started to outlast it, as `nohup` does.
#[derive(Debug)]
pub struct HangUp(Option<Signal>);

impl HangUp {
    /// Listens from this call on.
    ///
    /// # Errors
    /// Fails if the system accepts no signal handler.
    pub fn listen() -> io::Result<HangUp> {
        // Who listens would no longer ignore it.
        if is_ignored(nix::libc::SIGHUP) {
            Ok(HangUp(None))
        } else {
            signal(SignalKind::hangup()).map(Some).map(HangUp)
        }
    }

    /// Waits for the next one.
    pub async fn come(&mut self) {
        match &mut self.0 {
            Some(signal) => drop(signal.recv().await),
            None => pending().await,
        }
    }
}

/// Returns true if this program was started with the signal ignored; false if the system does not report
/// this.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0);
    ignored >> (signal - 1) & 1 == 1
}

/// Sends a signal that this program was told to end by on to a process that it has started and not waited for. One that the terminal has
/// sent to both is not sent again.
pub fn deliver(process: u32, signal: EndSignal) {
    let signal = match signal {
        EndSignal::Interrupt if is_in_the_foreground() => return,
        EndSignal::Interrupt => signal::SIGINT,
        EndSignal::Terminate => signal::SIGTERM,
        EndSignal::HangUp => signal::SIGHUP,
    };
    if let Ok(process) = i32::try_from(process) {
        let _ = kill(Pid::from_raw(process), signal);
    }
}

/// Returns true if an interrupt from the terminal reaches this process, and so also those that it has started.
fn is_in_the_foreground() -> bool {
    let terminal = File::open("/dev/tty").ok();
    terminal.and_then(|terminal| tcgetpgrp(terminal).ok()) == Some(getpgrp())
}

/// The number of the signal that ended a program, if one did.
#[must_use]
pub fn exit_signal(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Stops this program until its shell lets it go on.
///
/// # Errors
/// Fails if the system does not take the signal.
pub fn suspend() -> io::Result<()> {
    Ok(raise(signal::SIGTSTP)?)
}

/// Makes a write fail that exceeds the largest size of a file, where it would end the program. A program that is started from here has the
/// usual reaction: the system resets a signal that is handled, and not one that is ignored.
pub fn survive_size_limit() {
    let is_sent = Arc::new(AtomicBool::new(false));
    drop(signal_hook::flag::register(nix::libc::SIGXFSZ, is_sent));
}
