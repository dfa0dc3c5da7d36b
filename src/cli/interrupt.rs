//! The user's request to end, by SIGINT (Ctrl-C), SIGTERM, or SIGHUP (a closed terminal).

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{io, process, thread};

use tokio::sync::watch;

use super::Status;
use crate::platform::EndSignals;

/// The user's request to end the program.
#[derive(Debug)]
pub(super) struct Interrupt(watch::Receiver<bool>);

/// Does the work of a command that the user can interrupt, on a runtime of its own.
///
/// # Errors
/// Fails as the work does, and if the system gives no runtime or accepts no signal handler.
pub(super) fn interruptible<T, E: From<io::Error>>(
    work: impl AsyncFnOnce(&Interrupt) -> Result<T, E>,
) -> Result<T, E> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async { work(&Interrupt::listen()?).await })
}

impl Interrupt {
    /// Listens from this call on, and so has to be called before the first subject is started: a signal that came between the two
    /// would end this program without a report. Belongs to the runtime that it is called in.
    ///
    /// # Errors
    /// Fails if the system accepts no signal handler.
    pub(super) fn listen() -> io::Result<Interrupt> {
        let mut signals = EndSignals::listen()?;
        let (send, receiver) = watch::channel(false);
        tokio::spawn(async move {
            signals.next().await;
            let _ = send.send(true);
            // The channel stays open as long as games listen to it.
            pending::<()>().await;
        });
        Ok(Interrupt(receiver))
    }

    /// Returns a value that becomes true with the first signal.
    pub(super) fn told(&self) -> watch::Receiver<bool> {
        self.0.clone()
    }

    /// Waits for the first signal; ends at once where it has come.
    pub(super) async fn come(&self) {
        // The other end stays as long as this one.
        let _ = self.told().wait_for(|has_come| *has_come).await;
    }
}

/// The user's request to end work that is not asynchronous. Without anything to listen for, it never comes.
#[derive(Debug, Clone, Default)]
pub(super) struct InterruptFlag(Arc<AtomicBool>);

impl InterruptFlag {
    /// Listens from this call on. A second signal, or work that takes longer than [`PATIENCE`] to end, ends the program.
    ///
    /// # Errors
    /// Fails if the system accepts no signal handler, or no further thread.
    pub(super) fn listen() -> io::Result<InterruptFlag> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let mut signals = runtime.block_on(async { EndSignals::listen() })?;
        let flag = InterruptFlag::default();
        let told = flag.clone();
        let listen = async move {
            signals.next().await;
            told.0.store(true, Ordering::Relaxed);
            let _ = tokio::time::timeout(PATIENCE, signals.next()).await;
            process::exit(Status::Interrupted.code().into());
        };
        thread::Builder::new().spawn(move || runtime.block_on(listen))?;
        Ok(flag)
    }

    /// Returns true once a signal has come.
    pub(super) fn has_come(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Time that an interrupted program has to end by itself. After it the program is ended, since it may wait for input that never comes.
const PATIENCE: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests {
    use nix::sys::signal::{Signal, raise};

    use super::Interrupt;

    #[tokio::test]
    async fn hears_a_signal_that_comes_before_anything_is_awaited() {
        // Where nobody listened yet, it would end the tests.
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = u64::from_str_radix(ignored.unwrap().trim(), 16).unwrap();
        let hears_hang_up = mask & 1 == 0;
        for signal in [Signal::SIGINT, Signal::SIGTERM]
            .into_iter()
            .chain(hears_hang_up.then_some(Signal::SIGHUP))
        {
            let interrupt = Interrupt::listen().unwrap();
            assert!(!*interrupt.told().borrow());
            raise(signal).unwrap();
            interrupt.told().wait_for(|&is_told| is_told).await.unwrap();
            assert!(*interrupt.told().borrow());
        }
    }
}
