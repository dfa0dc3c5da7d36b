//! The ways to a subject's lanes: doors that are opened one by one, at the start or later.

mod doors;
mod greet;
mod next_step;
mod plan;
mod ports;
mod ready;
mod workspace;

pub(super) use doors::{Doors, Opening};
pub(super) use plan::Plan;
pub(super) use workspace::Workspace;

use std::io;
use std::time::Duration;

use tokio::time::Instant;

use crate::transport::coco;
use crate::transport::{AcceptError, ConnectError, EmptySeat, PipeError, Process, StartError, Wire};

/// Why a game could not begin, or a lane not be opened: that says nothing about the subject's conformance.
#[derive(Debug, thiserror::Error)]
pub(super) enum Breakdown {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error("the subject could not be started within {0:.1?} (the start budget)")]
    StartTimeout(Duration),
    #[error("{0} (the start budget is over)")]
    Connect(#[from] ConnectError),
    #[error("{0} (the start budget is over)")]
    Accept(#[from] AcceptError),
    #[error("{0} (the start budget is over)")]
    Pipe(#[from] PipeError),
    #[error("{0} (the start budget is over)")]
    Seat(#[from] EmptySeat),
    #[error(transparent)]
    Match(#[from] coco::Failure),
    #[error("the {who} ended before everybody was connected: {status}")]
    Ended { who: &'static str, status: String },
    #[error("the {who} ended and did not print a line with `{pattern}`: {status}")]
    EndedUnready { who: &'static str, pattern: String, status: String, printed: String },
    #[error("the referee did not print where it listens within {0:.1?} (the start budget)")]
    NotReady(Duration),
    #[error("the subject did not print a line with `{pattern}` within {budget:.1?} (the start budget)")]
    NeverReady { pattern: String, budget: Duration, printed: String },
    #[error("the referee printed `{0}`, not where it listens")]
    NotAnAddress(String),
    #[error("the subject did not print where {0} connect")]
    NoAddress(&'static str),
    #[error("no free port: {0}")]
    Port(io::Error),
    #[error("the forced rolls cannot be written to a file: {0}")]
    RollFile(io::Error),
    #[error("there is no folder for the game: {0}")]
    Folder(io::Error),
    #[error("there is no socket for the seats of the game: {0}")]
    Socket(io::Error),
    #[error("the program of urtext is not known, and the seats need it")]
    NoProgram,
    #[error("interrupted")]
    Interrupted,
    #[error("there is no way to lane {0} of this subject")]
    NoDoor(usize),
    #[error("on connecting, the subject did not hear `{0}`: it has closed the lane")]
    Unheard(String),
    #[error("on connecting, the subject did not reply to `{0}`")]
    NoReply(String),
    #[error("on connecting, the subject replied `{said}`, not `{wanted}`")]
    OtherReply { wanted: String, said: String },
}

impl Breakdown {
    /// Whether nobody could be reached, or whoever was left again before the game.
    pub(super) fn is_unreached(&self) -> bool {
        use coco::Failure;
        match self {
            Breakdown::Connect(ConnectError::Refused { .. })
            | Breakdown::Unheard(_)
            | Breakdown::NoReply(_) => true,
            Breakdown::Match(failure) => matches!(
                failure,
                Failure::Connect(ConnectError::Refused { .. })
                    | Failure::NoWebSocket { .. }
                    | Failure::Closed { .. }
                    | Failure::Silent { .. }
            ),
            _ => false,
        }
    }
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
    /// What was made for the game, kept as long as the subject may use it.
    pub(super) _workspace: Workspace,
}

impl Attached {
    /// Opens lanes, or says how the subject's process ended instead. Those at which urtext connects are opened one after the other,
    /// in this order; the subject comes to the others when it likes, which can be before it accepts anybody or after.
    pub(super) async fn open(&mut self, lanes: &[usize], deadline: Instant) -> Result<Vec<Wire>, Breakdown> {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for &lane in lanes {
            let is_ours = self.doors.is_connection(lane);
            let side = if is_ours { &mut ours } else { &mut theirs };
            side.push((lane, self.doors.begins_game(lane), self.doors.open(lane, deadline)));
        }
        ours.sort_by_key(|(_, begins_game, _)| *begins_game);
        let opening = async { tokio::try_join!(one_by_one(ours), one_by_one(theirs)) };
        let opened = match &mut self.process {
            None => opening.await,
            Some(process) => tokio::select! {
                // What was reached before the end is judged by what it says.
                biased;
                opened = opening => opened,
                ended = process.ended() => Err(Breakdown::Ended { who: self.who, status: ended.status }),
            },
        };
        let (ours, theirs) = opened?;
        let mut wires: Vec<_> = ours.into_iter().chain(theirs).collect();
        wires.sort_by_key(|(lane, _)| lanes.iter().position(|wanted| wanted == lane));
        Ok(wires.into_iter().map(|(_, wire)| wire).collect())
    }
}

async fn one_by_one(openings: Vec<(usize, bool, Opening)>) -> Result<Vec<(usize, Wire)>, Breakdown> {
    let mut wires = Vec::new();
    for (lane, _, opening) in openings {
        wires.push((lane, opening.await?));
    }
    Ok(wires)
}
