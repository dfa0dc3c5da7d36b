//! State of the subject's processes while a line is awaited.

use std::time::Duration;

use crate::event::Processes;

/// Of the time that goes by, the part that a process has to compute to be taken for busy: who only looks now and again whether there is
/// something to do takes less.
const BUSY: u32 = 20;

/// Last samples of the subject's processes.
#[derive(Debug, Clone, Default)]
pub(super) struct Activity {
    at: Duration,
    last: Option<Processes>,
    is_computing: bool,
    /// Number of events since the last sample.
    events_since: usize,
}

impl Activity {
    /// Takes how they are now.
    pub(super) fn take(&mut self, at: Duration, processes: &Processes) {
        let used = self
            .last
            .as_ref()
            .map(|last| processes.computed.saturating_sub(last.computed));
        let passed = at.saturating_sub(self.at);
        self.is_computing = processes.lives
            && !processes.is_stopped
            && used.is_some_and(|used| !used.is_zero() && used >= passed / BUSY);
        (self.at, self.last, self.events_since) = (at, Some(processes.clone()), 0);
    }

    /// Takes that something else has happened.
    pub(super) fn pass(&mut self) {
        self.events_since += 1;
    }

    /// Present where, at the alarm that is being judged, all of them sleep and have read all that was sent: the lanes that they are
    /// known to wait for.
    pub(super) fn asleep(&self) -> Option<&[usize]> {
        let last = self
            .last
            .as_ref()
            .filter(|_| self.events_since <= 1 && !self.is_computing)?;
        last.asleep.as_deref()
    }

    /// Returns true if the subject has computed since the sample before the last one.
    pub(super) fn is_computing(&self) -> bool {
        self.is_computing
    }

    /// Returns true if a signal has stopped the subject.
    pub(super) fn is_stopped(&self) -> bool {
        self.last
            .as_ref()
            .is_some_and(|processes| processes.is_stopped)
    }

    /// Names of the processes that it has started and that still live.
    pub(super) fn started(&self) -> &[String] {
        self.last
            .as_ref()
            .map_or(&[], |processes| &processes.started)
    }
}
