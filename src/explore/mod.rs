//! Games that are made up to find out what no scenario was written for: which one to play next, what was seen, and what is left.
//!
//! Every explored game is a scenario like any other, so it is played and judged as all are. Legal games are steered towards what has not
//! been seen; others end by a hostile turn. Nothing here plays, waits or knows a subject beyond what it can do.

mod aim;
mod answers;
mod coverage;
mod exploration;
mod explorer;
mod failure;
mod gate;
mod hostile;
mod made_up;
mod off_turn;
mod plain;
mod trials;
mod examination;
mod dry_run;
mod script;
mod search;
mod shrink;
mod telling;
mod waiting;

pub use answers::Answers;
pub use coverage::{Coverage, CoverageRow};
pub use dry_run::dry_run;
pub use examination::{Examination, ExaminedStep, StepState};
pub use exploration::{Exploration, ExplorationLimits, games_up_to};
pub use explorer::{Explorer, Planned};
pub use failure::{Dropped, FailedGame, Rerun, Written, unwritable};
pub use gate::{ClosedGate, closed_gates, plain_of, skip_closed};
pub use hostile::{Hostile, hostile_turns};
pub use script::Script;
pub use trials::Trials;
pub use waiting::{Waiting, title};
