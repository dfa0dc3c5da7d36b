//! Errors on the way to a subject or a server, with advice for the user.

use std::fmt::Display;
use std::io;

use crate::finding::{Finding, Verdict};

/// Advice where the address of a subject is not known.
pub const SAY_WHERE: &str = "have it listen where {port} and {spectator_port} in its command say, or print a line \
    `listening players=HOST:PORT spectators=HOST:PORT`";

/// An error that keeps a game from beginning, a lane from opening, or a request from being granted; it says nothing about the subject's
/// conformance. What the other side said is escaped already.
#[derive(Debug, thiserror::Error)]
#[error("{title}")]
pub struct Breakdown {
    /// What happened.
    pub title: String,
    /// What the user can do about it.
    pub advice: String,
    /// Further remarks, which come before the advice.
    pub notes: Vec<String>,
    /// What kind of error it is.
    pub kind: FailureKind,
}

/// The kinds of errors on the way to the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FailureKind {
    /// Any that is none of the others.
    #[default]
    Other,
    /// The address means nothing.
    Address,
    /// Nobody accepted a connection or answered in time, or the other side has left.
    Unreached,
    /// The other side will not do what is asked for.
    Refused,
}

impl Breakdown {
    /// An error with advice for the user.
    #[must_use]
    pub fn new(title: impl Display, advice: impl Into<String>) -> Breakdown {
        Breakdown {
            title: title.to_string(),
            advice: advice.into(),
            notes: Vec::new(),
            kind: FailureKind::Other,
        }
    }

    /// This error as one of a kind.
    #[must_use]
    pub fn of(self, kind: FailureKind) -> Breakdown {
        Breakdown { kind, ..self }
    }

    /// An error at the end of the start budget. `check`: what to look at before it gets more time.
    #[must_use]
    pub fn too_late(title: impl Display, check: &str) -> Breakdown {
        let title = format!("{title} (the start budget is over)");
        Breakdown::new(
            title,
            format!("{check}; --budget start=DURATION gives it more time"),
        )
    }

    /// A file of the game that cannot be made.
    #[must_use]
    pub fn no_file(what: &str, reason: &io::Error) -> Breakdown {
        let advice =
            "check the space and the permissions of the folder for temporary files (TMPDIR)";
        Breakdown::new(format!("{what}: {reason}"), advice)
    }

    /// A port that cannot be had.
    #[must_use]
    pub fn no_port(reason: io::Error) -> Breakdown {
        let advice =
            "end some of what listens on this machine, or play fewer games at once with --jobs";
        Breakdown::new(format!("no free port: {reason}"), advice)
    }

    /// A lane that was opened already, or that the subject does not have.
    #[must_use]
    pub fn no_way() -> Breakdown {
        let title = "there is no way to this lane of the subject";
        Breakdown::new(title, "say how its spectators are reached")
    }

    /// The program of urtext is not known, which supervises subjects and relays seats.
    #[must_use]
    pub fn unknown_program() -> Breakdown {
        let title = "the program of urtext is not known, and subjects are started by it";
        Breakdown::new(title, "start urtext by its whole path")
    }

    /// A program that cannot be started.
    #[must_use]
    pub fn unstarted(title: impl Display) -> Breakdown {
        let advice = "check that the program exists and can be executed; a path is taken from the folder you are in";
        Breakdown::new(title, advice)
    }

    /// A program that is not there, or may not be run.
    #[must_use]
    pub fn no_program(program: &str, reason: &io::Error) -> Breakdown {
        Breakdown::unstarted(format!("`{program}` cannot be started: {reason}"))
    }

    /// The end of the subject's process before its lanes were open.
    #[must_use]
    pub fn ended(who: &str, status: &str) -> Breakdown {
        let title = format!("the {who} ended before everybody was connected: {status}");
        let advice = "start it by hand with the same arguments, and see what it says";
        Breakdown::new(title, advice)
    }

    /// The finding of a game that could not begin.
    #[must_use]
    pub fn finding(self) -> Finding {
        let mut finding = Finding::new(Verdict::Error, self.title);
        finding.notes = self.notes;
        finding.noted(self.advice)
    }
}
