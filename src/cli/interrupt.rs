//! Being told to end, by SIGINT (Ctrl-C) or SIGTERM.

use std::io;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// Whether the user has told the program to end.
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
    /// Where the system lets nobody listen.
    pub(super) fn listen() -> io::Result<Interrupt> {
        let (mut interrupt, mut terminate) =
            (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let (tell, told) = watch::channel(false);
        let listener = tokio::spawn(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            let _ = tell.send(true);
            // The channel stays open as long as games listen to it.
            std::future::pending::<()>().await;
        });
        Ok(Interrupt { told, listener: listener.abort_handle() })
    }

    /// What becomes true with the first signal.
    pub(super) fn told(&self) -> watch::Receiver<bool> {
        self.told.clone()
    }

    pub(super) fn has_come(&self) -> bool {
        *self.told.borrow()
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

#[cfg(test)]
mod tests {
    use nix::sys::signal::{Signal, raise};

    use super::Interrupt;

    #[tokio::test]
    async fn hears_a_signal_that_comes_before_anything_is_awaited() {
        // Where nobody listened yet, it would end the tests.
        for signal in [Signal::SIGINT, Signal::SIGTERM] {
            let interrupt = Interrupt::listen().unwrap();
            assert!(!interrupt.has_come());
            raise(signal).unwrap();
            interrupt.told().wait_for(|&is_told| is_told).await.unwrap();
            assert!(interrupt.has_come());
        }
    }
}
