//! Errors before a game begins, with advice for the user.

use std::io;
use std::time::Duration;

use crate::transport::coco::Failure;
use crate::transport::{AcceptError, ConnectError, EmptySeat, PipeError, StartError};

/// Errors that keep a game from beginning, or a lane from opening; they say nothing about the subject's
/// conformance.
#[derive(Debug, thiserror::Error)]
pub(in crate::engine) enum Breakdown {
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
    Match(#[from] Failure),
    #[error("the {who} ended before everybody was connected: {status}")]
    Ended { who: &'static str, status: String },
    #[error("the {who} ended and did not print a line with `{pattern}`: {status}")]
    EndedUnready {
        who: &'static str,
        pattern: String,
        status: String,
        printed: String,
    },
    #[error("the referee did not print where it listens within {0:.1?} (the start budget)")]
    NotReady(Duration),
    #[error(
        "the subject did not print a line with `{pattern}` within {budget:.1?} (the start budget)"
    )]
    NeverReady {
        pattern: String,
        budget: Duration,
        printed: String,
    },
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
    /// Returns true if nobody accepted a connection, or the peer disconnected before the game.
    pub(in crate::engine) fn is_unreached(&self) -> bool {
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

    /// Output of the subject that explains the breakdown; standard error is shown with every breakdown anyway.
    pub(in crate::engine) fn printed(&self) -> Option<String> {
        let (Breakdown::NeverReady { printed, .. } | Breakdown::EndedUnready { printed, .. }) =
            self
        else {
            return None;
        };
        Some(match printed.as_str() {
            "" => "the subject printed nothing on standard output".to_owned(),
            printed => format!("the subject printed on standard output:\n{printed}"),
        })
    }

    /// Returns advice for the user. `is_started`: true if urtext has started the subject, so that the user has given no address.
    pub(in crate::engine) fn next_step(&self, is_started: bool) -> String {
        let check = match self {
            Breakdown::StartTimeout(_) => return more_time(),
            Breakdown::NeverReady { .. } => {
                "write `ready` as the subject prints it, with {any} for what differs"
            }
            Breakdown::Connect(_) if is_started => {
                "have it listen there: {port} and {spectator_port} in its command are the ports that urtext chose"
            }
            Breakdown::Accept(_) if is_started => {
                "have it connect there: {host} and {port} in its command say where urtext listens"
            }
            Breakdown::Pipe(_) if is_started => {
                "have it open the named pipes of its command: urtext waits for a reader of each one that it writes"
            }
            Breakdown::Seat(_) if is_started => {
                "have it start the command of each seat, such as {seat_first}"
            }
            Breakdown::Connect(_)
            | Breakdown::Accept(_)
            | Breakdown::Pipe(_)
            | Breakdown::Seat(_) => "check the address, and that it is the one the subject uses",
            Breakdown::Match(Failure::Connect(_) | Failure::Silent { .. }) => {
                "check that a server of matches listens there"
            }
            Breakdown::Port(_) => {
                return "end some of what listens on this machine, or play fewer games at once with --jobs".to_owned();
            }
            other => return other.repair().to_owned(),
        };
        format!("{check}; {}", more_time())
    }

    /// Returns advice for what more time does not mend.
    fn repair(&self) -> &'static str {
        match self {
            Breakdown::Start(_) => {
                "check that the program exists and can be executed; a path is taken from the folder you are in"
            }
            Breakdown::Match(failure) => failure.next_step(),
            Breakdown::Ended { .. } | Breakdown::EndedUnready { .. } => {
                "start it by hand with the same arguments, and see what it says"
            }
            Breakdown::NotReady(_) | Breakdown::NotAnAddress(_) | Breakdown::NoAddress(_) => {
                "have it listen where {port} and {spectator_port} in its command say, or print a line \
                 `listening players=HOST:PORT spectators=HOST:PORT` first"
            }
            Breakdown::RollFile(_) | Breakdown::Folder(_) | Breakdown::Socket(_) => {
                "check the space and the permissions of the folder for temporary files (TMPDIR)"
            }
            Breakdown::NoProgram => "start urtext by its whole path",
            Breakdown::NoDoor(_) => "say how its spectators are reached",
            Breakdown::Unheard(_) | Breakdown::NoReply(_) | Breakdown::OtherReply { .. } => {
                "compare what is said and expected on connecting with what the subject's own clients do"
            }
            _ => "run it again",
        }
    }
}

fn more_time() -> String {
    "--budget start=DURATION gives it more time".to_owned()
}
