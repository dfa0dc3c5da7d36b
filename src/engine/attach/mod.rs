//! The ways to a subject's lanes: doors that are opened one by one, at the start or later.

mod doors;

pub(super) use doors::Doors;

use std::time::Duration;

use tokio::time::Instant;

use crate::transport::{ConnectError, Process, StartError, Wire};

/// Why a game could not begin, or a lane not be opened: that says nothing about the subject's conformance.
#[derive(Debug, thiserror::Error)]
pub(super) enum Breakdown {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Connect(#[from] ConnectError),
    #[error("the {who} ended before everybody was connected: {status}")]
    Ended { who: &'static str, status: String },
    #[error("the referee did not print where it listens within {0:.1?}")]
    NotReady(Duration),
    #[error("the referee printed `{0}`, not where it listens")]
    NotAnAddress(String),
    #[error("no free port: {0}")]
    Port(std::io::Error),
    #[error("the forced rolls cannot be written to a file: {0}")]
    RollFile(std::io::Error),
    #[error("there is no way to lane {0} of this subject")]
    NoDoor(usize),
}

/// A subject that is reached: its lanes can be opened now and later.
#[derive(Debug)]
pub(super) struct Attached {
    /// What it is, for messages.
    pub(super) who: &'static str,
    /// Its process, where urtext has started it.
    pub(super) process: Option<Process>,
    /// The ways to its lanes.
    pub(super) doors: Doors,
    /// The file with the forced rolls, kept as long as the subject may read it.
    pub(super) _rolls: Option<tempfile::NamedTempFile>,
}

impl Attached {
    /// Opens a lane, or says how the subject's process ended instead.
    pub(super) async fn open(&mut self, lane: usize, deadline: Instant) -> Result<Wire, Breakdown> {
        let opening = self.doors.open(lane, deadline);
        let Some(process) = &mut self.process else { return opening.await };
        tokio::select! {
            // What was reached before the end is judged by what it says.
            biased;
            opened = opening => opened,
            ended = process.ended() => Err(Breakdown::Ended { who: self.who, status: ended.status }),
        }
    }
}
