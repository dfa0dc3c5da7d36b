//! Bytes and lifetimes of the ways to reach a subject; knows no game.

pub mod coco;
mod deadline;
mod listener;
mod named_pipes;
pub mod open_files;
mod process;
mod seats;
mod shared;
mod start_probe;
mod streams;
pub mod supervisor;
mod tap;
mod tcp;
mod wire;

pub use deadline::Deadline;
pub use listener::{AcceptError, Listener};
pub use named_pipes::{NamedPipes, PipeError, PipeNames, open_pipes};
pub use process::{
    Echo, EchoedLine, Ended, Input, Kept, Launch, ObservedProcess, Process, ProcessSample,
    ProcessState, ProcessTree, Remains, ServerProcess, StartError,
};
pub use seats::{EmptySeat, RelayError, Seats, relay};
pub use shared::Shared;
pub use start_probe::StartProbe;
pub use streams::{StreamEnd, take_streams};
pub use supervisor::Supervisors;
pub use tap::{Passing, pass_connection, pass_pipe, refuse};
pub use tcp::{ConnectError, Patience, connect};
pub use wire::{FarEnd, Wire, WireReader, WireWriter};
