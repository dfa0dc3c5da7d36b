//! Bytes and lifetimes of the ways to reach a subject; knows no game.

mod process;
mod tcp;
mod wire;

pub use process::{Ended, Process, StartError};
pub use tcp::{ConnectError, connect};
pub use wire::{Reader, Wire, Writer};
