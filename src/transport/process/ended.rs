//! The end of a subject's process.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use nix::sys::signal::Signal;

/// Exit status of a process, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// In words: `exit status 1`, `killed by signal 9 (SIGKILL)`.
    pub status: String,
    /// True for an exit with status 0.
    pub is_success: bool,
    /// True if the supervisor was killed, and all of the subject's processes with it.
    pub is_lost: bool,
}

/// Final state of a process that urtext ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remains {
    /// Exit of the process; `None` if it cannot be killed.
    pub ended: Option<Ended>,
    /// The end of what it wrote to standard error.
    pub stderr: Vec<u8>,
}

impl Ended {
    /// Converts the system's exit status.
    #[must_use]
    pub fn described(status: io::Result<ExitStatus>) -> Ended {
        match status {
            Ok(status) => match (status.code(), status.signal()) {
                (Some(code), _) => Ended::exited(code),
                (None, Some(number)) => Ended::signalled(number),
                (None, None) => Ended::unknown(&status.to_string()),
            },
            Err(error) => Ended::unknown(&error.to_string()),
        }
    }

    pub(super) fn exited(code: i32) -> Ended {
        Ended {
            status: format!("exit status {code}"),
            is_success: code == 0,
            is_lost: false,
        }
    }

    pub(super) fn signalled(number: i32) -> Ended {
        let name = Signal::try_from(number)
            .map_or_else(|_| String::new(), |signal| format!(" ({signal})"));
        Ended {
            status: format!("killed by signal {number}{name}"),
            is_success: false,
            is_lost: false,
        }
    }

    pub(super) fn unknown(why: &str) -> Ended {
        Ended {
            status: format!("its status is not known: {why}"),
            is_success: false,
            is_lost: false,
        }
    }

    pub(super) fn lost() -> Ended {
        Ended {
            is_lost: true,
            ..Ended::unknown("its supervisor was killed")
        }
    }
}
