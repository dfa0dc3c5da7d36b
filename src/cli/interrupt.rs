//! The user's request to end, by SIGINT (Ctrl-C), SIGTERM, or SIGHUP (a closed terminal).

use std::future::pending;
use std::sync::OnceLock;
use std::time::Duration;
use std::{io, process, thread};

use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use super::Status;
use crate::platform::EndSignals;

/// The user's request to end the program.
#[derive(Debug, Clone)]
pub(super) struct Interrupt(watch::Receiver<bool>);

/// A runtime for the calling thread.
///
/// # Errors
/// Fails if the system gives none.
pub(super) fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Does the work of a command that the user can interrupt, on a runtime of its own. An interrupt of earlier work counts.
///
/// # Errors
/// Fails as the work does, and if the system gives no runtime or accepts no signal handler.
pub(super) fn interruptible<T, E: From<io::Error>>(
    work: impl AsyncFnOnce(&Interrupt) -> Result<T, E>,
) -> Result<T, E> {
    static HEARD: OnceLock<Interrupt> = OnceLock::new();
    if HEARD.get().is_none() {
        let _ = HEARD.set(Interrupt::listen(None)?);
    }
    let interrupt = HEARD.get().expect("it was set");
    runtime()?.block_on(work(interrupt))
}

impl Interrupt {
    /// Listens from this call on, and so has to be called before the first subject is started: a signal that came between the two
    /// would end this program without a report. With a `patience`, a second signal ends the program, and so does the first one after that
    /// time: the program may wait for input that never comes.
    ///
    /// # Errors
    /// Fails if the system accepts no signal handler, or no further thread.
    pub(super) fn listen(patience: Option<Duration>) -> io::Result<Interrupt> {
        let runtime = runtime()?;
        let mut signals = runtime.block_on(async { EndSignals::listen() })?;
        let (send, receiver) = watch::channel(false);
        let listen = async move {
            signals.next().await;
            let _ = send.send(true);
            let Some(patience) = patience else {
                // The channel stays open as long as games listen to it.
                return pending().await;
            };
            let _ = tokio::time::timeout(patience, signals.next()).await;
            process::exit(Status::Interrupted.code().into());
        };
        thread::Builder::new().spawn(move || runtime.block_on(listen))?;
        Ok(Interrupt(receiver))
    }

    /// Returns true once a signal has come.
    pub(super) fn has_come(&self) -> bool {
        *self.0.borrow()
    }

    /// Returns a value that becomes true with the first signal.
    pub(super) fn signal(&self) -> watch::Receiver<bool> {
        self.0.clone()
    }

    /// Waits for the first signal; ends at once where it has come.
    pub(super) async fn come(&self) {
        // The other end stays as long as this one.
        let _ = self.signal().wait_for(|has_come| *has_come).await;
    }
}

#[cfg(test)]
mod tests {
    use nix::sys::signal::{Signal, raise};

    use super::{Interrupt, runtime};

    #[test]
    fn hears_a_signal_that_comes_before_anything_is_awaited() {
        // Where nobody listened yet, it would end the tests.
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = u64::from_str_radix(ignored.unwrap().trim(), 16).unwrap();
        let hears_hang_up = mask & 1 == 0;
        for signal in [Signal::SIGINT, Signal::SIGTERM]
            .into_iter()
            .chain(hears_hang_up.then_some(Signal::SIGHUP))
        {
            let interrupt = Interrupt::listen(None).unwrap();
            assert!(!interrupt.has_come());
            raise(signal).unwrap();
            runtime().unwrap().block_on(interrupt.come());
            assert!(interrupt.has_come());
        }
    }
}
