//! The process between urtext and a subject that it starts: it sees to it that nothing of the subject stays behind.
//!
//! urtext starts its own program as the supervisor, with one end of a socket pair; the supervisor starts the subject. While the
//! socket is open, urtext lives and wants the subject. When it closes, however urtext has ended, the supervisor kills everything below
//! it and removes the folders that it was told of. On Linux it is a subreaper: whatever the subject has started becomes its child when
//! its parents die, also out of a process group or a session of its own, so that it finds everything. Elsewhere it kills the
//! subject's process group, and what has left that group stays.
//!
//! What goes over the socket: `t` from urtext: ask the subject to end (SIGTERM to its group). `k`: kill everything. From the supervisor,
//! one line each: `started PID`, or `failed ERRNO` where the program cannot be started; `exited CODE` or `signalled NUMBER`.

mod below;
mod guard;
mod orders;

pub use guard::supervise;
pub(super) use orders::{Orders, Report};

/// The first argument by which urtext, started as its own supervisor, knows that it is one.
pub const ARGUMENT: &str = "supervise";
