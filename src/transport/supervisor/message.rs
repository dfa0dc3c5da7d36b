//! Orders to a supervisor, and its reports.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

/// An order to the supervisor of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::transport) enum Order {
    /// Start a subject. Its standard streams come with the order.
    Start(Box<Start>),
    /// Ask the subject's process group to end, with SIGTERM.
    Ask,
    /// Kill everything that the subject has started, and the subject.
    Kill,
}

/// The subject to start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::transport) struct Start {
    /// The command; there is no shell.
    pub(in crate::transport) words: Vec<String>,
    /// Environment variables on top of urtext's own; `None` removes a variable.
    pub(in crate::transport) environment: Vec<(String, Option<String>)>,
    /// The working folder; `None`: urtext's own.
    pub(in crate::transport) folder: Option<OsString>,
    /// True if standard input comes with the order, as the first of three descriptors instead of two.
    pub(in crate::transport) has_input: bool,
    /// The limits of each process of the subject.
    pub(in crate::transport) limits: ProcessLimits,
    /// The folder to remove if urtext is gone.
    pub(in crate::transport) remove: Option<OsString>,
}

/// Limits as the system takes them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::transport) struct ProcessLimits {
    /// Bytes of address space.
    pub(in crate::transport) memory: Option<u64>,
    /// Seconds of processor time.
    pub(in crate::transport) cpu: Option<u64>,
    /// Open files.
    pub(in crate::transport) open_files: Option<u64>,
    /// Open files where `open_files` is `None`: the soft limit before urtext raised its own. `None`: urtext did not.
    pub(in crate::transport) files_before: Option<u64>,
}

impl ProcessLimits {
    /// Returns true if these limits remain on a supervisor that has set them: a hard limit cannot be raised
    /// again.
    pub(in crate::transport) fn last(&self) -> bool {
        self.cpu.is_some() || self.open_files.is_some()
    }
}

/// A report of the supervisor of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::transport) enum Report {
    /// The order to start has come. The process id of the supervisor: whatever is below belongs to the subject.
    Starting(i32),
    /// The subject runs, as this process.
    Started(i32),
    /// The subject cannot be started, with the system's error number.
    Failed(i32),
    /// A process of the subject has ended, after it was runnable and did not run for so many microseconds.
    Waited {
        /// Its process id.
        process: i32,
        /// The time.
        micros: u64,
    },
    /// The subject has exited with this status.
    Exited(i32),
    /// The subject was killed by this signal.
    Signalled(i32),
    /// No process of the subject is left. The supervisor is free for another game.
    Clear,
}
