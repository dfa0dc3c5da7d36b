//! Being told to end, by SIGINT (Ctrl-C), SIGTERM, or SIGHUP (a closed terminal).

use std::future::pending;
use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// State of the user's request to end the program.
#[derive(Debug)]
pub(super) struct Interrupt {
    told: watch::Receiver<bool>,
    listener: AbortHandle,
}

impl Interrupt {
    /// Listens from this call on, and so has to be called before the first subject is started: a signal that came between the two
    /// would end this program without a report. Belongs to the runtime that it is called in.
    ///
    /// # Errors
    /// Fails if the system accepts no signal handler.
    pub(super) fn listen() -> io::Result<Interrupt> {
        let (mut interrupt, mut terminate) = (
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
        );
        let mut hang_up = HangUp::listen()?;
        let (tell, told) = watch::channel(false);
        let listener = tokio::spawn(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                () = hang_up.come() => {}
            }
            let _ = tell.send(true);
            // The channel stays open as long as games listen to it.
            pending::<()>().await;
        });
        Ok(Interrupt {
            told,
            listener: listener.abort_handle(),
        })
    }

    /// Returns a value that becomes true with the first signal.
    pub(super) fn told(&self) -> watch::Receiver<bool> {
        self.told.clone()
    }

    pub(super) fn has_come(&self) -> bool {
        *self.told.borrow()
    }

    /// Waits for the first signal; ends at once where it has come.
    pub(super) async fn come(&self) {
        // The other end stays as long as this one.
        let _ = self.told().wait_for(|told| *told).await;
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

/// A closed terminal, unless the program was started to outlast it, as `nohup` does.
#[derive(Debug)]
pub(super) struct HangUp(Option<Signal>);

impl HangUp {
    /// Listens from this call on.
    ///
    /// # Errors
    /// Fails if the system accepts no signal handler.
    pub(super) fn listen() -> io::Result<HangUp> {
        // Who listens would no longer ignore it.
        if is_ignored(nix::libc::SIGHUP) {
            Ok(HangUp(None))
        } else {
            signal(SignalKind::hangup()).map(Some).map(HangUp)
        }
    }

    /// Waits for the next one.
    pub(super) async fn come(&mut self) {
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

#[cfg(test)]
mod tests {
    use nix::sys::signal::{Signal, raise};

    use super::{Interrupt, is_ignored};

    #[tokio::test]
    async fn hears_a_signal_that_comes_before_anything_is_awaited() {
        // Where nobody listened yet, it would end the tests.
        let hears_hang_up = !is_ignored(Signal::SIGHUP as i32);
        for signal in [Signal::SIGINT, Signal::SIGTERM]
            .into_iter()
            .chain(hears_hang_up.then_some(Signal::SIGHUP))
        {
            let interrupt = Interrupt::listen().unwrap();
            assert!(!interrupt.has_come());
            raise(signal).unwrap();
            interrupt.told().wait_for(|&is_told| is_told).await.unwrap();
            assert!(interrupt.has_come());
        }
    }
}
