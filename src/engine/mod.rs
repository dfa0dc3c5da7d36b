//! Carries out the judge's actions against subjects: lanes, clocks, processes, many games at once.

mod attach;
mod attempts;
mod conclusion;
mod evidence;
mod game;
mod hook;
mod lag;
mod lane_order;
mod lanes;
mod live_game;
mod many;
mod options;
mod pauses;
mod placement;
mod play_order;
mod reason;
mod record;
mod run;
mod second_game;
mod server;
mod simulation;
mod slots;
mod start;
mod suspicion;
mod passive_recorder;
mod threads;
mod waiting;

pub use attempts::play;
pub use many::{run, settle};
pub use options::{Clock, Options};
pub use passive_recorder::PassiveRecorder;
pub use placement::Placement;
pub use play_order::{PlayOrder, not_played};
pub use record::recording_of;
pub use run::{Doubt, GamePlan, Progress, Run, usual_jobs};
pub use simulation::{Network, Watched, watch};
