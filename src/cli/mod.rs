//! Arguments and exit codes; one file per command.

mod replay_live;
mod bless;
mod bot;
mod check;
mod command;
mod convert;
mod deferred;
mod exit;
mod explore;
mod game_files;
mod help;
mod init;
mod interrupt;
mod matches;
mod mutants;
mod output;
mod program;
mod record;
mod referee;
mod replay;
mod report;
mod report_files;
mod requirements;
mod run;
mod schema;
mod seat;
mod seed;
mod setting;
mod spectator;
mod server_matches;
mod simulated;
mod subject;
mod tally;
mod verify;

pub use command::main;
pub use exit::Status;
