//! Bytes and lifetimes of the ways to reach a subject; knows no game.

mod breakdown;
pub mod coco;
mod deadline;
mod named_pipes;
mod process;
mod seat;
mod shared;
pub mod supervisor;
mod tap;
mod tcp;
mod wire;

pub use breakdown::{Breakdown, FailureKind, SAY_WHERE};
pub use deadline::Deadline;
pub use named_pipes::{NamedPipes, open_pipes};
pub use process::{Echo, Ended, Kept, Launch, Process, ProcessTree, Remains, ServerProcess};
pub use seat::{Seat, relay, take_streams};
pub use shared::SharedLane;
pub use supervisor::{ProcessLimits, Spawn, Supervisors};
pub use tap::{Passing, pass_connection, pass_pipe, refuse};
pub use tcp::{Listener, Patience, connect};
pub use wire::Wire;
