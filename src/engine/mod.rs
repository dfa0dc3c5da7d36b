//! Carries out the judge's actions against subjects: lanes, clocks, processes, many games at once.

mod attach;
mod game;
mod hook;
mod lag;
mod lanes;
mod many;
mod pauses;
mod placement;
mod record;
mod server;
mod simulation;
mod slots;
mod start;
mod suspicion;
mod tape;
mod threads;
mod waiting;

pub use game::{Clock, Options, play};
pub use many::{Doubt, Game, Progress, Run, run, settle};
pub use placement::Placement;
pub use simulation::{Network, Watched, watch};
pub use tape::Tape;
