//! Arguments and exit codes; one file per command.

mod replay_live;
mod baseline;
mod bless;
mod bot;
mod budget;
mod check;
mod command;
mod completions;
mod doctor;
mod explore;
mod help;
mod html_folder;
mod init;
mod interrupt;
mod mutants;
mod output;
mod program;
mod progress;
mod record;
mod repeat;
mod referee;
mod replay;
mod report;
mod report_files;
mod requirements;
mod run;
mod schema;
mod seat;
mod seed;
mod server;
mod subject;
mod verify;

pub use crate::report::Status;
pub use command::main;
