//! Arguments and exit codes; one file per command.

mod replay_live;
mod batch;
mod bless;
mod bot;
mod check;
mod command;
mod convert;
mod deferred;
mod diagnose;
mod exit;
mod explore;
mod faulty_games;
mod game_files;
mod help;
mod in_order;
mod init;
mod interrupt;
mod matches;
mod mutants;
mod output;
mod record;
mod referee;
mod replay;
mod requirements;
mod run;
mod schema;
mod seat;
mod seed;
mod spectator;
mod server_matches;
mod simulated;
mod subject;
mod tally;
mod verify;

pub use command::main;
pub use exit::Status;
