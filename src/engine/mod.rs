//! Carries out the judge's actions against subjects: lanes, clocks, processes, many games at once.

mod attach;
mod golden;
mod game;
mod lag;
mod lanes;
mod live_game;
mod live_lanes;
mod many;
mod options;
mod passive_recorder;
mod patience;
mod play;
mod prepared;
mod record;
mod run_plan;
mod second_game;
mod server;
mod simulation;
mod slots;
mod stored_match;
mod threads;

pub use golden::{dry_run, golden_of};
pub use many::{run, settle, speaks};
pub use options::{Clock, GameNews, Options, Telling};
pub use passive_recorder::PassiveRecorder;
pub use run_plan::{
    Doubt, EarlyEnd, GamePlan, Placement, PlayOrder, Progress, Run, TimeLimit, jobs_for,
    not_played, usual_jobs,
};
pub use server::Servers;
pub use simulation::Network;
