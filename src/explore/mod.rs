//! Games that are made up to find out what no scenario was written for: which one to play next, what was seen, and what is left.
//!
//! Every explored game is a scenario like any other, so it is played and judged as all are. Legal games are steered towards what has not
//! been seen; others end by a hostile turn. Nothing here plays, waits or knows a subject beyond what it can do.

mod aim;
mod coverage;
mod exploration;
mod explorer;
mod failure;
mod gate;
mod hostile;
mod made_up;
mod plain;
mod trials;
mod examination;
mod script;
mod search;
mod shrink;

pub use coverage::{Coverage, CoverageRow};
pub use examination::{Examination, ExaminedStep, StepState};
pub use exploration::{Exploration, ExplorationLimits, games_up_to};
pub use explorer::{Explorer, Planned};
pub use failure::{FailedGame, Written, unwritable};
pub use gate::{ClosedGate, closed_gates, plain_games, plain_of, skip_closed};
pub use trials::Trials;
